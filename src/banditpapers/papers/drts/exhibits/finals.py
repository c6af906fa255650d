"""The end of Figure 1 in numbers: regret and estimation error against the published values, and the orderings of the text."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel
from banditpapers.papers.drts.tuned import RELEASED, REPAIRED
from banditpapers.plotting import look

CAPTION = (
    "Each number is the mean over n replicates (shipped grid: n = 10, T = 20,000) of the algorithm with its best parameters, those "
    "with the smallest mean R(T) on these same replicates: ± standard error, 95% interval of Student's t in square brackets, sd the "
    "sample standard deviation (divisor n − 1). Published: read off Figure 1, to a pixel (0.4 to 0.6 of regret, 0.015 of error); z is "
    "ours minus the published number in standard errors of the difference, the published mean of 10 counted as noisy as ours. Peak "
    "error: the highest point of the mean curve. As released: the authors' program; repaired: exact propensities, BLTS with variance "
    "v² B⁻¹; LinTS is the same in both. A lead is by how much the regret or error of DRTS is smaller, paired by replicate (t); its "
    "growth is the lead in the largest d minus that in the smallest, from independent runs (Welch). Early rise: error at the highest "
    "point of the mean curve minus error after round 1. The estimate 0 is no algorithm: its error is |β|."
)
HEADINGS = {
    "R(T)": "Cumulative regret R(T)",
    "error(T)": "Estimation error after round T",
    "peak error": "Largest estimation error",
}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """Levels by quantity and reading, then the margins of both readings side by side."""
    panels: list[Panel] = []
    for quantity, heading in HEADINGS.items():
        for reading in (RELEASED, REPAIRED):
            rows = table[(table["quantity"] == quantity) & (table["reading"] == reading)]
            columns = ("N", "d", "method", "parameters", "published", "ours", "sd", "z", "n")
            at = ("at round",) if quantity == "peak error" else ()
            levels = tuple(_level(entry, len(at) > 0) for entry in rows.to_dict("records"))
            overall = table[(table["quantity"] == f"rms z of {quantity}") & (table["reading"] == reading)]["measured"].iloc[0]
            agreement = "" if pd.isna(overall) else f"; root mean square z {overall:.2f}"
            panels.append(Panel(f"{heading}, {reading}{agreement}", (*columns, *at), levels))
    margins = table[~table["quantity"].isin([*HEADINGS, *(f"rms z of {quantity}" for quantity in HEADINGS)])]
    lines: list[tuple[str, ...]] = []
    for (name, arms, dimension, method), rows in margins.groupby(["quantity", "arms", "dimension", "method"], sort=False):
        by_reading = rows.set_index("reading")
        title = f"{name}, {look(str(method)).name}" if str(name).startswith("early") else str(name)
        found = [_estimate(by_reading.loc[reading]) for reading in (RELEASED, REPAIRED)]
        lines.append((title, str(arms), str(dimension), *found, _replicates(rows.iloc[0])))
    order = list(dict.fromkeys(line[0] for line in lines))
    together = tuple(sorted(lines, key=lambda line: order.index(line[0])))
    return [*panels, Panel("Margins", ("margin", "N", "d", RELEASED, REPAIRED, "n"), together)]


def _level(entry: Any, with_round: bool) -> tuple[str, ...]:
    world = (str(entry["arms"]), str(entry["dimension"]), look(entry["method"]).name, entry["rule"])
    z = "—" if pd.isna(entry["z"]) else f"{entry['z']:+.2f}"
    found = (*world, _number(entry["published"]), _estimate(entry), _number(entry["sd"]), z, _replicates(entry))
    return (*found, str(entry["round"])) if with_round else found


def _estimate(entry: Any) -> str:
    return f"{_number(entry['measured'])} ± {_number(entry['se'])} [{_number(entry['low'])}, {_number(entry['high'])}]"


def _number(value: float) -> str:
    return "—" if pd.isna(value) else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"


def _replicates(entry: Any) -> str:
    return str(entry["planned"]) if entry["finished"] == entry["planned"] else f"{entry['finished']}/{entry['planned']} finished"
