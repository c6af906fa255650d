"""What theorems, identities and sentences of the paper say, as margins: positive where the statement holds."""

from collections.abc import Iterator
from math import exp, log, sqrt
from typing import Any

import pandas as pd

from banditpapers.algorithms.lp2s import Lp2s, literal_survivors, policies
from banditpapers.claims import Claims
from banditpapers.environments.beta_bernoulli import BetaBernoulli
from banditpapers.kernels.deficits import expected_best_mean
from banditpapers.kernels.elimination_policy import Policy
from banditpapers.kernels.pull_bounds import corrected_theorem2_bound, first_pull, theorem2_bound
from banditpapers.papers.lp2s.names import prior_text
from banditpapers.papers.lp2s.theorem5 import Theorem5, theorem5
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import Estimate, mean, proportion
from banditpapers.tidy import row

Row = dict[str, Any]
EARLY = 10  # rounds after which Figure 2's thresholds should have eliminated most arms
KEPT = 120  # rounds in which BatchRacing is said to keep all arms
SHARE = 0.95  # of runs that count as "keeps"
HALF_A_POWER = 0.5  # growth is compared by exponents, and a logarithm is worth less than this


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per check, prior and K."""
    played = list(runs.matching("lp2s"))
    return pd.DataFrame([*_theorem1(played), *_per_instance(played, parameters), *_growth(parameters), *_figure2(runs, parameters)])


def _theorem1(played: list[CellRuns]) -> Iterator[Row]:
    every = [cell.facts[label] for cell in played for label in cell.checkpoints]
    keys: dict[str, Any] = {"prior": "all", "arms": 0}
    rise = min(known["least_rise"] for known in every)
    note = f"{len(every)} programs; the least rise of a threshold from round to round is {rise}"
    yield row(rise, **keys, check="theorem1_monotone", note=note)
    gap = max(abs(known["gap"]) / known["cost"] for known in every)
    note = f"{len(every)} programs; the largest relative duality gap is {gap:.1e}"
    yield row(1e-9 - gap, **keys, check="theorem1_attained", note=note)


def _per_instance(played: list[CellRuns], parameters: dict[str, Any]) -> Iterator[Row]:
    """Checks of one prior and K, in the default reading where it matters."""
    stage = parameters["readings"][parameters["default_reading"]["stage"]]["rounds_factor"]
    for entry in parameters["priors"]:
        prior = (float(entry["prior"][0]), float(entry["prior"][1]))
        for arms in parameters["arms"]:
            keys = {"prior": prior_text(prior), "arms": arms}
            rounds, survivors = int(stage * log(arms)), parameters["survivors_factor"] * log(arms)
            policy = _cheapest(prior, entry["good_mean"], arms, rounds, survivors)
            bound, better = (f(prior, arms, rounds, survivors) for f in (theorem2_bound, corrected_theorem2_bound))
            note = f"f* = {policy.cost:.6g}, the bound is {bound:.6g}; with the failing pulls counted it is {better:.6g}"
            yield row(bound - policy.cost, **keys, check="theorem2_bound", note=note)
            start = first_pull(prior, arms, rounds, survivors)
            note = f"the first pull has the probability {start:.4g}"
            yield row(1 - start, **keys, check="theorem2_policy", exists=start <= 1, note=note)
            literal = literal_survivors(policy)
            note = f"{literal:.4g} arms survive as printed, {survivors:.4g} with a*(r - 1, s_j)"
            yield row(literal - survivors, **keys, check="algorithm1_index", note=note)
            cells = [cell for cell in played if cell.cell.environment["arms"] == arms and tuple(cell.cell.environment["prior"]) == prior]
            for cell in cells:
                if cell.cell.algorithm["setting"] == "SRM" and cell.cell.algorithm["rounds"] == rounds:
                    known = cell.facts["smallest"]
                    regret, tight = known["simple_regret_combined"], exp(-survivors) + known["delta0"]
                    margin = exp(-survivors) + 1 - known["delta0"] - regret
                    note = f"regret {regret:.4g}; with delta_0 as mean regret the bound is {tight:.4g}, which holds, too"
                    yield row(margin, **keys, check="theorem4_bound", note=note)
    for shape, arms in sorted({(tuple(cell.cell.environment["prior"]), cell.cell.environment["arms"]) for cell in played}):
        there = [cell for cell in played if (tuple(cell.cell.environment["prior"]), cell.cell.environment["arms"]) == (shape, arms)]
        yield from _against_exact(there, {"prior": prior_text(shape), "arms": arms})
    settings: dict[Theorem5, list[float]] = {}
    for cell in played:
        if cell.cell.algorithm["setting"] == "FC":
            algorithm, label = cell.cell.algorithm, cell.checkpoints[0]
            known, arms = cell.facts[label], cell.cell.environment["arms"]
            settings.setdefault(Theorem5(arms, algorithm["rounds"], algorithm["survivors"], known["delta0"]), []).append(
                known["best_combined"]
            )
            most = algorithm["survivors"] * (1 - known["delta0"]) + (1 - algorithm["survivors"] / arms) ** arms / arms
            note = f"the best arm is found with probability {known['best_combined']:.4g}, at most {most:.4g}"
            yield row(
                most - known["best_combined"], prior=prior_text(cell.cell.environment["prior"]), arms=arms, check="table4_found", note=note
            )
    for stated, found in settings.items():
        yield from theorem5(stated, 1 - min(found), {"prior": "all", "arms": stated.arms})


def _against_exact(cells: list[CellRuns], keys: dict[str, Any]) -> Iterator[Row]:
    """The simulator against the exact law, in every reading: 4 standard errors minus the largest deviation in them."""
    for check, quantity, known in (
        ("expected_cost", "pulls", "pulls"),
        ("exact_regret", "simple_regret", "simple_regret_{}"),
        ("exact_best", "best", "best_{}"),
    ):
        deviations = []
        for cell in cells:
            for label in cell.checkpoints:
                for rule in cell.rules:
                    exact = float(cell.facts[label][known.format(rule)])
                    noise = _noise(cell, label, rule, quantity, exact)
                    if noise > 0:  # a handful of equal numbers says nothing
                        deviations.append(abs(mean(cell.of(label, rule, quantity)).mean - exact) / noise)
        worst = max(deviations, default=float("nan"))
        note = f"{len(deviations)} means, the largest deviation is {worst:.3g} standard errors"
        counts = cells[0].counts if cells else {}
        yield row(4 - worst, counts, **keys, check=check, note=note)


def _noise(cell: CellRuns, label: str, rule: str, quantity: str, exact: float) -> float:
    """The standard error of a mean over replicates, exact where rare events make it."""
    sample, n = cell.of(label, rule, quantity), max(cell.finished, 1)
    if quantity == "best":
        return sqrt(exact * (1 - exact) / n)
    if quantity == "pulls":
        return mean(sample).se
    # a random arm is recommended when no arm survives, which is rare and dear: a sample with too few of these knows little of its noise
    (a, b), arms = cell.cell.environment["prior"], cell.cell.environment["arms"]
    nobody = (1 - cell.cell.algorithm["survivors"] / arms) ** arms
    lost = expected_best_mean((a, b), arms) - a / (a + b)
    return sqrt(mean(sample[cell.of(label, rule, "survivors") > 0]).se ** 2 + nobody * (1 - nobody) * lost**2 / n)


def _growth(parameters: dict[str, Any]) -> Iterator[Row]:
    """Corollaries 1 and 2 by local exponents, at the smallest feasible delta_0."""
    for entry in parameters["priors"]:
        prior, good = (float(entry["prior"][0]), float(entry["prior"][1])), entry["good_mean"]
        keys: dict[str, Any] = {"prior": prior_text(prior), "arms": 0}
        share, long = 1e-4, (200, 800)
        costs = [_cheapest(prior, good, 10**5, rounds, share * 10**5).cost for rounds in long]
        grown = log(costs[1] / costs[0]) / log(long[1] / long[0])
        note = f"from R = {long[0]} to {long[1]} at L / K = {share:g}, f* grows like R^{grown:.3g}"
        yield row(prior[1] + HALF_A_POWER - grown, **keys, check="corollary1_growth", note=note)
        many = (10**8, 10**9)
        pulls = [arms * _cheapest(prior, good, arms, 200, 20.0).cost for arms in many]
        grown = log(pulls[1] / pulls[0]) / log(many[1] / many[0])
        note = f"from K = 1e8 to 1e9 at L = 20 and R = 200, K f* grows like K^{grown:.2g}"
        yield row(0.01 - grown, **keys, check="corollary2_growth", note=note)


def _cheapest(prior: tuple[float, float], good: float, arms: int, rounds: int, survivors: float) -> Policy:
    ((policy, _),) = policies(Lp2s("PAC", good, rounds, survivors, ("smallest",)), BetaBernoulli(prior, arms))
    return policy


def _figure2(runs: Runs, parameters: dict[str, Any]) -> Iterator[Row]:
    plan = parameters["figure2"]
    for shape in plan["priors"]:
        prior, keys = (float(shape[0]), float(shape[1])), {"prior": prior_text(shape), "arms": plan["arms"]}
        left = {}
        for program in plan["programs"]:
            mu0 = parameters["good_mean"][prior_text(shape)] if program["setting"] == "PAC" else None
            algorithm = Lp2s(program["setting"], mu0, plan["rounds"], program["survivors"] or parameters["survivors"], (program["delta0"],))
            ((policy, _),) = policies(algorithm, BetaBernoulli(prior, plan["arms"]))
            left[program["setting"]] = float(policy.pulled[EARLY])
        note = f"left after {EARLY} rounds: " + ", ".join(f"LP-{setting} {share:.0%}" for setting, share in left.items())
        yield row(0.5 - max(left.values()), **keys, check="figure2_lp_fast", note=note)
        for i, cell in enumerate(
            sorted(runs.matching("batch_racing", prior=shape, trace=True), key=lambda cell: -cell.cell.algorithm["delta"])
        ):
            kept = cell.of(str(min(KEPT, len(cell.checkpoints))), "mean", "survivors") == plan["arms"]
            share = proportion(kept.astype(float))
            shifted = Estimate(share.mean - SHARE, share.se, share.low - SHARE, share.high - SHARE, share.interval)
            note = f"all {plan['arms']} arms are kept in {share.mean:.1%} of runs"
            yield row(
                shifted,
                cell.counts,
                **keys,
                check="figure2_br_keeps",
                reading=f"delta = {cell.cell.algorithm['delta']:g}",
                default=i == 0,
                note=note,
            )
