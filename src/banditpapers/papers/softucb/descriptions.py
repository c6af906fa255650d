"""Worlds and algorithms of the paper, as a grid's cells write them."""

from math import sqrt
from typing import Any

from banditpapers.papers.softucb.grid import Grid
from banditpapers.papers.softucb.ranges import THEORY

Description = dict[str, Any]


def synthetic(grid: Grid, dimension: int, variance: float | None = None, **changed: Any) -> Description:
    """Unit-norm arms."""
    noise = grid.variance if variance is None else variance
    common = {"arms": grid.arms, "dimension": dimension, "variance": noise, "features": grid.features, "split": "evaluation"}
    return {"name": "fixed_arms", **common, **changed}


def rated_worlds(grid: Grid) -> list[Description]:
    """Users as arms: each set of ratings, each reading of the reward."""
    plan = grid.figure2.rated
    common = {"name": "rated_arms", "arms": grid.arms, "dimension": plan.dimension, "variance": plan.variance}
    common |= {"scaling": "largest", "split": "evaluation"}
    return [{**common, "ratings": name, "reward": reward} for name in grid.figure2.ratings for reward in grid.figure2.rewards]


def trained(grid: Grid, horizon: int, eta: tuple[float, ...], **changed: Any) -> Description:
    """SoftUCB offline, with one or several eta."""
    plan = grid.offline
    learning = {"iterations": plan.iterations, "start": [plan.start], "eta": list(eta), "step": plan.step, "average": plan.average}
    return {"name": "soft_ucb_offline", "rounds": grid.rounds(horizon), **learning, "delta": grid.delta, "ridge": grid.ridge, **changed}


def online(grid: Grid, horizon: int, **changed: Any) -> Description:
    """SoftUCB online, with its own eta and those of the controls."""
    plan = grid.online
    learning = {"start": [plan.start], "eta": [plan.eta, *grid.controls.eta], "step": [plan.step]}
    return {"name": "soft_ucb_online", "rounds": grid.rounds(horizon), **learning, "delta": grid.delta, "ridge": grid.ridge, **changed}


def fixed(grid: Grid, horizon: int, beta: tuple[float, ...], **changed: Any) -> Description:
    """SoftUCB with a fixed beta."""
    common = {"rounds": grid.rounds(horizon), "beta": list(beta), "delta": grid.delta, "ridge": grid.ridge}
    return {"name": "soft_ucb", **common, **changed}


def optimistic(grid: Grid, horizon: int, world: Description, beta: tuple[float, ...] | None = None) -> Description:
    """LinUCB with the bound of theory, and with constant ones."""
    common = {"rounds": grid.rounds(horizon), "confidence": grid.confidence, "ridge": grid.ridge, "scale": _scale(world)}
    return {"name": "linear_ucb", **common, "beta": [THEORY, *(grid.controls.beta if beta is None else beta)]}


def thompson(grid: Grid, horizon: int, world: Description) -> Description:
    """LinTS with its own scale and those of the controls."""
    common = {"rounds": grid.rounds(horizon), "confidence": grid.confidence, "ridge": grid.ridge, "noise": _scale(world)}
    return {"name": "fixed_arms_thompson", **common, "scale": [grid.thompson.scale, *grid.controls.scale]}


def greedy(grid: Grid, horizon: int) -> Description:
    """Epsilon-greedy, described as a cell's algorithm."""
    return {"name": "epsilon_greedy", "rounds": grid.rounds(horizon), "epsilon": [grid.greedy.epsilon], "ridge": grid.ridge}


def _scale(world: Description) -> float:
    """R, the standard deviation of the noise, which theory takes as known; noiseless rewards are given a small one."""
    return max(sqrt(world["variance"]), 1e-9)
