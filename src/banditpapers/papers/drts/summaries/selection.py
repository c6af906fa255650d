"""What choosing the best rule on the reported replicates is worth, as released: apparent against held-out mean of the chosen rule.

The replicates are cut into disjoint groups of ten, the paper's n. In each, the rule with the smallest mean R(T) is chosen; apparent is
that mean, held-out the mean of the same rule over all other groups. Quantities, per algorithm:
"R(T)"        mean of a rule over all replicates, `default` marking the smallest; `chosen`: in so many groups; `equals`: so many
              other rules give the same runs
"apparent", "held-out"   means over the groups
"optimism"    held-out minus apparent. Held-out means share replicates: the interval is a jackknife that leaves one group out of everything
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from banditpapers.claims import Claims
from banditpapers.papers.drts import published
from banditpapers.papers.drts.tuned import METHODS, READINGS, RELEASED, best, spelled
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import Estimate, student
from banditpapers.tidy import NAN, row

GROUP = published.REPLICATES
DIGITS = 9  # decimals: a difference that is zero stays zero


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table."""
    arms, dimension = parameters["selection"]["setting"]
    rows = []
    for method in METHODS:
        cell = runs.one(method, arms=arms, dimension=dimension, **READINGS[RELEASED][method])
        last = cell.checkpoints[-1]
        samples = {rule: cell.of(last, rule, "regret") for rule in distinct(cell, last)}
        groups = cell.finished // GROUP
        regrets = np.array([[part.mean() for part in sample[: groups * GROUP].reshape(groups, GROUP)] for sample in samples.values()])
        chosen = np.bincount(regrets.argmin(axis=0), minlength=len(samples)) if groups else np.zeros(len(samples), dtype=int)
        keys = {"method": method, "reading": RELEASED}
        leader = best(cell).rule
        for (rule, sample), times in zip(samples.items(), chosen, strict=True):
            same = [spelled(other) for other in cell.rules if other != rule and np.array_equal(cell.of(last, other, "regret"), sample)]
            note = f"the same runs as {'; '.join(same)}" if same else ""
            entry = {**keys, "rule": spelled(rule), "chosen": int(times), "equals": len(same), "default": rule == leader, "note": note}
            rows.append(row(student(sample), cell.counts, **entry, quantity="R(T)"))
        for quantity, estimate in optimism(regrets).items():
            rows.append(
                row(
                    estimate,
                    cell.counts,
                    **keys,
                    rule="chosen",
                    chosen=groups,
                    equals=0,
                    quantity=quantity,
                    note=f"{groups} groups of {GROUP}",
                )
            )
    leading = ["method", "quantity", "rule", "chosen", "measured", "low", "high"]
    table = pd.DataFrame(rows).assign(arms=arms, dimension=dimension, horizon=parameters["horizon"])
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def distinct(cell: CellRuns, checkpoint: str) -> list[str]:
    """The rules, without those that give the very runs of an earlier one (a gamma that never binds)."""
    kept: list[str] = []
    for rule in cell.rules:
        sample = cell.of(checkpoint, rule, "regret")
        if not any(np.array_equal(sample, cell.of(checkpoint, other, "regret")) for other in kept):
            kept.append(rule)
    return kept


def optimism(regrets: NDArray[np.float64]) -> dict[str, Estimate]:
    """Apparent and held-out mean of the chosen rule and their difference. regrets: shape (rules, groups), the mean of each group.

    The apparent mean has Student's interval over the groups, which are disjoint. Of fewer than three groups, the intervals are NaN.
    """
    groups = regrets.shape[1]
    if groups < 2:
        nothing = Estimate(NAN, NAN, NAN, NAN, "jackknife over groups, t 95%")
        return {"apparent": nothing, "held-out": nothing, "optimism": nothing}
    return {
        "apparent": student(regrets.min(axis=0)),
        "held-out": _jackknife(regrets, lambda part: float(_held_out(part).mean())),
        "optimism": _jackknife(regrets, lambda part: float((_held_out(part) - part.min(axis=0)).mean())),
    }


def _held_out(regrets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Per group, the mean over the other groups of the rule that is best in this one."""
    chosen, groups = regrets.argmin(axis=0), regrets.shape[1]
    own = regrets[chosen, np.arange(groups)]
    return np.asarray((regrets.sum(axis=1)[chosen] - own) / (groups - 1))


def _jackknife(regrets: NDArray[np.float64], statistic: Any) -> Estimate:
    """A statistic of the groups with its delete-a-group jackknife interval."""
    groups, name = regrets.shape[1], "jackknife over groups, t 95%"
    whole = round(statistic(regrets), DIGITS)
    if groups < 3:
        return Estimate(whole, NAN, NAN, NAN, name)
    left = np.array([statistic(np.delete(regrets, g, axis=1)) for g in range(groups)]).round(DIGITS)
    se = float(np.sqrt((groups - 1) / groups * ((left - left.mean()) ** 2).sum()))
    half = float(stdtrit(groups - 1, 0.975)) * se
    return Estimate(whole, se, whole - half, whole + half, name)
