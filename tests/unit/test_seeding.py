"""Streams are functions of their names: pinned by known answers, blind to order, number, process and spelling."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from banditpapers.seeding import Streams, Words, published_uniforms, stream, streams, words

SOURCE = Path(__file__).parents[2] / "src"
INSTANCE = {"name": "beta_bernoulli", "prior": [1, 3], "arms": 10}
RACING = {"name": "batch_racing", "delta": 0.05, "batches": 20}
KNOWN = {
    "a": [0.9721728966008799, 0.785122524344374, 0.30058104787009454],
    "replicate 0": (
        [0.0934941466517254, 0.2837097843434405, 0.3974079385759284],
        [0.4868730010621477, 0.006163501663532078, 0.437073443581641],
    ),
    "replicate 731": (
        [0.8514823425276352, 0.7174606330120546, 0.5880109935670965],
        [0.6988722513206467, 0.20424761833841065, 0.7178119298969325],
    ),
    "another algorithm": [0.09353604444534558, 0.277052561663947, 0.32888764658445047],
}
LINEAR = {"name": "linear_contexts", "arms": 10, "dimension": 20, "contexts": "radial", "coefficients": "fixed"}
TSE = {"name": "two_stage_exploration", "share": 0.5, "budgets": [100]}


def trajectory(found: Streams, draws: int = 40) -> bytes:
    """What a replicate would see: its arms' means, its rewards and its coin flips."""
    means = found.environment.beta(1, 3, 5)
    rewards = found.environment.random((draws, 5)) < means
    return means.tobytes() + rewards.tobytes() + found.algorithm.random(draws).tobytes()


def uniforms(replicate: int = 0, algorithm: dict = RACING, seed: int = 20231213, n: int = 3, **other) -> tuple[list[float], list[float]]:
    found = streams(seed, other.get("paper", "lp2s"), other.get("instance", INSTANCE), algorithm, replicate)
    return found.environment.random(n).tolist(), found.algorithm.random(n).tolist()


def test_known_answers_pin_the_streams():
    """These numbers must never change: every published result would change with them."""
    assert stream(a=1).random(3).tolist() == KNOWN["a"]
    assert uniforms(0) == KNOWN["replicate 0"]
    assert uniforms(731) == KNOWN["replicate 731"]
    assert uniforms(0, TSE)[1] == KNOWN["another algorithm"]


def test_known_answers_pin_the_words_of_counter_based_streams():
    """These must never change, either."""
    assert words(a=1) == Words(2143115777, 763020636)
    found = streams(20231213, "drts", LINEAR, {"name": "linear_thompson", "draw": "independent"}, 9)
    assert found.environment_words == Words(1279577780, 1675535971)
    assert found.algorithm_words == Words(3324969263, 3594623236)


def test_words_are_the_first_of_the_name_s_digest():
    text = json.dumps({"name": [1, 2.5], "x": "y"}, sort_keys=True, separators=(",", ":"))
    digest = sha256(text.encode()).digest()
    assert words(x="y", name=(1, 2.5)) == (int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little"))
    assert all(type(word) is int for word in words(a=1))


def test_words_and_generators_have_the_same_names():
    """What tells two generators apart tells their words apart; all replicates of a paper have keys of their own."""
    replicates = [streams(1, "drts", LINEAR, {"name": name}, i) for i in range(500) for name in ("linear_thompson", "balanced_thompson")]
    assert len({found.environment_words for found in replicates}) == 500
    assert len({found.algorithm_words for found in replicates} | {found.environment_words for found in replicates}) == 1500
    first, second = (streams(1, "drts", LINEAR, {"name": name}, 7) for name in ("linear_thompson", "balanced_thompson"))
    assert first.environment_words == second.environment_words
    assert first.algorithm_words != second.algorithm_words


def test_published_numbers_are_numpy_s_legacy_ones():
    assert published_uniforms(0, 3).tolist() == [0.5488135039273248, 0.7151893663724195, 0.6027633760716439]


def test_a_stream_is_what_the_docstring_says():
    name = {"master_seed": 7, "paper": "p", "instance": {"name": "e", "x": 0.5}, "replicate": 3, "role": "environment"}
    text = json.dumps(name, sort_keys=True, separators=(",", ":"))
    digest = sha256(text.encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 32, 4)]
    expected = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(words))).random(5)
    assert np.array_equal(streams(7, "p", {"x": 0.5, "name": "e"}, RACING, 3).environment.random(5), expected)


def test_order_and_number_of_replicates_do_not_matter():
    alone = uniforms(4)
    forwards = [uniforms(i) for i in range(10)]
    backwards = [uniforms(i) for i in reversed(range(6))][::-1]
    assert forwards[:6] == backwards
    assert forwards[4] == alone


def test_neighbouring_base_seeds_share_no_trajectory():
    found = {trajectory(streams(seed, "lp2s", INSTANCE, RACING, i)) for seed in (41, 42, 43) for i in range(10)}
    assert len(found) == 30
    firsts = [value for seed in (41, 42, 43) for i in range(10) for part in uniforms(i, seed=seed, n=1) for value in part]
    assert len(set(firsts)) == 60, "no environment stream is another's algorithm stream"


@pytest.mark.parametrize(
    "changed",
    [{"seed": 1}, {"paper": "drts"}, {"instance": {**INSTANCE, "arms": 11}}, {"replicate": 1}],
    ids=lambda changed: next(iter(changed)),
)
def test_every_part_of_the_name_counts(changed):
    first, second = uniforms(), uniforms(**changed)
    assert set(first[0] + first[1]).isdisjoint(second[0] + second[1])


def test_algorithms_of_a_replicate_share_the_world_and_not_their_coins():
    racing, tse = (streams(5, "lp2s", INSTANCE, algorithm, 9) for algorithm in (RACING, TSE))
    assert np.array_equal(racing.environment.random(10_000), tse.environment.random(10_000))
    coins = [racing.algorithm.random(10_000), tse.algorithm.random(10_000), racing.environment.random(10_000)]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert abs(np.corrcoef(coins[i], coins[j])[0, 1]) < 0.02


def test_replicates_are_uncorrelated():
    draws = np.array([streams(1, "lp2s", INSTANCE, RACING, i).environment.random(10_000) for i in range(6)])
    correlations = np.corrcoef(draws)[np.triu_indices(6, 1)]
    # 15 correlations of sd 0.01 each; the streams are fixed, and so is the outcome
    assert np.abs(correlations).max() < 0.03
    assert abs(draws.mean() - 0.5) < 4 * np.sqrt(1 / 12 / draws.size)


@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        ({"delta": float("0.10"), "batches": 20.0}, {"delta": 0.1, "batches": 20}),
        ({"delta": 1e-1, "batches": np.float64(20)}, {"delta": 0.1, "batches": 20}),
        ({"batches": 20, "delta": 0.1}, {"delta": 0.1, "batches": 20}),
        ({"budgets": (1, 2.0)}, {"budgets": [1, 2]}),
        ({"shift": -0.0}, {"shift": 0}),
    ],
)
def test_a_name_has_one_spelling(spelled, plain):
    assert uniforms(algorithm={"name": "x", **spelled}) == uniforms(algorithm={"name": "x", **plain})


@pytest.mark.parametrize("value", [{1, 2}, frozenset({1}), float("nan"), float("inf"), object(), {1: 2}, b"x", 1j])
def test_what_has_no_order_or_no_spelling_is_no_name(value):
    with pytest.raises((TypeError, ValueError), match=r"canonical form|finite|not text"):
        streams(1, "lp2s", INSTANCE, {"name": "x", "value": value}, 0)


def test_hash_seeds_and_processes_do_not_matter():
    """Python's own hash seed differs; eight replicates are drawn by forked workers."""
    program = (
        "import json, sys; from multiprocessing import get_context; from banditpapers.seeding import streams\n"
        "def draw(i):\n"
        f"    found = streams(20231213, 'lp2s', {INSTANCE}, {RACING}, i)\n"
        "    return found.environment.random(3).tolist(), found.algorithm.random(3).tolist()\n"
        "with get_context('fork').Pool(2) as pool: print(json.dumps(pool.map(draw, range(8), chunksize=1)))\n"
    )
    here = [list(uniforms(i)) for i in range(8)]
    assert len({tuple(part) for found in here for part in found}) == 16
    for seed in ("0", "1", "random"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCE)}
        done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True, env=environment)
        assert json.loads(done.stdout) == here
