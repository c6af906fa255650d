"""What lemmas, the theorem and sentences say, as margins: positive where it holds. Exact unless rounds or replicates are counted.

`check` names the statement; beta, dimension and horizon are 0 where they do not matter.
"""

from collections.abc import Iterator
from math import log, sqrt
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.environments.fixed_arms import FixedArms
from banditpapers.papers.softucb import lemmas, proof_errors
from banditpapers.papers.softucb.balance import rule_of
from banditpapers.papers.softucb.pairs import last
from banditpapers.papers.softucb.theory_bound import beta_tilde
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import Estimate, proportion, student
from banditpapers.tidy import NAN, row

CASES, SLOPES, SETS = 20_000, 3000, 50
EQUAL, CLOSE = 1e-9, 1e-6
Row = dict[str, Any]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per check, beta and reading."""
    grid = parameters["grid"]
    made = (_lemmas(grid), _gradient(grid), _theorem(grid), _definitions(grid), _not_at_hand(grid), _instances(grid), _played(runs, grid))
    rows = [entry for part in made for entry in part]
    table = pd.DataFrame({"beta": 0.0, "dimension": 0, "horizon": 0, **entry} for entry in rows)
    leading = ["check", "beta", "dimension", "horizon", "reading", "default", "measured", "note"]
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def equality(difference: float) -> float:
    """The margin by which two numbers are equal, without the last digits, which differ between machines."""
    return round(EQUAL - abs(difference), 12)


def _lemmas(grid: dict[str, Any]) -> Iterator[Row]:
    """Lemmas 1 and 2 on random rounds on the good event."""
    drawn = list(lemmas.random_rounds(CASES))
    gaps = [lemmas.least_eliminated_gap(one) for one in drawn]
    note = f"least gap of an eliminated arm, over {np.isfinite(gaps).sum()} of {CASES} random rounds on the good event that eliminate one"
    yield row(min(gaps), check="lemma1", note=note)
    off = max(map(lemmas.off_ucb, drawn))
    note = f"S_i = UCB_i - max LCB in {CASES} random rounds, so that S and UCB have one order"
    yield row(equality(off), check="lemma1_order", note=note)
    spared = [lemmas.spared(one, grid["delta"]) for one in drawn]
    note = f"least p(U) - delta over {np.isfinite(spared).sum()} random rounds that eliminate an arm, with the gamma of the round"
    yield row(min(spared), check="lemma2_fresh", reading="random rounds", note=note)
    breaks = np.array([lemmas.absolute_gap(one) for one in drawn])
    broken = proportion(breaks[:, 0].astype(float))
    note = f"|m_i* - m_i| breaks the order of UCB in {breaks[:, 0].sum()} of {CASES} random rounds; L differs in {breaks[:, 1].sum()}"
    counted = {"planned": CASES, "finished": CASES, "failed": 0}
    yield row(_negated(broken), counted, check="abs_gap_order", note=note)
    elsewhere = sum(proof_errors.shortfall(one) < 0 for one in drawn)
    two = proof_errors.shortfall(proof_errors.TWO_ARMS)
    note = f"m = 0.5, 0.45, w = 1, 0.1, beta = 0.5: i* is the second arm; not the largest m in {elsewhere} of {CASES} random rounds"
    yield row(two, check="argmax_lcb", note=note)


def _negated(share: Estimate) -> Estimate:
    return Estimate(-share.mean, share.se, -share.high, -share.low, share.interval)


def _gradient(grid: dict[str, Any]) -> Iterator[Row]:
    worst = max(lemmas.off_slope(one, grid["delta"]) for one in lemmas.random_rounds(SLOPES))
    note = f"largest relative error {worst:.0e} in {SLOPES} random rounds, against central differences with gamma, m and w held fixed"
    yield row(round(CLOSE - worst, 8), check="gradient_fixed_gamma", note=note)
    case, delta, eta = proof_errors.example(), proof_errors.DELTA, float(grid["offline"]["eta"])
    partial, whole = lemmas.softened(case, delta).gradient, lemmas.slope(case, delta, None)
    note = f"three arms: {partial:.4f} by (12), {whole:.4f} where gamma moves with beta as (9) says"
    yield row(equality(round(whole - partial, 9)), check="gradient_total", note=note)
    wide = eta * float(case.widths.sum())
    note = f"three arms, estimates equal to the means: the constraint holds with room, and the eta term is {wide:.4g}"
    yield row(-wide, check="no_complementary_slackness", reading="true estimates", note=note)


def _theorem(grid: dict[str, Any]) -> Iterator[Row]:
    """Steps of the proof of Theorem 1."""
    delta, horizon = grid["delta"], grid["readings"]["horizon"]
    dropped = (1 - delta) * horizon
    note = f"(46) drops 1 - delta per round: {dropped:.4g} in {horizon} rounds, linear in T"
    yield row(-dropped, horizon=horizon, check="theorem1_drops_delta", note=note)
    case = proof_errors.example()
    inside = lemmas.spared(case, proof_errors.DELTA)
    note = (
        f"three arms: p(U) = {inside + proof_errors.DELTA:.4f}, delta = {proof_errors.DELTA}; (56) has p(U) <= delta, Lemma 2 p(U) >= delta"
    )
    yield row(-inside, check="p_U_direction", note=note)
    case = proof_errors.EQUAL_ARMS
    note = "m = -0.5, 0.5, w = 1, beta = 0.5, mu = 0: (18) holds with equality on the good event, and the gap is 0"
    yield row(float(case.means.max() - case.means[0]), check="strict_18", note=note)


def _definitions(grid: dict[str, Any]) -> Iterator[Row]:
    spread = float(np.ptp(proof_errors.example().widths))
    note = f"(15) has eta |x_i| with a free index i: three arms' widths differ by {spread:.3f}, and no arm is named"
    yield row(equality(round(spread, 9)), check="eq15_free_index", exists=False, note=note)
    horizon = grid["figure1"]["online"]
    note = f"(15) evaluates the gradients of all rounds so far anew under each beta: {(horizon + 1) / 2:.5g} times the O(K T) of the text"
    yield row(1 - (horizon + 1) / 2, horizon=horizon, check="online_cost", note=note)
    note = f"delta is {grid['confidence']:g} in (5) and {grid['delta']:g} in (9)"
    yield row(EQUAL - abs(grid["delta"] - grid["confidence"]), check="two_deltas", note=note)
    for d, t in grid["table1"]["settings"]:
        note = f"R^2 = {grid['variance']:g}, delta = {grid['confidence']:g}, alpha = {grid['ridge']:g}, C = 1"
        yield row(beta_tilde(grid, d, t), check="beta_tilde", dimension=d, horizon=t, note=note)


def _not_at_hand(grid: dict[str, Any]) -> Iterator[Row]:
    """Numbers of the paper that nothing here can measure, each with the reason."""
    for d, t in grid["table1"]["settings"]:
        note = "the printed number is lost in the text at hand; what is learnt here stands in Table 1"
        yield row(NAN, check="printed_beta_hat", dimension=d, horizon=t, note=note)
    for check in ("jester_users", "movielens_users", "movielens_films"):
        note = "the paper's file is not at hand; a smaller file stands in, whose size says nothing of it"
        yield row(NAN, check=check, note=note)


def _instances(grid: dict[str, Any]) -> Iterator[Row]:
    """What the arms of section 5 are like."""
    arms, d, variance = grid["arms"], grid["figure1"]["dimension"], grid["variance"]
    drawn = proof_errors.instances(FixedArms(arms, d, variance, grid["features"]), SETS)
    sampled: Row = {"dimension": d, "counts": {"planned": SETS, "finished": SETS, "failed": 0}}
    if variance > 0:
        kinds = {"an arm at random": [one.means for one in drawn], "the best arm": [one.means[[one.means.argmax()]] for one in drawn]}
        for reading, groups in kinds.items():
            share = student(np.array([proof_errors.share_outside(means, variance) for means in groups]))
            note = f"share of rewards outside [0, 1]: {share.mean:.3g}"
            yield row(
                _negated(share), **sampled, check="rewards_outside", reading=reading, default=reading == "an arm at random", note=note
            )
    gap = max(float(one.gaps.max()) for one in drawn)
    note = f"largest gap in {SETS} sets of arms: {gap:.3f}; unit vectors allow 2, (46) assumes 1"
    yield row(1 - gap, dimension=d, check="gaps_above_one", note=note)
    least = min(min(proof_errors.eliminated_at_zero(one, [sqrt(variance)] * 16)[1:]) for one in drawn)
    note = f"beta = 0: |L| is at least {least} of {arms} from round 2 on; with the gamma of the round before, rounds 1 and 2 are uniform"
    yield row(-least, check="beta0_not_uniform", note=note)
    first = proof_errors.rank(drawn[0].columns, 1)
    note = f"without alpha I, V_t has rank t (after round 1: {first}): it has no inverse before round d = {d}. (3) sums to T, not to t"
    yield row(float(first - d), dimension=d, check="sum_to_T", exists=False, note=note)


def _played(runs: Runs, grid: dict[str, Any]) -> Iterator[Row]:
    """What happened in runs with a fixed beta."""
    cells = {str(cell.cell.algorithm.get("coldness", "lagged")): cell for cell in runs.matching("soft_ucb")}
    betas = [float(beta) for beta in grid["readings"]["beta"]]
    lagged, horizon, eta = cells["lagged"], int(cells["lagged"].checkpoints[-1]), float(grid["offline"]["eta"])
    d = int(lagged.cell.environment["dimension"])
    bound = 2 * d * log(grid["ridge"] + horizon / d)
    for beta in betas:
        keys: Row = {"beta": beta, "dimension": d, "horizon": horizon, "default": beta == betas[0]}
        for check, cell in (("lemma2_lagged", lagged), ("lemma2_fresh", cells["fresh"])):
            missed = _of(cell, beta, "missed") / horizon
            played = {**keys, "default": check == "lemma2_lagged" and keys["default"], "reading": "played"}
            yield row(student(-missed), cell.counts, **played, check=check, note=f"p(U) < delta in {missed.mean():.3g} of the rounds")
        for check, quantity in (("elliptical_potential", "largest_squares"), ("elliptical_potential_played", "played_squares")):
            spent = _of(lagged, beta, quantity)
            what = "max_i w_i^2" if check == "elliptical_potential" else "w^2 of the arm played"
            note = f"sum of {what}: {spent.mean():.4g}; bound: {bound:.4g}; above it in {(spent > bound).sum()} of {spent.size} replicates"
            yield row(student(bound - spent), lagged.counts, **keys, check=check, note=note)
        pull = student(-_of(lagged, beta, "gradient"))
        note = f"without the eta term the gradient of (13) is {-pull.mean:.4g}: beta falls"
        yield row(pull, lagged.counts, **keys, check="eta0_to_zero", note=note)
    wide, covered = eta * _of(lagged, betas[-1], "widths") / horizon, _of(lagged, betas[-1], "covered") / horizon
    note = f"the bounds hold in {covered.mean():.4g} of the rounds, and the eta term is {wide.mean():.3g} per round"
    keys = {"beta": betas[-1], "dimension": d, "horizon": horizon, "default": False, "reading": "played"}
    yield row(student(-wide), lagged.counts, **keys, check="no_complementary_slackness", note=note)


def _of(cell: CellRuns, beta: float, quantity: str) -> Any:
    return last(cell, rule_of(beta), quantity)
