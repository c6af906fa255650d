# The configuration, read strictly, and the plan that follows from it. The rules ask the plan; they hold no logic.
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path.insert(0, str(Path(workflow.basedir) / "src"))
from banditpapers import configuration, planning, progress

PY = sys.executable

try:
    SETTINGS = configuration.load(
        [*configuration.shipped(Path(workflow.basedir)), *workflow.overwrite_configfiles],
        workflow.config_settings.config,
    )
    PLAN = planning.Plan(SETTINGS)
    BLOCKS = PLAN.blocks
except ValueError as error:
    raise WorkflowError(str(error))

RESULTS, FIGURES = SETTINGS.results, SETTINGS.figures
PROGRESS = f"{RESULTS}/progress.json"


wildcard_constraints:
    paper="|".join(PLAN.papers),
    cell="[A-Za-z0-9._-]+",
    first="[0-9]+",
    last="[0-9]+",
    figure="|".join(PLAN.names("figure")),
    table="|".join(PLAN.names("table")),
    exhibit="|".join(PLAN.names("figure") + PLAN.names("table")),


onstart:
    progress.begin(Path(PROGRESS), PLAN.described(), workflow)
