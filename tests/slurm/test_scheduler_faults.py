"""Whatever happens to jobs, nodes and the controlling process, the files of the local run come back, none lost, none made of two halves."""

import os
import shutil
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster import GENERIC, SLURM, SMALL, Cluster, end, end_session, run

pytestmark = [pytest.mark.slurm, pytest.mark.slow]
TOOLS = Path(__file__).parent / "tools"


def test_a_cancelled_job_comes_back(cluster: Cluster):
    process = cluster.start("cancelled", *SLURM, *SMALL)
    run("scancel", cluster.running(process))
    restarted(cluster, "cancelled", cluster.ended("cancelled", process))


def test_a_job_whose_batch_step_is_killed_comes_back(cluster: Cluster):
    process = cluster.start("killed", *SLURM, *SMALL)
    job = cluster.running(process)
    cluster.when(lambda: cluster.members(job), process)
    for pid in cluster.members(job):
        end(pid)
    restarted(cluster, "killed", cluster.ended("killed", process))


def test_a_node_goes_down(cluster: Cluster):
    process = cluster.start("node", *SLURM, *SMALL)
    node = run("squeue", "-h", "-j", cluster.running(process), "-o", "%N").strip()
    try:
        run("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
        said = cluster.ended("node", process)
    finally:
        if "down" in run("sinfo", "-h", "-n", node, "-o", "%T"):  # it may have come back by itself
            run("scontrol", "update", f"nodename={node}", "state=resume")
    restarted(cluster, "node", said)


def test_a_job_out_of_memory_has_more_the_next_time(cluster: Cluster):
    little = ("--set-resources", "simulate:mem_mb=40 if attempt == 1 else 2000")
    restarted(cluster, "memory", cluster.finish("memory", *SLURM, *SMALL, *little))
    assert any("exceeded memory limit" in path.read_text(encoding="utf-8") for path in (cluster.lab / "log").glob("slurmd.*.log"))


def test_a_job_out_of_time_has_twice_as_much_the_next_time(cluster: Cluster):
    process = cluster.start("time", *SLURM, *SMALL)
    job = cluster.running(process)
    asked = minutes(job)
    cluster.when(lambda: cluster.members(job), process)
    for pid in cluster.members(job):
        end(pid, signal.SIGSTOP)  # or it would be done before SLURM, which counts in minutes, looks at its time
    run("scontrol", "update", f"jobid={job}", "EndTime=now")
    cluster.when(lambda: run("squeue", "-h", "-t", "all", "-j", job, "-o", "%T").strip() == "TIMEOUT", process)
    cluster.when(lambda: any(minutes(other) == 2 * asked for other in cluster.queue("RUNNING", "PENDING")), process)
    said = cluster.ended("time", process)
    assert "DUE TO TIME LIMIT" in said, said
    restarted(cluster, "time", said)


@pytest.mark.parametrize("way", ["slurm", "generic"])
def test_a_job_that_the_queue_has_forgotten_is_sent_again(cluster: Cluster, tools: Path, way: str):
    name, forgotten = f"forgotten_{way}", tools / "forgotten"
    variables = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "FORGOTTEN": str(forgotten)}
    process = cluster.start(name, *(SLURM if way == "slurm" else GENERIC), *SMALL, "--latency-wait", "2", **variables)
    job = cluster.running(process)
    if way == "slurm":  # its plugin has to have seen the job, which it looks for three seconds after it has sent it
        memory = cluster.root / ".snakemake" / "slurm_queue"
        cluster.when(lambda: any(job in path.read_text().split() for path in memory.glob("*/known")), process)
    run("scancel", job)
    forgotten.write_text(job + "\n", encoding="utf-8")
    restarted(cluster, name, cluster.ended(name, process))


@pytest.mark.parametrize("patience", [30, 1])
def test_files_that_appear_late_are_waited_for_or_made_again(cluster: Cluster, tools: Path, patience: int):
    """The queue calls a job done eight seconds before its file is there to be seen."""
    name = f"late_{patience}"
    late = (f"{tools}/late.sh {{resources.mem_mb}} {{resources.runtime}} {{threads}}", "--latency-wait", str(patience))
    said = cluster.finish(name, *GENERIC, *SMALL, "--cluster-generic-submit-cmd", *late, LATE=f"results/{name}")
    assert (cluster.root / "results" / name / "late").read_text().split(), "no file was late"
    assert ("Trying to restart" in said) == (patience == 1), said
    cluster.as_local(name)


def test_the_controller_is_killed_and_its_orphans_write_beside_their_twins(cluster: Cluster):
    process = cluster.start("orphans", *SLURM, *SMALL)
    job = cluster.running(process)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert job in cluster.queue("RUNNING"), "the job goes on without its controller"
    end_session(process)
    cluster.finish("unlocked", "--unlock", "--cores", "1")
    cluster.finish("orphans", *SLURM, *SMALL)
    cluster.when(lambda: not cluster.queue("RUNNING", "PENDING"))
    cluster.as_local("orphans")


def test_ctrl_c_leaves_no_job_in_the_queue_and_the_same_command_goes_on(cluster: Cluster):
    process = cluster.start("stopped", *SLURM, *SMALL)
    cluster.running(process)
    os.killpg(process.pid, signal.SIGINT)
    cluster.ended("stopped", process, code=1)
    cluster.when(lambda: not cluster.queue("RUNNING", "PENDING", "COMPLETING"))
    cluster.finish("stopped", *SLURM, *SMALL)
    cluster.as_local("stopped")


@pytest.fixture
def tools(cluster: Cluster) -> Iterator[Path]:
    """A folder with SLURM's commands that know nothing of the jobs in the file $FORGOTTEN, and with a submission whose files come late."""
    folder = cluster.lab / "tools"
    shutil.copytree(TOOLS, folder)
    for path in folder.iterdir():
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    yield folder
    shutil.rmtree(folder)


def restarted(cluster: Cluster, name: str, said: str) -> None:
    """The job was sent again, and all is as it should be."""
    assert "Trying to restart" in said, said
    cluster.as_local(name)


def minutes(job: str) -> int:
    """The time limit of a job."""
    said = run("scontrol", "--oneliner", "show", "job", job).split("TimeLimit=")[1].split()[0]
    hours, whole, _ = said.rpartition("-")[2].split(":")
    return 60 * int(hours) + int(whole)
