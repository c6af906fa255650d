"""SoftUCB with a fixed beta: a softmax over an upper-confidence index that drops arms gradually.

Source: Yang and Toni, Differentiable linear bandit algorithm (2020), Algorithm 2 (printed twice: it is Algorithm 1, too).

    V_0 = alpha I, gamma_0 = 0
    for t = 1, ..., T:
        m_i = x_i' theta_{t-1},  w_i = |x_i|_{V_{t-1}^-1}
        S_i, L_t, policy p with gamma_{t-1}              (equations 6 to 8: kernels/soft_policy.py)
        play a ~ p, observe y
        V_t = V_{t-1} + x_a x_a',  theta_t = V_t^-1 sum_s x_s y_s
        gamma_t from delta, |L_t| and max S              (equation 9)

Besides the regret, the loop records what the paper's statements are about: the gradient of equation 13 and that with the true means, and
how often confidence bounds hold, the best arm is eliminated, and Lemma 2's probability is missed.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._soft import Reading, SoftReading, coins, refuse_numbers, refuse_rounds
from banditpapers.environments.fixed_arms import Arms, FixedArms, account
from banditpapers.kernels.fixed_design import AFRESH, begin, fill_widths, observe, refresh, total
from banditpapers.kernels.soft_policy import coldness, coldnesses, covariance, fill_index, fill_policy, pick
from banditpapers.seeding import Streams

# what is recorded of each round besides the arm, in this order
TRACED = (
    "expected_regret", "true_gradient", "largest_squares", "played_squares", "covered", "best_eliminated", "missed", "empty",
)  # fmt: skip


class Trajectory(NamedTuple):
    """What happened. actions: shape (T,); gradients (of equation 13) and widths (sum_i w_i) of each round: shape (T,).

    traced: shape (T, 8), see TRACED; shape (0, 8) where it was not asked for.
    """

    actions: NDArray[np.int64]
    gradients: NDArray[np.float64]
    widths: NDArray[np.float64]
    traced: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SoftUcb(SoftReading):
    """Parameters of SoftUCB: `rounds` is what is recorded, increasing; the last is the horizon T. beta: sizes of the bound, one rule each.

    trajectories: how many are played on a replicate's arms; what is recorded is their mean. trace: whether TRACED is recorded, too, which
    costs half as much as to play. The other fields are SoftReading's.
    """

    COMMON: ClassVar[tuple[str, ...]] = (
        "rounds", "beta", "trajectories", "trace", "delta", "ridge", "gap", "eliminated", "empty", "coldness",
    )  # fmt: skip

    rounds: tuple[int, ...]
    beta: tuple[float, ...]
    trajectories: int = 1
    trace: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_rounds(self.called, self.rounds)
        refuse_numbers(self.called, "beta", self.beta)
        if not self.trajectories >= 1 or self.trajectories != int(self.trajectories):
            raise ValueError(f"{self.called}: trajectories is {self.trajectories}; write an integer of at least 1")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per beta."""
        return tuple(f"beta={float(beta)!r}" for beta in self.beta)

    @property
    def quantities(self) -> tuple[str, ...]:
        """All are sums over the rounds so far."""
        return ("regret", "gradient", "widths", *(TRACED if self.trace else ()))

    def play(self, environment: FixedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 11), or 3 in place of 11 without a trace, the last axis as in `quantities`."""
        arms, horizon = environment.instance(streams.environment_words), self.rounds[-1]
        found = np.zeros((len(self.rounds), len(self.beta), len(self.quantities)))
        for trajectory in range(self.trajectories):
            noise = environment.noise(streams.environment_words, trajectory, horizon)
            uniforms = coins(streams.algorithm_words, trajectory, horizon)
            for b, beta in enumerate(self.beta):
                played = trajectory_of(arms, noise, uniforms, beta, self.reading, traced=self.trace)
                columns = [played.gradients, played.widths, *([played.traced] if self.trace else [])]
                sums = np.column_stack(columns).cumsum(axis=0)[np.array(self.rounds) - 1]
                found[:, b] += np.column_stack([account(arms, played.actions, self.rounds), sums])
        return found / self.trajectories


def trajectory_of(
    arms: Arms, noise: NDArray[np.float64], uniforms: NDArray[np.float64], beta: float, reading: Reading, traced: bool = False
) -> Trajectory:
    """One trajectory with a fixed beta. noise, uniforms: shape (T,)."""
    return Trajectory(*_play(arms.columns, arms.means, noise, uniforms, float(beta), traced, *reading))


@njit(cache=True)
def _play(columns, mu, noise, uniforms, beta, traced, delta, ridge, absolute, cumulative, fresh, empty):  # type: ignore[no-untyped-def]
    horizon, arms = noise.size, mu.size
    design, colds, gamma = begin(columns, ridge), coldnesses(delta, arms), 0.0
    widths, index, policy, eliminated = np.empty(arms), np.empty(arms), np.empty(arms), np.zeros(arms, np.bool_)
    actions, gradients, sums = np.empty(horizon, np.int64), np.empty(horizon), np.empty(horizon)
    trace, best = np.empty((horizon if traced else 0, 8)), mu.argmax()
    for t in range(horizon):
        # index and policy
        fill_widths(design, widths)
        largest, count = fill_index(design.means, widths, beta, absolute, cumulative, index, eliminated)
        coming = coldness(count, largest, colds, empty, gamma)
        used = coming if fresh else gamma
        fill_policy(index, largest, used, policy)
        gradients[t] = covariance(policy, design.means, widths, used)
        sums[t] = total(widths)
        # play and learn
        arm = pick(policy, uniforms[t])
        actions[t] = arm
        if traced:
            record(trace[t], policy, design.means, widths, mu, eliminated, beta, used, delta, arm, best)
            trace[t, 7] = count == 0
        observe(design, columns, arm, mu[arm] + noise[t])
        if (t + 1) % AFRESH == 0:
            refresh(design, columns, ridge)
        gamma = coming
    return actions, gradients, sums, trace


@njit(cache=True)
def record(row, policy, means, widths, mu, eliminated, beta, gamma, delta, arm, best):  # type: ignore[no-untyped-def]
    """Write the first seven of TRACED into `row`. Shapes: row (7 or more,); policy, means, widths, mu and eliminated (K,)."""
    expected, inside, widest, covered = 0.0, 0.0, 0.0, True
    for i in range(mu.size):
        expected += policy[i] * (mu[best] - mu[i])
        inside += 0.0 if eliminated[i] else policy[i]
        widest = max(widest, widths[i])
        covered &= abs(means[i] - mu[i]) <= beta * widths[i]
    row[0], row[1] = expected, covariance(policy, mu, widths, gamma)
    row[2], row[3] = widest * widest, widths[arm] * widths[arm]
    row[4], row[5], row[6] = covered, eliminated[best], inside < delta
