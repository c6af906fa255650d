"""Simulate the submission of a configuration to a cluster: CPU hours, jobs, disk, and the wall time on so many cores.

python workflow/scripts/submission.py --configfile config/large.yaml --cores 100 1000

Nothing is submitted. Submissions are those of workflow/profiles/slurm, the longest first, each with its time in the queue and its start.
"""

import argparse
import json
from collections.abc import Sequence

import _plan
import _setup

from banditpapers import submission


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, a few lines on standard output."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("--cores", type=int, nargs="+", default=[100, 1000])
    line.add_argument("--queue", type=float, default=submission.QUEUE, help="seconds that a submission waits and starts before it computes")
    line.add_argument("--json", action="store_true", help="print one JSON object")
    _plan.add_arguments(line)
    options = line.parse_args(arguments)
    with _plan.checkout(options) as plan:
        found = submission.simulated(plan, options.cores, options.queue)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    print(
        f"{found['cpu_hours']:.1f} CPU hours in {found['blocks']} blocks, {found['submissions']} submissions, {found['gigabytes']:.2f} GB"
    )
    print(f"a submission takes {found['shortest']:.1f} to {found['longest']:.1f} minutes, half of them more than {found['median']:.1f}")
    for row in found["runs"]:
        print(
            f"{row['cores']:6} cores: {row['wall_minutes']:8.1f} minutes, {row['busy_share']:.0%} busy until the last 10% of the work; "
            f"more than {row['saturation']} cores save nothing"
        )


if __name__ == "__main__":
    _setup.run(main)
