"""Say whether this machine computes the numbers that it should: known random streams, and a short run of every algorithm.

Ends with exit code 1 if anything differs. --record writes down what this machine computes as what is expected from now on.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import selftest


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one line per item on standard output."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("--expected", type=Path, default=selftest.RECORD, help="the record of what is expected")
    line.add_argument("--record", action="store_true", help="write that record instead of comparing with it")
    options = line.parse_args(arguments)
    if options.record:
        selftest.write(options.expected)
        print(f"recorded in {options.expected}")
        return
    verdicts = []
    for verdict in selftest.run(options.expected):
        verdicts.append(verdict)
        print(verdict, flush=True)
    differing = sum(not verdict.passed for verdict in verdicts)
    print(f"{'pass' if not differing else f'{differing} differ'}: {len(verdicts)} items; {selftest.described()}")
    if differing:
        sys.exit(1)


if __name__ == "__main__":
    _setup.run(main)
