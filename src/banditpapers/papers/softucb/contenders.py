"""The algorithms that meet on one world, as Figure 2 and the comparison show them: the paper's own, and controls that it lacks.

A bound is tuned on the "tuning" split of the same world: other arms, other noise. Nothing that is shown chooses anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers.papers.softucb.ranges import THEORY
from banditpapers.runs import CellRuns, Runs

TUNED = "tuned"
RATINGS = {"movielens": "MovieLens", "jester": "Jester", "stand-in": "Stand-in"}  # as readers know them
UNKNOWN = "source unknown"
OFFLINE, ONLINE, FIXED, LINUCB, LINTS, GREEDY = (
    "soft_ucb_offline", "soft_ucb_online", "soft_ucb", "linear_ucb", "fixed_arms_thompson", "epsilon_greedy",
)  # fmt: skip


@dataclass(frozen=True)
class Contender:
    """An algorithm's runs under one rule. variant: "" for the paper's own, "tuned", or the parameter that differs."""

    runs: CellRuns
    rule: str
    variant: str = ""
    tuned_on: str = ""

    @property
    def method(self) -> str:
        """The algorithm's name in a grid."""
        return str(self.runs.cell.algorithm["name"])

    @property
    def called(self) -> str:
        """Method and variant."""
        return f"{self.method} {self.variant}".rstrip()

    @property
    def rounds(self) -> list[int]:
        """The recorded rounds of what is shown, ascending."""
        return [int(t) for t in self.runs.cell.algorithm["rounds"]]

    def path(self, quantity: str = "regret") -> NDArray[np.float64]:
        """Shape (replicates, rounds): cumulative regret. Of SoftUCB offline, on the trajectory after training."""
        return self.runs.path(self.rule, quantity)[:, -len(self.rounds) :]

    def final(self) -> NDArray[np.float64]:
        """R(T), one number per replicate: shape (replicates,)."""
        return self.path()[:, -1]

    def with_training(self) -> NDArray[np.float64]:
        """R(T) and, of SoftUCB offline, the regret of all training trajectories before it. Shape (replicates,)."""
        return self.final() + self.path("training_regret")[:, -1] if self.method == OFFLINE else self.final()


def worlds(runs: Runs, grid: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The worlds that are shown, in the order of the grid: synthetic ones by variance and dimension, then the ratings."""
    found: list[Mapping[str, Any]] = []
    for cell in runs.cells:
        world = cell.cell.environment
        if world["split"] == "evaluation" and world not in found:
            found.append(world)
    plan, variances = grid["figure2"], grid["comparison"]["variances"]

    def place(world: Mapping[str, Any]) -> tuple[int, int, int]:
        if "ratings" in world:
            return 1, plan["ratings"].index(world["ratings"]), plan["rewards"].index(world["reward"])
        return 0, variances.index(world["variance"]), plan["dimensions"].index(world["dimension"])

    return sorted(found, key=place)


def described(world: Mapping[str, Any], grid: Mapping[str, Any], source: str) -> dict[str, Any]:
    """What a world's rows say of it. source: where its ratings come from.

    Claims are measured with the noise of the exhibits and, of the rewards, with the centred ones.
    """
    ratings, reward = world.get("ratings", ""), world.get("reward", "")
    rewards = grid["figure2"]["rewards"]
    leading = "centred" if "centred" in rewards else rewards[0]
    return {
        "dimension": world["dimension"],
        "variance": float(world["variance"]),
        "ratings": ratings,
        "reward": reward,
        "source": source,
        "reading": f"reward {reward}" if ratings else f"sigma^2 = {world['variance']:g}",
        "default": reward == leading if ratings else world["variance"] == grid["variance"],
    }


def contenders(runs: Runs, world: Mapping[str, Any], grid: Mapping[str, Any]) -> list[Contender]:
    """The paper's own algorithms, the tuned ones, then other parameters."""
    cells = {name: _cell(runs, name, world) for name in (OFFLINE, ONLINE, FIXED, LINUCB, LINTS, GREEDY)}
    found = [
        Contender(cells[OFFLINE], _rule(cells[OFFLINE], "eta", grid["offline"]["eta"])),
        Contender(cells[ONLINE], _rule(cells[ONLINE], "eta", grid["online"]["eta"])),
        Contender(cells[LINUCB], _rule(cells[LINUCB], "beta", THEORY)),
        Contender(cells[LINTS], _rule(cells[LINTS], "scale", grid["thompson"]["scale"])),
        Contender(cells[GREEDY], _rule(cells[GREEDY], "epsilon", grid["greedy"]["epsilon"])),
    ]
    for name in (LINUCB, FIXED):
        held_out = _cell(runs, name, {**world, "split": "tuning"})
        beta = tuned(held_out, grid["controls"]["beta"])
        found.append(Contender(cells[name], _rule(cells[name], "beta", beta), TUNED, f"held-out arms (n = {held_out.finished})"))
    for name, key, values in ((ONLINE, "eta", grid["controls"]["eta"]), (LINTS, "scale", grid["controls"]["scale"])):
        found += (Contender(cells[name], _rule(cells[name], key, value), f"{key} = {_plain(value)}") for value in values)
    return found


def tuned(held_out: CellRuns, values: Sequence[float]) -> float:
    """The beta with the smallest mean R(T) over the runs that choose; the first of equal ones."""
    last = held_out.checkpoints[-1]
    return min(values, key=lambda beta: float(held_out.of(last, _rule(held_out, "beta", beta), "regret").mean()))


def counts(*compared: Contender) -> dict[str, int]:
    """n of a comparison: the fewest that finished."""
    return {
        "planned": max(one.runs.planned for one in compared),
        "finished": min(one.runs.finished for one in compared),
        "failed": max(one.runs.failed for one in compared),
    }


def difference(
    first: Contender, first_sample: NDArray[np.float64], second: Contender, second_sample: NDArray[np.float64]
) -> NDArray[np.float64]:
    """First minus second, replicate by replicate: both met the same arms. Empty when a replicate of either failed. Shapes (replicates,)."""
    if first.runs.failed or second.runs.failed:
        return np.empty(0)
    return first_sample - second_sample


def by_world(runs: Runs, grid: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[Contender]]]:
    """Each world's description and algorithms."""
    for world in worlds(runs, grid):
        players = contenders(runs, world, grid)
        yield described(world, grid, players[0].runs.source), players


def _cell(runs: Runs, name: str, world: Mapping[str, Any]) -> CellRuns:
    return runs.one(name, **{key: value for key, value in world.items() if key != "name"})


def _rule(cell: CellRuns, key: str, value: float | str) -> str:
    """The rule of a value of an algorithm's parameter, the only one that it has several values of."""
    rules: dict[Any, str] = dict(zip(cell.cell.algorithm[key], cell.rules, strict=True))
    return rules[value]


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
