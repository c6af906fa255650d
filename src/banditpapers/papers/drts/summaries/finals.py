"""Regret and estimation error at the end, as released and repaired, against the published figure, and the orderings that the text states.

A margin is positive where its statement holds. Algorithms are compared replicate by replicate, dimensions as independent samples.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from banditpapers.claims import Claims
from banditpapers.papers.drts import published
from banditpapers.papers.drts.tuned import (
    BLTS,
    DRTS,
    LINTS,
    READINGS,
    RELEASED,
    Tuned,
    all_tuned,
    counts,
    difference,
    distance,
    settings,
    size_of_coefficients,
    spelled,
)
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, student, welch
from banditpapers.tidy import NAN, row

NAMES = {LINTS: "LinTS", BLTS: "BLTS", DRTS: "DRTS"}
LEVELS = ("R(T)", "error(T)", "peak error")
SETTLED = 10  # the round from which on an estimate is more than its first, heavily weighted, observations
EARLY = (100, 1000)
Row = dict[str, Any]
Worlds = Mapping[tuple[int, int], Mapping[str, Tuned]]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table; columns besides the standard ones: arms, dimension, horizon, method, quantity, rule, sd, published, z."""
    rows: list[Row] = []
    for reading in READINGS:
        worlds = {world: all_tuned(runs, reading, parameters["ridge"], *world) for world in settings(runs)}
        found = [
            *(entry for (arms, dimension), tuned in worlds.items() for entry in _levels(tuned, arms, dimension)),
            *(entry for world, tuned in worlds.items() for entry in _margins(tuned, *world)),
            *_growth(worlds),
        ]
        found += [_agreement(found, quantity) for quantity in LEVELS]
        rows += ({"horizon": parameters["horizon"], **entry, "reading": reading, "default": reading == RELEASED} for entry in found)
    leading = [
        "arms",
        "dimension",
        "horizon",
        "method",
        "quantity",
        "reading",
        "default",
        "rule",
        "round",
        "measured",
        "sd",
        "published",
        "z",
    ]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _levels(tuned: Mapping[str, Tuned], arms: int, dimension: int) -> Iterator[Row]:
    """What was published, and ours."""
    for method, one in tuned.items():
        last, peak = int(one.rounds[-1]), one.peak()
        stated = [published.at(quantity, arms, dimension, method, last) for quantity in ("regret", "error")]
        highest = published.peak(arms, dimension, method) if last == published.HORIZON else NAN
        samples = one.at("regret", last), one.at("error", last), one.at("error", peak)
        for quantity, t, sample, printed in zip(LEVELS, (last, last, peak), samples, (*stated, highest), strict=True):
            found = student(sample)
            keys = {"arms": arms, "dimension": dimension, "method": method, "quantity": quantity, "rule": spelled(one.rule), "round": t}
            sd = float(np.std(sample, ddof=1)) if sample.size > 1 else NAN
            yield row(found, one.runs.counts, **keys, sd=sd, published=printed, z=distance(found, one.runs.finished, printed))


def _agreement(found: Sequence[Row], quantity: str) -> Row:
    """The root mean square z of a quantity over methods and settings; NaN where nothing was published."""
    known = [entry["z"] ** 2 for entry in found if entry["quantity"] == quantity and np.isfinite(entry["z"])]
    overall = Estimate(float(np.sqrt(np.mean(known))) if known else NAN, NAN, NAN, NAN, "none")
    keys: Row = {"arms": 0, "dimension": 0, "method": "", "quantity": f"rms z of {quantity}", "rule": "", "round": 0}
    return row(overall, **keys, sd=NAN, published=NAN, z=NAN, note=f"over {len(known)} means")


def _margins(tuned: Mapping[str, Tuned], arms: int, dimension: int) -> Iterator[Row]:
    """Orderings within a setting."""
    drts, last = tuned[DRTS], int(tuned[DRTS].rounds[-1])
    for rival in (LINTS, BLTS):
        other = tuned[rival]
        peak, late = other.peak(), (other.peak(SETTLED), drts.peak(SETTLED))
        samples = [
            ("R(T)", last, _lead(drts, other, "regret", last)),
            ("error(T)", last, _lead(drts, other, "error", last)),
            *((f"error({t})", t, _lead(drts, other, "error", t)) for t in EARLY if t in drts.rounds),
            (f"peak error from round {SETTLED}", late[0], difference(other, other.at("error", late[0]), drts, drts.at("error", late[1]))),
        ]
        for name, t, sample in samples:
            yield _margin(f"lead of DRTS over {NAMES[rival]} in {name}", sample, (other, drts), arms, dimension, DRTS, t)
        rise = other.at("error", peak) - other.at("error", int(other.rounds[0]))
        yield _margin("early rise of the error", rise, (other,), arms, dimension, rival, peak)
    excess = size_of_coefficients(drts.runs) - drts.at("error", last)
    yield _margin("lead of DRTS over the estimate 0 in error(T)", excess, (drts,), arms, dimension, DRTS, last)


def _lead(better: Tuned, worse: Tuned, quantity: str, t: int) -> NDArray[np.float64]:
    return difference(worse, worse.at(quantity, t), better, better.at(quantity, t))


def _growth(worlds: Worlds) -> Iterator[Row]:
    """The lead of DRTS in the largest dimension minus that in the smallest, for each N."""
    for arms in sorted({arms for arms, _ in worlds}):
        dimensions = [dimension for size, dimension in worlds if size == arms]
        low, high = worlds[arms, min(dimensions)], worlds[arms, max(dimensions)]
        last = int(high[DRTS].rounds[-1])
        compared = [("R(T)", "regret", last), ("error(T)", "error", last), *((f"error({t})", "error", t) for t in EARLY)]
        for rival in (LINTS, BLTS) if low is not high else ():
            for name, quantity, t in compared:
                if t in high[DRTS].rounds:
                    leads = [_lead(tuned[DRTS], tuned[rival], quantity, t) for tuned in (high, low)]
                    players = high[DRTS], high[rival], low[DRTS], low[rival]
                    title = f"growth with d of the lead of DRTS over {NAMES[rival]} in {name}"
                    yield _margin(title, welch(*leads), players, arms, max(dimensions), DRTS, t)


def _margin(
    quantity: str, found: NDArray[np.float64] | Estimate, players: tuple[Tuned, ...], arms: int, dimension: int, method: str, t: int
) -> Row:
    keys = {"arms": arms, "dimension": dimension, "method": method, "quantity": quantity, "round": t}
    rule = "; ".join(f"{NAMES[str(one.runs.cell.algorithm['name'])]} {spelled(one.rule)}" for one in players)
    estimate = found if isinstance(found, Estimate) else student(found)
    sd = float(np.std(found, ddof=1)) if not isinstance(found, Estimate) and found.size > 1 else NAN
    return row(estimate, counts(*players), **keys, rule=rule, sd=sd, published=NAN, z=NAN)
