"""Worlds and algorithms of the paper, as a grid's cells write them."""

from typing import Any

from banditpapers.papers.debora.grid import Grid

Description = dict[str, Any]


def gap_arms(arms: int, gap: float) -> Description:
    """K arms of mean 1/2 but for the last, which is better by a gap."""
    return {"name": "constrained_arms", "arms": arms, "gap": gap}


def constrained(grid: Grid) -> list[Description]:
    """The instances with constraints, in the grid's order."""
    return [_constrained(one.rewards, one.costs, one.limits) for one in grid.instances.values()]


def margin_arms(margin: float) -> Description:
    """Three arms of which the last is safe by a margin lambda_min."""
    return _constrained((0.95, 0.8, 0.1), ((0.9, 0.5, 0.5 - margin),), (0.5,))


def _constrained(rewards: tuple[float, ...], costs: tuple[tuple[float, ...], ...], limits: tuple[float, ...]) -> Description:
    means = {"rewards": list(rewards), "costs": [list(row) for row in costs], "limits": list(limits)}
    return {"name": "constrained_arms", "arms": len(rewards), **means}


def debora(grid: Grid, /, horizons: tuple[int, ...], rho: tuple[float, ...], name: str = "paper", **changed: Any) -> Description:
    """DEBORA, with one of RepMean's grids."""
    return {"name": "debora", "horizons": list(horizons), "rho": list(rho), "ratio": grid.ratio, "grid": name, **changed}


def soft(grid: Grid, /, horizons: tuple[int, ...], rho: tuple[float, ...], **changed: Any) -> Description:
    """DEBORA-S, described as a cell's algorithm."""
    return {"name": "debora_soft", "horizons": list(horizons), "rho": list(rho), "ratio": grid.ratio, **changed}


def hard(grid: Grid, /, horizons: tuple[int, ...], rho: tuple[float, ...], **changed: Any) -> Description:
    """DEBORA-H, described as a cell's algorithm."""
    return {"name": "debora_hard", "horizons": list(horizons), "rho": list(rho), "ratio": grid.ratio, "clip": grid.clip, **changed}


def means(name: str, grid: Grid, horizons: tuple[int, ...]) -> Description:
    """A linear program on plain means: optimistic_lp or pessimistic_lp."""
    return {"name": name, "horizons": list(horizons), "delta": grid.rho * grid.ratio}


def replicable(grid: Grid) -> list[Description]:
    """DEBORA for the growth curves: the paper's grid, and the sharp one."""
    plan = grid.regret
    return [debora(grid, plan.horizons, plan.rho), debora(grid, plan.horizons, (grid.rho,), "sharp")]


def rivals(grid: Grid) -> list[Description]:
    """What DEBORA is compared with."""
    plan = grid.regret
    doubling = {"name": "doubling_ucb", "horizons": list(plan.horizons), "delta": grid.rho * grid.ratio}
    ucb1 = {"name": "ucb1", "horizons": [horizon for horizon in plan.horizons if horizon <= plan.ucb1] or [plan.ucb1]}
    return [*elimination(grid, plan.horizons)[:2], elimination(grid, plan.horizons)[3], doubling, ucb1]


def elimination(grid: Grid, horizons: tuple[int, ...]) -> list[Description]:
    """Replicable elimination: algorithms 1 and 2 of Esfandiari et al., 2 with another commitment, and the style of RSE."""
    common = {"horizons": list(horizons), "rho": [grid.rho]}
    batched = [{"which": 1, "commit": "means"}, {"which": 2, "commit": "means"}, {"which": 2, "commit": "label"}]
    found: list[Description] = [{"name": "batched_elimination", **common, **which} for which in batched]
    return [*found, {"name": "phased_elimination", **common, "style": "RSE"}]
