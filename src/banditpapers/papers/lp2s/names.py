"""How the paper's instances are written in tables and claims."""

from collections.abc import Sequence


def prior_text(prior: Sequence[float]) -> str:
    """(a, b) of a Beta prior, as in `(5, 1)`."""
    return f"({prior[0]:g}, {prior[1]:g})"
