"""The set-up of section 4, as cells: K arms with Beta(a, b) means, four methods, N realizations.

Experiment 1 (Table 2): LP2S by LP-PAC.   Experiment 2 (Table 3): by LP-SRM.   Experiment 3 (Table 4, K = 200): by LP-FC.
Competitors: two-stage exploration (TSE), batched Thompson sampling (BTS) and BatchRacing (BR). Their budgets are those that the paper
prints, and a geometric curve from `start` times the smallest printed one to `beyond` times the largest, so that one pass of BTS or BR and a
dozen budgets of TSE give the whole curve of simple regret against T: what equals LP2S in cost or in regret is read off it.
"""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.papers.lp2s.grid import Grid
from banditpapers.papers.lp2s.names import prior_text
from banditpapers.plan_keys import Exhibit

PAPER = "lp2s"
TITLE = "Best Arm Identification in Batched Multi-armed Bandit Problems (arXiv 2312.13875)"
TIMINGS = Path(__file__).parents[4] / "benchmarks" / "lp_scaling.csv"
TABLES = {"table2": "PAC", "table3": "SRM", "table4": "FC"}  # by the captions; the text swaps Tables 2 and 3

EXHIBITS = {
    "figure1": Exhibit("figure", "tree", "The binomial tree of OPT-ind, drawn from a solved LP-PAC"),
    "figure2": Exhibit("figure", "survival", "Arms left per round: LP thresholds against BatchRacing"),
    "table1": Exhibit("table", "literature", "Literature on batched bandits"),
    "table2": Exhibit("table", "comparison", "LP2S by LP-PAC against three methods"),
    "table3": Exhibit("table", "comparison", "LP2S by LP-SRM against three methods"),
    "table4": Exhibit("table", "comparison", "LP2S by LP-FC against three methods, K = 200"),
    "frontier": Exhibit("figure", "frontier", "Beyond the paper: cost against regret as delta_0 moves"),
    "scaling": Exhibit("figure", "scaling", "Beyond the paper: f* and solver time against R up to 10,000"),
    "recommendation": Exhibit("figure", "recommendation", "Beyond the paper: batched Thompson sampling under both recommendation rules"),
    "theory": Exhibit("table", "theory", "What theorems, identities and sentences say, against computation"),
}


def cells(exhibit: str, grid: Grid, claims: Claims) -> list[Cell]:
    """The cells that an exhibit needs, in no particular order."""
    if exhibit in TABLES:
        return [cell for prior, arms in instances(exhibit, grid) for cell in _compared(exhibit, prior, arms, grid, claims)]
    if exhibit == "figure2":
        return _raced(grid)
    if exhibit == "recommendation":
        return [_batched_thompson(prior, arms, grid, claims) for table in ("table2", "table4") for prior, arms in instances(table, grid)]
    if exhibit == "theory":
        lp2s = [cell for table in TABLES for cell in cells(table, grid, claims) if cell.algorithm["name"] == "lp2s"]
        return [*lp2s, *_raced(grid)]
    return []


def parameters(exhibit: str, grid: Grid) -> dict[str, Any]:
    """What an exhibit's summary must know of the grid besides its runs."""
    whole = grid.model_dump(mode="json")
    if exhibit in TABLES:
        default = whole["default_reading"]
        if exhibit == "table4":
            default = {**default, "delta0": whole["fixed_confidence"]["delta0"][0]}
        sizes = sorted({arms for _, arms in instances(exhibit, grid)})
        return {
            "table": exhibit,
            "setting": TABLES[exhibit],
            "default": default,
            "stages": {str(arms): _stages(exhibit, arms, grid) for arms in sizes},
            "batches": {str(arms): _cap(exhibit, arms, grid) for arms in sizes},
        }
    if exhibit == "figure2":
        survivors = grid.survivors(grid.figure2.arms)
        return {**whole["figure2"], "survivors": survivors, "good_mean": _good_means(grid)}
    if exhibit in ("frontier", "theory"):
        keys = ("priors", "arms", "survivors_factor", "readings", "default_reading", "fixed_confidence", "frontier", "figure2")
        return {**{key: whole[key] for key in keys}, "survivors": grid.survivors(grid.figure2.arms), "good_mean": _good_means(grid)}
    if exhibit == "scaling":
        return {**whole["scaling"], "survivors": grid.survivors(grid.scaling.arms), "timings": _timings()}
    return dict(whole[exhibit]) if exhibit == "figure1" else {}


def seconds(cell: Cell) -> float:
    """Forecast of the CPU seconds of one replicate, from measurements on one core; nothing but jobs and their order depends on it."""
    arms, algorithm = int(cell.environment["arms"]), cell.algorithm
    match algorithm["name"]:
        case "lp2s":
            return (6e-5 + 3e-8 * arms) * len(algorithm["delta0"])
        case "batch_racing":
            return 3e-4 + 7e-9 * arms * int(algorithm["batches"])
        case "two_stage_exploration":
            return 4e-4 + 1.1e-7 * arms * len(algorithm["budgets"])
        case _:
            return 5e-4 + 4e-6 * arms * (1.6 if cell.environment["prior"][1] > 1 else 1.0)


def _timings() -> list[dict[str, str]]:
    """Seconds to solve an LP, as measured by benchmarks/run.py; an empty list where that has not been run."""
    if not TIMINGS.exists():
        return []
    with TIMINGS.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def instances(exhibit: str, grid: Grid) -> Iterator[tuple[tuple[float, float], int]]:
    """Prior and K of each row of a table."""
    for entry in grid.priors:
        for arms in [grid.fixed_confidence.arms] if exhibit == "table4" else grid.arms:
            yield entry.prior, arms


def environment(prior: tuple[float, float], arms: int) -> dict[str, Any]:
    """Arms with Beta means."""
    return {"name": "beta_bernoulli", "prior": list(prior), "arms": arms}


def _compared(exhibit: str, prior: tuple[float, float], arms: int, grid: Grid, claims: Claims) -> Iterator[Cell]:
    """LP2S in each of its readings, and the three competitors."""
    setting, world = TABLES[exhibit], environment(prior, arms)
    if setting == "FC":
        stated = {"rounds": grid.fixed_confidence.rounds, "survivors": grid.fixed_confidence.survivors}
        stages, rules = [stated], list(grid.fixed_confidence.delta0)
    else:
        stages = [{"rounds": grid.rounds(name, arms), "survivors": grid.survivors(arms)} for name in grid.readings]
        rules = list(grid.delta0)
    target = claims.value(exhibit, prior=prior_text(prior), arms=arms, matched_on="T", budget="paper", method="lp2s", quantity="SR")
    for stage in stages:
        yield Cell(
            PAPER,
            world,
            {
                "name": "lp2s",
                "setting": setting,
                "mu0": grid.good_mean(prior) if setting == "PAC" else None,
                **stage,
                "delta0": [rule for rule in rules if rule != "fit" or target is not None],
                "fit_regret": target if "fit" in rules else None,
            },
        )
    yield _batched_thompson(prior, arms, grid, claims)
    tse = {"name": "two_stage_exploration", "share": grid.two_stage_exploration.share}
    yield Cell(PAPER, world, {**tse, "budgets": budgets("two_stage_exploration", prior, arms, grid, claims)})
    racing = {"name": "batch_racing", "delta": grid.batch_racing.delta, "batches": _cap(exhibit, arms, grid), "trace": False}
    raced = budgets("batch_racing", prior, arms, grid, claims)
    yield Cell(PAPER, world, {**racing, "beyond": grid.batch_racing.beyond, "budgets": raced})


def _batched_thompson(prior: tuple[float, float], arms: int, grid: Grid, claims: Claims) -> Cell:
    rule = {"growth": grid.batched_thompson.growth, "first_batch": grid.batched_thompson.first_batch}
    recorded = budgets("batched_thompson", prior, arms, grid, claims)
    return Cell(PAPER, environment(prior, arms), {"name": "batched_thompson", **rule, "budgets": recorded})


def _raced(grid: Grid) -> list[Cell]:
    """BatchRacing, batch by batch, for Figure 2."""
    plan = grid.figure2
    racing = {"name": "batch_racing", "batches": plan.rounds, "trace": True, "beyond": 1, "budgets": []}
    return [Cell(PAPER, environment(prior, plan.arms), {**racing, "delta": delta}) for prior in plan.priors for delta in plan.deltas]


def _cap(exhibit: str, arms: int, grid: Grid) -> int:
    """R of the text's reading: the batches that BatchRacing is allowed."""
    return grid.fixed_confidence.rounds if exhibit == "table4" else grid.rounds(grid.default_reading.stage, arms)


def _stages(exhibit: str, arms: int, grid: Grid) -> dict[str, str]:
    """The name of the reading by the rounds of its stage."""
    if exhibit == "table4":
        return {str(grid.fixed_confidence.rounds): grid.default_reading.stage}
    return {str(grid.rounds(name, arms)): name for name in grid.readings}


def budgets(method: str, prior: tuple[float, float], arms: int, grid: Grid, claims: Claims) -> list[int]:
    """The budgets that the paper prints for this instance, and the curve around them, ascending.

    K arms that the paper has not get a curve from 4 to 40 pulls per arm.
    """
    printed = sorted(
        {
            round(claim.paper_value)
            for claim in claims.claims
            if claim.kind == "value" and claim.paper_value is not None and claim.select.get("quantity") == "T"
            and claim.select["prior"] == prior_text(prior) and claim.select["arms"] == arms and claim.select["method"] in ("lp2s", method)
        }
    ) or [4 * arms, 40 * arms]  # fmt: skip
    section: Any = getattr(grid, method)
    low, high, points = grid.curve.start * printed[0], section.beyond * printed[-1], grid.curve.points
    curve = {round(low * (high / low) ** (i / (points - 1))) for i in range(points)}
    return sorted({*printed, *curve})


def _good_means(grid: Grid) -> Mapping[str, float]:
    return {prior_text(entry.prior): entry.good_mean for entry in grid.priors}


def replicates(exhibit: str, grid: Grid) -> int:
    """N, the realizations behind each mean of every exhibit."""
    return grid.realizations


def largest_block(cell: Cell) -> int:
    """The paper's N: more replicates in a job would be for nothing."""
    return 1000
