"""Libraries of bandits beside ours: microseconds per round of UCB1, LinUCB and LinTS, seeds, and two kernels of the BLAS.

Each library is played in processes of its own (play.py), in an environment that is made here from a lock file with hashes. All play the
same world on the same machine in one run, in turn, five times: with two kernels of the BLAS, then three times as the machine is. A figure
is the median of these three; a library that can be used online in several ways counts with its fastest. Batches, within which nothing is
learned, are another game: they are measured and told apart.
"""

import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from peers.batches import BATCHED
from peers.page import ALGORITHMS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEERS = {"coba": "peers", "contextualbandits": "peers", "mabwiser": "peers", "pymab": "peers", "smpybandits": "smpybandits"}
KERNELS, REPEATS = ("Haswell", "SkylakeX"), 3
ARMS, LINEAR_ARMS, DIMENSION = 10, 20, 10
ROUNDS, LINEAR_ROUNDS = 10000, 2000
RECORDED = ROOT / "tests" / "data" / "mabwiser_linear_ucb.json"


def environment(name: str) -> Path:
    """The Python of an environment with the packages of `name`.lock, made when it is missing or the lock has changed.

    Raises RuntimeError with pip's last line when a package cannot be installed.
    """
    lock = HERE / f"{name}.lock"
    folder = ROOT / ".venv-peers" / f"{name}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [
            str(python),
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--quiet",
            "--require-hashes",
            "--requirement",
            str(lock),
        ]
        variables = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        done = subprocess.run(install, env=variables, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
            raise RuntimeError(errors[-1])
        (folder / "ready").touch()
    return python


def write_world(path: Path) -> None:
    """One world for all: features in [-1, 1]^d with lengths of their own (so that no two widths tie), normal contexts, coins and noise."""
    draws = np.random.Generator(np.random.PCG64DXSM(1))
    features, theta = draws.uniform(-1.0, 1.0, (LINEAR_ARMS, DIMENSION)), draws.standard_normal(DIMENSION) / DIMENSION**0.5
    contexts = draws.standard_normal((LINEAR_ROUNDS, LINEAR_ARMS, DIMENSION)) / DIMENSION**0.5
    np.savez(
        path, allow_pickle=False, means=np.linspace(0.3, 0.7, ARMS), coins=draws.random((ROUNDS, ARMS)), theta=theta,
        fixed=np.broadcast_to(features, contexts.shape), noise=0.3 * draws.standard_normal(LINEAR_ROUNDS), contexts=contexts,
        rewards=contexts @ theta + draws.standard_normal((LINEAR_ROUNDS, 1)),
    )  # fmt: skip


def played(peer: str, python: Path, world: Path, **variables: str) -> dict[str, Any]:
    """What a process of play.py (or ours.py) prints."""
    script = [str(HERE / "ours.py")] if peer == "ours" else [str(HERE / "play.py"), peer]
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [str(python), *script, str(world), "1"], env={**os.environ, **threads, **variables}, check=False, capture_output=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"{peer}: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """One library's row, from its runs: with each kernel of the BLAS, then as the machine is."""
    row: dict[str, Any] = {"version": runs[0]["version"]}
    for name, modes in runs[0]["played"].items():
        times = {mode: statistics.median(run["played"][name][mode]["microseconds"] for run in runs[len(KERNELS) :]) for mode in modes}
        late = times.pop(BATCHED, None)
        best = min(times, key=lambda mode: (times[mode], mode))
        actions = [run["played"][name][best]["actions"] for run in runs]
        row[name] = {
            "microseconds": float(f"{times[best]:.3g}"),
            "mode": best,
            "other_modes": {mode: float(f"{time:.3g}") for mode, time in times.items() if mode != best},
            BATCHED: None if late is None else float(f"{late:.3g}"),
            "same_seed_same_actions": all(other == actions[len(KERNELS)] for other in actions[len(KERNELS) :]),
            "same_actions_with_both_kernels": actions[0] == actions[1],
        }
    return row


def peers() -> dict[str, Any]:
    """Rows of all libraries, ratios of ours to the best of them, and how far LinUCB's actions agree with mabwiser's."""
    pythons: dict[str, Path] = {"ours": Path(sys.executable)}
    missing: dict[str, str] = {}
    for peer, name in PEERS.items():
        try:
            pythons[peer] = environment(name)
        except RuntimeError as error:
            missing[peer] = str(error)
            print(f"{peer} is left out: {error}", flush=True)
    runs: dict[str, list[dict[str, Any]]] = {peer: [] for peer in pythons}
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world.npz"
        write_world(world)
        for kernel in (*KERNELS, *[None] * REPEATS):
            for peer, python in pythons.items():
                runs[peer].append(played(peer, python, world, **({"OPENBLAS_CORETYPE": kernel} if kernel else {})))
                print(f"{peer}, {kernel or 'as the machine is'}", flush=True)
    rows = {peer: measured(found) for peer, found in runs.items()}
    known: dict[str, Any] = {"peers.rows": rows, "peers.left_out": missing, **ratios(rows)}
    if "mabwiser" in runs:
        first, second = (runs[peer][-1]["played"]["LinUCB"] for peer in ("ours", "mabwiser"))
        pairs = list(zip(first["compiled"]["actions"], second["one model"]["actions"], strict=True))
        known["peers.linear_ucb_rounds_equal_to_mabwiser"] = next((t for t, (a, b) in enumerate(pairs) if a != b), len(pairs))
        known["peers.linear_ucb_rounds"] = len(pairs)
    return known


def ratios(rows: dict[str, Any]) -> dict[str, float]:
    """Ours over the fastest peer, time per round, per algorithm, and the worst of them; below 1 is ahead. Then with peers in batches."""
    found, late = {}, []
    for name in ALGORITHMS:
        others = [row[name] for peer, row in rows.items() if peer != "ours" and name in row]
        own = rows["ours"][name]["microseconds"]
        found[f"peers.ratio_to_best_peer.{name}"] = float(f"{own / min(other['microseconds'] for other in others):.2g}")
        late += [float(f"{own / other[BATCHED]:.2g}") for other in others if other[BATCHED] is not None]
    worst = max(found.values())
    return {**found, "peers.worst_ratio_to_best_peer": worst, "peers.worst_ratio_to_a_peer_in_batches": max([worst, *late])}
