"""Cells beside the paper's own: every open choice against the default, and the published program's settings as one bundle."""

from banditpapers.cells import Cell
from banditpapers.papers.softucb.descriptions import Description, fixed, greedy, online, optimistic, synthetic, thompson, trained
from banditpapers.papers.softucb.grid import Grid

PAPER = "softucb"


def readings(grid: Grid) -> list[Cell]:
    """The default and, one at a time, everything that the text leaves open."""
    plan = grid.readings
    world, horizon = synthetic(grid, plan.dimension, plan.variance), plan.horizon
    words = {"gap": "absolute", "eliminated": "cumulative", "coldness": "fresh"}
    changes: list[Description] = [{}, *({key: word} for key, word in words.items()), {"empty": "one"}, {"empty": "keep"}]
    changes += [{"delta": delta} for delta in plan.delta]
    starts = [grid.offline.start, *plan.offline_start], [grid.online.start, *plan.online_start]
    offline_changes: list[Description] = [{"start": starts[0]}, {"gradient": "last round", "step": 1}, {"step": plan.step}]
    online_changes: list[Description] = [
        {"start": starts[1], "eta": [0, grid.online.eta]},
        {"term": "cumulated", "eta": plan.cumulated_eta},
    ]
    found = [fixed(grid, horizon, plan.beta, **change) for change in changes]
    found += [trained(grid, plan.training_horizon, (grid.offline.eta,), **change) for change in offline_changes]
    found += [online(grid, horizon, **change) for change in online_changes]
    gaussian = crossed({**world, "features": "gaussian"}, [fixed(grid, horizon, plan.beta)])
    return [*crossed(world, found), *gaussian]


def released(grid: Grid, dimension: int) -> list[Cell]:
    """The published program: absolute gaps, cumulative L, |L| = 0 counted as 1, Gaussian features, a constant beta "offline"."""
    plan, horizon = grid.released, grid.released.horizon
    world = synthetic(grid, dimension, plan.variance, features="gaussian")
    bundle = {"gap": "absolute", "eliminated": "cumulative", "empty": "one"}
    learning = plan.training
    training = {"start": [learning.start], "eta": [learning.eta], "step": learning.step, "iterations": learning.iterations}
    training |= {"average": learning.average, "gradient": "last round"}
    started = {"start": [plan.online.start], "eta": [plan.online.eta], "step": [plan.online.step]}
    shown = [
        fixed(grid, horizon, (plan.beta,), delta=plan.delta, **bundle),
        {**trained(grid, horizon, (learning.eta,), delta=plan.delta, **bundle), **training},
        {**online(grid, horizon, **bundle), **started},
        optimistic(grid, horizon, world, (plan.beta,)),
        thompson(grid, horizon, world),
        greedy(grid, horizon),
    ]
    return crossed(world, shown)


def crossed(world: Description, algorithms: list[Description]) -> list[Cell]:
    """Every algorithm on one world."""
    return [Cell(PAPER, world, algorithm) for algorithm in algorithms]
