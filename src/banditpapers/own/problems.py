"""What a class of your own has to have: one interface per problem.

    problem = "linear"                                    which, as an attribute of the class

    k-armed      begin(arms, horizon, rng)                before the first round; rng is a numpy Generator, the only source of randomness
                 choose() -> arm                          0 to arms - 1
                 update(arm, reward)                      0 or 1
    linear       begin(arms, dimension, horizon, rng)
                 choose(contexts) -> arm                  contexts: shape (arms, dimension), read-only
                 update(arm, context, reward)             context: shape (dimension,), of the arm played
                 estimate                                 an attribute, shape (dimension,): optional; its error is shown
    constrained  begin(arms, limits, horizon, rng)        limits: shape (constraints,)
                 choose() -> strategy                     probabilities of the arms, shape (arms,); the arm is drawn for you
                 update(arm, reward, costs)               costs: shape (constraints,), each 0 or 1
    best-arm     begin(arms, prior, budget, rng)          prior: (a, b) of the means' Beta law; budget: pulls
                 pull() -> pulls                          how often each arm is pulled in the next batch, shape (arms,); all 0 ends the run
                 update(pulls, successes)                 shape (arms,) both
                 recommend() -> arm

A class is made anew for each run, by its parameters: those of a dataclass, or of __init__, all with defaults. Instead of these methods it
may have the `play` of the package's algorithms (compiled, say) and the field `records` below, which says what is recorded.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Problem(NamedTuple):
    """An interface. records: the key of a cell, and field of a class with `play`, that lists what is recorded. papers: where it plays."""

    methods: Mapping[str, tuple[str, ...]]
    records: str
    adapter: str
    papers: tuple[str, ...]


PROBLEMS = {
    "k-armed": Problem(
        {"begin": ("arms", "horizon", "rng"), "choose": (), "update": ("arm", "reward")}, "horizons", "k_armed", ("debora",)
    ),
    "linear": Problem(
        {"begin": ("arms", "dimension", "horizon", "rng"), "choose": ("contexts",), "update": ("arm", "context", "reward")},
        "rounds",
        "linear",
        ("drts", "softucb"),
    ),
    "constrained": Problem(
        {"begin": ("arms", "limits", "horizon", "rng"), "choose": (), "update": ("arm", "reward", "costs")},
        "horizons",
        "constrained",
        ("debora",),
    ),
    "best-arm": Problem(
        {"begin": ("arms", "prior", "budget", "rng"), "pull": (), "update": ("pulls", "successes"), "recommend": ()},
        "budgets",
        "best_arm",
        ("lp2s",),
    ),
}


class Misplay(Exception):  # noqa: N818  (the name of what happened)
    """What an algorithm answered cannot be played; the job ends with this sentence."""
