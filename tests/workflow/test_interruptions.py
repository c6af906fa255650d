"""However a run is stopped, the same command goes on: to the same bytes, with every finished block as it was, and no file cut short."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from interrupting import TARGETS, Trial, a_worker, stamp, when

from banditpapers import configuration, files, records


@pytest.fixture(scope="module")
def whole(finished):
    """The run that nobody interrupted, and how long it took."""
    trial = Trial(finished, "whole")
    started = time.monotonic()
    finished.run(*trial.command)
    yield trial, time.monotonic() - started
    trial.remove()


@pytest.fixture
def trial(finished):
    """A folder of results for one test."""
    trial = Trial(finished, "trial")
    yield trial
    trial.remove()


def goes_on(trial, whole):
    """The same command again, from whatever is there: finished blocks stay, and the end is the uninterrupted run's."""
    kept = trial.finished()
    trial.checkout.run(*trial.command)
    assert {path: stamp(path) for path in kept} == kept
    assert repr(trial.contents()) == repr(whole.contents())
    assert trial.checkout.dry_run(*trial.command).counts.total() == 0


def kill(what, process, chance):
    """End processes as a crash, a scheduler or a power cut does; returns whether a lock is left."""
    if what == "a worker":
        worker = a_worker(process, chance)
        if worker is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        process.communicate()
        assert process.returncode in (0, 1)
        return False
    if process.poll() is None:
        (os.kill if what == "snakemake" else os.killpg)(process.pid, signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_kill_at_a_random_moment_loses_at_most_the_blocks_at_work(whole, trial, seed):
    reference, duration = whole
    chance = random.Random(seed)
    process = trial.checkout.start(*trial.command)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0.1, 0.85) * duration)
    locked = kill(("a worker", "snakemake", "both")[seed % 3], process, chance)
    assert len([path for path in trial.incomplete() if "/runs/" in str(path)]) <= 2, "one block per core"
    assert trial.is_part_of(reference)
    if locked:
        trial.checkout.run("--unlock", *trial.command)
    goes_on(trial, reference)
    if locked:
        process.communicate()  # orphaned jobs have ended, too


@pytest.mark.parametrize("what", ["snakemake", pytest.param("both", marks=pytest.mark.slow)])
def test_a_second_run_is_refused_and_after_a_kill_one_word_unlocks(whole, trial, what):
    reference, _ = whole
    process = trial.checkout.start(*trial.command)
    when(trial.blocks, process)
    assert "Error: Directory cannot be locked" in trial.checkout.run(*trial.command, code=1)  # a second run beside the first
    kill(what, process, random.Random(0))
    printed = trial.checkout.run(*trial.command, code=1)
    assert "Error: Directory cannot be locked" in printed
    assert "It can be removed with the --unlock argument." in printed
    young, old = (
        trial.blocks()[0].parent / f".0-1.parquet.{name}{files.PART}" for name in ("young", "old")
    )  # as a killed writer leaves them
    for path in (young, old):
        path.write_bytes(b"half of it")
    long_ago = time.time() - files.STALE - 1
    os.utime(old, (long_ago, long_ago))
    trial.checkout.run("--unlock", *trial.command)
    goes_on(trial, reference)
    assert (young.exists(), old.exists()) == (True, False)
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_stopped_run_says_so_cleans_up_and_goes_on(whole, trial, stop):
    reference, _ = whole
    process = trial.checkout.start(*trial.command)
    when(trial.blocks, process)
    if stop == signal.SIGINT:
        os.killpg(process.pid, stop)  # a terminal tells the whole group
    else:
        process.send_signal(stop)
    printed, _ = process.communicate()
    assert process.returncode != 0
    print(printed)
    assert "Traceback" not in printed
    assert not list(trial.folder.rglob(f".*{files.PART}"))
    assert trial.is_part_of(reference)
    goes_on(trial, reference)  # without --unlock


def test_a_full_disk_leaves_no_part_of_a_file(whole):
    """A limit on the size of files stands in for the disk; the script is run by hand, as a job runs it."""
    reference, _ = whole
    block = next(path for path in reference.blocks() if "batch_racing" in path.parent.name)
    about = records.read(block)[1]
    options = ["--first", "0", "--last", "1", "--master-seed", str(about["master_seed"]), "--code", "", "--output"]
    command = [sys.executable, "workflow/scripts/simulate.py", "--cell", about["cell"], *options]
    checkout, limited = (
        reference.checkout,
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); os.execv(sys.argv[1], sys.argv[1:])",
    )
    for name, prefix in (("roomy", []), ("full", [sys.executable, "-c", limited])):
        output = reference.folder / name / "0-1.parquet"
        process = subprocess.run(
            [*prefix, *command, str(output)], cwd=checkout.root, env=checkout.environment(), capture_output=True, text=True, check=False
        )
        if name == "roomy":
            assert (process.returncode, process.stderr) == (0, "")
            output.unlink()
        else:
            assert (process.returncode, process.stderr) == (1, "simulate.py: [Errno 27] File too large\n")
            assert list(output.parent.iterdir()) == []


@pytest.fixture
def namespace(finished):
    """Runs a shell script with a file system of its own, in which it may mount what it likes."""

    def run(script):
        command = ["unshare", "--map-root-user", "--mount", "bash", "-euc", script, finished.root.name]
        return subprocess.run(
            command, cwd=finished.root, env=finished.environment(), capture_output=True, text=True, encoding="utf-8", check=False
        )

    if run("mount -t tmpfs none results").returncode != 0:
        pytest.skip("this machine lets no unprivileged process mount a file system, so that no disk can be filled")
    return run


def spelled(words):
    return " ".join(f"'{word}'" for word in words)


@pytest.mark.slow
def test_a_full_disk_ends_in_sentences_and_with_room_the_run_goes_on(whole, trial, namespace):
    reference, _ = whole
    snakemake = spelled(trial.checkout.command(*trial.command))
    trial.folder.mkdir()
    done = namespace(
        f"mount -t tmpfs -o size=60k none results/trial; {snakemake} > full.txt 2>&1 && exit 7; "
        "find results/trial -name '*.part' > parts.txt; "
        f"mount -o remount,size=100m results/trial; {snakemake} > roomy.txt 2>&1; "
        "cp -a results/trial results/saved; mv results/saved copied"
    )
    printed = (trial.checkout.root / "full.txt").read_text(encoding="utf-8")
    print(printed, done)
    assert (done.returncode, (trial.checkout.root / "parts.txt").read_text()) == (0, "")
    trial.folder.rmdir()
    (trial.checkout.root / "copied").rename(trial.folder)
    assert "No space left on device" in printed
    assert repr(trial.contents()) == repr(reference.contents())


@pytest.mark.slow
def test_a_read_only_folder_ends_in_a_sentence(trial, namespace):
    snakemake = spelled(trial.checkout.command(*trial.command))
    trial.folder.mkdir()
    done = namespace(f"mount -t tmpfs -o ro none results/trial; exec {snakemake} 2>&1")
    assert done.returncode == 1
    assert done.stdout.rstrip().splitlines()[-1] == (
        "results/trial cannot be written into, but results/trial is to be filled; correct its permissions or write another folder"
    )
    (trial.folder / "lp2s").mkdir()
    done = namespace(f"mount -t tmpfs -o ro none results/trial/lp2s; exec {snakemake} 2>&1")
    print(done.stdout)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    assert "Read-only file system" in done.stdout


def test_targets_are_of_all_papers():
    assert {target.partition("_")[0] for target in TARGETS} == set(configuration.PAPERS)
