"""Tables 2, 3 and 4: LP2S and its competitors at the same cost, at the same simple regret and, in Table 4, at the same 1 - PB.

Each is read twice: at the number that the paper prints for LP2S (`budget` is `paper`) and at the exact number of our LP2S in the default
reading (`ours`). Between the checkpoints of a competitor's curve, values are read linearly in log T, replicate by replicate.
"""

from collections.abc import Iterator
from math import floor, log, sqrt
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from banditpapers.claims import Claims
from banditpapers.papers.lp2s.names import prior_text
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import Z95, Estimate, crossing_estimate, mean, proportion, read_curve
from banditpapers.tidy import NAN, row

RULES = {  # the recommendation rules of each competitor, the paper's first
    "two_stage_exploration": ("overall_mean",),
    "batched_thompson": ("empirical_mean", "posterior_mean"),
    "batch_racing": ("mean",),
}
BELOW = "reached with at most"
Row = dict[str, Any]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table; columns besides the standard ones: prior, arms, matched_on, budget, method, quantity, at."""
    worlds = sorted({(tuple(cell.cell.environment["prior"]), cell.cell.environment["arms"]) for cell in runs.cells}, key=_paper_order)
    rows = [entry for prior, arms in worlds for entry in _world(runs, parameters, claims, prior, arms)]
    return pd.DataFrame(rows)


def _paper_order(world: tuple[tuple[float, ...], int]) -> tuple[float, float, int]:
    return world[0][1], world[0][0], world[1]  # (1, 1), (5, 1), (1, 3)


def _world(runs: Runs, parameters: dict[str, Any], claims: Claims, prior: tuple[float, ...], arms: int) -> Iterator[Row]:
    """All rows of one prior and K."""
    table, setting = parameters["table"], parameters["setting"]
    keys = {"prior": prior_text(prior), "arms": arms}
    cells = sorted(runs.matching("lp2s", prior=list(prior), arms=arms, setting=setting), key=lambda cell: -cell.cell.algorithm["rounds"])
    lp2s = [entry for cell in cells for entry in _lp2s(cell, parameters, claims.replicates)]
    curves = {
        method: runs.one(method, prior=list(prior), arms=arms, **({"trace": False} if method == "batch_racing" else {})) for method in RULES
    }
    lead = {entry["quantity"]: entry for entry in lp2s if entry["default"]}
    quantities = ("T", "SR", "1-PB") if table == "table4" else ("T", "SR")
    for matched_on in quantities:
        for budget in ("paper", "ours"):
            printed = claims.value(table, **keys, matched_on=matched_on, budget="paper", method="lp2s", quantity=matched_on)
            at = lead[matched_on]["exact"] if budget == "ours" else printed
            if at is None:
                continue  # the paper has not this K
            place = {**keys, "matched_on": matched_on, "budget": budget, "at": at}
            yield from ({**entry, **place} for entry in lp2s if entry["quantity"] in quantities)
            shown = [
                {**entry, **place, "method": method}
                for method, curve in curves.items()
                for i, rule in enumerate(RULES[method])
                for entry in _competitor(curve, rule, matched_on, at, quantities, i == 0, parameters["batches"].get(str(arms)))
            ]
            yield from shown
            ours = {quantity: lead[quantity]["exact"] for quantity in quantities}
            if budget == "paper":  # the comparison as printed: LP2S by the paper's own numbers
                ours = {
                    quantity: claims.value(table, **keys, matched_on=matched_on, budget="paper", method="lp2s", quantity=quantity) or NAN
                    for quantity in quantities
                }
            yield from _compared(ours, shown, place, table == "table4", lead["T"])
    cap = curves["batch_racing"].of("cap", "mean", "pulls")
    yield row(
        mean(cap), curves["batch_racing"].counts, **keys, matched_on="cap", budget="paper", at=NAN, method="batch_racing", quantity="T"
    )
    printed = claims.value(table, **keys, matched_on="T", budget="paper", method="lp2s", quantity="T")
    if printed is not None and (most := parameters["batches"].get(str(arms))):
        yield {**_batches(curves["batched_thompson"], printed, 2 * most), **keys}


def _batches(curve: CellRuns, cost: float, most: int) -> Row:
    """How many of 2R batches batched Thompson sampling has to spare at a cost: the study is of that many, one pull of an arm in each."""
    taken = curve.of(f"{cost:.0f}", RULES["batched_thompson"][0], "batches")
    keys = {"matched_on": "batches", "budget": "paper", "at": cost, "method": "batched_thompson", "quantity": "batches to spare"}
    return row(mean(most - taken), curve.counts, **keys, note=f"{taken.mean():.4g} batches where 2 R = {most}")


def _lp2s(cell: CellRuns, parameters: dict[str, Any], paper_replicates: int) -> Iterator[Row]:
    """T, SR and 1 - PB of every reading of LP2S: stage length, delta_0, score."""
    algorithm, default = cell.cell.algorithm, parameters["default"]
    arms, rounds, survivors = cell.cell.environment["arms"], algorithm["rounds"], algorithm["survivors"]
    stage = parameters["stages"][str(arms)][str(rounds)]
    # every survivor of stage 1 costs R pulls in either stage, and each arm survives with probability L / K
    bounds = {
        "floor": 2 * survivors * rounds,
        "floor_rounded": 2 * floor(survivors) * rounds,
        "bound_se": 2 * rounds * sqrt(survivors * (1 - survivors / arms) / paper_replicates),
    }
    for checkpoint in cell.checkpoints:
        facts = cell.facts[checkpoint]
        for score in cell.rules:
            is_default = stage == default["stage"] and checkpoint == str(default["delta0"]) and score == default["score"]
            what = {"method": "lp2s", "reading": f"{stage}; {_named(checkpoint)}; {score}", "default": is_default}
            if not facts.get("reached", True):
                what["note"] = "no delta_0 gives the printed regret; the nearest was taken"
            yield row(mean(cell.of(checkpoint, score, "pulls")), cell.counts, **what, **bounds, quantity="T", exact=facts["pulls"])
            yield row(
                mean(cell.of(checkpoint, score, "simple_regret")), cell.counts, **what, quantity="SR", exact=facts[f"simple_regret_{score}"]
            )
            most = survivors * (
                1 - facts["delta0"]
            )  # the quality row of LP-FC: the best arm survives stage 1 with at most this probability
            bound = {"floor": 1 - most, "bound_se": sqrt(most * (1 - most) / paper_replicates)} if parameters["setting"] == "FC" else {}
            yield row(
                proportion(1 - cell.of(checkpoint, score, "best")),
                cell.counts,
                **what,
                quantity="1-PB",
                exact=1 - facts[f"best_{score}"],
                **bound,
            )


def _named(checkpoint: str) -> str:
    return checkpoint if checkpoint in ("smallest", "fit") or checkpoint.startswith("grid") else f"delta_0 {checkpoint}"


def _competitor(
    cell: CellRuns, rule: str, matched_on: str, at: float, quantities: tuple[str, ...], default: bool, cap: int | None
) -> Iterator[Row]:
    """A competitor at a cost, or the cost (and what else is asked) at which it reaches a regret or a share of misses."""
    what = {"reading": rule.replace("_", " "), "default": default}
    budgets = [i for i, checkpoint in enumerate(cell.checkpoints) if checkpoint.isdecimal()]
    costs = np.array([float(cell.checkpoints[i]) for i in budgets])
    paths = {"SR": cell.path(rule, "simple_regret")[:, budgets], "1-PB": 1 - cell.path(rule, "best")[:, budgets]}
    cost, reach, note = at, None, ""
    if matched_on != "T":
        reach = crossing_estimate(costs, paths[matched_on], at)
        cost = reach.mean
        ceiling = {"ceiling": float(cap * cell.cell.environment["arms"])} if cell.cell.algorithm["name"] == "batch_racing" and cap else {}
        if not np.isfinite(cost):  # all that is known: more than where the curve's band, or the curve, ends
            reach = Estimate(NAN, NAN, reach.low if np.isfinite(reach.low) else costs[-1], NAN, reach.interval)
            note = f"the curve, up to {costs[-1]:.4g} pulls, does not come down to {at:.4g}"
        elif reach.low == costs[0]:  # the band is below the level where the curve starts: nothing is known of the costs before
            reach = Estimate(cost, reach.high / (2 * Z95), 0.0, reach.high, reach.interval)
            note = f"{BELOW} {costs[0]:.4g} pulls, where the curve starts" if cost == costs[0] else ""
        yield row(reach, cell.counts, **what, quantity="T", note=note, **ceiling)
    for quantity in quantities:
        if quantity not in ("T", matched_on):
            values = _at(costs, paths[quantity], cost)
            estimate = mean(values) if quantity == "SR" or reach else proportion(values)
            yield row(estimate, cell.counts, **what, quantity=quantity, note="" if np.isfinite(cost) else note)


def _at(costs: NDArray[np.float64], paths: NDArray[np.float64], cost: float) -> NDArray[np.float64]:
    hit = np.flatnonzero(costs == cost)
    return paths[:, hit[0]] if hit.size else read_curve(costs, paths, cost)


def _compared(ours: dict[str, float], shown: list[Row], place: Row, fixed_confidence: bool, counted: Row) -> Iterator[Row]:
    """By how much LP2S is ahead of the best competitor, under each recommendation rule of batched Thompson sampling.

    In regret the lead is a difference; in cost it is the logarithm of the ratio, since costs differ by orders of magnitude. LP2S's side is
    the printed number at the printed budget, and the exact number of our default reading at ours: the noise is the competitor's. Of
    Table 4 the text names TSE and batched Thompson sampling only.
    """
    counts = {name: counted[name] for name in ("planned", "finished", "failed")}
    for rule in (name.replace("_", " ") for name in RULES["batched_thompson"]):
        for quantity in [name for name in ours if name != place["matched_on"]]:
            rivals = [entry for entry in shown if entry["quantity"] == quantity and entry["reading"] in (rule, "overall mean", "mean")]
            rivals = [entry for entry in rivals if not (fixed_confidence and entry["method"] == "batch_racing")]
            reading = f"{'LP2S as printed' if place['budget'] == 'paper' else 'our LP2S'}; BTS by {rule}"
            what = {**place, "method": "lp2s", "reading": reading, "default": place["budget"] == "ours" and rule == "empirical mean"}
            best = min((entry for entry in rivals if np.isfinite(_least(entry))), key=_least, default=None)
            if best is None:
                margin, note = Estimate(NAN, NAN, NAN, NAN, "none"), "no competitor's curve reaches that far"
            else:
                margin = _margin(ours[quantity], best, quantity == "T")
                more = "" if np.isfinite(best["measured"]) else "more than "
                note = f"the best competitor is {best['method']} with {more}{_least(best):.4g} against {ours[quantity]:.4g}"
            yield row(margin, counts, **what, quantity=f"lead in {quantity}", note=note)
            behind = Estimate(-margin.mean, margin.se, -margin.high, -margin.low, margin.interval)
            yield row(behind, counts, **what, quantity=f"deficit in {quantity}", note=note)


def _least(entry: Row) -> float:
    """The number, or what it exceeds where a curve does not reach it."""
    return float(entry["measured"] if np.isfinite(entry["measured"]) else entry["low"])


def _margin(ours: float, best: Row, cost: bool) -> Estimate:
    if cost:
        low, at, high = (log(value / ours) if value > 0 and ours > 0 else NAN for value in (best["low"], _least(best), best["high"]))
        return Estimate(at, NAN, low, high, best["interval"])
    centre, se = best["measured"] - ours, best["se"]
    return Estimate(centre, se, centre - Z95 * se, centre + Z95 * se, "normal 95%")
