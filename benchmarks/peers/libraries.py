"""How UCB1, LinUCB and LinTS of each library are played online: what chooses in a round and what learns, in each documented way (a "mode").

Runs in the environment of the peers, where our package is not installed: it imports NumPy, and a library when it is asked for.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

ALPHA, V = 1.0, 0.5  # the width of LinUCB, the scale of LinTS
Choice = Callable[[int], int]
Update = Callable[[int, int, float], Any]
Make = Callable[[int], tuple[Choice, Update]]  # a new algorithm from a seed: how it chooses in round t, how it learns
Modes = dict[str, dict[str, Make]]  # algorithm, mode


def mabwiser(world: Any) -> Modes:
    """One model for all arms: their features are the contexts of a single arm of MABWiser's."""
    from mabwiser.mab import MAB, LearningPolicy

    arms = list(range(len(world["means"])))

    def ucb1(seed: int) -> tuple[Choice, Update]:
        mab = MAB(arms, LearningPolicy.UCB1(alpha=1.0), seed=seed)
        mab.fit(arms, [world["coins"][0, arm] < world["means"][arm] for arm in arms])
        return lambda t: int(mab.predict()), lambda t, arm, reward: mab.partial_fit([arm], [reward])

    def linear(policy: Any, contexts: Any) -> Make:
        def make(seed: int) -> tuple[Choice, Update]:
            mab = MAB([0], policy, seed=seed)
            mab.fit([0], [0.0], np.zeros((1, contexts.shape[2])))

            def choose(t: int) -> int:
                return int(np.argmax([row[0] for row in mab.predict_expectations(contexts[t])]))

            return choose, lambda t, arm, reward: mab.partial_fit([0], [reward], contexts[t, arm : arm + 1])

        return make

    return {
        "UCB1": {"step": ucb1},
        "LinUCB": {"one model": linear(LearningPolicy.LinUCB(alpha=ALPHA, l2_lambda=1.0), world["fixed"])},
        "LinTS": {"one model": linear(LearningPolicy.LinTS(alpha=V, l2_lambda=1.0), world["contexts"])},
    }


def coba(world: Any) -> Modes:
    """Learners with the arms' features as actions; UCB1-Tuned stands for UCB1, which coba has not."""
    from coba.learners import BanditUCBLearner, LinTSLearner, LinUCBLearner

    def learner(kind: Callable[[int], Any], contexts: Any) -> Make:
        actions = [[tuple(row) for row in rows] for rows in contexts.tolist()]

        def make(seed: int) -> tuple[Choice, Update]:
            made = kind(seed)

            def choose(t: int) -> int:
                return actions[t].index(made.predict(None, actions[t])[0])

            return choose, lambda t, arm, reward: made.learn(None, actions[t][arm], reward, 1.0)

        return make

    arms = list(range(len(world["means"])))

    def ucb1(seed: int) -> tuple[Choice, Update]:
        made = BanditUCBLearner(seed)
        return lambda t: int(made.predict(None, arms)[0]), lambda t, arm, reward: made.learn(None, arm, reward, 1.0)

    return {
        "UCB1": {"UCB1-Tuned": ucb1},
        "LinUCB": {"step": learner(lambda seed: LinUCBLearner(ALPHA, ["a"], seed), world["fixed"])},
        "LinTS": {"step": learner(lambda seed: LinTSLearner(V**2, ["a"], seed), world["contexts"])},
    }


def contextualbandits(world: Any) -> Modes:
    """`linreg.LinearRegression`, the compiled model under its policies, with one model for all arms; the policies have a model per arm."""
    from contextualbandits.linreg import LinearRegression
    from contextualbandits.online import LinTS, LinUCB

    def model(predict: Callable[..., Any], contexts: Any) -> Make:
        def make(seed: int) -> tuple[Choice, Update]:
            regression = LinearRegression(lambda_=1.0, fit_intercept=False, method="sm", use_float=False)
            regression.partial_fit(np.zeros((1, contexts.shape[2])), np.zeros(1))
            generator = np.random.default_rng(seed)
            return (
                lambda t: int(np.argmax(predict(regression, contexts[t], generator))),
                lambda t, arm, reward: regression.partial_fit(contexts[t, arm : arm + 1], np.array([reward])),
            )

        return make

    def policy(kind: Any, contexts: Any, **options: Any) -> Make:
        def make(seed: int) -> tuple[Choice, Update]:
            made, arms = kind(contexts.shape[1], fit_intercept=False, random_state=seed, **options), contexts.shape[1]
            made.fit(contexts[0], np.arange(arms), np.zeros(arms))
            return (
                lambda t: int(made.predict(contexts[t, :1])[0]),
                lambda t, arm, reward: made.partial_fit(contexts[t, :1], np.array([arm]), np.array([reward])),
            )

        return make

    return {
        "LinUCB": {
            "one model": model(lambda made, x, _: made.predict_ucb(x, ALPHA), world["fixed"]),
            "policy": policy(LinUCB, world["fixed"], alpha=ALPHA, method="sm"),
        },
        "LinTS": {
            "one model": model(lambda made, x, draws: made.predict_thompson(x, V**2, random_state=draws), world["contexts"]),
            "policy": policy(LinTS, world["contexts"], v_sq=V**2),
        },
    }


def pymab(world: Any) -> Modes:
    """A model per arm, in Rust, called from Python in each round."""
    from pymab.policies import UCBPolicy
    from pymab.policies.contextual_bandits import LinearThompsonSamplingPolicy, LinUCBPolicy

    arms, d = world["fixed"].shape[1:]

    def ucb1(seed: int) -> tuple[Choice, Update]:
        made, generator = UCBPolicy(n_arms=len(world["means"])), np.random.default_rng(seed)
        return lambda t: made.select_action(rng=generator), lambda t, arm, reward: made.update(action=arm, reward=reward)

    def linear(kind: Callable[[], Any], contexts: Any) -> Make:
        def make(seed: int) -> tuple[Choice, Update]:
            made, generator = kind(), np.random.default_rng(seed)
            return (
                lambda t: int(made.select_action(context=contexts[t], rng=generator)),
                lambda t, arm, reward: made.update(action=arm, reward=reward, context=contexts[t]),
            )

        return make

    return {
        "UCB1": {"step": ucb1},
        "LinUCB": {"step": linear(lambda: LinUCBPolicy(n_arms=arms, n_features=d, alpha=ALPHA), world["fixed"])},
        "LinTS": {"step": linear(lambda: LinearThompsonSamplingPolicy(n_arms=arms, n_features=d), world["contexts"])},
    }


def whole_games_of_pymab(world: Any, seed: int) -> dict[str, tuple[str, Callable[[int], list[int]]]]:
    """pymab's `Experiment`, which plays whole games in Rust and draws the rewards itself."""
    from pymab import BanditEnvironment, BernoulliReward, Experiment, ExperimentConfig
    from pymab.environments import FixedContextProvider, GaussianContextProvider, LinearContextualEnvironment
    from pymab.policies import UCBPolicy
    from pymab.policies.contextual_bandits import LinearThompsonSamplingPolicy, LinUCBPolicy

    arms, d = world["fixed"].shape[1:]
    theta = np.tile(world["theta"], (arms, 1))
    games = {
        "UCB1": (BanditEnvironment(means=world["means"], reward_model=BernoulliReward()), UCBPolicy(n_arms=len(world["means"]))),
        "LinUCB": (LinearContextualEnvironment(theta, FixedContextProvider(world["fixed"][0])), LinUCBPolicy(n_arms=arms, n_features=d)),
        "LinTS": (
            LinearContextualEnvironment(theta, GaussianContextProvider(arms, d)),
            LinearThompsonSamplingPolicy(n_arms=arms, n_features=d),
        ),
    }

    def play(environment: Any, policy: Any) -> Callable[[int], list[int]]:
        def rounds(horizon: int) -> list[int]:
            settings = ExperimentConfig(horizon=horizon, n_replicates=1, seed=seed, backend="rust")
            result = Experiment(environment=environment, policies={"played": policy}, config=settings).run()
            return [int(arm) for arm in np.asarray(result.actions).ravel()]

        return rounds

    return {name: ("whole game", play(*game)) for name, game in games.items()}


def smpybandits(world: Any) -> Modes:
    """UCB alone: it has no linear bandits. It takes no seed; ties are broken by global generators, which are seeded here."""
    from SMPyBandits.Policies import UCB

    def ucb1(seed: int) -> tuple[Choice, Update]:
        random.seed(seed)
        np.random.seed(seed)
        made = UCB(len(world["means"]))
        made.startGame()
        return lambda t: int(made.choice()), lambda t, arm, reward: made.getReward(arm, reward)

    return {"UCB1": {"step": ucb1}}


PEERS: dict[str, Callable[[Any], Modes]] = {
    "coba": coba,
    "contextualbandits": contextualbandits,
    "mabwiser": mabwiser,
    "pymab": pymab,
    "smpybandits": smpybandits,
}
