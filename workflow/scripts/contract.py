"""Check files with algorithms of your own before they play: each check, and the fault in a sentence. Exit code 1 where there is one.

python workflow/scripts/contract.py path/to/my_algorithm.py
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers.own import contract


def main(arguments: Sequence[str] | None = None) -> None:
    """Files in, a line per check on standard output."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a Python file with one class that says its problem")
    faults = 0
    for file in line.parse_args(arguments).files:
        print(file)
        for asked, fault in contract.check(file):
            print(f"  {'holds' if not fault else 'FAULT'}  {asked}{': ' if fault else ''}{fault}")
            faults += bool(fault)
    if faults:
        raise ValueError(f"found {faults} {'fault' if faults == 1 else 'faults'}; mend what the lines above say")


if __name__ == "__main__":
    _setup.run(main)
