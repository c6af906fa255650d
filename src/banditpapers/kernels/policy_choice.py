"""Which delta0 a stage-1 policy is solved for: the smallest feasible one, a grid point, a number, or the one that fits a simple regret."""

from collections.abc import Callable

import numpy as np

from banditpapers.kernels import two_stage
from banditpapers.kernels.elimination_policy import Policy, smallest_delta0, solve

GRID = "grid "


def grid_step(entry: str) -> float:
    """The step of an entry such as "grid 0.05"; 0 if it is none."""
    try:
        step = float(entry.removeprefix(GRID)) if entry.startswith(GRID) else 0.0
    except ValueError:
        return 0.0
    return step if 0 < step < np.inf else 0.0


def choose(
    entry: str | float,
    fit_regret: float | None,
    setting: str,
    prior: tuple[float, float],
    arms: int,
    rounds: int,
    survivors: float,
    mu0: float | None,
) -> tuple[Policy, bool]:
    """The policy of an entry, and whether it does what the entry asks for (only "fit" can fail to).

    "smallest": the smallest feasible delta0. "grid 0.05": the smallest multiple of 0.05 that is feasible and above 0. "fit": see `fit`.
    """
    smallest = smallest_delta0(setting, prior, arms, rounds, survivors, mu0)

    def at(delta0: float) -> Policy:
        return solve(setting, prior, arms, rounds, survivors, delta0, mu0)

    if entry == "fit" and fit_regret is not None:
        return fit(at, smallest, fit_regret)
    if entry == "smallest":
        return at(smallest), True
    if isinstance(entry, str):
        step = grid_step(entry)
        return at(round(max(np.ceil(smallest / step - 1e-9), 1.0) * step, 12)), True
    return at(entry), True


def fit(at: Callable[[float], Policy], smallest: float, target: float) -> tuple[Policy, bool]:
    """Bisect log delta0 in [smallest, 1] for the policy whose combined-score simple regret is `target`; the nearer end if there is none."""
    low, high = smallest, 1.0
    if _regret(at(low)) > target:
        return at(low), False
    if _regret(at(high)) < target:
        return at(high), False
    while high - low > 1e-13 * abs(high):
        middle = float(np.sqrt(low) * np.sqrt(high)) if low > 0 else (low + high) / 2.0
        low, high = (middle, high) if _regret(at(middle)) < target else (low, middle)
    return at(high), True


def facts(policy: Policy, reached: bool) -> dict[str, float | bool]:
    """What is known of a policy and the two-stage algorithm that uses it without simulation."""
    alive = two_stage.survival(policy.prior, policy.last_pulls)
    regret = two_stage.simple_regret(policy.prior, policy.arms, alive)
    best = two_stage.best_arm_probability(policy.prior, policy.arms, alive)
    return {
        "delta0": policy.delta0,
        "smallest_delta0": policy.smallest_delta0,
        "cost": policy.cost,
        "gap": policy.gap,
        "least_rise": int(np.diff(policy.thresholds).min(initial=policy.rounds)),  # of s*(r) from round to round: Theorem 1
        "pulls": two_stage.expected_pulls(policy.arms, policy.rounds, policy.cost, policy.survivors),
        **{f"simple_regret_{rule}": regret[rule] for rule in two_stage.RULES},
        **{f"best_{rule}": best[rule] for rule in two_stage.RULES},
        "reached": reached,
    }


def _regret(policy: Policy) -> float:
    return two_stage.simple_regret(policy.prior, policy.arms, two_stage.survival(policy.prior, policy.last_pulls))["combined"]
