"""Runs of a few targets through a scheduler, and what they leave."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import TINY, UNSET
from interrupting import Trial

ROOT = Path(__file__).parents[2]
LAB = ROOT / "tests" / "slurm" / "lab.sh"
PYTHON = ROOT / ".venv-cluster" / "bin" / "python"
ALL = ("lp2s_figure2", "drts_early", "softucb_figure3", "debora_onset")  # an exhibit of each paper
ONE = ("drts_early",)  # four blocks, two to a submission, for what goes wrong
# the tests' submissions are small and are looked at at once; the rest is the profile's
SLURM = ("--profile", "workflow/profiles/slurm", "--slurm-init-seconds-before-status-checks", "3", "--latency-wait", "20")
GENERIC = ("--profile", "workflow/profiles/generic", "--latency-wait", "20")
FEW = ("--group-components", "blocks_of_4s=5", "exhibits=4")
SMALL = ("--group-components", "blocks_of_4s=2", "exhibits=2")


def missing() -> str | None:
    """Why SLURM cannot be tested here."""
    if not shutil.which("sbatch") or not shutil.which("slurmctld"):
        return "sbatch is missing; on Debian: apt-get install --no-install-recommends slurm-wlm"
    if os.geteuid() != 0:
        return "only root can start a private SLURM"
    return None if PYTHON.exists() else "Snakemake's plugins for clusters are missing: make cluster"


@dataclass(frozen=True)
class Cluster:
    """A checkout in a folder of its own, and the folder of the private SLURM that works in it."""

    root: Path
    lab: Path

    def start(self, name: str, *arguments: str, targets: Sequence[str] = ONE, **variables: str) -> "subprocess.Popen[str]":
        """Snakemake in the background, with results of its own, and its words in a file."""
        folders = (f"results=results/{name}", f"figures=results/{name}/figures")
        command = [str(PYTHON), "-m", "snakemake", *targets, *arguments, *TINY, "tests/slurm/four.yaml", "--config", *folders]
        environment = {key: value for key, value in os.environ.items() if key not in UNSET} | variables
        with self.log(name).open("w", encoding="utf-8") as said:
            return subprocess.Popen(
                command, cwd=self.root, env=environment, text=True, stdout=said, stderr=subprocess.STDOUT, start_new_session=True,
                # tests that run in the background inherit that Ctrl-C is ignored
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
            )  # fmt: skip

    def finish(self, name: str, *arguments: str, targets: Sequence[str] = ONE, code: int = 0, **variables: str) -> str:
        """A run to its end; returns what it printed."""
        return self.ended(name, self.start(name, *arguments, targets=targets, **variables), code)

    def ended(self, name: str, process: "subprocess.Popen[str]", code: int = 0) -> str:
        """Wait for the end of a run that was started."""
        try:
            found = process.wait(timeout=900)
        finally:
            end_session(process)
        said = self.log(name).read_text(encoding="utf-8")
        assert found == code, said
        return said

    def log(self, name: str) -> Path:
        """Where a run's words are."""
        return self.root / f"{name}.said"

    def contents(self, name: str) -> dict[str, Any]:
        """All that a run has made, with a block's metadata, without CPU seconds."""
        return Trial(self, name).contents()  # type: ignore[arg-type]

    def as_local(self, name: str) -> None:
        """A run of drts alone has made what the local one did: no file less or more, none with another content."""
        reference = self.contents("local")
        same(self.contents(name), {file: reference[file] for file in reference if file.startswith(("drts/", "figures/drts/"))})

    def queue(self, *states: str) -> list[str]:
        """The numbers of SLURM's jobs in these states."""
        said = run("squeue", "-h", "-o", "%A", "-t", ",".join(states or ("all",)))
        return said.split()

    def running(self, process: "subprocess.Popen[str]", seconds: float = 300) -> str:
        """The first job that runs, once it has a process."""
        self.when(lambda: self.queue("RUNNING"), process, seconds)
        return self.queue("RUNNING")[0]

    def when(self, condition: Callable[[], Any], process: "subprocess.Popen[str] | None" = None, seconds: float = 300) -> None:
        """Wait for something while a run goes on."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert process is None or process.poll() is None, "the run has ended already"
            assert time.monotonic() < deadline, "it does not happen"
            time.sleep(0.1)

    def members(self, job: str) -> list[int]:
        """The processes of a job of SLURM."""
        return with_variable(f"SLURM_JOB_ID={job}")

    def sweep(self) -> None:
        """End what the jobs have left behind: the nodes of this SLURM do not."""
        for pid in {*with_variable(f"SLURM_CONF={self.lab}/slurm.conf", "slurm"), *inside(self.root.parent)}:
            end(pid)

    def left(self) -> list[int]:
        """What still runs of the private SLURM and of all that was started on it."""
        return [*with_variable(f"SLURM_CONF={self.lab}/slurm.conf"), *inside(self.root.parent), *inside(self.lab)]


def inside(folder: Path) -> list[int]:
    """Processes that work in a folder or below it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(process / "cwd")).is_relative_to(folder):
                found.append(int(process.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def with_variable(entry: str, but: str = "\0") -> list[int]:
    """Processes whose environment has an entry; not those whose name begins with `but`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if entry.encode() in (folder / "environ").read_bytes().split(b"\0") and not (folder / "comm").read_text().startswith(but):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def end(pid: int, how: int = signal.SIGKILL) -> None:
    """Send a signal to a process that may have ended."""
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        return


def end_session(process: "subprocess.Popen[str]") -> None:
    """End what a run of Snakemake has left in its own session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def run(*command: str) -> str:
    """A command of SLURM."""
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout


def same(found: dict[str, Any], reference: dict[str, Any]) -> None:
    """No file is missing, none is of another content, none is too many."""
    assert sorted(found) == sorted(reference)
    assert not [name for name in found if repr(found[name]) != repr(reference[name])]


def lines(said: str, words: Sequence[str]) -> list[str]:
    """The lines with one of these words."""
    return [line for line in said.splitlines() if any(word in line for word in words)]
