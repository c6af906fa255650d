"""The set-up of section 5, as cells: sets of arms, SoftUCB offline and online, and what they are compared with.

A replicate is a set of arms. Parameters that the paper does not tune are chosen on the "tuning" split: other arms, other noise.
"""

from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.papers.softucb.descriptions import (
    Description,
    fixed,
    greedy,
    online,
    optimistic,
    rated_worlds,
    synthetic,
    thompson,
    trained,
)
from banditpapers.papers.softucb.grid import Grid
from banditpapers.papers.softucb.variations import PAPER, crossed, readings, released
from banditpapers.plan_keys import Exhibit

TITLE = "Differentiable Linear Bandit Algorithm (arXiv 2006.03000)"

EXHIBITS = {
    "figure1": Exhibit("figure", "learning", "Learning curves of SoftUCB offline and online"),
    "table1": Exhibit("table", "sizes", "Table 1: learnt against theoretical size of the confidence bound"),
    "figure2": Exhibit("figure", "regret", "Regret on synthetic arms and on real ratings"),
    "figure3": Exhibit("figure", "learning", "Learning curves of SoftUCB offline, d = 5"),
    "figure4": Exhibit("figure", "learning", "Learning curves of SoftUCB offline, d = 10 and 15"),
    "comparison": Exhibit("table", "comparison", "Beyond the paper: against LinUCB tuned on other arms, and with training counted"),
    "equilibrium": Exhibit("figure", "equilibrium", "Beyond the paper: what sets the learnt bound"),
    "gradient": Exhibit("figure", "gradient", "Beyond the paper: the gradient estimator against the gradient of the reward"),
    "coverage": Exhibit("figure", "coverage", "Beyond the paper: how often the learnt bound is a confidence bound"),
    "choices": Exhibit("table", "readings", "Beyond the paper: every open choice against the default"),
    "released": Exhibit("table", "released", "The published program's settings"),
    "theory": Exhibit("table", "theory", "What lemmas, theorem and sentences say, against computation"),
}


def cells(exhibit: str, grid: Grid, claims: Claims) -> list[Cell]:
    """The cells that an exhibit needs, in no particular order."""
    match exhibit:
        case "figure1":
            first = grid.figure1
            shown = [trained(grid, first.offline, grid.table1.eta), online(grid, first.online)]
            return crossed(synthetic(grid, first.dimension), shown)
        case "table1" | "figure3" | "figure4":
            shown_settings = [setting for setting in grid.table1.settings if exhibit in ("table1", figure_of(setting))]
            return [Cell(PAPER, synthetic(grid, d), trained(grid, horizon, grid.table1.eta)) for d, horizon in shown_settings]
        case "figure2":
            found = [cell for d in grid.figure2.dimensions for cell in compared(synthetic(grid, d), grid, grid.figure2.horizon)]
            rated_cells = (compared(world, grid, grid.figure2.rated.horizon) for world in rated_worlds(grid))
            return found + [cell for cells in rated_cells for cell in cells]
        case "comparison":
            noisy = [synthetic(grid, d, variance) for variance in grid.comparison.variances for d in grid.figure2.dimensions]
            found = [cell for world in noisy for cell in compared(world, grid, grid.figure2.horizon)]
            rated_cells = (compared(world, grid, grid.figure2.rated.horizon) for world in rated_worlds(grid))
            return found + [cell for cells in rated_cells for cell in cells]
        case "equilibrium" | "coverage":
            return [_scanned(grid, setting) for setting in grid.equilibrium.settings]
        case "gradient":
            return [_differenced(grid, variance) for variance in grid.gradient.variances]
        case "choices":
            return readings(grid)
        case "released":
            return [cell for d in grid.released.dimensions for cell in released(grid, d)]
        case "theory":
            plan = grid.readings
            world = synthetic(grid, plan.dimension, plan.variance)
            return crossed(world, [fixed(grid, plan.horizon, plan.beta), fixed(grid, plan.horizon, plan.beta, coldness="fresh")])
    return []


def figure_of(setting: tuple[int, int]) -> str:
    """The figure of the appendix that shows a setting (d, T) of Table 1."""
    return "figure3" if setting[0] == 5 else "figure4"


def compared(world: Description, grid: Grid, horizon: int) -> list[Cell]:
    """All algorithms on one world, and on its tuning split those whose bound is chosen there."""
    chosen = [optimistic(grid, horizon, world), fixed(grid, horizon, grid.controls.beta, trace=False)]
    shown = [trained(grid, horizon, (grid.offline.eta,)), online(grid, horizon), thompson(grid, horizon, world), greedy(grid, horizon)]
    return [*crossed(world, [*shown, *chosen]), *crossed({**world, "split": "tuning"}, chosen)]


def _scanned(grid: Grid, setting: tuple[int, int, int]) -> Cell:
    arms, d, horizon = setting
    return Cell(PAPER, synthetic(grid, d, arms=arms), fixed(grid, horizon, grid.equilibrium.beta))


def _differenced(grid: Grid, variance: float) -> Cell:
    plan = grid.gradient
    arms, d, horizon = plan.setting
    around = sorted({beta * factor for beta in plan.beta for factor in (1 - plan.spread, 1, 1 + plan.spread)})
    return Cell(PAPER, synthetic(grid, d, variance, arms=arms), fixed(grid, horizon, tuple(around), trajectories=plan.trajectories))


COMMON = ("arms", "features", "variance", "ridge", "confidence", "delta", "offline", "online", "greedy", "thompson")
READ: dict[str, tuple[str, ...]] = {  # and the sections of the grid that an exhibit's summary looks at
    "table1": ("table1",), "figure2": ("figure2", "comparison", "controls"), "comparison": ("figure2", "comparison", "controls"),
    "equilibrium": ("equilibrium", "table1"), "coverage": ("equilibrium",), "gradient": ("gradient",), "choices": ("readings",),
    "released": ("released",), "theory": ("figure1", "table1", "readings"),
}  # fmt: skip


def parameters(exhibit: str, grid: Grid) -> Description:
    """What an exhibit's summary must know of the grid besides its runs: no more, or a change elsewhere would make it anew."""
    whole = grid.model_dump(mode="json")
    found = {name: whole[name] for name in (*COMMON, *READ.get(exhibit, ()))}
    found.get("gradient", {}).pop("replicates", None)
    return {"exhibit": exhibit, "grid": found}


def replicates(exhibit: str, grid: Grid) -> int:
    """n of an exhibit."""
    return grid.gradient.replicates if exhibit == "gradient" else grid.replicates


def largest_block(cell: Cell) -> int:
    """The shipped grid's n, of which a block is always a whole part: 50, or 20 of 60 where many trajectories make a replicate."""
    return 20 if int(cell.algorithm.get("trajectories", 1)) > 1 else 50


def seconds(cell: Cell) -> float:
    """Forecast of the CPU seconds of one replicate, from measurements on one core; nothing but jobs and their order depends on it."""
    algorithm, arms, d = cell.algorithm, int(cell.environment["arms"]), int(cell.environment["dimension"])
    per_round = MICROSECONDS[str(algorithm["name"])]
    rules = 1
    for key in ("beta", "eta", "start", "scale", "epsilon"):
        values = algorithm.get(key)
        rules *= len(values) if isinstance(values, list | tuple) and values else 1
    plays = int(algorithm.get("trajectories", 1)) + int(algorithm.get("iterations", 0))
    return 1e-6 * rules * plays * int(algorithm["rounds"][-1]) * (0.05 + per_round * arms * (d + 15) / 1250)


# microseconds per round at K = 50, d = 10
MICROSECONDS = {
    "soft_ucb": 0.75,
    "soft_ucb_offline": 0.52,
    "soft_ucb_online": 0.52,
    "linear_ucb": 0.2,
    "fixed_arms_thompson": 0.6,
    "epsilon_greedy": 0.2,
}
