# The configuration, read strictly, and the plan that follows from it. The rules ask the plan; they hold no logic.
# Another workflow may use all of this as a module: docs/how_to/module.md.
import os
import shlex
import sys
from importlib import import_module
from math import ceil
from pathlib import Path

# not workflow.basedir, which in a module is the folder of the other workflow
ROOT = Path(workflow.current_basedir.get_path_or_uri(False)).parents[1]
MODULE = not workflow.modifier.is_main_snakefile()
sys.path.insert(0, str(ROOT / "src"))
from banditpapers import codekey, configuration, planning, progress, refusals
from banditpapers import submission as sizes
from banditpapers.checkout import shipped_file
from banditpapers.files import sweep

codekey.keep_compiled_code(ROOT)

# scripts are those of this checkout and run in the Python that runs Snakemake, whether or not its environment is activated; a prefix is no
# part of what a job's provenance compares, so that another place of either reruns nothing. In a module it holds for the other workflow's
# rules, too: theirs call the python that they know
PYTHON, SCRIPTS = (
    shlex.quote(str(path)).replace("{", "{{").replace("}", "}}")
    for path in (sys.executable, os.path.relpath(ROOT))
)
shell.prefix(
    "set -euo pipefail; python() {{ case ${{1-}} in workflow/scripts/*) "
    + f'{PYTHON} {SCRIPTS}/"$@"'
    + ';; *) command python "$@";; esac; }}; '
)

try:
    SETTINGS = configuration.load(
        [
            *configuration.shipped(ROOT),
            # a module's configuration is what the other workflow hands over, and nothing else
            *([] if MODULE else workflow.overwrite_configfiles),
        ],
        config if MODULE else workflow.config_settings.config,
    )
    PLAN = planning.Plan(SETTINGS)
    refusals.refuse(PLAN, [] if MODULE else sys.argv[1:])
    BLOCKS = PLAN.blocks
    PIONEERS = sizes.pioneers(BLOCKS.values())
    if PLAN.own:
        # jobs are told by the environment: where a file lies is no part of what it makes
        import_module("banditpapers.own.playing").hand_over(PLAN.own)
except (ValueError, OSError) as error:
    sys.exit(f"the configuration is refused:\n{error}")

RESULTS, FIGURES = SETTINGS.results, SETTINGS.figures


wildcard_constraints:
    paper="|".join(PLAN.papers),
    cell="[A-Za-z0-9._-]+",
    first="[0-9]+",
    last="[0-9]+",
    figure="|".join(PLAN.names("figure")),
    table="|".join(PLAN.names("table")),
    exhibit="|".join(PLAN.names("figure") + PLAN.names("table")),


def block(wildcards):
    path = f"{wildcards.paper}/runs/{wildcards.cell}/{wildcards.first}-{wildcards.last}"
    return BLOCKS[f"{RESULTS}/{path}.parquet"]


def cell_json(wildcards):
    return block(wildcards).cell.json


def simulation_code(wildcards):
    return PLAN.simulation_code(block(wildcards).cell)


def longest_first(wildcards):
    # compiling takes up to 15 seconds, and two blocks of one algorithm that start together compile it twice
    found = block(wildcards)
    return round(found.seconds) + (
        ceil(SETTINGS.block.seconds) * 1000 if found in PIONEERS else 0
    )


def submission(wildcards):
    # blocks of about the same forecast share a submission to a cluster; its profile says how many of each kind
    if not getattr(workflow.group_settings, "group_components", None):
        return None
    return sizes.kind(block(wildcards).seconds)


def minutes(wildcards, attempt):
    seconds = block(wildcards).seconds
    if submission(wildcards):
        # many blocks, one after the other: their sum leaves room for a replicate that meets its limit
        return 2 ** (attempt - 1) * max(1, ceil(seconds / 15))
    # a replicate is to meet its own limit before the job meets this one
    limit = SETTINGS.block.replicate_seconds // 60
    return 2 ** (attempt - 1) * (2 + ceil(seconds / 20)) + limit


def local_ratings(wildcards):
    # another file there makes another table; what is no file is refused by the job, in a sentence
    path = getattr(SETTINGS.data, wildcards.ratings)
    return [path] if path and Path(path).is_file() else []


def shown(path, kind):
    # a file in Snakemake's report, below its paper
    name, suffix = Path(path).stem, Path(path).suffix
    return report(
        path,
        caption="../report/exhibit.rst",
        category="{paper}",
        subcategory=kind,
        labels={"exhibit": name, "file": suffix.removeprefix(".")},
    )


onstart:
    sweep(Path(RESULTS), Path(FIGURES))
    progress.begin(Path(RESULTS) / "progress.json", PLAN.described(), workflow)
