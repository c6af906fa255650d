"""Each theorem, lemma and comparison of the main text as cells: a replicate is a pair of runs with the same internal randomness."""

from math import comb
from typing import Any

from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.papers.debora.descriptions import (
    Description,
    constrained,
    debora,
    elimination,
    gap_arms,
    hard,
    margin_arms,
    means,
    replicable,
    rivals,
    soft,
)
from banditpapers.papers.debora.grid import Grid
from banditpapers.plan_keys import Exhibit

PAPER = "debora"
TITLE = "Replicable Constrained Bandits (arXiv 2602.14580)"

EXHIBITS = {
    "regret": Exhibit("figure", "regret", "Regret against the horizon, with all algorithms"),
    "collapse": Exhibit("figure", "collapse", "Regret in units of the bound: one curve per gap"),
    "epochs": Exhibit("figure", "epochs", "Epochs against their bound"),
    "replicability": Exhibit("figure", "replicability", "How often two runs differ, against rho"),
    "near_ties": Exhibit("figure", "near_ties", "How often two runs differ where arms are nearly equal"),
    "rounding": Exhibit("figure", "rounding", "RepMean: splits and errors of three grids"),
    "price": Exhibit("figure", "price", "The cost of replicability"),
    "violation": Exhibit("figure", "violation", "DEBORA-S: violation against the horizon"),
    "soft_regret": Exhibit("figure", "soft_regret", "DEBORA-S: signed regret against the horizon"),
    "hard_regret": Exhibit("figure", "hard_regret", "DEBORA-H: regret against the horizon"),
    "constrained_collapse": Exhibit("figure", "constrained_collapse", "Violation and regret in units of C sqrt(K T)"),
    "slopes": Exhibit("figure", "slopes", "Violation and regret against 1/rho and 1/lambda_min"),
    "safety": Exhibit("figure", "safety", "Unsafe runs against the width"),
    "constrained_replicability": Exhibit("figure", "constrained_replicability", "DEBORA-S and -H: how often two runs differ"),
    "mixing": Exhibit("figure", "mixing", "One run of DEBORA-H: weight and pessimistic cost"),
    "constants": Exhibit("table", "constants", "The constants of the widths"),
    "onset": Exhibit("table", "onset", "Horizons at which regret ceases to be linear"),
    "finals": Exhibit("table", "finals", "Regret, violation and replicability at the last horizons"),
    "theory": Exhibit("table", "theory", "What lemmas, theorems and sentences say, against computation"),
}


def cells(exhibit: str, grid: Grid, claims: Claims) -> list[Cell]:
    """The cells that an exhibit needs, in no particular order."""
    match exhibit:
        case "regret" | "finals":
            plan = grid.regret
            worlds = [gap_arms(arms, gap) for arms in plan.arms for gap in plan.gaps]
            unconstrained = _crossed(worlds, [*replicable(grid), *rivals(grid)])
            return unconstrained if exhibit == "regret" else [*unconstrained, *_growth(grid)]
        case "collapse" | "epochs" | "onset" | "theory":
            worlds = [gap_arms(arms, gap) for arms in grid.regret.arms for gap in grid.regret.gaps]
            found = _crossed(worlds, replicable(grid))
            return [*found, *_growth(grid)] if exhibit in ("epochs", "theory") else found
        case "replicability":
            plan_of_pairs = grid.replicability
            shown = [debora(grid, plan_of_pairs.horizons, plan_of_pairs.rho, grid_name) for grid_name in ("paper", "sharp")]
            return _crossed([gap_arms(arms, plan_of_pairs.gap) for arms in plan_of_pairs.arms], shown)
        case "near_ties":
            ties = grid.near_ties
            shown = [debora(grid, ties.horizons, (grid.rho,), name) for name in ("paper", "sharp")]
            shown += [debora(grid, ties.horizons, (grid.rho,), "sharp", refresh="every"), *elimination(grid, ties.horizons)]
            return _crossed([gap_arms(arms, gap) for arms in ties.arms for gap in ties.gaps], shown)
        case "price":
            price = grid.price
            found = _crossed([gap_arms(arms, price.gap) for arms in price.arms], [debora(grid, (price.horizon,), price.rho)])
            return [*found, *_crossed([gap_arms(2, gap) for gap in price.worst.gaps], [debora(grid, price.worst.horizons, price.rho)])]
        case "violation" | "soft_regret" | "hard_regret" | "constrained_collapse":
            return [cell for cell in _growth(grid) if exhibit == "constrained_collapse" or _is_hard(cell) == (exhibit == "hard_regret")]
        case "slopes":
            plan_of_slopes = grid.slopes
            late = (plan_of_slopes.horizon,)
            found = _crossed(constrained(grid)[:1], [soft(grid, late, plan_of_slopes.rho), hard(grid, late, plan_of_slopes.rho)])
            worlds = [margin_arms(margin) for margin in plan_of_slopes.margins]
            return [*found, *_crossed(worlds, [hard(grid, late, (grid.rho,)), means("pessimistic_lp", grid, late)])]
        case "safety":
            early = (grid.safety.horizon,)
            shown = [hard(grid, early, (grid.rho,), grid="means", factor=factor) for factor in grid.safety.factors]
            return _crossed(constrained(grid)[:2], [*shown, hard(grid, early, (grid.rho,))])
        case "constrained_replicability":
            horizons = (grid.constrained_replicability.horizon, grid.constrained_replicability.late)
            variants = grid.constrained_replicability.variants
            shown = [make(grid, horizons, (grid.rho,), grid=name, calls=calls) for make in (soft, hard) for name, calls in variants]
            return _crossed(constrained(grid)[:2], shown)
    return []  # rounding, mixing and constants are computed without runs of their own


def _growth(grid: Grid) -> list[Cell]:
    """DEBORA-S, DEBORA-H and their baselines on all instances."""
    horizons, rho = grid.growth.horizons, (grid.rho,)
    shown = [make(grid, horizons, rho, grid=name, calls=calls) for make in (soft, hard) for name, calls in grid.growth.variants]
    return _crossed(constrained(grid), [*shown, means("optimistic_lp", grid, horizons), means("pessimistic_lp", grid, horizons)])


def _is_hard(cell: Cell) -> bool:
    return cell.algorithm["name"] in ("debora_hard", "pessimistic_lp")


def _crossed(worlds: list[Description], algorithms: list[Description]) -> list[Cell]:
    return [Cell(PAPER, world, algorithm) for world in worlds for algorithm in algorithms]


READ: dict[str, tuple[str, ...]] = {  # the sections of the grid that an exhibit's summary looks at
    "price": ("price",), "rounding": ("rounding",), "safety": ("safety",), "mixing": ("mixing",), "constants": ("regret", "growth"),
    "theory": ("regret", "growth", "rounding"),
}  # fmt: skip


def parameters(exhibit: str, grid: Grid) -> Description:
    """What an exhibit's summary must know of the grid besides its runs: no more, or a change elsewhere would make it anew."""
    whole = grid.model_dump(mode="json")
    sections = {name: {key: value for key, value in whole[name].items() if key != "replicates"} for name in READ.get(exhibit, ())}
    return {"exhibit": exhibit, "grid": {name: whole[name] for name in ("rho", "ratio", "clip", "instances")} | sections}


REPLICATED: dict[str, str] = {  # whose number of pairs an exhibit has
    "collapse": "regret", "epochs": "growth", "onset": "regret", "finals": "growth", "theory": "growth", "violation": "growth",
    "soft_regret": "growth", "hard_regret": "growth", "constrained_collapse": "growth",
}  # fmt: skip


def replicates(exhibit: str, grid: Grid) -> int:
    """n of an exhibit: pairs of runs."""
    section: Any = getattr(grid, REPLICATED.get(exhibit, exhibit), None)
    return int(getattr(section, "replicates", 1))


def largest_block(cell: Cell) -> int:
    """The shipped grid's n, of which a block is always a whole part: fewer pairs where each replicate has one for many horizons."""
    horizons, costs = len(cell.algorithm["horizons"]), bool(cell.environment.get("costs"))
    if horizons > 4 or cell.algorithm["name"] == "ucb1":
        return 50 if costs else 100
    if horizons == 2:
        return 1000 if costs else 5000 if len(cell.algorithm["rho"]) > 1 else 2000
    return 500


def seconds(cell: Cell) -> float:
    """Forecast of the CPU seconds of one replicate, from measurements on one core; nothing but jobs and their order depends on it."""
    arms, name, algorithm = int(cell.environment["arms"]), str(cell.algorithm["name"]), cell.algorithm
    if name == "ucb1":
        return 1e-8 * (5 + arms) * int(algorithm["horizons"][-1])
    pairs = len(algorithm["horizons"]) * len(algorithm.get("rho", (0,)))
    doublings = sum(int(horizon).bit_length() for horizon in algorithm["horizons"]) / len(algorithm["horizons"])
    m = len(cell.environment.get("costs", ()))
    # a linear program tries this many vertices at most
    vertices = sum(comb(arms, size) * comb(m, size - 1) for size in range(1, m + 2)) if m else 0
    epoch = 2e-6 + 1.2e-8 * vertices if m else 2e-7
    return 1e-4 + pairs * (1.5e-5 + arms * doublings * epoch)
