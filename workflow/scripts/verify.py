"""Check a tree of figures against its manifest, its sidecars, this checkout and the configuration, exhibit by exhibit.

python workflow/scripts/verify.py                                                    the configured folder of figures
python workflow/scripts/verify.py results/quick/figures --configfile config/quick.yaml
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import _plan
import _setup

from banditpapers import verification


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one line per exhibit on standard output; exit code 1 when one is altered or missing (with --strict also stale)."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("folder", type=Path, nargs="?", help="the folder with the manifest")
    line.add_argument("--strict", action="store_true", help="stale exhibits fail, too")
    line.add_argument("--json", action="store_true", help="print one JSON object")
    _plan.add_arguments(line)
    options = line.parse_args(arguments)
    folder = None if options.folder is None else Path(os.path.relpath(options.folder, _setup.ROOT))
    with _plan.checkout(options) as plan:
        verdicts = verification.verify(plan, folder or Path(plan.settings.figures))
    counts = {state: sum(verdict.state == state for verdict in verdicts) for state in verification.STATES}
    if options.json:
        print(json.dumps({"counts": counts, "exhibits": [verdict._asdict() for verdict in verdicts]}, indent=1))
    else:
        for verdict in verdicts:
            print(f"{verdict.state:8} {verdict.exhibit}" + (f": {'; '.join(verdict.reasons)}" if verdict.reasons else ""))
        print(", ".join(f"{count} {state}" for state, count in counts.items()))
    if counts["altered"] or counts["missing"]:
        raise ValueError(
            "figures are altered or missing; delete them and run snakemake --cores all, or restore them as they were committed"
        )
    if counts["stale"]:
        sentence = "some figures are stale: other code, configuration or lock file made them; run snakemake --cores all"
        if options.strict:
            raise ValueError(sentence)
        print(f"warning: {sentence}", file=sys.stderr)


if __name__ == "__main__":
    _setup.run(main)
