"""What the linear Thompson samplers refuse alike."""

import math

from banditpapers.kernels.ridge import SQRT


def refuse(name: str, rounds: tuple[int, ...], v: tuple[float, ...], ridge: float | str) -> None:
    """Raises ValueError, with one sentence, for recorded rounds, exploration parameters or regularisation that mean nothing."""
    if not rounds or any(later <= earlier for earlier, later in zip((0, *rounds), rounds, strict=False)):
        raise ValueError(f"{name}: rounds is {rounds}; write integers of at least 1, each larger than the one before")
    # a rule is named by six digits of its v
    if not v or len({f"{scale:g}" for scale in v}) < len(v) or not all(0 < scale < math.inf for scale in v):
        raise ValueError(f"{name}: v is {v}; write numbers above 0, none of them twice")
    if ridge != SQRT and not (isinstance(ridge, int | float) and 0 < ridge < math.inf):
        raise ValueError(f"{name}: ridge is {ridge!r}; write a number above 0 or {SQRT!r}")
