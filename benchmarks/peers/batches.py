"""The libraries that choose and learn for many rounds in one call, played so: told of the rewards after each batch of rounds alone.

It is their fastest way, and another game than that of the algorithms: within a batch nothing is learned.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from peers.libraries import ALPHA, V

BATCH, BATCHED = 50, "batches of 50"
Choices = Callable[[int, int], list[int]]  # of the rounds from the first to before the last
Updates = Callable[[int, int, list[int], list[float]], Any]
MakeBatches = Callable[[int], tuple[Choices, Updates]]


def mabwiser(world: Any) -> dict[str, MakeBatches]:
    """`predict` once per batch where all its rounds have one answer, else with all their contexts; `partial_fit` with all rewards."""
    from mabwiser.mab import MAB, LearningPolicy

    arms = list(range(len(world["means"])))

    def ucb1(seed: int) -> tuple[Choices, Updates]:
        mab = MAB(arms, LearningPolicy.UCB1(alpha=1.0), seed=seed)
        mab.fit(arms, [world["coins"][0, arm] < world["means"][arm] for arm in arms])
        return lambda first, last: [int(mab.predict())] * (last - first), lambda first, last, arms, rewards: mab.partial_fit(arms, rewards)

    def linear(policy: Any, contexts: Any, fixed: bool) -> MakeBatches:
        def make(seed: int) -> tuple[Choices, Updates]:
            mab = MAB([0], policy, seed=seed)
            mab.fit([0], [0.0], np.zeros((1, contexts.shape[2])))

            def choose(first: int, last: int) -> list[int]:
                asked = contexts[first] if fixed else contexts[first:last].reshape(-1, contexts.shape[2])
                indices = np.array([row[0] for row in mab.predict_expectations(asked)]).reshape(-1, contexts.shape[1])
                return _rounds(indices.argmax(axis=1), last - first)

            def update(first: int, last: int, arms: list[int], rewards: list[float]) -> None:
                mab.partial_fit([0] * len(arms), rewards, contexts[np.arange(first, last), arms])

            return choose, update

        return make

    return {
        "UCB1": ucb1,
        "LinUCB": linear(LearningPolicy.LinUCB(alpha=ALPHA, l2_lambda=1.0), world["fixed"], fixed=True),
        "LinTS": linear(LearningPolicy.LinTS(alpha=V, l2_lambda=1.0), world["contexts"], fixed=False),
    }


def contextualbandits(world: Any) -> dict[str, MakeBatches]:
    """The compiled model under its policies, as in libraries.py, with whole batches."""
    from contextualbandits.linreg import LinearRegression

    def model(predict: Callable[..., Any], contexts: Any, fixed: bool) -> MakeBatches:
        def make(seed: int) -> tuple[Choices, Updates]:
            regression = LinearRegression(lambda_=1.0, fit_intercept=False, method="sm", use_float=False)
            regression.partial_fit(np.zeros((1, contexts.shape[2])), np.zeros(1))
            generator = np.random.default_rng(seed)

            def choose(first: int, last: int) -> list[int]:
                asked = contexts[first] if fixed else contexts[first:last].reshape(-1, contexts.shape[2])
                indices = np.asarray(predict(regression, asked, generator)).reshape(-1, contexts.shape[1])
                return _rounds(indices.argmax(axis=1), last - first)

            def update(first: int, last: int, arms: list[int], rewards: list[float]) -> None:
                regression.partial_fit(contexts[np.arange(first, last), arms], np.array(rewards))

            return choose, update

        return make

    return {
        "LinUCB": model(lambda made, x, _: made.predict_ucb(x, ALPHA), world["fixed"], fixed=True),
        "LinTS": model(lambda made, x, draws: made.predict_thompson(x, V**2, random_state=draws), world["contexts"], fixed=False),
    }


def _rounds(arms: Any, rounds: int) -> list[int]:
    """One arm per round; a single one is that of all."""
    return [int(arm) for arm in np.broadcast_to(arms, rounds)]


IN_BATCHES: dict[str, Callable[[Any], dict[str, MakeBatches]]] = {"contextualbandits": contextualbandits, "mabwiser": mabwiser}
