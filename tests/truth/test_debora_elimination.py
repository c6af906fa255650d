"""Replicable elimination, in geometric batches and in phases, against plain loops: pair by pair, with the same rewards and shifts."""

import math

import numpy as np
import pytest
from plain_debora import rep_mean

from banditpapers.algorithms._pairs import shared_offsets
from banditpapers.algorithms.batched_elimination import BatchedElimination, batches
from banditpapers.algorithms.phased_elimination import PhasedElimination
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.seeding import streams


def batched(r, horizon, rho, algorithm, shared, rng):
    """Algorithm 1 or 2: epochs as (arm, rounds)."""
    arms, count, left, call, epochs = len(r), max(int(math.log(horizon)), 1), horizon, 0, []
    active, sums, means, c = list(range(arms)), [0] * arms, [0.0] * arms, 0
    beta = 1 if algorithm.which == 1 else math.floor(max(arms**2 / rho**2, 2304))
    log = math.log(2 * arms * horizon * count)
    rho_one = rho / (arms * count)
    delta_one = min(1 / (2 * arms * horizon * count), rho_one / 20)
    C = math.sqrt(2 * math.log(2 / delta_one)) / (rho_one - 2 * delta_one)
    for i, length in enumerate(batches(arms, horizon)[0].tolist()):
        if len(active) == 1 or beta * length * len(active) > left:
            break
        c += length
        for a in active:
            sums[a] += rng.binomial(beta * length, r[a])
            left -= beta * length
            epochs.append((a, beta * length))
            means[a] = sums[a] / (beta * c)
            if algorithm.which == 1:
                means[a] = rep_mean(means[a], 2 * C / math.sqrt(c) / (1 + rho_one - 2 * delta_one), shared[call])
                call += 1
        best = max(means[a] for a in active)
        if algorithm.which == 1:
            active = [a for a in active if not means[a] < best - 2 * C / math.sqrt(c)]
        else:
            wide, narrow = math.sqrt(2 * log / c), math.sqrt(2 * log / (beta * c))
            active = [a for a in active if not means[a] + narrow < best - wide * (1 + shared[i]) / 2]
    last = active[0] if algorithm.commit == "label" else max(active, key=lambda a: means[a])
    return [*epochs, (last, left)] if left else epochs


def phased(r, horizon, rho, algorithm, shared, rng):
    """In the style of RSE or REC: epochs as (arm, rounds)."""
    arms, left, epochs = len(r), horizon, []
    phases = math.ceil(round(math.log(horizon, 4), 9)) + 1
    active, sums, before = list(range(arms)), [0] * arms, 0

    def width(b, n):
        regular = math.log(2 * arms**2 * phases * horizon) / n
        return max(math.sqrt(regular), 8 / b * math.sqrt(math.log(8 * arms**2 * phases / b) / n))

    for p in range(1, phases + 1):
        more = 4**p - before
        if len(active) == 1 or more * len(active) > left:
            break
        before = 4**p
        for a in active:
            sums[a] += rng.binomial(more, r[a])
            left -= more
            epochs.append((a, more))
        ordered = sorted(active, key=lambda a: -sums[a])
        best = sums[ordered[0]] / before
        if best - sums[ordered[1]] / before >= (2 + shared[0]) * width(rho / 2, before):
            active = ordered[:1]
        elif algorithm.style == "RSE":
            bound = width(rho / (2 * (arms - 1)), before)
            active = [a for a in active if best - sums[a] / before < (2 + shared[1 + a]) * bound]
    return [*epochs, (active[0], left)] if left else epochs


HORIZONS = (1, 2, 7, 1000, 10**5, 4**9, 10**7, 10**8, 10**10, 10**12)
CASES = [
    (batched, BatchedElimination, {"which": 1}),
    (batched, BatchedElimination, {"which": 2}),
    (batched, BatchedElimination, {"which": 2, "commit": "label"}),
    (phased, PhasedElimination, {"style": "RSE"}),
    (phased, PhasedElimination, {"style": "REC"}),
]


@pytest.mark.parametrize(("loop", "kind", "reading"), CASES, ids=["1", "2", "2, by label", "RSE", "REC"])
def test_elimination_is_played_like_the_plain_loop(loop, kind, reading):
    rng, lengths = np.random.default_rng(9), set()
    for case in range(60):
        arms, rho = int(rng.integers(2, 6)), float(rng.uniform(0.2, 0.95))
        world = ConstrainedArms(arms, rewards=tuple(rng.random(arms).tolist()))
        algorithm, gaps = kind(HORIZONS, (rho,), **reading), world.r.max() - world.r
        found = algorithm.play(world, streams(3, "debora", {"case": case}, reading, 0))[:, 0]
        told = streams(3, "debora", {"case": case}, reading, 0)
        for i, horizon in enumerate(HORIZONS):
            count = (len(batches(arms, horizon)[0]) if kind is BatchedElimination else 1) * arms + 1
            shared = shared_offsets(count, horizon, *told.algorithm_words)
            runs = [loop(world.r, horizon, rho, algorithm, shared, told.environment) for _ in range(2)]
            assert sum(rounds for _, rounds in runs[0]) == horizon
            for run, epochs in enumerate(runs):
                regret = sum(gaps[arm] * rounds for arm, rounds in epochs)
                assert found[i, run] == pytest.approx(regret, rel=1e-9, abs=1e-12), (case, horizon)
            assert found[i, 5] == len(runs[0])
            assert found[i, 4] == (runs[0] == runs[1])
            lengths.add(len(runs[0]))
    assert len(lengths) > 10, "arms are dropped sooner and later"
