"""DEBORA, DEBORA-S and DEBORA-H on fixed trajectories of an independent computation, to the bit of what they decide.

What is random is stubbed: sums of n plays are floor(n mean + 1/2), the k-th shift and the t-th arm come from the fractional parts of
multiples of the golden ratio. The loops run in the interpreter, so that they meet the stubs; all that they call is compiled.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from banditpapers.algorithms import debora, debora_hard, debora_soft
from banditpapers.algorithms._constrained import calls_at_most
from banditpapers.algorithms._pairs import settle
from banditpapers.environments.constrained_arms import OUTCOME

CASES = json.loads((Path(__file__).parents[1] / "data" / "debora_cases.json").read_text())
GOLDEN = 0.6180339887498949
CLOSE = {"rtol": 1e-9, "atol": 1e-15}


def interpreted(compiled):
    return getattr(compiled, "py_func", compiled)


def golden(count):
    return np.array([(k + 1) * GOLDEN % 1 for k in range(count)])


class Plays:
    """The plays of each arm so far, and the plays that stand for a generator."""

    def __init__(self, arms):
        self.counts, self.t = np.zeros(arms, dtype=np.int64), 0

    def pull(self, generator, means, arm, count):
        before = np.floor(means[arm] * self.counts[arm] + 0.5) if self.counts[arm] else 0.0
        self.counts[arm] += count
        return np.floor(means[arm] * self.counts[arm] + 0.5) - before

    def play_epoch(self, generator, told, counts, sums, played):
        counts += played
        sums[:] = np.floor(told * counts + 0.5)
        self.counts += played

    def draw_epoch(self, xi, x, need, remaining, counts):
        counts[:] = 0
        rounds = 0
        while rounds < remaining:
            rounds += 1
            self.t += 1
            arm = int(np.searchsorted(np.cumsum(x), self.t * GOLDEN % 1, side="right"))
            counts[arm] += 1
            if counts[arm] == need[arm]:
                break
        return rounds


def outcome(r, g, limits, value, run):
    """What is recorded of a pair of the same run."""
    row = np.zeros(len(OUTCOME))
    settle(r, g, limits, value, run, run, row)
    return dict(zip(OUTCOME, row, strict=True))


@pytest.mark.parametrize("case", CASES["debora_trajectory"], ids=lambda case: f"K={len(case['r'])} T={case['T']}")
def test_debora(case, monkeypatch):
    r, plays = np.array(case["r"]), Plays(len(case["r"]))
    monkeypatch.setattr(debora, "pull", plays.pull)
    offsets = golden(case["bound"] + 1)
    run = interpreted(debora.play_once)(r, case["T"], case["cell_coef"], case["width_coef"], False, offsets, None)
    strategies, rounds, calls, outputs, _ = run
    assert strategies.argmax(axis=1).tolist() == case["arms"]
    assert (strategies.sum(axis=1) == 1).all()
    assert rounds.tolist() == case["lens"]
    assert calls.tolist() == list(range(1, case["H"] + 1))
    assert plays.counts.tolist() == case["N"]
    np.testing.assert_allclose(outputs, case["estimates"], **CLOSE)
    found = outcome(r, np.zeros((0, len(r))), np.zeros(0), r.max(), run)
    assert found["regret"] == pytest.approx(case["regret"], rel=1e-9)
    assert found["epochs"] == case["H"] <= case["bound"]
    assert (found["replicated"], found["splits"]) == (1, 0)


@pytest.mark.parametrize("case", CASES["sh_trajectory"], ids=lambda case: f"{case['instance']} {'hard' if case['hard'] else 'soft'}")
def test_constrained(case, monkeypatch):
    r, g, limits, epochs = np.array(case["r"]), np.array(case["g"]), np.array(case["alpha"]), case["epochs"]
    module, plays, told = debora_hard if case["hard"] else debora_soft, Plays(len(r)), np.vstack([r, g])
    monkeypatch.setattr(module, "draw_epoch", plays.draw_epoch)
    monkeypatch.setattr(module, "play_epoch", plays.play_epoch)
    safe = (np.array(case["x_diamond"]), np.array(case["lam"]), case["clip"]) if case["hard"] else ()
    offsets = golden(calls_at_most(len(r), len(g), case["T"]))
    seen = []

    def learn(counts, *others):
        seen.append(counts.tolist())
        return _learn(counts, *others)

    _learn = module.learn
    monkeypatch.setattr(module, "learn", learn)
    coefficients = case["cell_coef"], case["width_coef"]
    run = interpreted(module.play_once)(told, limits, *safe, case["T"], *coefficients, False, offsets, None, None)
    strategies, rounds, calls = run[:3]
    assert len(rounds) == case["H"] == len(epochs)
    assert rounds.tolist() == [epoch["len"] for epoch in epochs]
    assert (np.cumsum(rounds) - rounds).tolist() == [epoch["start"] for epoch in epochs]
    assert seen == [epoch["N"] for epoch in epochs]
    np.testing.assert_allclose(strategies, [epoch["x"] for epoch in epochs], **CLOSE)
    weights = run[5][:, 0] if case["hard"] else np.ones(len(rounds))
    np.testing.assert_allclose(weights, [epoch["gamma"] for epoch in epochs], **CLOSE)
    assert calls[-1] == len(run[3]) == case["repmean_calls"]
    found = outcome(r, g, limits, case["rstar"], run[:5])
    assert found["regret"] == pytest.approx(case["regret"], rel=1e-9)
    assert found["violation"] == pytest.approx(case["violation"], rel=1e-9, abs=1e-9)
    assert found["epochs"] == case["H"]
