"""Where the learnt bound settles: h(beta) = -G / W, the eta at which gradient and eta term cancel.

G is the sum over a trajectory of the gradient of equation 13 without its eta term, W that of sum_i w_i; both are means over replicates. A
step of Algorithm 3 moves beta by lambda (G + eta W) = lambda W (eta - h(beta)): upwards where h < eta and downwards where h > eta. So beta
stays where h rises through eta, runs away from where it falls through eta, and grows without end where eta is above all of h.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.papers.softucb.pairs import last
from banditpapers.runs import CellRuns, Runs


class Scan(NamedTuple):
    """The runs of one setting over a range of beta, ascending. `sums` has G and W: shape (replicates, beta, 2)."""

    runs: CellRuns
    beta: NDArray[np.float64]
    sums: NDArray[np.float64]

    @property
    def keys(self) -> dict[str, Any]:
        """The columns that name the setting."""
        return {"arms": self.runs.cell.environment["arms"], "dimension": self.runs.cell.environment["dimension"], "horizon": self.horizon}

    @property
    def horizon(self) -> int:
        """T, in rounds."""
        return int(self.runs.checkpoints[-1])

    def of(self, quantity: str) -> NDArray[np.float64]:
        """A quantity after T rounds, shape (replicates, beta)."""
        return np.stack([last(self.runs, rule_of(beta), quantity) for beta in self.beta], axis=1)


def rule_of(beta: float) -> str:
    """The label under which runs with this beta are kept."""
    return f"beta={float(beta)!r}"


def scans(runs: Runs, plan: dict[str, Any]) -> list[Scan]:
    """The settings of the plan, in its order."""
    found = []
    for arms, dimension, horizon in plan["settings"]:
        matching = runs.matching("soft_ucb", arms=arms, dimension=dimension)
        (cell,) = (one for one in matching if int(one.checkpoints[-1]) == horizon)
        beta = np.array(plan["beta"], dtype=np.float64)
        scan = Scan(cell, beta, np.empty(0))
        found.append(scan._replace(sums=np.stack([scan.of("gradient"), scan.of("widths")], axis=-1)))
    return found


def ratio(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """h at each beta. means: G and W, shape (beta, 2)."""
    return np.asarray(-means[:, 0] / means[:, 1])


def settled(beta: NDArray[np.float64], means: NDArray[np.float64], eta: float) -> float:
    """The smallest beta at which h rises through eta, linear between the scanned ones; NaN where it does not.

    beta: shape (n,). means: shape (n, sums).
    """
    h = ratio(means)
    for i in range(len(beta) - 1):
        if h[i] <= eta < h[i + 1]:
            return float(beta[i] + (eta - h[i]) / (h[i + 1] - h[i]) * (beta[i + 1] - beta[i]))
    return float("nan")


def learnt(scan: Scan, eta: float) -> float:
    """The learnt bound that the balance predicts."""
    return settled(scan.beta, scan.sums.mean(axis=0), eta)
