"""What benchmarks/costs.py varies for each algorithm, and how its cost should grow: an exponent and the reason, read off the algorithm.

An exponent is that of the leading term, so that at these sizes, where smaller terms still count, a fitted one may well be below it. Sizes
are N or K (arms), d (dimension), T (rounds, pulls or horizon) and R (batches), in the papers' letters.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Sizes = Mapping[str, int]
Grid = tuple[dict[str, Any], dict[str, Any]]  # environment, algorithm: what a grid would write


class Axis(NamedTuple):
    """One letter. values: what it takes, growing. time, memory: expected exponents."""

    values: tuple[int, ...]
    time: float
    memory: float
    reason: str


class Case(NamedTuple):
    """One algorithm. sizes: what the other letters are meanwhile."""

    grid: Callable[[Sizes], Grid]
    sizes: dict[str, int]
    axes: dict[str, Axis]


def _linear(**parameters: Any) -> Callable[[Sizes], Grid]:
    return lambda n: (
        {"name": "linear_contexts", "arms": n["N"], "dimension": n["d"]},
        {"rounds": [n["T"]], **parameters},
    )


def _fixed(**parameters: Any) -> Callable[[Sizes], Grid]:
    return lambda n: (
        {"name": "fixed_arms", "arms": n["K"], "dimension": n["d"], "variance": 0.1},
        {"rounds": [n["T"]], **parameters},
    )


def _beta(**parameters: Any) -> Callable[[Sizes], Grid]:
    return lambda n: (
        {"name": "beta_bernoulli", "arms": n["K"], "prior": [1, 1]},
        {key: value(n) if callable(value) else value for key, value in parameters.items()},
    )


def _pairs(**parameters: Any) -> Callable[[Sizes], Grid]:
    return lambda n: ({"name": "constrained_arms", "arms": n["K"], "gap": 0.2}, {"horizons": [n["T"]], **parameters})


def _limited(**parameters: Any) -> Callable[[Sizes], Grid]:
    def grid(n: Sizes) -> Grid:
        arms = n["K"]
        rewards = [0.3 + 0.6 * (arms - i) / arms for i in range(arms)]
        costs = [[0.1 + 0.8 * (arms - i) / arms for i in range(arms)]]
        world = {"name": "constrained_arms", "arms": arms, "rewards": rewards, "costs": costs, "limits": [0.5]}
        return world, {"horizons": [n["T"]], **parameters}

    return grid


_ROUNDS = (500, 1000, 2000, 4000, 8000)
_WORLD = "contexts of all rounds are drawn and kept: T N d numbers"
_SAME = "every round does the same work"
_T = Axis(_ROUNDS, 1, 1, f"{_SAME}; {_WORLD}")
_N = Axis((10, 20, 40, 80), 1, 1, f"a context, an estimate and at most one width per arm; {_WORLD}")
_D_WIDTHS = "a width is a quadratic form, d^2 per arm in reach"
_D_CUBE = "a factorisation per round, because the regularisation grows with t"
_DIMENSIONS = (20, 40, 80, 160)
_FIXED_T = Axis((2000, 4000, 8000, 16000, 32000), 1, 1, f"{_SAME}; noise and actions of all rounds are kept")
_FIXED_K = Axis((50, 100, 200, 400, 800), 1, 1, "an update of mean and width per arm: O(d K)")
_FIXED_D = Axis((20, 40, 80, 160, 320), 2, 1, "O(d K) for the arms and O(d^2) for the inverse; features are K d numbers")
_EPOCHS = Axis((10**6, 10**8, 10**10, 10**12, 10**14), 0, 0, "epochs are simulated, not rounds: their number grows like log T")
_ARMS = (5, 10, 20, 40)
_KEPT = "of each epoch K numbers are kept"
_PAIR_K = Axis((10, 20, 40, 80, 160), 2, 2, f"K arms in each epoch, and epochs for each arm; {_KEPT}")
_LP_K = Axis(_ARMS, 3, 2, f"a linear program over K arms in each epoch, and epochs for each arm; {_KEPT}")
_BATCHES = (50, 100, 200, 400, 800)
PROGRAM_NAME = "lp2s: the program"
PROGRAM = Axis((100, 200, 400, 800, 1600), 2, 2, "a policy on the triangle of R^2 / 2 states")
_WIDE = (1000, 2000, 4000, 8000, 16000)
_SOFT = {"T": 2000, "K": 50, "d": 10}
_WORLD_SIZES = {"T": 1000, "N": 10, "d": 10}


def _soft_axes(arms: str = "") -> dict[str, Axis]:
    return {"T": _FIXED_T, "K": _FIXED_K._replace(reason=f"{_FIXED_K.reason}{arms}"), "d": _FIXED_D}


CASES: dict[str, Case] = {
    "balanced_thompson": Case(
        _linear(v=[0.1], gamma=[0.05]), _WORLD_SIZES,
        {"T": _T, "N": _N._replace(time=2, reason=f"P(arm is the maximum) for the arm played, a product over arms per node; {_WORLD}"),
         "d": Axis(_DIMENSIONS, 2, 1, f"{_D_WIDTHS}; {_WORLD}")},
    ),
    "batch_racing": Case(
        _beta(delta=0.05, batches=lambda n: n["R"]), {"K": 2000, "R": 200},
        {"K": Axis(_WIDE, 1, 1, "arms with the same counts are one group; drawing and sorting the arms is K"),
         "R": Axis(_BATCHES, 2, 1, "R batches, each with at most as many groups as there are counts of successes, R")},
    ),
    "batched_elimination": Case(_pairs(rho=[0.3], which=1), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _PAIR_K}),
    "batched_thompson": Case(
        _beta(budgets=lambda n: [n["T"]]), {"K": 1000, "T": 8000},
        {"T": Axis((8000, 16000, 32000, 64000), 1, 0, "pulls are drawn one by one where no arm leads"),
         "K": Axis(_WIDE, 1, 1, "a batch looks at all arms; with more arms there are fewer batches, as each is longer")},
    ),
    "debora": Case(_pairs(rho=[0.3]), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _PAIR_K}),
    "debora_hard": Case(_limited(rho=[0.3], clip=True), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _LP_K}),
    "debora_soft": Case(_limited(rho=[0.3]), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _LP_K}),
    "doubling_ucb": Case(_pairs(), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _PAIR_K}),
    "doubly_robust_data": Case(
        lambda n: (
            {"name": "linear_contexts", "arms": n["N"], "dimension": n["d"]},
            {"rounds": n["T"], "v": 0.5, "arms": n["N"], "dimension": n["d"]},
        ),
        {"T": 100, "N": 10, "d": 10},
        {"T": Axis((200, 400, 800, 1600), 1, 1, f"{_SAME}; {_WORLD}"), "N": _N, "d": Axis(_DIMENSIONS, 3, 1, f"{_D_CUBE}; {_WORLD}")},
    ),
    "doubly_robust_thompson": Case(
        _linear(v=[0.1]), _WORLD_SIZES,
        {"T": _T, "N": _N._replace(time=2, reason=f"P(arm is the maximum) for the arm drawn, until it is likely enough; {_WORLD}"),
         "d": Axis(_DIMENSIONS, 3, 1, f"{_D_CUBE}; {_WORLD}")},
    ),
    "epsilon_greedy": Case(_fixed(epsilon=[0.1]), _SOFT, _soft_axes()),
    "fixed_arms_thompson": Case(_fixed(scale=[1]), _SOFT, {
        "T": _FIXED_T, "K": _FIXED_K, "d": _FIXED_D._replace(time=3, reason="a factorisation per round; features are K d numbers"),
    }),
    "linear_thompson": Case(
        _linear(v=[0.1]), _WORLD_SIZES, {"T": _T, "N": _N, "d": Axis(_DIMENSIONS, 2, 1, f"{_D_WIDTHS}; {_WORLD}")},
    ),
    "linear_ucb": Case(_fixed(beta=[0.5]), _SOFT, _soft_axes()),
    "lp2s": Case(
        _beta(setting="SRM", mu0=None, rounds=lambda n: n["R"], survivors=lambda n: 0.01 * n["K"], delta0=["smallest"]),
        {"K": 1000, "R": 100},
        {"K": Axis(_WIDE, 1, 1, "the program has no K in it; drawing the arms is K"),
         "R": Axis(_BATCHES, 1, 0, "at most R rounds per arm; the policy is solved once per cell and remembered")},
    ),
    "optimistic_lp": Case(_limited(), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _LP_K}),
    "pessimistic_lp": Case(_limited(), {"K": 5, "T": 10**9}, {"T": _EPOCHS, "K": _LP_K}),
    "phased_elimination": Case(_pairs(rho=[0.3]), {"K": 5, "T": 10**12}, {"T": _EPOCHS, "K": _PAIR_K}),
    "soft_ucb": Case(_fixed(beta=[0.5]), _SOFT, _soft_axes(", and an exponential")),
    "soft_ucb_offline": Case(_fixed(eta=[0.1], iterations=4), _SOFT, _soft_axes(", and an exponential")),
    "soft_ucb_online": Case(_fixed(eta=[0.1]), _SOFT, _soft_axes(", and an exponential")),
    "two_stage_exploration": Case(
        _beta(budgets=lambda n: [n["T"]]), {"K": 1000, "T": 20000},
        {"T": Axis((80000, 160000, 320000, 640000), 0, 0, "pulls are summed to binomials"),
         "K": Axis(_WIDE, 1, 1, "one binomial per arm and stage")},
    ),
    "ucb1": Case(_pairs(), {"K": 5, "T": 20000}, {
        "T": Axis((20000, 40000, 80000, 160000), 1, 0, f"{_SAME}; nothing is kept of a round"),
        "K": Axis((5, 10, 20, 40, 80), 1, 1, "an index per arm and round"),
    }),
}  # fmt: skip
