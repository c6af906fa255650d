"""What lemmas, theorems and sentences say, as margins: positive where it holds. Exact unless runs or pairs of numbers are counted.

`check` names the statement; arms is K, rho that of a run or rho' of a call, horizon T; each is 0 where it does not matter.
"""

from collections.abc import Iterator
from math import log, log10, sqrt
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.kernels.replicable_mean import precision
from banditpapers.papers.debora import lemmas, shown
from banditpapers.papers.debora.played import played
from banditpapers.runs import Runs
from banditpapers.statistics import exact_proportion
from banditpapers.tidy import row

Row = dict[str, Any]
SAMPLES, MEANS = (1, 10, 100, 1000, 10_000, 100_000), (0.02, 0.1, 0.3, 0.5, 0.7)
FEW = 1000  # samples up to which pairs of sums are enumerated
NUMBERS, MIXES, PAIRS, EQUAL = (100, 10_000, 1_000_000), 2000, 20_000, 1e-9
ARMS, SMALL, LARGE = tuple(range(2, 11)), tuple(range(2, 1025)), tuple(2**k + s for k in range(11, 58) for s in (-1, 0, 1))


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per check and reading."""
    grid = parameters["grid"]
    rows = [*_repmean(grid), *_epochs(), *_bounds(grid), *_others(grid), *played(runs, grid)]
    table = pd.DataFrame({"arms": 0, "rho": 0.0, "horizon": 0, **entry} for entry in rows)
    leading = ["check", "arms", "rho", "horizon", "reading", "default", "measured", "low", "high", "note"]
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _repmean(grid: Row) -> Iterator[Row]:
    """Lemma 2.5 without sampling, and the middle of a cell in floating point."""
    spare = []
    for i, (rho, delta) in enumerate(grid["rounding"]["precisions"]):
        for name in ("paper", "whole", "sharp"):
            cell, width = precision(rho, delta, name)
            keys: Row = {"rho": rho, "reading": f"grid {name}, rho' = {rho:g}, delta' = {delta:g}", "default": not i and name == "paper"}
            error = max(lemmas.error_probability(n, p, cell, width) for n in SAMPLES for p in MEANS)
            split = max(lemmas.split_probability(n, p, cell) for n in SAMPLES if n <= FEW for p in MEANS)
            spare += [rho / split] if name == "paper" else []
            over = f"n, a power of ten up to {SAMPLES[-1]}, and r = {', '.join(f'{p:g}' for p in MEANS)}"
            found = f"is {error:.2g}" if error > 1e-12 else "is below 1e-12"
            yield row(delta - error, **keys, check="repmean_precision", note=f"the largest P(|r^ - r| > zeta) over {over} {found}")
            over = over.replace(str(SAMPLES[-1]), str(FEW))
            yield row(rho - split, **keys, check="repmean_replicability", note=f"the largest P(split) over {over} is {split:.3g}")
    rho, delta = grid["rounding"]["precisions"][0]
    note = (
        f"rho' / P(split) is at least {min(spare):.3g}; the proof alone leaves 2 / (1 + rho' - 2 delta') = {2 / (1 + rho - 2 * delta):.3g}"
    )
    yield row(min(spare) - 2, rho=rho, check="hoeffding_slack", note=note)
    differ = lemmas.split_from_mean(PAIRS, NUMBERS, rho, delta)
    share, n = exact_proportion(differ), differ.size
    note = (
        f"v - (v - offset) mod alpha + alpha/2 has two values in {share.mean:.2%} of {n} pairs of unequal means of one cell; from j, none"
    )
    counted = {"planned": n, "finished": n, "failed": 0}
    yield row(shown.affine(share, -1.0), counted, rho=rho, check="midpoint_from_mean", reading="computed from the mean", note=note)


def _epochs() -> Iterator[Row]:
    """H <= K ceil(log2 T), at the most epochs that any rule can have."""
    spare = lemmas.spare_epochs(ARMS, SMALL + LARGE)
    tight = sum(value == 0 for value in spare)
    note = f"at the most epochs of any rule, K = 2 to 10, {len(SMALL + LARGE)} T up to 2^57; equality in {tight} cases"
    yield row(min(spare), check="epochs_bound", reading="any rule", note=note)
    for check, arms, horizon in (("epochs_bound_k1", 1, 1024), ("epochs_bound_t1", 2, 1)):
        bound, most = arms * (horizon - 1).bit_length(), lemmas.most_epochs(arms, horizon)
        note = f"K = {arms}, T = {horizon}: H = {most}, K ceil(log2 T) = {bound}"
        yield row(float(bound - most), arms=arms, horizon=horizon, check=check, note=note)


def _bounds(grid: Row) -> Iterator[Row]:
    """Forms and constants of bounds in the text."""
    rho, horizon = float(grid["rho"]), int(grid["growth"]["horizons"][-1])
    arms = len(next(iter(grid["instances"].values()))["rewards"])
    for natural in (False, True):
        factor = lemmas.calls_factor(arms, horizon, natural)
        logarithm = "ln T" if natural else "ceil(log2 T)"
        note = f"log T = {logarithm}: the (m + 1) K calls of K ceil(log2 T) epochs may split with probability {factor:.4g} rho"
        keys: Row = {"arms": arms, "horizon": horizon, "reading": f"log T = {logarithm}", "default": not natural}
        yield row(1 - factor, **keys, check="union_bound_text", note=note)
    for ratio in (float(grid["ratio"]), 0.45):
        factor = ((1 - ratio) / (1 - 2 * ratio)) ** 2
        note = f"delta = {ratio:g} rho: the width's 1 / (rho - 2 delta)^2 is {factor:.4g} times the theorem's 1 / (rho - delta)^2"
        keys = {"rho": rho, "reading": f"delta = {ratio:g} rho", "default": ratio == grid["ratio"]}
        yield row(1 - factor, **keys, check="rho_delta_squared", note=note)
    delta = rho * float(grid["ratio"])
    note = f"delta = {delta:g}: log(1/delta) = {log(1 / delta):.3g}, the width has its root, {sqrt(log(1 / delta)):.3g}: loose, not wrong"
    yield row(log(1 / delta) - sqrt(log(1 / delta)), rho=rho, check="log_delta", note=note)
    yield row(0.0, check="stray_gamma", exists=False, note="the bound of DEBORA-H ends with + gamma, which the text does not define")
    first, last = (log(grid["regret"]["horizons"][place]) for place in (0, -1))
    for reading, power in (("Algorithm 2 of Esfandiari et al.", 1), ("Algorithm 1 of Esfandiari et al.", 0)):
        ratios = [log(1 / delta) * (1 - grid["ratio"]) ** -2 * logarithm**power for logarithm in (first, last)]
        note = (
            f"ratio of the printed bounds' forms: {ratios[0]:.3g} at the first horizon, {ratios[1]:.3g} at the last; measured: table finals"
        )
        keys = {"rho": rho, "horizon": int(grid["regret"]["horizons"][-1]), "reading": reading, "default": power == 1}
        yield row(1 - ratios[1] / ratios[0], **keys, check="matches_up_to_constants", note=note)


def _others(grid: Row) -> Iterator[Row]:
    worst = max(abs(lemmas.weight(mix) - lemmas.largest_weight(mix)) for mix in lemmas.random_mixes(MIXES))
    note = f"gamma against bisection for the largest weight within all limits, {MIXES} random cases: 1e-09 minus the largest difference"
    yield row(round(EQUAL - worst, 12), check="gamma_largest", note=note)
    for arms in (2, 5):
        differ = 1 - 1 / arms
        note = (
            f"{arms} arms of one mean are left, each is the largest of a run with probability 1/{arms}: two runs differ with {differ:.2g}"
        )
        keys: Row = {"arms": arms, "rho": float(grid["rho"]), "reading": f"{arms} arms left", "default": arms == 2}
        yield row(grid["rho"] - differ, **keys, check="esfandiari2_commit", note=note)
    arms, horizon = 2, 10**6
    samples = lemmas.every_round(arms, horizon, grid["rho"], grid["ratio"])
    square = float(arms * horizon) ** 2
    note = (
        f"K = {arms}, T = {horizon}: with K T calls a half-width of 1 takes {samples:.2g} samples of an arm, "
        f"{samples / square:.3g} K^2 T^2; the margin is log10 of it over T"
    )
    yield row(log10(samples / horizon), arms=arms, rho=float(grid["rho"]), horizon=horizon, check="ucb_replacement", note=note)
