"""Beyond the paper: SoftUCB against LinUCB tuned on other arms, and with its training counted."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted
from banditpapers.papers.softucb.contenders import RATINGS, TUNED, UNKNOWN
from banditpapers.papers.softucb.ranges import THEORY
from banditpapers.plotting import look

CAPTION = (
    "Cumulative regret R(T) on every world (shipped grid: K = 50, n = 50 sets of arms; synthetic T = 2¹¹, ratings T = 2¹⁰ with d = 10 and "
    "σ² = 0.01; SoftUCB offline with η = 0.001 and N = 100 training trajectories on the same arms, online with η = 0.1 and β₀ = 1). Mean ± "
    "standard error over the sets of arms. β of theory: equation 5, R = σ, δ = 0.1; the paper compares with it. Tuned: the constant β, "
    "of eleven from 0.1 to 3, with the smallest mean R(T) on n other sets of arms with other noise, named in brackets. With training: the "
    "regret of all N training trajectories added to that of the final one. Lead: R(T) of the rival minus R(T) of SoftUCB, paired by set of "
    "arms, with the 95% interval of Student's t in square brackets: above 0 where SoftUCB has less regret. Ratings: the reward as the text "
    "has it (literal), or minus its mean (centred)."
)
SYMBOLS = {"eta": "η", "scale": "s", "epsilon": "ε", "beta": "β"}
WORLD = ["dimension", "variance", "ratings", "reward", "source"]


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """Levels and leads, synthetic arms and ratings apart; a column per world."""
    panels = []
    rated = table[table["ratings"] != ""]
    sources = dict(zip(rated["ratings"], rated["source"], strict=True))
    named = "; ".join(f"{RATINGS[name]}: {source or UNKNOWN}" for name, source in sources.items())
    for heading, part in (("synthetic arms", table[table["ratings"] == ""]), (f"ratings ({named})", rated)):
        if len(part):
            panels += [
                _panel(f"R(T), {heading}", part[part["rival"] == ""], ("algorithm",), _level),
                _panel(f"Lead in R(T), {heading}", part[part["rival"] != ""], ("algorithm", "rival"), _lead),
            ]
    return panels


def _panel(heading: str, rows: pd.DataFrame, labels: tuple[str, ...], spelled: Any) -> Panel:
    worlds = [_world(first) for _, (first, *_) in ((key, part.to_dict("records")) for key, part in rows.groupby(WORLD, sort=False))]
    lines = []
    for _, part in rows.groupby(["quantity", "method", "variant", "rival"], sort=False):
        entries = part.to_dict("records")
        names = _called(entries[0]) if len(labels) == 1 else _opposed(entries[0])
        counts = "; ".join(sorted({counted(entry) for entry in entries}))
        lines.append((*names, *(spelled(entry) for entry in entries), counts))
    return Panel(heading, (*labels, *worlds, "n"), tuple(lines))


def _world(entry: Any) -> str:
    if not entry["ratings"]:
        return f"d = {entry['dimension']}, σ² = {entry['variance']:g}"
    return f"{RATINGS[entry['ratings']]}, {entry['reward']}"


def _called(entry: Any) -> tuple[str]:
    """An algorithm and the parameter that tells it from others; a tuned one differs from world to world and stands with the numbers."""
    name = look(entry["method"]).name
    if entry["variant"] == TUNED:
        name, parameter = name.removesuffix(", fixed β"), "tuned β"
    else:
        parameter = _spelled(entry["rule"])
    training = ["with training"] if entry["quantity"].endswith("with training") else []
    return (", ".join([name, parameter, *training]),)


def _opposed(entry: Any) -> tuple[str, str]:
    method, _, variant = str(entry["rival"]).partition(" ")
    (rival,) = _called({**entry, "method": method, "variant": variant, "quantity": ""})
    training = ", with training" if entry["quantity"].endswith("with training") else ""
    return look(entry["method"]).name + training, rival


def _spelled(rule: str) -> str:
    """The last parameter of a rule, which alone is varied: "η = 0.1" of "start=1.0 step=0.5 eta=0.1"."""
    key, _, value = rule.rsplit(maxsplit=1)[-1].partition("=")
    value = value.strip("'")
    return f"{SYMBOLS[key]} of theory" if value == THEORY else f"{SYMBOLS[key]} = {float(value):g}"


def _level(entry: Any) -> str:
    if pd.isna(entry["measured"]):
        return "—"
    digits = 0 if entry["measured"] >= 1000 else 1 if entry["measured"] >= 10 else 2
    chosen = f" ({_spelled(entry['rule'])})" if entry["variant"] == TUNED else ""
    return f"{entry['measured']:.{digits}f} ± {entry['se']:.{digits}f}{chosen}"


def _lead(entry: Any) -> str:
    if pd.isna(entry["measured"]):
        return "—"
    digits = 0 if abs(entry["measured"]) >= 1000 else 1
    return f"{entry['measured']:+.{digits}f} [{entry['low']:+.{digits}f}, {entry['high']:+.{digits}f}]"
