"""The grid of `softucb`: section 5 of "Differentiable Linear Bandit Algorithm" (Yang and Toni 2020).

K arms with unit features of dimension d, or K users of a set of ratings, for T rounds. SoftUCB learns the size of its confidence bound on
training trajectories (offline) or on the way (online); LinUCB, LinTS and epsilon-greedy are its competitors.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from banditpapers.fields import Fault, Section, Several, number, whole
from banditpapers.papers.softucb.ranges import (
    THEORY,
    Arms,
    Dimension,
    Dimensions,
    Horizon,
    Instance,
    Iterations,
    Positive,
    Proportion,
    Ratings,
    Replicates,
    Reward,
    Setting,
    Size,
    Sizes,
    Variance,
    word_or_number,
)


class Offline(Section):
    """Algorithm 3: beta_0, eta, lambda, N, and how many last iterates the final beta is the mean of."""

    start: Size
    eta: Size
    step: Annotated[float | str, word_or_number("1/T", above=0)]
    iterations: Iterations
    average: Iterations

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        if self.average > self.iterations:
            yield ("average",), f"found {self.average} of {self.iterations} iterations; write an integer of at most {self.iterations}"


class Online(Section):
    """Algorithm 4: beta_0, eta, lambda."""

    start: Size
    eta: Size
    step: Size


class Greedy(Section):
    """Epsilon-greedy on fixed arms."""

    epsilon: Annotated[float, number(least=0, most=1)]


class Thompson(Section):
    """LinTS: s."""

    scale: Size


class Curve(Section):
    """Recorded rounds."""

    points: Annotated[int, whole(least=1, most=1000)]


class Figure1(Section):
    """Learning curves of both algorithms."""

    dimension: Dimension
    offline: Horizon
    online: Horizon


class Table1(Section):
    """Learnt against theoretical sizes of the bound; Figures 3 and 4."""

    settings: Annotated[tuple[Setting, ...], Several()]
    eta: Sizes


class Rated(Section):
    """The instances made of ratings."""

    dimension: Dimension
    horizon: Horizon
    variance: Variance


class Figure2(Section):
    """Regret of all algorithms."""

    dimensions: Dimensions
    horizon: Horizon
    ratings: Annotated[tuple[Ratings, ...], Several()]
    rated: Rated
    rewards: Annotated[tuple[Reward, ...], Several()]


class Controls(Section):
    """What the paper does not compare with."""

    beta: Sizes
    scale: Annotated[tuple[Annotated[float | str, word_or_number(THEORY, least=0)], ...], Several()]
    eta: Sizes


class Comparison(Section):
    """Paired differences, for each noise."""

    variances: Annotated[tuple[Variance, ...], Several()]


class Equilibrium(Section):
    """Where gradient and eta term balance."""

    settings: Annotated[tuple[Instance, ...], Several()]
    beta: Annotated[tuple[Positive, ...], Several(increasing=True)]


class Gradient(Section):
    """The gradient estimator against finite differences."""

    setting: Instance
    variances: Annotated[tuple[Variance, ...], Several()]
    beta: Annotated[tuple[Positive, ...], Several(increasing=True)]
    spread: Proportion
    trajectories: Iterations
    replicates: Replicates


class Readings(Section):
    """Every open choice against the default."""

    dimension: Dimension
    horizon: Horizon
    training_horizon: Horizon
    variance: Variance
    beta: Sizes
    delta: Annotated[tuple[Proportion, ...], Several()]
    online_start: Annotated[tuple[Size, ...], Several()]
    offline_start: Annotated[tuple[Size, ...], Several()]
    step: Positive
    cumulated_eta: Sizes


class Released(Section):
    """The published program's settings."""

    dimensions: Dimensions
    horizon: Horizon
    variance: Variance
    beta: Size
    delta: Proportion
    online: Online
    training: Offline


class Grid(Section):
    """Section 5 of the paper."""

    replicates: Replicates
    arms: Arms
    features: Literal["uniform", "gaussian"]
    variance: Variance
    """sigma^2"""
    ridge: Positive
    """alpha"""
    confidence: Proportion
    """delta of equation 5"""
    delta: Proportion
    """delta of equation 9"""
    offline: Offline
    online: Online
    greedy: Greedy
    thompson: Thompson
    curve: Curve
    figure1: Figure1
    table1: Table1
    figure2: Figure2
    controls: Controls
    comparison: Comparison
    equilibrium: Equilibrium
    gradient: Gradient
    readings: Readings
    released: Released

    def rounds(self, horizon: int) -> list[int]:
        """The recorded rounds up to a horizon, ascending."""
        powers = (2**k for k in range(horizon.bit_length()))
        step = max(1, horizon // self.curve.points)
        return sorted({*(t for t in powers if t <= horizon), *range(step, horizon, step), horizon})

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        if (setting := (self.figure1.dimension, self.figure1.offline)) not in self.table1.settings:
            yield ("figure1", "offline"), f"found (d, T) = {setting}, which is not among the settings of table1; write one of them"
        if self.offline.eta not in self.table1.eta:
            listed = ", ".join(f"{eta:g}" for eta in self.table1.eta)
            yield ("table1", "eta"), f"found {listed}, without the eta of the exhibits; add {self.offline.eta:g}"
        if self.variance not in self.comparison.variances:
            listed = ", ".join(f"{variance:g}" for variance in self.comparison.variances)
            yield ("comparison", "variances"), f"found {listed}, without the variance of the exhibits; add {self.variance:g}"
        if self.online.eta in self.controls.eta:
            yield ("controls", "eta"), f"found {self.online.eta:g}, which is the eta of online; write others"
        if self.thompson.scale in self.controls.scale:
            yield ("controls", "scale"), f"found {self.thompson.scale:g}, which is the scale of thompson; write others"
