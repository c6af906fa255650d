"""The same run locally on two cores and through a private SLURM of two nodes of one core, one after the other, each in a fresh clone."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import _setup

from banditpapers import records

LAB = _setup.ROOT / "tests" / "slurm" / "lab.sh"
PYTHON = _setup.ROOT / ".venv-cluster" / "bin" / "python"
SUBMIT = ("--profile", "workflow/profiles/slurm")
LOCAL = ("--cores", "2")


def scheduled(targets: Sequence[str] = (), configfiles: Sequence[str] = ()) -> dict[str, Any]:
    """Wall time through SLURM over the local one, of everything or of these targets. The last commit is what runs.

    Raises ValueError where SLURM or Snakemake's plugin for it is missing, or where the two runs made different blocks.
    """
    if not shutil.which("slurmctld") or os.geteuid() != 0:
        raise ValueError("SLURM cannot be started; as root on Debian: apt-get install --no-install-recommends slurm-wlm")
    if not PYTHON.exists():
        raise ValueError("Snakemake's plugins for clusters are missing: make cluster")
    files = ("--configfile", *configfiles) if configfiles else ()
    with tempfile.TemporaryDirectory() as folder:
        local, submitted = (Path(folder) / name for name in ("local", "submitted"))
        for clone in (local, submitted):
            subprocess.run(["git", "clone", "--quiet", str(_setup.ROOT), str(clone)], check=True)
        alone = _seconds(local, sys.executable, *targets, *LOCAL, *files)
        lab = Path(folder) / "slurm"
        subprocess.run([str(LAB), "start", str(lab), "2", "1"], check=True)
        try:
            through = _seconds(submitted, str(PYTHON), *targets, *SUBMIT, *files)
        finally:
            subprocess.run([str(LAB), "stop", str(lab)], check=True)
        if (one := _blocks(local)) != (other := _blocks(submitted)):
            different = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
            raise ValueError(f"{len(different)} blocks differ, the first of them {different[0]}")
    print(f"{alone / 60:.2f} minutes locally, {through / 60:.2f} through SLURM: {through / alone:.3f}; {len(one)} equal blocks", flush=True)
    return {
        "slurm.wall_minutes": round(through / 60, 2),
        "slurm.local_wall_minutes": round(alone / 60, 2),
        "slurm.wall_ratio_to_local": round(through / alone, 3),
    }


def _seconds(clone: Path, python: str, *arguments: str) -> float:
    """Wall seconds of a run of Snakemake in a clone, with no compiled code from before."""
    environment = {key: value for key, value in os.environ.items() if key not in ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE")}
    started = time.monotonic()
    subprocess.run([python, "-m", "snakemake", *arguments], cwd=clone, check=True, env=environment)
    return time.monotonic() - started


def _blocks(clone: Path) -> dict[str, str]:
    """What each block of a clone holds, by its name; as text, in which what is no number equals itself."""
    return {
        path.relative_to(clone).as_posix(): repr(records.read(path)[0].to_pydict()) for path in clone.glob("results/**/runs/*/*.parquet")
    }
