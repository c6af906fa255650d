"""SoftUCB, LinUCB, epsilon-greedy and LinTS on fixed arms as plain NumPy loops: the oracle of the compiled ones and of their speed.

They share no code with the package. Arms, noise, uniforms and normals come in as arrays: both play the same game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
COLDEST, CAP = 1e12, 50.0


class Dense:
    """Ridge regression with a new inverse after every observation. X: shape (K, d)."""

    def __init__(self, X: Array, ridge: float) -> None:
        self.X, self.V, self.b = X, ridge * np.eye(X.shape[1]), np.zeros(X.shape[1])
        self.look()

    def look(self) -> None:
        """m, q and theta from V and b. Sums in order: before the first round arms are equal but for rounding, which decides among them."""
        inverse = np.linalg.inv(self.V)
        self.theta = inverse @ self.b
        self.m, self.q = self.X @ self.theta, ((self.X @ inverse) * self.X).cumsum(axis=1)[:, -1]

    def learn(self, arm: int, reward: float) -> None:
        x = self.X[arm]
        self.V, self.b = self.V + np.outer(x, x), self.b + reward * x
        self.look()


class RankOne(Dense):
    """The same by updates of rank one, as a careful NumPy program does it."""

    def look(self) -> None:
        self.inverse = np.linalg.inv(self.V)
        self.m, self.q = np.zeros(len(self.X)), ((self.X @ self.inverse) * self.X).cumsum(axis=1)[:, -1]

    def learn(self, arm: int, reward: float) -> None:
        x = self.X[arm]
        image = self.inverse @ x
        z = self.X @ image
        gain = 1 / (1 + z[arm])
        self.m += z * ((reward - self.m[arm]) * gain)
        self.q -= z * z * gain
        self.inverse -= np.outer(image, image * gain)


class Played(NamedTuple):
    """actions, gradients, widths, betas, coldnesses: of each round, shape (T,); design: what is known at the end."""

    actions: NDArray[np.int64]
    gradients: Array
    widths: Array
    betas: Array
    coldnesses: Array
    design: Dense


def soft(
    X: Array,
    mu: Array,
    noise: Array,
    u: Array,
    beta: float,
    learn: Callable[[int, Array, Array], float] | None = None,
    *,
    delta: float = 0.99,
    ridge: float = 1.0,
    gap: str = "signed",
    eliminated: str = "current",
    empty: str = "uniform",
    coldness: str = "lagged",
    design: type[Dense] = Dense,
    watch: Callable[..., None] | None = None,
) -> Played:
    """SoftUCB with a fixed beta, or one that changes: learn(t, gradients so far, widths so far) is the step after round t = 0, 1, ..."""
    horizon, arms, gamma = len(noise), len(X), 0.0
    known, lost = design(X, ridge), np.zeros(arms, dtype=bool)
    actions, (gradients, widths, betas, colds) = np.empty(horizon, dtype=int), np.empty((4, horizon))
    for t in range(horizon):
        m, w = known.m, np.sqrt(np.maximum(known.q, 0))
        star = (m - beta * w).argmax()
        gaps = m[star] - m
        S = beta * (w + w[star]) - (np.abs(gaps) if gap == "absolute" else gaps)
        lost = S < 0 if eliminated == "current" else lost | (S < 0)
        count = lost.sum()
        if count == 0 and empty == "keep":
            coming = gamma
        elif count == 0 and empty == "uniform":
            coming = 0.0
        else:
            odds = delta * max(count, 1) / (1 - delta)
            coming = 0.0 if odds <= 1 else COLDEST if S.max() <= 0 else min(np.log(odds) / S.max(), COLDEST)
        used = coming if coldness == "fresh" else gamma
        p = np.exp(used * (S - S.max()))
        p /= p.sum()
        gradients[t] = used * (p * (m - p @ m) * (w - p @ w)).sum()
        widths[t], colds[t] = w.sum(), coming
        arm = actions[t] = min(int((p.cumsum() <= u[t]).sum()), arms - 1)
        if watch is not None:
            watch(m.copy(), w, p, lost, used, arm)
        known.learn(arm, mu[arm] + noise[t])
        gamma = coming
        if learn is not None:
            beta = min(max(0.0, beta + learn(t, gradients[: t + 1], widths[: t + 1])), CAP)
        betas[t] = beta
    return Played(actions, gradients, widths, betas, colds, known)


def offline(X: Array, mu: Array, noise: Array, u: Array, beta: float, step: float, eta: float, last: bool = False, **reading: Any) -> Array:
    """beta_1, ..., beta_N of SoftUCB offline; noise and uniforms: shape (N, T); last: the gradient of the last round alone."""
    betas = np.empty(len(noise))
    for n in range(len(noise)):
        found = soft(X, mu, noise[n], u[n], beta, **reading)
        since = -1 if last else 0
        beta = betas[n] = min(max(0.0, beta + step * (found.gradients[since:].sum() + eta * found.widths[since:].sum())), CAP)
    return betas


def online(
    X: Array, mu: Array, noise: Array, u: Array, beta: float, step: float, eta: float, term: str = "current", **options: Any
) -> Played:
    """SoftUCB online."""
    horizon = len(noise)

    def learn(t: int, gradients: Array, widths: Array) -> float:
        wide = widths.sum() if term == "cumulated" else widths[-1]
        return float(step * (gradients.sum() + (horizon - 1 - t) * gradients[-1] + eta * wide) / horizon)

    return soft(X, mu, noise, u, beta, learn, **options)


def values(
    X: Array, mu: Array, noise: Array, choose: Callable[[int, Dense], int], ridge: float = 1.0, design: type[Dense] = Dense
) -> NDArray[np.int64]:
    """The arms of an algorithm that plays choose(t, what is known) in round t = 0, 1, ..."""
    known, actions = design(X, ridge), np.empty(len(noise), dtype=int)
    for t in range(len(noise)):
        arm = actions[t] = choose(t, known)
        known.learn(arm, mu[arm] + noise[t])
    return actions


def linear_ucb(bounds: Array) -> Callable[[int, Dense], int]:
    """LinUCB with beta_1, ..., beta_T."""
    return lambda t, known: int((known.m + bounds[t] * np.sqrt(np.maximum(known.q, 0))).argmax())


def epsilon_greedy(explores: NDArray[np.bool_], chosen: NDArray[np.int64]) -> Callable[[int, Dense], int]:
    """Epsilon-greedy: in which rounds it explores, and the arms that it would play then."""
    return lambda t, known: int(chosen[t] if explores[t] else known.m.argmax())


def thompson(X: Array, mu: Array, noise: Array, scales: Array, normals: Array, ridge: float = 1.0) -> NDArray[np.int64]:
    """LinTS: with V = L'L, L lower triangular, the sample is theta + s L^-1 z. normals: shape (T, d)."""
    d = X.shape[1]
    V, b, actions = ridge * np.eye(d), np.zeros(d), np.empty(len(noise), dtype=int)
    for t in range(len(noise)):
        upper = np.linalg.cholesky(V[::-1, ::-1])[::-1, ::-1]  # V = upper upper'
        sampled = np.linalg.solve(V, b) + scales[t] * np.linalg.solve(upper.T, normals[t])
        arm = actions[t] = (X @ sampled).argmax()
        V += np.outer(X[arm], X[arm])
        b += (mu[arm] + noise[t]) * X[arm]
    return actions
