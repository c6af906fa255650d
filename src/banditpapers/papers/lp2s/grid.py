"""The grid of `lp2s`: section 4 of "Best Arm Identification in Batched Multi-armed Bandit Problems" (arXiv 2312.13875).

K arms have Bernoulli means mu ~ Beta(a, b). LP2S plays R = c_1 ln K rounds of a linear program's threshold policy, from which L = c_2 ln K
arms are expected to survive, then pulls each survivor R times. Three experiments (LP-PAC, LP-SRM, LP-FC) compare it with two-stage
exploration, batched Thompson sampling and BatchRacing over N realizations.
"""

import math
from collections.abc import Iterator
from typing import Annotated

from banditpapers.fields import Fault, Section, Several, shown, text, whole
from banditpapers.papers.lp2s.sections import (
    MOST_ROUNDS,
    Arms,
    BatchedThompson,
    BatchRacing,
    Curve,
    DefaultReading,
    Figure1,
    Figure2,
    FixedConfidence,
    Frontier,
    Positive,
    Prior,
    Reading,
    Rules,
    Scaling,
    TwoStageExploration,
    crowded,
)

MOST_REALIZATIONS = 10_000_000


class Grid(Section):
    """Section 4 of the paper."""

    realizations: Annotated[int, whole(least=1, most=MOST_REALIZATIONS)]
    """N"""
    priors: Annotated[tuple[Prior, ...], Several()]
    arms: Annotated[tuple[Arms, ...], Several()]
    """K in Tables 2 and 3"""
    survivors_factor: Positive
    """c_2: L = c_2 ln K arms are expected to survive stage 1"""
    readings: dict[Annotated[str, text(r"[A-Za-z][A-Za-z0-9_]*", "a name of letters, digits and _")], Reading]
    delta0: Rules
    default_reading: DefaultReading
    fixed_confidence: FixedConfidence
    batch_racing: BatchRacing
    two_stage_exploration: TwoStageExploration
    batched_thompson: BatchedThompson
    curve: Curve
    figure1: Figure1
    figure2: Figure2
    frontier: Frontier
    scaling: Scaling

    def rounds(self, reading: str, arms: int) -> int:
        """R = int(c_1 ln K), the rounds of one stage."""
        return int(self.readings[reading].rounds_factor * math.log(arms))

    def survivors(self, arms: int) -> float:
        """L = c_2 ln K, a real number."""
        return self.survivors_factor * math.log(arms)

    def good_mean(self, prior: tuple[float, float]) -> float:
        """mu_0 of a prior. Raises KeyError for a prior that the grid does not have."""
        return {entry.prior: entry.good_mean for entry in self.priors}[prior]

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        priors = [entry.prior for entry in self.priors]
        for i, prior in enumerate(priors):
            if prior in priors[:i]:
                yield ("priors", i, "prior"), f"found Beta({prior[0]:g}, {prior[1]:g}) for the second time; write each prior once"
        for i, prior in enumerate(self.figure2.priors):
            if prior not in priors:
                sentence = f"found Beta({prior[0]:g}, {prior[1]:g}), which has no good_mean; write it among priors, too"
                yield ("figure2", "priors", i), sentence
        fewest = min(*self.arms, self.figure2.arms, self.scaling.arms)  # c_2 ln K / K is largest there
        if (survivors := self.survivors(fewest)) > fewest:
            sentence = f"found {self.survivors_factor:g}, with which {survivors:.4g} of {fewest} arms survive; write a smaller number"
            yield ("survivors_factor",), sentence
        for i, program in enumerate(self.figure2.programs):
            yield from crowded(("figure2", "programs", i, "survivors"), program.survivors or 0.0, self.figure2.arms)
        if not self.readings:
            yield ("readings",), "found an empty mapping; write at least one reading"
        for name, reading in self.readings.items():
            place, factor = ("readings", name, "rounds_factor"), f"found {reading.rounds_factor:g}, with which"
            if (rounds := self.rounds(name, min(self.arms))) < 2:
                yield place, f"{factor} {min(self.arms)} arms get {rounds} rounds; write a larger number"
            elif (most := self.rounds(name, max(self.arms))) > MOST_ROUNDS:
                yield place, f"{factor} {max(self.arms)} arms get {most:.3g} rounds; write a smaller number, for at most {MOST_ROUNDS}"
        lead, readings, rules = self.default_reading, ", ".join(self.readings), ", ".join(map(str, self.delta0))
        if lead.stage not in self.readings:
            yield ("default_reading", "stage"), f"found {shown(lead.stage)}; write one of the readings: {readings}"
        if lead.delta0 not in self.delta0:
            yield ("default_reading", "delta0"), f"found {shown(lead.delta0)}; write one of the rules of delta0: {rules}"
