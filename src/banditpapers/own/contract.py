"""What a file of one's own owes, checked before it plays for hours: each check says that it holds, or the fault and its remedy.

The games are small ones of their own (game.py), with named streams; a class with the package's `play` is asked less: see `_compiled`.
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from banditpapers.own import classes
from banditpapers.own.game import Game
from banditpapers.own.playing import player
from banditpapers.own.problems import PROBLEMS, Misplay
from banditpapers.plugins import build
from banditpapers.seeding import streams

ROUNDS, ARMS = 60, 5
SLOW = 5000.0  # microseconds per round: 10,000 rounds of 100 replicates would take more than an hour
DECIDING = ("it answers within the rules", "no generator but its own", "the same seed, the same answers")  # else the rest tells nothing
ONE_SEED = "begin hands over a generator: draw from it alone, and keep no clock, process number or order of a set in a decision"
WORLDS: dict[str, dict[str, Any]] = {  # where a class with `play` is tried
    "k-armed": {"name": "constrained_arms", "arms": ARMS, "gap": 0.2},
    "linear": {"name": "linear_contexts", "arms": ARMS, "dimension": 5, "contexts": "radial", "coefficients": "fresh"},
    "constrained": {"name": "constrained_arms", "arms": 3, "rewards": [0.9, 0.6, 0.3], "costs": [[0.9, 0.5, 0.1]], "limits": [0.4]},
    "best-arm": {"name": "beta_bernoulli", "arms": ARMS, "prior": [1, 1]},
}


class Check(NamedTuple):
    """A line of the report: what was asked, and the fault; empty where it holds."""

    asked: str
    fault: str


def check(file: Path) -> Iterator[Check]:
    """Every check of a file. Raises ValueError for what is no algorithm at all (see `classes.load`)."""
    kind = classes.load(file)
    try:
        classes.make(kind, {PROBLEMS[kind.problem].records: (1, 2)} if hasattr(kind, "play") else {}, str(file))  # type: ignore[attr-defined]
    except (ValueError, TypeError) as error:
        yield Check("it is made without parameters", f"{error}; give each parameter a default")
        return
    yield Check("it is made without parameters", "")
    if hasattr(kind, "play"):
        yield from _compiled(file)
        return
    games: dict[str, Callable[[], str]] = {
        "it answers within the rules": lambda: _played(file),
        "a horizon of one round": lambda: _played(file, horizon=1),
        "one arm": lambda: _played(file, arms=1),
        "arms that are all the same": lambda: _played(file, tied=True),
        "no generator but its own": lambda: global_fault(lambda: _answers(file)),
        "the same seed, the same answers": lambda: seed_fault(lambda: _answers(file)),
        "two at a time do not disturb each other": lambda: _isolated(file),
        "a longer horizon changes no earlier round": lambda: _prefix(file, kind),
        "it is fast enough": lambda: _speed(file),
    }
    for asked, fault in games.items():
        found = fault()
        yield Check(asked, found)
        if found and asked in DECIDING:
            return


def _game(file: Path, fresh: bool = True, **size: Any) -> Game:
    kind = classes.reread(file) if fresh else classes.load(file)
    return Game(kind(), kind.problem, **{"arms": ARMS, "horizon": ROUNDS, **size})  # type: ignore[attr-defined]


def _answers(file: Path, **size: Any) -> list[Any]:
    """Of a class that nothing else has used."""
    return list(_game(file, **size))


def _played(file: Path, **size: Any) -> str:
    try:
        _answers(file, **size)
    except Misplay as error:
        return str(error)
    return ""


def global_fault(run: Callable[[], Any]) -> str:
    """What is to be said of a run that moves a global generator; empty where none moved."""
    before = _global_states()
    run()
    return "" if before == _global_states() else f"it draws from a global generator (random or numpy.random); {ONE_SEED}"


def _global_states() -> tuple[Any, ...]:
    """Of the generators that no class should touch."""
    legacy: dict[str, Any] = np.random.get_state(legacy=False)
    return random.getstate(), legacy["state"]["key"].tolist(), legacy["state"]["pos"], legacy["has_gauss"]


def seed_fault(run: Callable[[], Any]) -> str:
    """What is to be said of two runs that differ; empty where they are the same."""
    state, legacy = random.getstate(), np.random.get_state()
    first = run()
    random.setstate(state)  # a global generator is another check's matter
    np.random.set_state(legacy)
    return "" if repr(first) == repr(run()) else f"two runs with the same seed differ; {ONE_SEED}"


def _isolated(file: Path) -> str:
    alone, one, other = _answers(file), _game(file, fresh=False), _game(file, fresh=False)
    together = [pair for pair in zip(one, other, strict=False) for pair in pair]
    if repr(together) == repr([answer for answer in alone for _ in range(2)]):
        return ""
    return "two objects share what they learn; set every attribute in begin, on self, and no list or array in the body of the class"


def _prefix(file: Path, kind: Any) -> str:
    if getattr(kind, "knows_horizon", False) or kind.problem == "best-arm":
        return ""  # it says so itself, and a budget is what best-arm identification is given
    short, long = _answers(file), _answers(file, horizon=2 * ROUNDS)
    at = next((t for t, (a, b) in enumerate(zip(short, long, strict=False)) if repr(a) != repr(b)), None)
    if at is None:
        return ""
    other = f"with a horizon of {2 * ROUNDS} instead of {ROUNDS}, round {at + 1} differs"
    return f"{other}; if it may know the horizon, write knows_horizon = True"


def _speed(file: Path) -> str:
    game, start = _game(file, horizon=2 * ROUNDS), time.process_time()
    rounds = sum(1 for _ in game)
    took = (time.process_time() - start) * 1e6 / max(rounds, 1)
    return "" if took < SLOW else f"{took:.0f} microseconds per round; write it with NumPy or numba until it takes less than {SLOW:.0f}"


def _compiled(file: Path) -> Iterator[Check]:
    """Of a class with `play`: outcomes that are numbers, the same from the same streams, and no global generator."""
    problem = classes.load(file).problem  # type: ignore[attr-defined]
    described = WORLDS[problem]

    def run(last: int = ROUNDS) -> Any:
        found = player(file, {PROBLEMS[problem].records: [last]})
        return found.play(build("environments", described), streams(0, "contract", described, {"name": "own"}, 0))

    yield Check("it answers within the rules", _shaped(run()))
    yield Check("a horizon of one round", _shaped(run(1)))
    yield Check("no generator but its own", global_fault(run))
    yield Check("the same seed, the same answers", seed_fault(lambda: run().tolist()))


def _shaped(outcomes: Any) -> str:
    shape = np.shape(outcomes)
    if len(shape) == 3 and shape[0] == 1 and not np.isnan(outcomes).all():
        return ""
    return f"play returned the shape {shape} for one record; return numbers of shape (records, rules, quantities)"
