"""The exact law of a two-stage algorithm: R rounds of an elimination policy, then R pulls of each survivor and a recommendation by score.

    P(R, s)     stage 1 ends with an arm alive and s successes; p = sum_s P(R, s) = L/K, and J ~ Bin(K, p)
    c | s       ~ BetaBin(R; a + s, b + R - s), the stage-2 count;  E[mu | s, c] = (a + s + c)/(a + b + 2R)
    score v     s + c ("combined") or c ("stage2"); the highest score wins, ties uniformly at random; J = 0: a random arm of all K

With G(v) the mass and M(v) the mean-weighted mass of score v, H(v) = (1 - p + sum_{u <= v} G(u))^K is the law of the best score, and
E SR = sum_v (H(v) - H(v-1)) (E mu* - M(v)/G(v)) + (1-p)^K (E mu* - mean of an eliminated arm). No simulation is needed.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, expit, gammaln, log_expit

from banditpapers.kernels.deficits import Vector, expected_best_mean, gauss_legendre

RULES = ("combined", "stage2")


def survival(prior: tuple[float, float], last_pulls: Vector) -> Vector:
    """P(R, s), shape (R+1,), from the masses x(R-1, s) that get the last pull of stage 1."""
    a, b = prior
    rounds = last_pulls.size
    s = np.arange(rounds)
    scaled = last_pulls / (a + b + rounds - 1)
    return np.asarray(np.append((b + rounds - 1 - s) * scaled, 0.0) + np.append(0.0, (a + s) * scaled))


def expected_pulls(arms: int, rounds: int, cost: float, survivors: float) -> float:
    """E T = K f + L R."""
    return arms * cost + survivors * rounds


def simple_regret(prior: tuple[float, float], arms: int, survivors: Vector) -> dict[str, float]:
    """The expected simple regret of each rule; `survivors` is P(R, .). Shape (R + 1,)."""
    best = expected_best_mean(prior, arms)
    joint, mean = _joint(prior, survivors)
    share = min(float(survivors.sum()), 1.0)
    # J = 0: (1-p)^K (E mu* - mean of an eliminated arm), written without a division by 1 - p
    eliminated = prior[0] / sum(prior) - float(np.sum(joint * mean[:, None]))
    lost = (1.0 - share) ** arms * best - (1.0 - share) ** (arms - 1) * eliminated
    regrets = {}
    for rule, axis in zip(RULES, (1, 0), strict=True):
        mass, regret = joint.sum(axis=axis), np.sum(joint * (best - mean)[:, None], axis=axis)
        at_least = np.append(np.cumsum(mass[::-1])[::-1], 0.0)
        best_score = np.diff(_nobody(at_least, arms))
        regrets[rule] = float(np.sum(best_score * regret / np.where(mass > 0.0, mass, 1.0))) + lost
    return regrets


def best_arm_probability(prior: tuple[float, float], arms: int, survivors: Vector) -> dict[str, float]:
    """The probability that the best of the K arms is recommended, for each rule; `survivors` is P(R, .).

    With l(u, v) = P(mu < u, eliminated or score < v) and t(u, v) = P(mu < u, survives with score v), an arm of mean u and score v is the
    best and wins with probability ((l + t)^K - l^K)/(K t): integrate that over K times the density of (u, v), and add the case J = 0.
    """
    a, b = prior
    pulls = 2 * (survivors.size - 1)
    joint, _ = _joint(prior, survivors)
    y, weights = _panels(a, b, arms, a + b + pulls)
    success, failure = a + np.arange(pulls + 1), b + np.arange(pulls + 1)[::-1]
    # u = expit(y); the posteriors after v = 0..2R successes: their densities in y, and their distribution functions by the recursion in v
    density = np.exp(np.outer(log_expit(y), success) + np.outer(log_expit(-y), failure) - betaln(success, failure))
    last = betainc(success[-1], failure[-1], expit(y))[:, None]
    steps = density[:, :-1] / success[:-1] / expit(-y)[:, None]
    below = np.hstack((np.cumsum(steps[:, ::-1], axis=1)[:, ::-1] + last, last))
    above = betainc(b, a, expit(-y))[:, None]  # P(mu > u)
    probabilities = {}
    for rule in RULES:
        if rule == "combined":
            tied, dense = below * joint.sum(axis=1), density * joint.sum(axis=1)
        else:
            tied, dense = below @ joint, density @ joint
        beats = np.hstack((np.cumsum(tied[:, :0:-1], axis=1)[:, ::-1], np.zeros_like(last)))  # P(mu < u, survives with a higher score)
        wins = _wins(np.minimum(above + beats, 1.0), tied, arms)
        probabilities[rule] = float(weights @ np.sum(dense * wins, axis=1) + (1.0 - min(survivors.sum(), 1.0)) ** arms / arms)
    return probabilities


def _joint(prior: tuple[float, float], survivors: Vector) -> tuple[NDArray[np.float64], Vector]:
    """P(survives, s + c = v, c), shape (2R+1, R+1), and the posterior means E[mu | v], shape (2R+1,)."""
    a, b = prior
    rounds = survivors.size - 1
    total, count = np.arange(2 * rounds + 1), np.arange(rounds + 1)
    log_weight = gammaln(a + total) + gammaln(b + 2 * rounds - total)
    log_choose = -gammaln(count + 1.0) - gammaln(rounds - count + 1.0)
    alive = np.flatnonzero(survivors)
    sums = alive[:, None] + count
    law = log_weight[sums] + log_choose
    law = np.exp(law - law.max(axis=1, keepdims=True))
    joint = np.zeros((2 * rounds + 1, rounds + 1))
    joint[sums, count] = law / law.sum(axis=1, keepdims=True) * survivors[alive, None]
    return joint, np.asarray((a + total) / (a + b + 2 * rounds), dtype=np.float64)


def _nobody(probability: NDArray[np.float64], arms: int) -> NDArray[np.float64]:
    """(1 - probability)^K, accurate for small probabilities."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(arms * np.log1p(-np.minimum(probability, 1.0))))


def _wins(beaten: NDArray[np.float64], tied: NDArray[np.float64], arms: int) -> NDArray[np.float64]:
    """((1 - beaten)^K - (1 - beaten - tied)^K) / tied, and its limit K (1 - beaten)^(K-1) for tied = 0."""
    left = np.maximum(1.0 - beaten, np.finfo(np.float64).tiny)
    share = np.minimum(tied / left, 1.0)
    with np.errstate(divide="ignore"):
        tied_law = -np.expm1(arms * np.log1p(-share))
    some = share > 0.0
    return _nobody(beaten, arms) / left * np.where(some, tied_law, arms) / np.where(some, share, 1.0)


def _panels(a: float, b: float, arms: int, pulls: float) -> tuple[Vector, Vector]:
    """Quadrature in y = logit(mu) where the best of K means can lie; panels of a few posterior standard deviations."""
    grid = np.arange(-60.0 / min(1.0, a), (60.0 + np.log(arms)) / min(1.0, b), 0.25)
    upper = betainc(b, a, expit(-grid))
    low = grid[max(int(np.searchsorted(_nobody(upper, arms - 1), 1e-17)) - 1, 0)]
    high = grid[-1 - int(np.searchsorted(upper[::-1], 1e-17 / arms))] + 0.25
    edges = [float(low)]
    while edges[-1] < high:
        spread = expit(edges[-1]) * expit(-edges[-1])
        edges.append(edges[-1] + 5.0 / np.sqrt(pulls * spread + max(1.0, a, b) ** 2))
    return gauss_legendre(np.array(edges), 16)
