"""Solve one stage-1 linear program of LP2S and print its policy as one JSON object.

python workflow/scripts/solve_lp.py --setting PAC --prior 1 1 --arms 1000 --rounds 207 --survivors 20.72 --delta0 0.01 --mu0 0.7
"""

import argparse
import json
from collections.abc import Sequence

import _setup

from banditpapers.algorithms.lp2s import Policy, smallest_delta0, solve
from banditpapers.kernels.two_stage import expected_pulls


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, the policy on standard output."""
    line = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    line.add_argument("--setting", required=True, help="PAC, SRM or FC")
    line.add_argument("--prior", required=True, type=float, nargs=2, metavar=("A", "B"), help="the Beta prior of the arms' means")
    line.add_argument("--arms", required=True, type=int, help="K")
    line.add_argument("--rounds", required=True, type=int, help="R, the rounds of each stage")
    line.add_argument("--survivors", required=True, type=float, help="L, the expected number of survivors of stage 1")
    line.add_argument("--delta0", required=True, help='the quality of the survivors: a number, or "smallest" for the smallest feasible one')
    line.add_argument("--mu0", type=float, help="the mean from which PAC calls an arm good")
    options = line.parse_args(arguments)
    instance = (options.setting, tuple(options.prior), options.arms, options.rounds, options.survivors)
    delta0 = smallest_delta0(*instance, options.mu0) if options.delta0 == "smallest" else _number(options.delta0)
    print(json.dumps(_described(solve(*instance, delta0, options.mu0))))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f'delta0 is {text!r}; write a number or "smallest"') from None


def _described(policy: Policy) -> dict[str, object]:
    return {
        "setting": policy.setting,
        "prior": policy.prior,
        "arms": policy.arms,
        "rounds": policy.rounds,
        "survivors": policy.survivors,
        "mu0": policy.mu0,
        "delta0": policy.delta0,
        "smallest_delta0": policy.smallest_delta0,
        "cost": policy.cost,
        "gap": policy.gap,
        "expected_pulls": expected_pulls(policy.arms, policy.rounds, policy.cost, policy.survivors),
        "thresholds": policy.thresholds.tolist(),
        "tie_probabilities": policy.tie_probabilities.tolist(),
    }


if __name__ == "__main__":
    _setup.run(main)
