"""What may stand in the `softucb` grid: the ranges of its numbers."""

from typing import Annotated, Any, Literal, cast

from banditpapers.fields import Scalar, Several, number, whole

THEORY = "theory"


def word_or_number(word: str, **bounds: float) -> Scalar:
    """A number, or one word for a rule."""
    numeric = number(**bounds)

    def check(value: Any) -> float | str | None:
        return value if value == word else None if isinstance(value, str) else cast(float | None, numeric.check(value))

    return Scalar(f"{word}, or {numeric.expected}", check, {"anyOf": [{"const": word}, dict(numeric.schema)]})


Positive = Annotated[float, number(above=0)]
Size = Annotated[float, number(least=0)]
"""of a confidence bound, or a multiplier"""
Proportion = Annotated[float, number(above=0, below=1)]
Horizon = Annotated[int, whole(least=1, most=100_000_000)]
"""T"""
Arms = Annotated[int, whole(least=1, most=10_000)]
"""K"""
Dimension = Annotated[int, whole(least=1, most=1000)]
Replicates = Annotated[int, whole(least=2, most=1_000_000)]
Iterations = Annotated[int, whole(least=1, most=10_000)]
Variance = Annotated[float, number(least=0)]
Setting = Annotated[tuple[Dimension, Horizon], Several(count=2)]
"""(d, T)"""
Instance = Annotated[tuple[Arms, Dimension, Horizon], Several(count=3)]
"""(K, d, T)"""
Sizes = Annotated[tuple[Size, ...], Several(increasing=True)]
Dimensions = Annotated[tuple[Dimension, ...], Several()]
Ratings = Literal["movielens", "jester", "stand-in"]
Reward = Literal["literal", "centred"]
