"""The grid of `debora`: experiments on the statements of "Replicable Constrained Bandits" (2026), which has none of its own."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, cast

from banditpapers.fields import Fault, Scalar, Section, Several, number, switch, text, whole

LARGEST = 10**18  # counts are 64-bit integers; from 2^53 on they are no longer exact where a mean is formed


def horizon_rule() -> Scalar:
    """T: 1.0e+9 counts as 1000000000."""
    integer = whole(least=2, most=LARGEST)
    return Scalar(
        "an integer of at least 2, such as 1000 or 1.0e+9", lambda value: cast(int | None, integer.check(value)), dict(integer.schema)
    )


Horizon = Annotated[int, horizon_rule()]
Horizons = Annotated[tuple[Horizon, ...], Several(increasing=True)]
Probability = Annotated[float, number(above=0, below=1)]
Mean = Annotated[float, number(least=0, most=1)]
Gap = Annotated[float, number(least=0, most=0.5)]
Gaps = Annotated[tuple[Gap, ...], Several()]
Rhos = Annotated[tuple[Probability, ...], Several(increasing=True)]
ArmsList = Annotated[tuple[Annotated[int, whole(least=2, most=1000)], ...], Several(increasing=True)]
Replicates = Annotated[int, whole(least=2, most=10_000_000)]
Means = Annotated[tuple[Mean, ...], Several(count=None)]
Label = Annotated[str, text("[A-Za-z][A-Za-z0-9]{0,9}", "a short name such as A3")]


def row_rule() -> Scalar:
    """A row of means: numbers in [0, 1], of which several may be equal."""

    def check(value: Any) -> tuple[float, ...] | None:
        if not isinstance(value, list | tuple) or not value:
            return None
        found = [number(least=0, most=1).check(entry) for entry in value]
        return None if None in found else tuple(found)

    schema = {"type": "array", "minItems": 1, "items": {"type": "number", "minimum": 0, "maximum": 1}}
    return Scalar("a list of numbers of at least 0 and at most 1", check, schema)


Row = Annotated[tuple[float, ...], row_rule()]
Variant = Annotated[tuple[Literal["paper", "whole", "sharp"], Literal["union", "text", "lazy"]], Several(count=2)]
"""RepMean's grid, and how many of its calls share rho"""
Variants = Annotated[tuple[Variant, ...], Several()]


class Instance(Section):
    """An instance with constraints: mean rewards, a row of mean costs per constraint, a limit per constraint."""

    rewards: Row
    costs: Annotated[tuple[Row, ...], Several()]
    limits: Row

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        for i, costs in enumerate(self.costs):
            if len(costs) != len(self.rewards):
                yield ("costs", i), f"found {len(costs)} costs for {len(self.rewards)} rewards; write one for each arm"
        for i, (costs, limit) in enumerate(zip(self.costs, self.limits, strict=False)):
            if limit <= min(costs):
                yield ("limits", i), f"found {limit:g}, and {min(costs):g} is the least cost of its row; write a limit above that"
        if len(self.limits) != len(self.costs):
            yield ("limits",), f"found {len(self.limits)} limits for {len(self.costs)} rows of costs; write one for each"


class Regret(Section):
    """Regret, epochs and onset against the horizon."""

    arms: ArmsList
    gaps: Gaps
    rho: Rhos
    horizons: Horizons
    ucb1: Horizon
    replicates: Replicates


class Replicability(Section):
    """How often the runs of a pair differ."""

    arms: ArmsList
    gap: Gap
    rho: Rhos
    horizons: Horizons
    replicates: Replicates


class NearTies(Section):
    """How often they differ where arms are nearly equal."""

    arms: ArmsList
    gaps: Gaps
    horizons: Horizons
    replicates: Replicates


class Rounding(Section):
    """RepMean by itself."""

    precisions: Annotated[tuple[Annotated[tuple[Probability, Probability], Several(count=2)], ...], Several()]
    samples: Annotated[tuple[Annotated[int, whole(least=1, most=10**12)], ...], Several(increasing=True)]
    pairs: Replicates


class Worst(Section):
    """The gap with the largest regret."""

    gaps: Gaps
    horizons: Horizons


class Price(Section):
    """What replicability costs: regret against 1/rho."""

    arms: ArmsList
    gap: Gap
    rho: Rhos
    horizon: Horizon
    worst: Worst
    replicates: Replicates


class Growth(Section):
    """Violation and regret under constraints against the horizon."""

    horizons: Horizons
    variants: Variants
    replicates: Replicates


class Slopes(Section):
    """Violation and regret under constraints against 1/rho and 1/lambda_min."""

    rho: Rhos
    margins: Annotated[tuple[Annotated[float, number(above=0, below=0.5)], ...], Several()]
    horizon: Horizon
    replicates: Replicates


class Safety(Section):
    """How often a run is unsafe with narrower widths."""

    factors: Annotated[tuple[Annotated[float, number(above=0)], ...], Several()]
    horizon: Horizon
    replicates: Replicates


class ConstrainedReplicability(Section):
    """How often the runs of a pair of DEBORA-S or -H differ, by the number of calls that share rho."""

    horizon: Horizon
    late: Horizon
    variants: Variants
    replicates: Replicates


class Mixing(Section):
    """One run of DEBORA-H."""

    instance: Label
    horizon: Horizon


class Grid(Section):
    """The experiments."""

    rho: Probability
    ratio: Annotated[float, number(above=0, below=0.5)]
    """delta / rho"""
    clip: Annotated[bool, switch()]
    regret: Regret
    replicability: Replicability
    near_ties: NearTies
    rounding: Rounding
    price: Price
    instances: dict[Label, Instance]
    growth: Growth
    slopes: Slopes
    safety: Safety
    constrained_replicability: ConstrainedReplicability
    mixing: Mixing

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        if self.rho not in self.regret.rho:
            yield (
                ("regret", "rho"),
                f"found {', '.join(f'{rho:g}' for rho in self.regret.rho)}, without the rho of the exhibits; add {self.rho:g}",
            )
        if self.mixing.instance not in self.instances:
            yield ("mixing", "instance"), f"found {self.mixing.instance!r}; write one of the instances: {', '.join(self.instances)}"
        for name in ("growth", "constrained_replicability"):
            if ("paper", "union") not in getattr(self, name).variants:
                yield (name, "variants"), "found no [paper, union], the variant of the exhibits; add it"
        for i, (rho, delta) in enumerate(self.rounding.precisions):
            if not 2 * delta < rho:
                yield ("rounding", "precisions", i), f"found rho' = {rho:g} with delta' = {delta:g}; write a delta' below rho' / 2"
