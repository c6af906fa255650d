"""The tables of docs/benchmarks.md, from benchmarks/latest.json."""

from pathlib import Path
from typing import Any

from peers.batches import BATCHED

from banditpapers.files import write_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- peers: written by benchmarks/run.py -->", "<!-- end of peers -->"
TITLES = {"smpybandits": "SMPyBandits", "ours": "banditpapers"}
ALGORITHMS = ("UCB1", "LinUCB", "LinTS")


def table(known: dict[str, Any]) -> str:
    """All that the page says of measured numbers, as Markdown: a row per library, ours first, with times of peers as multiples of ours."""
    rows = known["peers.rows"]
    judged = ("same_seed_same_actions", "same_actions_with_both_kernels")
    lines = [
        "| library | version | UCB1 | LinUCB | LinTS | same seed, same actions | same actions with two kernels of the BLAS |",
        "|---|---|---|---|---|---|---|",
    ]
    for peer, row in sorted(rows.items(), key=lambda item: (item[0] != "ours", item[0])):
        has = [name for name in ALGORITHMS if name in row]
        times = [_time(peer, row.get(name), rows["ours"][name]["microseconds"]) for name in ALGORITHMS]
        answers = [_said({name: row[name][key] for name in has}) for key in judged]
        lines.append(f"| {TITLES.get(peer, peer)} | {row['version']} | {' | '.join([*times, *answers])} |")
    lines += [f"| {TITLES.get(peer, peer)} | | left out: {reason} | | | | |" for peer, reason in sorted(known["peers.left_out"].items())]
    lines += ["", f"- {_own(rows)}", f"- {_batches(rows)}", f"- {_oracle(known)}", f"- {_program(known)}"]
    return "\n".join(lines)


def _time(peer: str, found: dict[str, Any] | None, own: float) -> str:
    if found is None:
        return "has none"
    return f"{own:g} µs" if peer == "ours" else f"{found['microseconds'] / own:.0f} × ({found['mode']})"


def _said(answers: dict[str, bool]) -> str:
    wrong = [name for name, answer in answers.items() if not answer]
    return "yes" if not wrong else "no" if len(wrong) == len(answers) else f"not {', '.join(wrong)}"


def _own(rows: dict[str, Any]) -> str:
    others = {name: [row[name]["microseconds"] for peer, row in rows.items() if peer != "ours" and name in row] for name in ALGORITHMS}
    shares = [f"{name} {rows['ours'][name]['microseconds'] / min(times):.2g}" for name, times in others.items()]
    return f"Ours over the fastest other library, after each round learning: {', '.join(shares)}. Below 1 is ahead."


def _batches(rows: dict[str, Any]) -> str:
    told = [
        f"{TITLES.get(peer, peer)} {name} {row[name][BATCHED] / rows['ours'][name]['microseconds']:.3g} ×"
        for peer, row in sorted(rows.items())
        for name in ALGORITHMS
        if name in row and row[name][BATCHED] is not None
    ]
    return f"In {BATCHED} rounds, within which nothing is learned, against ours that learns in each: {', '.join(told) or 'not measured'}."


def _oracle(known: dict[str, Any]) -> str:
    if "peers.linear_ucb_rounds" not in known:
        return "LinUCB was not compared with mabwiser's."
    same, rounds = known["peers.linear_ucb_rounds_equal_to_mabwiser"], known["peers.linear_ucb_rounds"]
    return f"LinUCB plays the same arms as mabwiser's in the first {same} of {rounds} rounds."


def _program(known: dict[str, Any]) -> str:
    ratio, most = known["lp2s.lp_ratio_to_highs"], known["lp2s.lp_milliseconds"]
    return (
        f"LP2S's linear programs, three of the paper's: SciPy's HiGHS takes at least {ratio:.0f} × our solver's time, at most {most:g} ms."
    )


def write_page(known: dict[str, Any]) -> None:
    """Put the tables between their marks."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    write_text(PAGE, f"{before}{BEGIN}\n{table(known)}\n{END}{rest.split(END)[1]}")
