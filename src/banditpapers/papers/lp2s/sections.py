"""The sections of the `lp2s` grid: methods, tables and figures, each with the ranges of its numbers."""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, cast

from banditpapers.fields import Fault, Path, Scalar, Section, Several, number, whole


def grid_step(rule: float | str) -> float | None:
    """The step of a rule such as `grid 0.05`, and None for every other rule."""
    match = re.fullmatch(r"grid (0?\.[0-9]{1,4})", str(rule))
    return float(match[1]) or None if match else None


def delta0_rule(*words: str) -> Scalar:
    """How delta_0, the share of the quality constraint that may be missed, is chosen for a cell.

    A number is delta_0 itself; `smallest` is the smallest for which the linear program is feasible; `grid 0.05` is the smallest multiple of
    0.05 for which it is; `fit` is the delta_0 at which the exact simple regret equals the one that the paper prints.
    """

    def check(value: Any) -> float | str | None:
        if not isinstance(value, str):
            return cast(float | None, number(least=0, most=1).check(value))
        step = grid_step(value)
        return f"grid {step}" if step else value if value in words else None  # one spelling: grid 0.050 is grid 0.05

    pattern = f"^(?:{'|'.join(words)}|grid 0?\\.[0-9]{{1,4}})$"
    schema = {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string", "pattern": pattern}]}
    return Scalar(f"{', '.join(words)}, a step such as 'grid 0.05', or a number of at least 0 and at most 1", check, schema)


MOST_ROUNDS = 100_000  # a linear program has R (R + 1) / 2 variables
Setting = Literal["PAC", "SRM", "FC"]
Positive = Annotated[float, number(above=0)]
Proportion = Annotated[float, number(above=0, below=1)]
Growth = Annotated[float, number(above=1)]
Beyond = Annotated[float, number(above=1, most=1000)]
Arms = Annotated[int, whole(least=2, most=1_000_000)]
"""K"""
Rounds = Annotated[int, whole(least=2, most=MOST_ROUNDS)]
"""R, per stage"""
Points = Annotated[int, whole(least=2, most=1000)]
ShapeParameter = Annotated[float, number(least=0.5)]
"""below, too much of the prior lies closer to 0 or 1 than numbers do: kernels/elimination_policy.py"""
Shape = Annotated[tuple[ShapeParameter, ShapeParameter], Several(count=2)]
"""(a, b) of the prior Beta(a, b)"""
Delta0 = Annotated[float | str, delta0_rule("smallest", "fit")]
Unfitted = Annotated[float | str, delta0_rule("smallest")]
"""for programs of which the paper prints no simple regret that could be fitted"""
Rules = Annotated[tuple[Delta0, ...], Several()]


def crowded(place: Path, survivors: float, arms: int) -> Iterator[Fault]:
    """The fault of a stage that more arms are expected to survive than there are."""
    if survivors > arms:
        yield place, f"found L = {survivors:.4g} survivors of K = {arms} arms; write at most as many survivors as arms"


class Prior(Section):
    """One prior of the means and the level from which LP-PAC calls an arm good."""

    prior: Shape
    """(a, b) of Beta(a, b)"""
    good_mean: Proportion
    """mu_0"""


class Reading(Section):
    """How long a stage is."""

    rounds_factor: Positive
    """c_1: a stage has R = int(c_1 ln K) rounds"""


class DefaultReading(Section):
    """The reading that the exhibits lead with."""

    stage: str
    """a name among the readings"""
    delta0: Delta0
    score: Literal["combined", "stage2"]
    """successes that the final choice counts: of both stages or of the second"""


class FixedConfidence(Section):
    """Table 4 (LP-FC)."""

    arms: Arms
    """K"""
    rounds: Rounds
    """R"""
    survivors: Positive
    """L"""
    delta0: Rules

    def contradictions(self) -> Iterable[Fault]:
        """Yield what is wrong with values that are right one by one."""
        return crowded(("survivors",), self.survivors, self.arms)


class BatchRacing(Section):
    """BatchRacing (Jun et al., 2016) in the (K, 1)-batch setting."""

    delta: Proportion
    """confidence parameter"""
    beyond: Beyond
    """the curve of regret against T goes on to this many times the R batches that the paper allows"""


class TwoStageExploration(Section):
    """Two-stage exploration (Komiyama et al., 2023)."""

    share: Proportion
    """q: share of the budget that the first stage spends"""
    beyond: Beyond
    """the curve goes on to this many times the largest budget that the paper prints"""


class BatchedThompson(Section):
    """Batched Thompson sampling (Kalkanli & Ozgur, 2021)."""

    growth: Growth
    """alpha: a batch ends when an arm's count is alpha times what it was"""
    first_batch: Annotated[int, whole(least=1, most=1_000_000)]
    """a count below this does not end a batch"""
    beyond: Beyond
    """the curve goes on to this many times the largest budget that the paper prints"""


class Curve(Section):
    """The curve of simple regret against budget from which the blocks with equal simple regret are read."""

    points: Points
    start: Proportion
    """the first budget, as a share of the smallest that the paper prints"""


class Figure1(Section):
    """Figure 1: the recursion of the probabilities P(r, s), on a tree small enough to print."""

    prior: Shape
    good_mean: Proportion
    arms: Arms
    rounds: Rounds
    survivors: Positive
    delta0: Unfitted

    def contradictions(self) -> Iterable[Fault]:
        """Yield what is wrong with values that are right one by one."""
        return crowded(("survivors",), self.survivors, self.arms)


class LinearProgram(Section):
    """One LP curve of Figure 2."""

    setting: Setting
    delta0: Unfitted
    survivors: Annotated[float | None, number(above=0)] = None
    """L; c_2 ln K where it is left out"""


class Figure2(Section):
    """Figure 2: arms still pulled in each round, LP thresholds against BatchRacing."""

    priors: Annotated[tuple[Shape, ...], Several()]
    arms: Arms
    rounds: Rounds
    deltas: Annotated[tuple[Proportion, ...], Several()]
    """confidence parameters of BatchRacing"""
    programs: Annotated[tuple[LinearProgram, ...], Several()]


class Frontier(Section):
    """Sampling cost against simple regret as delta_0 moves from the smallest feasible value to where it no longer binds."""

    points: Points


class Scaling(Section):
    """Cost of solving the linear program as R grows."""

    setting: Setting
    prior: Shape
    arms: Arms
    delta0: Unfitted
    rounds: Annotated[tuple[Rounds, ...], Several(increasing=True)]
