"""What stands after --configfile and --config, read strictly before Snakemake reads it itself; the default profile calls this.

Snakemake's own reading comes before a line of the Snakefile. It answers a slip in such a file with a traceback, or with a sentence that
names neither file nor line, and it runs the Python that a file with the key `__use_yte__` may contain.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from banditpapers.configuration import KEYS, ConfigurationError, refuse_files
from banditpapers.fields import shown

KEY = r"[a-zA-Z_][\w-]*\w="  # what Snakemake takes for a key


def check(arguments: Sequence[str]) -> None:
    """End with exit code 1 and one sentence per fault when these arguments of Snakemake name a file that cannot be read, or no pair."""
    line = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    line.add_argument("--configfile", "--configfiles", dest="files", nargs="+", type=Path, default=[])
    line.add_argument("--config", "-C", dest="pairs", nargs="*", default=[])
    try:
        found = line.parse_known_args(list(arguments))[0]
        refuse_files(found.files)
        for pair in found.pairs:
            if not re.match(KEY, pair):
                remedy = f'such as master_seed=7 or "lp2s={{realizations: 20}}", with one of the keys {", ".join(KEYS)}'
                raise ConfigurationError(f"--config: found {shown(pair)}; write KEY=VALUE, {remedy}")
    except ConfigurationError as error:
        sys.exit(f"the configuration is refused:\n{error}")
    except argparse.ArgumentError:
        return  # --configfile without a file: Snakemake says so
