"""Record a game of MABWiser's LinUCB for the test of ours: features, noise and actions, into tests/data/mabwiser_linear_ucb.json.

python benchmarks/peers/record.py
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workflow" / "scripts"))

import _setup  # noqa: F401
import numpy as np
from peers.side_by_side import HERE, RECORDED, environment

ROUNDS, ARMS, DIMENSION = 500, 12, 5


def main() -> None:
    """Three decimals each, so that the file holds exactly what was played; much noise, so that many arms are."""
    draws = np.random.Generator(np.random.PCG64DXSM(2))
    features, theta = draws.uniform(-1, 1, (ARMS, DIMENSION)).round(3), (0.2 * draws.standard_normal(DIMENSION)).round(3)
    noise = (1.0 * draws.standard_normal(ROUNDS)).round(3)
    with tempfile.TemporaryDirectory() as folder:
        world, shape = Path(folder) / "world.npz", (ROUNDS, ARMS, DIMENSION)
        np.savez(
            world, allow_pickle=False, fixed=np.broadcast_to(features, shape), theta=theta, noise=noise, contexts=np.zeros(shape),
            rewards=np.zeros((ROUNDS, ARMS)), means=np.full(2, 0.5), coins=np.zeros((60, 2)),
        )  # fmt: skip
        command = [str(environment("peers")), str(HERE / "play.py"), "mabwiser", str(world), "1"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    game = {
        "source": f"mabwiser {found['version']}, LinUCB(alpha=1, l2_lambda=1), contexts of one arm; benchmarks/peers/record.py",
        "alpha": 1.0,
        "features": features.tolist(),
        "theta": theta.tolist(),
        "noise": noise.tolist(),
        "actions": found["played"]["LinUCB"]["one model"]["actions"],
    }
    RECORDED.write_text(
        "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in game.items()) + "\n}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
