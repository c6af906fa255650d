"""Linear bandits of one's own in Figure 1, as released and repaired, at its end, and beyond its horizon."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.drts.experiment import Description, world
from banditpapers.papers.drts.grid import Grid
from banditpapers.papers.drts.summaries.curves import QUANTITIES
from banditpapers.papers.drts.summaries.finals import LEVELS, NAMES
from banditpapers.papers.drts.summaries.longer import PER
from banditpapers.papers.drts.tuned import READINGS, Tuned, all_tuned, best, counts, difference, size_of_coefficients, spelled
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import student
from banditpapers.tidy import NAN, row

Row = dict[str, Any]


def worlds(exhibit: str, grid: Grid, claims: Claims, entry: Any) -> list[tuple[Description, list[int]]]:
    """Where an algorithm is played for an exhibit, and the rounds that are recorded."""
    match exhibit:
        case "figure1" | "figure1_repaired" | "finals":
            return [(world(setting, grid), grid.rounds(grid.horizon)) for setting in grid.settings]
        case "longer":
            return [(world(grid.longer.setting, grid), grid.rounds(grid.longer.horizon, grid.longer.every))]
    return []


def summarise(
    make: Callable[..., pd.DataFrame], runs: Runs, own: Sequence[CellRuns], parameters: dict[str, Any], claims: Claims
) -> pd.DataFrame:
    """The tidy table with rows for cells of one's own, whose algorithms have their labels for names."""
    table = make(runs, parameters, claims)
    rows: list[Row] = []
    for cell in own:
        one = best(cell)
        if "longer" in parameters:
            rows += _longer(one)
        elif "rms z of R(T)" in set(table["quantity"]):
            rows += _finals(one, runs, parameters)
        else:
            rows += _curves(one, str(table["reading"].iloc[0]))
    # the whole numbers of a table stay so
    return pd.concat([table, pd.DataFrame(rows).reindex(columns=table.columns)], ignore_index=True)


def layout(labels: Sequence[str]) -> AbstractContextManager[None]:
    """Pictures and tables go by the tidy table's methods."""
    return nullcontext()


def _keys(one: Tuned) -> Row:
    environment = one.runs.cell.environment
    named = {"method": one.runs.cell.algorithm["name"], "rule": _rule(one)}
    return {"arms": environment["arms"], "dimension": environment["dimension"], **named}


def _rule(one: Tuned) -> str:
    return ", ".join(f"{key} = {value}" for key, value in one.runs.cell.algorithm.items() if key not in ("name", "rounds")) or (
        spelled(one.rule) if one.rule != "own" else "its defaults"
    )


def _known(one: Tuned) -> tuple[str, ...]:
    """Without an estimate there is no error."""
    return tuple(name for name in QUANTITIES if not np.isnan(one.path(name)).all())


def _sd(sample: Any) -> float:
    return float(np.std(sample, ddof=1)) if len(sample) > 1 else NAN


def _curves(one: Tuned, reading: str) -> Iterator[Row]:
    for quantity in _known(one):
        for t, sample in zip(one.rounds.tolist(), one.path(quantity).T, strict=True):
            keys = {**_keys(one), "quantity": quantity, "reading": reading, "round": t, "beta_norm": size_of_coefficients(one.runs)}
            yield row(student(sample), one.runs.counts, **keys, sd=_sd(sample), published=NAN)


def _finals(one: Tuned, runs: Runs, parameters: dict[str, Any]) -> Iterator[Row]:
    """Levels, and its lead over each of the paper's algorithms, by replicate; under both readings, in which it is the same."""
    last = int(one.rounds[-1])
    at = {"R(T)": ("regret", last), "error(T)": ("error", last), "peak error": ("error", one.peak())}
    for reading in READINGS:
        keys = {**_keys(one), "reading": reading, "default": False, "horizon": parameters["horizon"], "published": NAN, "z": NAN}
        for level in LEVELS:
            quantity, t = at[level]
            if quantity in _known(one):
                sample = one.at(quantity, t)
                yield row(student(sample), one.runs.counts, **keys, quantity=level, round=t, sd=_sd(sample))
        tuned = all_tuned(runs, reading, parameters["ridge"], keys["arms"], keys["dimension"])
        for method, rival in tuned.items():
            lead = difference(rival, rival.at("regret", last), one, one.at("regret", last))
            quantity = f"lead of {keys['method']} over {NAMES[method]} in R(T)"
            against = {**keys, "rule": spelled(rival.rule)}
            yield row(student(lead), counts(one, rival), **against, quantity=quantity, round=last, sd=_sd(lead))


def _longer(one: Tuned) -> Iterator[Row]:
    rounds = one.rounds.tolist()
    start = max(t for t in rounds[:-1] if t <= max(0.8 * rounds[-1], rounds[0]))
    keys = {**_keys(one), "place": 1, "default": False}
    for t in rounds:
        yield row(student(one.at("regret", t)), one.runs.counts, **keys, quantity="regret", round=t)
    slope = PER / (rounds[-1] - start) * (one.at("regret", rounds[-1]) - one.at("regret", start))
    yield row(student(slope), one.runs.counts, **keys, quantity="slope", round=rounds[-1], note=f"rounds {start} to {rounds[-1]}")
