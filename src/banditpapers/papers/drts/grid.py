"""The grid of `drts`: section 5 of "Doubly Robust Thompson Sampling with Linear Payoffs" (NeurIPS 2021).

N arms have contexts of dimension d in every one of T rounds. LinTS, BLTS and DRTS are run for every v (and BLTS for every gamma), and each
is shown with its best. Four settings (N, d), 10 repetitions.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, cast

from banditpapers.fields import Fault, Scalar, Section, Several, number, shown, whole

LOWEST = "1/(N + 1)"


def ridge_rule() -> Scalar:
    """lambda_t: a number above 0, or a lambda that grows as the square root of the round."""

    def check(value: Any) -> float | str | None:
        return value if value == "sqrt t" else None if isinstance(value, str) else cast(float | None, number(above=0).check(value))

    schema = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"const": "sqrt t"}]}
    return Scalar("a number above 0, or sqrt t", check, schema)


def threshold_rule() -> Scalar:
    """gamma of DRTS: its lowest allowed value, whatever N is, or a number that is checked against every N of the grid."""

    def check(value: Any) -> float | str | None:
        return value if value == LOWEST else None if isinstance(value, str) else cast(float | None, number(above=0, below=1).check(value))

    schema = {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, {"const": LOWEST}]}
    return Scalar(f"{LOWEST}, or a number in [1/(N + 1), 1/N)", check, schema)


def draws_rule() -> Scalar:
    """M_t of DRTS."""

    def check(value: Any) -> int | str | None:
        return value if value == "A.3" else cast(int | None, whole(least=1, most=1_000_000).check(value))

    return Scalar("an integer of at least 1, or A.3", check, {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "A.3"}]})


def even() -> Scalar:
    """N: the means of the contexts are symmetric about zero and leave it out."""

    def check(value: Any) -> int | None:
        found = cast(int | None, whole(least=2, most=10_000).check(value))
        return None if found is None or found % 2 else found

    return Scalar("an even integer of at least 2", check, {"type": "integer", "minimum": 2, "multipleOf": 2})


Positive = Annotated[float, number(above=0)]
Proportion = Annotated[float, number(above=0, below=1)]
MOST_RECORDED = 5000  # rounds that a cell records: they stand in its name's JSON, on the command line of each of its jobs
Horizon = Annotated[int, whole(least=1, most=100_000_000)]
"""T, or one of its rounds"""
Dimension = Annotated[int, whole(least=1, most=1000)]
Replicates = Annotated[int, whole(least=2, most=1_000_000)]
Arms = Annotated[int, even()]
Setting = Annotated[tuple[Arms, Dimension], Several(count=2)]
"""(N, d)"""
Ridge = Annotated[float | str, ridge_rule()]
Rounds = Annotated[tuple[Horizon, ...], Several(increasing=True)]
Contexts = Literal["radial", "projection", "truncated", "clip", "global"]


class Curve(Section):
    """The rounds at which regret and error are recorded; the horizon always is."""

    early: Rounds
    every: Horizon
    """and then every so many rounds"""


class Ridges(Section):
    """lambda_t of each algorithm, as in section 5."""

    linear_thompson: Ridge
    balanced_thompson: Positive
    doubly_robust_thompson: Ridge


class Table1(Section):
    """Table 1, filled from a run: small enough to print."""

    arms: Arms
    dimension: Dimension
    rounds: Annotated[int, whole(least=1, most=100)]
    v: Positive


class OneSetting(Section):
    """An exhibit that looks at one setting."""

    setting: Setting


class Selected(OneSetting):
    """What choosing the best of a grid on the very seeds that are reported is worth."""

    replicates: Replicates


class Ablation(Section):
    """Double robustness against regularisation."""

    replicates: Replicates
    ridges: Annotated[tuple[Ridge, ...], Several()]


class Readings(Section):
    """What the truncation of the contexts may mean."""

    replicates: Replicates
    contexts: Annotated[tuple[Contexts, ...], Several()]


class Longer(OneSetting):
    """The same beyond the paper's horizon."""

    replicates: Replicates
    horizon: Horizon
    every: Horizon


class Early(Section):
    """The distribution of the regret of the first rounds."""

    replicates: Replicates
    horizon: Horizon


class Grid(Section):
    """Section 5 of the paper."""

    replicates: Replicates
    horizon: Horizon
    """T"""
    settings: Annotated[tuple[Setting, ...], Several()]
    v: Annotated[tuple[Positive, ...], Several(increasing=True)]
    gamma: Annotated[tuple[Proportion, ...], Several(increasing=True)]
    """BLTS"""
    threshold: Annotated[float | str, threshold_rule()]
    """gamma of DRTS"""
    draws: Annotated[int | str, draws_rule()]
    """M_t"""
    ridge: Ridges
    contexts: Contexts
    coefficients: Literal["fixed", "fresh"]
    """beta"""
    curve: Curve
    table1: Table1
    sensitivity: OneSetting
    variants: OneSetting
    ablation: Ablation
    readings: Readings
    longer: Longer
    early: Early
    selection: Selected

    def rounds(self, horizon: int, every: int | None = None) -> list[int]:
        """The recorded rounds up to a horizon, ascending."""
        step = every or self.curve.every
        return sorted({t for t in (*self.curve.early, *range(step, horizon, step), horizon) if t <= horizon})

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        for section, horizon in (("curve", max(self.horizon, self.early.horizon)), ("longer", self.longer.horizon)):
            every = getattr(self, section).every
            if horizon / every > MOST_RECORDED:
                sentence = f"found {every}, with which {horizon // every} of {horizon} rounds are recorded; write a larger number"
                yield (section, "every"), f"{sentence}, for at most {MOST_RECORDED}"
        if isinstance(self.threshold, float):
            sizes = sorted({arms for arms, _ in (*self.settings, self.longer.setting)})
            outside = [arms for arms in sizes if not 1 / (arms + 1) <= self.threshold < 1 / arms]
            if outside:
                # the ranges of two numbers of arms do not meet
                allowed = f", or a number in [{1 / (sizes[0] + 1):.6g}, {1 / sizes[0]:.6g})" if len(sizes) == 1 else ""
                yield ("threshold",), f"found {shown(self.threshold)} with {outside[0]} arms; write {LOWEST}{allowed}"
        for name in ("sensitivity", "variants", "selection"):
            if getattr(self, name).setting not in self.settings:
                yield (name, "setting"), f"found {list(getattr(self, name).setting)}, which is not among the settings; write one of them"
        if self.contexts not in self.readings.contexts:
            listed = ", ".join(self.readings.contexts)
            yield ("readings", "contexts"), f"found {listed}, without the contexts of the exhibits; add {self.contexts}"
