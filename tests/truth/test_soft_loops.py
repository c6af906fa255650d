"""SoftUCB against two fixed trajectories and against plain NumPy loops that invert a matrix in every round."""

import json
from itertools import product
from pathlib import Path

import dense_soft as plain
import numpy as np
import pytest
from soft_game import CLOSE, HORIZON, SMALL, STREAMS, WORLD, game, regrets

from banditpapers.algorithms._soft import CAP
from banditpapers.algorithms.soft_ucb import TRACED, SoftUcb, trajectory_of
from banditpapers.algorithms.soft_ucb_offline import SoftUcbOffline
from banditpapers.algorithms.soft_ucb_online import SoftUcbOnline, play_online
from banditpapers.environments.fixed_arms import Arms, FixedArms, account

CASES = json.loads((Path(__file__).parents[1] / "data" / "softucb_cases.json").read_text())
READINGS = [dict(zip(SoftUcb.WORDS, chosen, strict=True)) for chosen in product(*SoftUcb.WORDS.values())]
OTHER = {"eliminated": "cumulative", "coldness": "fresh", "delta": 0.9}


# ---- two trajectories of an independent computation


@pytest.mark.parametrize("oracle", [False, True])
def test_the_offline_case(oracle):
    case = CASES["trajectories"]["offline"]
    x, beta = np.array(case["X"]), case["beta0"]
    arms, noise, u = Arms(np.ascontiguousarray(x.T), x @ case["theta"]), np.array(case["noise"]), np.array(case["u"])
    reading = SoftUcb(rounds=(1,), beta=(beta,), delta=case["delta"], ridge=case["alpha"]).reading
    found = plain.soft(x, arms.means, noise, u, beta) if oracle else trajectory_of(arms, noise, u, beta, reading)
    assert found.actions.tolist() == case["arms"]
    assert np.sum(found.gradients) == pytest.approx(case["G"], rel=1e-12)
    assert np.sum(found.widths) == pytest.approx(case["W"], rel=1e-12)
    assert account(arms, found.actions, [case["T"]])[0] == pytest.approx(case["cum_regret"], rel=1e-12)
    if oracle:
        assert found.coldnesses[-1] == pytest.approx(case["gamma_last"], rel=1e-12)
        np.testing.assert_allclose(found.design.theta, case["theta_hat"], **CLOSE)
        np.testing.assert_allclose(found.design.V, case["V"], **CLOSE)


@pytest.mark.parametrize("oracle", [False, True])
def test_the_online_case(oracle):
    case = CASES["trajectories"]["online"]
    x, learning = np.array(case["X"]), (case["beta0"], case["lam"], case["eta"])
    arms, noise, u = Arms(np.ascontiguousarray(x.T), x @ case["theta"]), np.array(case["noise"]), np.array(case["u"])
    if oracle:
        found = plain.online(x, arms.means, noise, u, *learning)
        actions, betas = found.actions, found.betas
        assert found.gradients.sum() == pytest.approx(case["G"], rel=1e-10)
        assert found.widths.sum() == pytest.approx(case["W"], rel=1e-12)
        assert found.coldnesses[-1] == pytest.approx(case["gamma_last"], rel=1e-12)
        np.testing.assert_allclose(found.design.theta, case["theta_hat"], **CLOSE)
    else:
        actions, betas, _ = play_online(arms.columns, arms.means, noise, u, *learning, False, *SoftUcbOnline(rounds=(1,), eta=(0,)).reading)
    assert actions.tolist() == case["arms"]
    np.testing.assert_allclose(betas, case["beta_path"], **CLOSE)
    assert account(arms, actions, [case["T"]])[0] == pytest.approx(case["cum_regret"], rel=1e-12)


# ---- SoftUCB in every reading


def same_soft(world, horizon, beta, reading, **numbers):
    arms, (x, mu, noise, u) = world.instance(STREAMS.environment_words), game(world, horizon)
    expected = plain.soft(x, mu, noise, u, beta, **reading, **numbers)
    found = trajectory_of(arms, noise, u, beta, SoftUcb(rounds=(1,), beta=(beta,), **reading, **numbers).reading, traced=True)
    assert np.array_equal(found.actions, expected.actions), np.flatnonzero(found.actions != expected.actions)[0]
    np.testing.assert_allclose(found.gradients, expected.gradients, **CLOSE)
    np.testing.assert_allclose(found.widths, expected.widths, **CLOSE)
    return expected


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: " ".join(reading.values()))
def test_every_reading_is_played_like_the_numpy_loop(reading):
    same_soft(WORLD, HORIZON, 0.5, reading)
    for world, horizon in SMALL:
        for beta, delta, ridge in ((0.0, 0.99, 1.0), (0.3, 0.6, 0.5), (2.0, 0.3, 4.0)):
            same_soft(world, horizon, beta, reading, delta=delta, ridge=ridge)


@pytest.mark.parametrize("beta", [0.0, 0.02, 1.0, 3.0])
def test_every_size_of_beta_is_played_like_the_numpy_loop(beta):
    same_soft(WORLD, HORIZON, beta, {})
    same_soft(FixedArms(20, 5, 0.01), 512, beta, {"coldness": "fresh"})


@pytest.mark.parametrize(
    ("reading", "beta", "happens"),
    [({}, 0.2, "best_eliminated"), ({}, 0.8, "covered"), (OTHER, 0.3, "missed"), (OTHER, 0.5, "empty")],
)
def test_what_is_recorded_of_a_round_is_what_the_numpy_loop_sees(reading, beta, happens):
    x, mu, noise, u = game(WORLD, 400)
    best, delta, seen = mu.argmax(), reading.get("delta", 0.99), []

    def watch(m, w, p, lost, used, arm):
        covered, inside = (np.abs(m - mu) <= beta * w).all(), p[~lost].sum()
        slope = used * (p * (mu - p @ mu) * (w - p @ w)).sum()
        seen.append((p @ (mu[best] - mu), slope, w.max() ** 2, w[arm] ** 2, covered, lost[best], inside < delta, not lost.any()))

    plain.soft(x, mu, noise, u, beta, watch=watch, **reading)
    soft = SoftUcb(rounds=tuple(range(1, 401)), beta=(2.0, beta), **reading)
    outcome = soft.play(WORLD, STREAMS)[:, 1]
    assert soft.quantities[3:] == TRACED
    np.testing.assert_allclose(outcome[:, 3:], np.cumsum(seen, axis=0), rtol=1e-11, atol=1e-11)
    assert 0 < outcome[-1, soft.quantities.index(happens)] < 400
    thrice = SoftUcb(rounds=(400,), beta=(beta,), trajectories=3, **reading).play(WORLD, STREAMS)[0, 0]
    arms, spec = WORLD.instance(STREAMS.environment_words), soft.reading
    played = [trajectory_of(arms, *game(WORLD, 400, i)[2:], beta, spec, traced=True) for i in range(3)]
    means = [np.mean([one.gradients.sum() for one in played]), np.mean([one.traced.sum(axis=0) for one in played], axis=0)]
    np.testing.assert_allclose(thrice[[1, *range(3, 11)]], np.hstack(means), rtol=1e-11)


def test_readings_are_played_differently():
    played = {trajectory_of(
        WORLD.instance(STREAMS.environment_words), *game(WORLD, 1000)[2:], 0.5, SoftUcb(rounds=(1,), beta=(0,), **reading).reading
    ).gradients.tobytes() for reading in READINGS}  # fmt: skip
    assert len(played) > len(READINGS) / 2


# ---- learning beta


@pytest.mark.parametrize("gradient", ["sum", "last round"])
@pytest.mark.parametrize(("start", "step", "eta"), [(0.0, "1/T", 1e-3), (1.0, "1/T", 5e-3), (0.2, 1e-3, 0.0), (3.0, 1.0, 1.0)])
def test_offline_betas_are_those_of_the_numpy_loop(start, step, eta, gradient):
    rounds, n = (100, 300), 4
    offline = SoftUcbOffline(rounds=rounds, iterations=n, eta=(eta,), start=(start,), step=step, gradient=gradient, average=2)
    outcome = dict(zip(offline.quantities, offline.play(WORLD, STREAMS)[:, 0].T, strict=True))
    x, mu = game(WORLD, 300)[:2]
    noise, u = (np.stack([game(WORLD, 300, trajectory)[part] for trajectory in range(n + 1)]) for part in (2, 3))
    size = 1 / 300 if step == "1/T" else step
    betas = plain.offline(x, mu, noise[:n], u[:n], start, size, eta, gradient == "last round")
    final = betas[-2:].mean()
    np.testing.assert_allclose(outcome["beta"], [*betas, final, final], **CLOSE)
    played = [plain.soft(x, mu, noise[i], u[i], beta) for i, beta in enumerate([start, *betas[:-1], final])]
    training = np.array([regrets(WORLD, one.actions)[-1] for one in played[:n]])
    last = regrets(WORLD, played[n].actions)[np.array(rounds) - 1]
    np.testing.assert_allclose(outcome["regret"], [*training, *last], rtol=1e-12)
    np.testing.assert_allclose(outcome["training_regret"], [*training.cumsum(), *[training.sum()] * 2], rtol=1e-12)
    assert outcome["diverged"].tolist() == [float(beta == CAP) for beta in [*betas, final, final]]
    if gradient == "sum":
        assert (betas[-1] == CAP) == (start == 3)
        assert len(set(betas)) == (1 if start == 3 else n)


@pytest.mark.parametrize("term", ["current", "cumulated"])
@pytest.mark.parametrize(("start", "step", "eta"), [(1.0, 0.5, 0.1), (1.0, 0.5, 3e-4), (0.0, 0.5, 1e-4), (2.2, 1.0, 0.0)])
def test_online_betas_are_those_of_the_numpy_loop(start, step, eta, term):
    """Where steps are too large beta overshoots, and rounding grows with it: from (0, 0.5, 1e-3) cumulated, two NumPy loops part."""
    x, mu, noise, u = game(WORLD, HORIZON)
    online = SoftUcbOnline(rounds=tuple(range(1, HORIZON + 1)), eta=(eta,), start=(start,), step=(step,), term=term)
    outcome = dict(zip(online.quantities, online.play(WORLD, STREAMS)[:, 0].T, strict=True))
    expected = plain.online(x, mu, noise, u, start, step, eta, term)
    np.testing.assert_allclose(outcome["beta"][:900], expected.betas[:900], **CLOSE)
    np.testing.assert_allclose(outcome["beta"], expected.betas, rtol=0, atol=1e-11)
    np.testing.assert_allclose(outcome["regret"], regrets(WORLD, expected.actions), rtol=1e-12)
    assert outcome["diverged"].tolist() == (outcome["beta"] == CAP).tolist()


@pytest.mark.parametrize("reading", [{"coldness": "fresh"}, {"eliminated": "cumulative", "empty": "one"}])
def test_online_takes_every_reading(reading):
    x, mu, noise, u = game(WORLD, 500)
    online = SoftUcbOnline(rounds=tuple(range(1, 501)), eta=(0.1,), delta=0.9, ridge=2.0, **reading)
    expected = plain.online(x, mu, noise, u, 1.0, 0.5, 0.1, delta=0.9, ridge=2.0, **reading)
    np.testing.assert_allclose(online.play(WORLD, STREAMS)[:, 0, 1], expected.betas, **CLOSE)
