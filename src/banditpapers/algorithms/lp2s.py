"""LP2S: a linear program eliminates arms, then the survivors are explored uniformly (two stages, R rounds each).

Source: "Best Arm Identification in Batched Multi-armed Bandit Problems" (arXiv 2312.13875), sections 2.3-2.4, Algorithms 1 and 2.

    LP-ind    min sum_{r=1}^{R} sum_s P(r, s)   s.t.   sum_s P(R, s) = L/K,   sum_s w(s) P(R, s) >= (1 - delta0) sum_s P(R, s)
              w(s) = P(mu >= mu0 | R, s) (PAC),   1 - (E mu* - E(mu | R, s)) (SRM),   P(mu = mu* | R, s) (FC)

    Algorithm 1   J_0 = {1..K};  for r = 1..R: pull arm j of J_{r-1} with probability a*(r-1, s_j), else eliminate it;  output J_R
    Algorithm 2   pull every arm of J_R another R times; recommend the highest score, ties uniformly at random; a random arm if J_R is empty

The printed Algorithm 1 takes a*(r, s_j) in round r. That is off by one: the paper's own (19) defines a*(r, s) for the pull in round r + 1,
so a*(0, 0) would never be used and a*(R, .) does not exist; `literal_survivors` says what it would do. The paper's w of SRM decreases in s
and would keep the worst arms; ours is 1 minus it, so that delta0 is the survivors' mean regret.
Scores: "combined" counts the successes of both stages, "stage2" those of the second alone (the text can be read either way).
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.environments.beta_bernoulli import BetaBernoulli, account, draw_means
from banditpapers.kernels.elimination_policy import Policy, literal_survivors, refuse_nonsense, smallest_delta0, solve
from banditpapers.kernels.policy_choice import choose, facts, grid_step
from banditpapers.kernels.two_stage import RULES
from banditpapers.seeding import Streams

__all__ = ["Lp2s", "Policy", "literal_survivors", "policies", "smallest_delta0", "solve"]


@dataclass(frozen=True)
class Lp2s:
    """Parameters of LP2S.

    setting: "PAC", "SRM" or "FC"; mu0: from which mean on PAC calls an arm good. rounds: R >= 1, of each stage. survivors: L > 0, expected.
    delta0: one policy each, and one checkpoint each: "smallest" (feasible), "grid 0.05" (the smallest feasible multiple above 0), a number,
    or "fit" (where the exact simple regret of the combined score is `fit_regret`, or the nearer end of [smallest, 1] if it is nowhere).
    """

    rules: ClassVar[tuple[str, ...]] = RULES

    setting: str
    mu0: float | None
    rounds: int
    survivors: float
    delta0: tuple[str | float, ...]
    fit_regret: float | None = None

    def __post_init__(self) -> None:
        refuse_nonsense(self.setting, self.rounds, self.survivors, self.mu0)
        if not self.delta0 or len(set(self.checkpoints)) < len(self.delta0):
            raise ValueError(f"delta0 is {self.delta0}; write at least one entry and none of them twice")
        for entry in self.delta0:
            if isinstance(entry, str) and entry not in ("smallest", "fit") and not grid_step(entry) > 0:
                raise ValueError(f'delta0 has the entry {entry!r}; write "smallest", "fit", "grid " and a positive step, or a number')
        if "fit" in self.delta0 and (self.fit_regret is None or not 0 < self.fit_regret < 1):
            raise ValueError(f'fit_regret is {self.fit_regret}; write the simple regret between 0 and 1 that "fit" is to have')

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """The labels of the policies, in the order of `delta0`."""
        return tuple(str(entry) for entry in self.delta0)

    def play(self, environment: BetaBernoulli, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate of every policy on the same arms; shape (len(checkpoints), len(rules), 5), last axis OUTCOME."""
        thresholds, ties = _plan(self, environment)
        a, b = environment.prior
        return _play(  # type: ignore[no-any-return]
            float(a), float(b), environment.arms, thresholds, ties, streams.environment, streams.algorithm
        )

    def facts(self, environment: BetaBernoulli) -> dict[str, dict[str, float | bool]]:
        """What is known of each policy without simulation, by checkpoint."""
        solved = policies(self, environment)
        return {label: facts(policy, reached) for label, (policy, reached) in zip(self.checkpoints, solved, strict=True)}


@lru_cache(maxsize=16)
def policies(algorithm: Lp2s, environment: BetaBernoulli) -> tuple[tuple[Policy, bool], ...]:
    """The policy of each entry of delta0, and whether it does what the entry asks for."""
    instance = (algorithm.setting, environment.prior, environment.arms, algorithm.rounds, algorithm.survivors, algorithm.mu0)
    return tuple(choose(entry, algorithm.fit_regret, *instance) for entry in algorithm.delta0)


@lru_cache(maxsize=16)
def _plan(algorithm: Lp2s, environment: BetaBernoulli) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    solved = [policy for policy, _ in policies(algorithm, environment)]
    return np.array([policy.thresholds for policy in solved]), np.array([policy.tie_probabilities for policy in solved])


@njit(cache=True)
def _play(a, b, arms, thresholds, ties, environment, algorithm):  # type: ignore[no-untyped-def]
    policies, rounds = thresholds.shape
    outcomes = np.empty((policies, 2, 5))
    means = draw_means(a, b, arms, environment)
    best = means.max()
    for policy in range(policies):
        pulls, played, survivors = 0, 0, 0
        top, rivals, chosen = np.full(2, -1), np.zeros(2), np.zeros(2, dtype=np.int64)
        # arms are independent of each other until the recommendation, so each is played to its end
        for arm in range(arms):
            s, r = 0, 0
            while r < rounds:
                tie = s == thresholds[policy, r] and ties[policy, r] < 1.0
                if s < thresholds[policy, r] or (tie and algorithm.random() >= ties[policy, r]):
                    break
                s += environment.random() < means[arm]
                r += 1
            pulls += r
            played = max(played, r)
            if r < rounds:
                continue
            survivors += 1
            count = environment.binomial(rounds, means[arm])
            for rule in range(2):
                score = count + (s if rule == 0 else 0)
                if score > top[rule]:
                    top[rule], rivals[rule], chosen[rule] = score, 1.0, arm
                elif score == top[rule]:
                    rivals[rule] += 1.0
                    if algorithm.random() * rivals[rule] < 1.0:
                        chosen[rule] = arm
        if survivors == 0:
            chosen[:] = algorithm.integers(0, arms)
        batches = 2 * rounds if survivors > 0 else played
        for rule in range(2):
            account(outcomes[policy, rule], pulls + rounds * survivors, batches, survivors, means[chosen[rule]], best)
    return outcomes
