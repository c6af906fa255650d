"""The same files come back from a scheduler, whatever happens to jobs, nodes and the controlling process."""

import os
import signal

import pytest
from cluster import GENERIC, SLURM, SMALL, Cluster, end, end_session, run, same

pytestmark = pytest.mark.slurm


@pytest.mark.parametrize("way", ["slurm", "generic"])
def test_a_scheduler_makes_the_local_files(cluster: Cluster, way: str):
    said = cluster.finish(way, *(SLURM if way == "slurm" else GENERIC), *SMALL)
    assert "(100%) done" in said
    same(cluster.contents(way), cluster.contents("local"))


def test_a_cancelled_job_comes_back(cluster: Cluster):
    process = cluster.start("cancelled", *SLURM, *SMALL)
    job = cluster.running(process)
    run("scancel", job)
    said = cluster.ended("cancelled", process)
    assert "Trying to restart" in said, said
    same(cluster.contents("cancelled"), cluster.contents("local"))


def test_a_job_whose_batch_step_is_killed_comes_back(cluster: Cluster):
    process = cluster.start("killed", *SLURM, *SMALL)
    job = cluster.running(process)
    cluster.when(lambda: cluster.members(job), process)
    for pid in cluster.members(job):
        end(pid)
    said = cluster.ended("killed", process)
    assert "Trying to restart" in said, said
    same(cluster.contents("killed"), cluster.contents("local"))


def test_a_node_goes_down(cluster: Cluster):
    process = cluster.start("node", *SLURM, *SMALL)
    job = cluster.running(process)
    node = run("squeue", "-h", "-j", job, "-o", "%N").strip()
    try:
        run("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
        said = cluster.ended("node", process)
    finally:
        if "down" in run("sinfo", "-h", "-n", node, "-o", "%T"):  # it may have come back by itself
            run("scontrol", "update", f"nodename={node}", "state=resume")
    assert "Trying to restart" in said, said
    same(cluster.contents("node"), cluster.contents("local"))


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
    same(cluster.contents("orphans"), cluster.contents("local"))


def test_a_job_out_of_memory_has_more_the_next_time(cluster: Cluster):
    little = ("--set-resources", "simulate:mem_mb=40 if attempt == 1 else 2000")
    said = cluster.finish("memory", *SLURM, *SMALL, *little)
    assert "Trying to restart" in said, said
    same(cluster.contents("memory"), cluster.contents("local"))


def test_ctrl_c_leaves_no_job_in_the_queue_and_the_same_command_goes_on(cluster: Cluster):
    process = cluster.start("stopped", *SLURM, *SMALL)
    cluster.running(process)
    os.killpg(process.pid, signal.SIGINT)
    cluster.ended("stopped", process, code=1)
    cluster.when(lambda: not cluster.queue("RUNNING", "PENDING", "COMPLETING"))
    cluster.finish("stopped", *SLURM, *SMALL)
    same(cluster.contents("stopped"), cluster.contents("local"))
