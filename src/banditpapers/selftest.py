"""Whether this machine computes the numbers that it should: known answers of the random streams, and a short run of every algorithm.

What they should be stands in `selftest.json`, for each run with the SHA-256 of its outcomes. Where a hash differs, the numbers themselves
are compared: whole ones (pulls, counts, what an action decides) exactly, others within 1e-12. What is played stands in `samples.yaml`.
"""

import math
import os
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from json import loads
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers import records
from banditpapers.cells import Cell
from banditpapers.files import write_json
from banditpapers.plugins import names
from banditpapers.seeding import Streams, stream, streams, words
from banditpapers.simulation import Block, simulate
from banditpapers.yaml_marks import read_file

SAMPLES = Path(__file__).parent / "samples.yaml"
RECORD = Path(__file__).parent / "selftest.json"
SEED, LAST = 20231213, 1  # replicates 0 to LAST
TOLERANCE = 1e-12
BUT_FOR_BITS = f"equal to {TOLERANCE:g}, not to the bit"

Numbers = dict[str, float | None]  # by what each of them is; None is NaN


class Verdict(NamedTuple):
    """What came out of one item of the test."""

    name: str
    passed: bool
    remark: str = ""

    def __str__(self) -> str:
        return f"{'pass' if self.passed else 'DIFFERS':8}{self.name}{': ' if self.remark else ''}{self.remark}"


@cache
def samples() -> dict[str, dict[str, Any]]:
    """Small parameters by algorithm, see samples.yaml. Raises ValueError for an entry that lacks something."""
    marked = read_file(SAMPLES)
    wanted = {"parameters", "other", "environment", "sizes"}
    faults = [f"{place}: {sentence}" for place, _, sentence in marked.faults]
    faults += [
        f"{marked.places[name,]}: {name} has {', '.join(entry)}; write {', '.join(sorted(wanted))}"
        for name, entry in marked.data.items()
        if set(entry) != wanted
    ]
    if faults:
        raise ValueError(faults[0])
    return marked.data


def run(record: Path = RECORD) -> Iterator[Verdict]:
    """Test the streams, then every algorithm; what is recorded of an algorithm that is no longer there is no fault."""
    expected = loads(record.read_text(encoding="utf-8"))
    for name, numbers in known_streams().items():
        yield verdict(f"stream {name}", numbers, expected["streams"].get(name))
    for name in names("algorithms"):
        known = expected["algorithms"].get(name, {})
        if not known:
            yield Verdict(name, False, "not recorded yet; look at its outcomes, then run this with --record")
        for which, entry in known.items():
            block = play(name, which)
            if block.failures:
                yield Verdict(f"{name} ({which})", False, "; ".join(f"replicate {i} failed: {why}" for i, why in block.failures.items()))
            else:
                same = digest(block) == entry["sha256"]
                yield verdict(f"{name} ({which})", outcomes(block), outcomes(block) if same else numbers_of(entry, block))


def write(record: Path = RECORD) -> None:
    """Record what this machine computes."""
    played = {name: {which: play(name, which) for which in ("parameters", "other")} for name in names("algorithms")}
    found = {
        "recorded_with": records.versions(),
        "streams": known_streams(),
        "algorithms": {
            name: {which: {"sha256": digest(block), "outcomes": rows(block)} for which, block in blocks.items()}
            for name, blocks in played.items()
        },
    }
    write_json(record, found)


def described() -> str:
    """The processor and the versions that numbers could depend on."""
    llvm, config = import_module("llvmlite.binding"), import_module("numba").config
    processor = f"processor {llvm.get_host_cpu_name()}"
    if config.CPU_NAME:
        processor += f", compiled for {config.CPU_NAME}"
    if kernel := os.environ.get("OPENBLAS_CORETYPE"):
        processor += f", BLAS kernel {kernel}"
    versions = ", ".join(f"{name} {version}" for name, version in records.versions().items())
    return f"{processor}; {versions}; {platform.system()} {platform.machine()}"


def known_streams() -> dict[str, Numbers]:
    """The first numbers of some streams, of either kind, and of the laws that are drawn from them."""
    racing = _replicate("lp2s", {"name": "beta_bernoulli", "prior": [1, 3], "arms": 10}, "batch_racing")
    linear = _replicate("drts", {"name": "linear_contexts", "arms": 10, "dimension": 20}, "linear_thompson")
    philox, laws, normals = import_module("banditpapers.kernels.philox"), stream(a=2), np.empty(5)
    philox.fill_normals(normals, *linear.algorithm_words[:1], philox.DRAW, 731, linear.algorithm_words.lane, 3)
    drawn: dict[str, Any] = {
        "by name": stream(a=1).random(3),
        "of an environment": racing.environment.random(3),
        "of an algorithm": racing.algorithm.random(3),
        "words": (*words(a=1), *linear.environment_words, *linear.algorithm_words),
        "Philox": (*philox.philox(0, 0, 0, 0, 0, 0), *philox.philox(*[2**32 - 1] * 6)),
        "normals by counter": normals,
        "Beta, binomial, integer, gamma": (
            *laws.beta(0.5, 3, 3), *laws.binomial(1000, 0.3, 3), *laws.binomial(9, 0.3, 3), *laws.integers(0, 7, 3), *laws.gamma(0.5, 1, 3)
        ),
    }  # fmt: skip
    return {name: {f"number {i + 1}": float(value) for i, value in enumerate(values)} for name, values in drawn.items()}


def _replicate(paper: str, instance: Mapping[str, Any], algorithm: str) -> Streams:
    return streams(SEED, paper, instance, {"name": algorithm}, 731)


def play(name: str, which: str = "parameters") -> Block:
    """A short run of an algorithm. Raises ValueError when samples.yaml has no entry for it."""
    if name not in samples():
        raise ValueError(f"{name} has no entry in {SAMPLES.name}; give it small parameters there")
    sample = samples()[name]
    arms = sample["sizes"][len(sample["sizes"]) // 2]
    return simulate(Cell("selftest", {**sample["environment"], "arms": arms}, {"name": name, **sample[which]}), SEED, 0, LAST)


def _kept(block: Block) -> tuple[list[str], NDArray[np.float64]]:
    """The first, the middle and the last checkpoint are enough: what is recorded adds up over a run."""
    last = len(block.checkpoints) - 1
    kept = sorted({0, last // 2, last})
    return [block.checkpoints[i] for i in kept], np.ascontiguousarray(block.outcomes[:, kept])


def digest(block: Block) -> str:
    """The SHA-256 of a run's outcomes."""
    return sha256(_kept(block)[1].tobytes()).hexdigest()


def rows(block: Block) -> list[str]:
    """A run's outcomes as text, one line per replicate, checkpoint and rule."""
    found = _kept(block)[1]
    return [" ".join(repr(value).removesuffix(".0") for value in row) for row in found.reshape(-1, found.shape[-1]).tolist()]


def outcomes(block: Block) -> Numbers:
    """A run's outcomes by what they are."""
    return numbers_of({"outcomes": rows(block)}, block)


def numbers_of(entry: Mapping[str, Any], block: Block) -> Numbers:
    """What an entry of the record holds; the block says what each number is."""
    checkpoints, labels = _kept(block)[0], []
    for replicate in range(LAST + 1):
        labels += [f"replicate {replicate}, {checkpoint}, {rule}" for checkpoint in checkpoints for rule in block.rules]
    values = [[float(value) for value in row.split()] for row in entry["outcomes"]]
    if [len(block.quantities)] * len(labels) != [len(row) for row in values]:
        return {}
    pairs = zip(labels, values, strict=True)
    return {
        f"{label}, {quantity}": None if math.isnan(value) else value
        for label, row in pairs
        for quantity, value in zip(block.quantities, row, strict=True)
    }


def verdict(name: str, found: Numbers, expected: Numbers | None) -> Verdict:
    """Numbers against what they should be."""
    if found == expected:
        return Verdict(name, True)
    if expected is None or found.keys() != expected.keys():
        return Verdict(name, False, "other numbers are recorded than are computed; run this with --record if that was intended")
    wrong = [what for what, value in expected.items() if not agree(found[what], value)]
    if not wrong:
        return Verdict(name, True, BUT_FOR_BITS)
    what = wrong[0]
    return Verdict(name, False, f"{len(wrong)} of {len(found)} numbers; {what}: expected {expected[what]!r}, found {found[what]!r}")


def agree(found: float | None, expected: float | None) -> bool:
    """Whole numbers have to be equal, others within 1e-12."""
    if found is None or expected is None or expected.is_integer() or found.is_integer():
        return found == expected
    return math.isclose(found, expected, rel_tol=TOLERANCE)
