"""The set-up of section 5, as cells: three algorithms, four settings, one world per replicate.

Every cell plays all v (BLTS: all pairs of v and gamma) on the same contexts and noise: these cost more than an algorithm's round, and are
drawn once for all. "As released" is what the published program does, and what Figure 1 shows; "repaired" has the propensities that the text
asks for. LinTS is the same in both.
"""

from typing import Any

from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.papers.drts.grid import LOWEST, Grid
from banditpapers.plan_keys import Exhibit

PAPER = "drts"
TITLE = "Doubly Robust Thompson Sampling with Linear Payoffs (NeurIPS 2021)"

EXHIBITS = {
    "figure1": Exhibit("figure", "curves", "Regret and estimation error, as released"),
    "figure1_repaired": Exhibit("figure", "curves", "Regret and estimation error with the propensities that the text asks for"),
    "finals": Exhibit("table", "finals", "Regret after T rounds against the published curves, as released and repaired"),
    "table1": Exhibit("table", "data", "Table 1: the data of complete-record analysis and of DRTS, from a run"),
    "sensitivity": Exhibit("figure", "sensitivity", "Supplement: regret against v and gamma"),
    "ablation": Exhibit("figure", "ablation", "Beyond the paper: double robustness or the growing ridge?"),
    "variants": Exhibit("figure", "variants", "Beyond the paper: the choices inside LinTS, BLTS and DRTS"),
    "readings": Exhibit("figure", "readings", "Beyond the paper: what truncating the contexts may mean"),
    "longer": Exhibit("figure", "longer", "Beyond the paper: five times the horizon"),
    "early": Exhibit("figure", "early", "Beyond the paper: the distribution of early regret"),
    "selection": Exhibit("figure", "selection", "Beyond the paper: the best of a grid on its own seeds and on others"),
    "theory": Exhibit("table", "theory", "What lemmas, theorems and sentences say, against computation"),
}
REPLICATED = ("ablation", "readings", "longer", "early", "selection")  # these have replicates of their own in the grid

Description = dict[str, Any]


def cells(exhibit: str, grid: Grid, claims: Claims) -> list[Cell]:
    """The cells that an exhibit needs, in no particular order."""
    worlds = [world(setting, grid) for setting in grid.settings]
    rounds = grid.rounds(grid.horizon)
    match exhibit:
        case "figure1" | "sensitivity" | "selection":
            if exhibit != "figure1":
                worlds = [world(getattr(grid, exhibit).setting, grid)]
            return _crossed(worlds, released(grid, rounds))
        case "figure1_repaired":
            return _crossed(worlds, repaired(grid, rounds))
        case "finals":
            return _crossed(worlds, [*released(grid, rounds), *repaired(grid, rounds)])
        case "theory":
            return _crossed(worlds, [doubly_robust(grid, rounds)])
        case "variants":
            inside = [linear(grid, rounds, draw="shared"), *(balanced(grid, rounds, variance=name) for name in ("RSS", "mean RSS"))]
            return _crossed([world(grid.variants.setting, grid)], [*released(grid, rounds), *repaired(grid, rounds), *inside])
        case "ablation":
            compared = [make(grid, rounds, ridge=ridge) for make in (linear, doubly_robust) for ridge in grid.ablation.ridges]
            return _crossed(worlds, compared)
        case "readings":
            fresh = [world(setting, grid, grid.contexts, "fresh") for setting in grid.settings]
            read = [world(setting, grid, contexts, "fixed") for contexts in grid.readings.contexts for setting in grid.settings]
            return _crossed([*read, *fresh], [linear(grid, rounds), doubly_robust(grid, rounds)])
        case "longer":
            long = grid.rounds(grid.longer.horizon, grid.longer.every)
            return _crossed([world(grid.longer.setting, grid)], [linear(grid, long), doubly_robust(grid, long)])
        case "early":
            short = grid.rounds(grid.early.horizon)
            return _crossed(worlds, [linear(grid, short), doubly_robust(grid, short, propensity="released")])
        case "table1":
            plan = grid.table1
            shown = {"name": "doubly_robust_data", "rounds": plan.rounds, "v": plan.v, "arms": plan.arms, "dimension": plan.dimension}
            return [Cell(PAPER, world((plan.arms, plan.dimension), grid), shown)]
    return []


def world(setting: tuple[int, int], grid: Grid, contexts: str | None = None, coefficients: str | None = None) -> Description:
    """Where contexts and rewards come from."""
    arms, dimension = setting
    reading = {"contexts": contexts or grid.contexts, "coefficients": coefficients or grid.coefficients}
    return {"name": "linear_contexts", "arms": arms, "dimension": dimension, **reading}


def linear(grid: Grid, rounds: list[int], ridge: float | str | None = None, draw: str = "independent") -> Description:
    """LinTS, described as a cell's algorithm."""
    common = {"rounds": rounds, "v": grid.v, "ridge": ridge or grid.ridge.linear_thompson}
    return {"name": "linear_thompson", **common, "draw": draw}


def balanced(grid: Grid, rounds: list[int], variance: str = "plain", propensity: str = "exact") -> Description:
    """BLTS, described as a cell's algorithm."""
    common = {"rounds": rounds, "v": grid.v, "gamma": grid.gamma, "ridge": grid.ridge.balanced_thompson}
    return {"name": "balanced_thompson", **common, "variance": variance, "propensity": propensity}


def doubly_robust(grid: Grid, rounds: list[int], ridge: float | str | None = None, propensity: str = "exact") -> Description:
    """DRTS, described as a cell's algorithm."""
    common = {"rounds": rounds, "v": grid.v, "gamma": None if grid.threshold == LOWEST else grid.threshold, "draws": grid.draws}
    return {"name": "doubly_robust_thompson", **common, "ridge": ridge or grid.ridge.doubly_robust_thompson, "propensity": propensity}


def released(grid: Grid, rounds: list[int]) -> list[Description]:
    """The algorithms as the published program has them."""
    blts = balanced(grid, rounds, variance="RSS", propensity="constant")
    return [linear(grid, rounds), blts, doubly_robust(grid, rounds, propensity="released")]


def repaired(grid: Grid, rounds: list[int]) -> list[Description]:
    """The algorithms with the propensities that the text asks for."""
    return [linear(grid, rounds), balanced(grid, rounds), doubly_robust(grid, rounds)]


def _crossed(worlds: list[Description], algorithms: list[Description]) -> list[Cell]:
    return [Cell(PAPER, environment, algorithm) for environment in worlds for algorithm in algorithms]


def parameters(exhibit: str, grid: Grid) -> Description:
    """What an exhibit's summary must know of the grid besides its runs."""
    whole = grid.model_dump(mode="json")
    keys = ("settings", "v", "gamma", "horizon", "contexts", "coefficients", "ridge", "threshold", "replicates")
    found = {key: whole[key] for key in keys}
    return {**found, exhibit: whole[exhibit]} if exhibit in Grid.model_fields else found


def replicates(exhibit: str, grid: Grid) -> int:
    """n of an exhibit: the paper's 10, unless the grid gives it its own."""
    if exhibit == "table1":
        return 1
    return int(getattr(grid, exhibit).replicates) if exhibit in REPLICATED else grid.replicates


def largest_block(cell: Cell) -> int:
    """10 replicates of 20,000 rounds, which is the paper's n, and in proportion of fewer: a block is always whole."""
    rounds = cell.algorithm["rounds"]
    if isinstance(rounds, int):
        return 1
    return 10 if rounds[-1] > 5000 else 200


def seconds(cell: Cell) -> float:
    """Forecast of the CPU seconds of one replicate, from measurements on one core; nothing but jobs and their order depends on it."""
    arms, d = int(cell.environment["arms"]), int(cell.environment["dimension"])
    algorithm = cell.algorithm
    if algorithm["name"] == "doubly_robust_data":
        return 0.01
    per_square, per_context = MICROSECONDS[_kind(cell)]
    gammas = len(algorithm["gamma"]) if algorithm["name"] == "balanced_thompson" else 1
    members, rounds = len(algorithm["v"]) * gammas, int(algorithm["rounds"][-1])
    drawn = (0.057 if cell.environment["contexts"] == "truncated" else 0.011) * arms * d
    # where P(arm is the maximum) is estimated from nodes, many arms contend in the first rounds
    unsettled = 4 * min(rounds, 1000) if algorithm.get("propensity") == "released" else 0
    return 1e-6 * (rounds * (drawn + members * (per_square * d + per_context * arms) * d) + members * unsettled)


# microseconds per round and member of the sweep: times d^2, times N d. Contexts are drawn once for all members
MICROSECONDS = {
    "linear_thompson": (0.0007, 0.0013),
    "linear_thompson sqrt t": (0.0020, 0.0017),
    "balanced_thompson exact": (0.0010, 0.0038),
    "balanced_thompson constant": (0.0006, 0.0022),
    "doubly_robust_thompson exact": (0.0018, 0.0050),
    "doubly_robust_thompson released": (0.0015, 0.0090),
}


def _kind(cell: Cell) -> str:
    """What decides the cost of a round."""
    name, growing = str(cell.algorithm["name"]), cell.algorithm["ridge"] == "sqrt t"
    return f"{name} {cell.algorithm['propensity']}" if "propensity" in cell.algorithm else f"{name} sqrt t" if growing else name
