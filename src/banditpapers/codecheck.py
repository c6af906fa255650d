"""A finished run as a CODECHECK manifest (configuration file specification 1.0): `codecheck.yml` at the top of the checkout.

The manifest lists what a codechecker's own run must make again. Until there is one, the file says truthfully who has checked: the workflow,
whose report is its audit.
"""

from pathlib import Path
from typing import Any

import yaml

from banditpapers.gallery import compared
from banditpapers.planning import Plan
from banditpapers.publication import author_name, citation, ended, orcid, results, titles

SPECIFICATION = "https://codecheck.org.uk/spec/config/1.0/"


def text(plan: Plan, last: Path) -> str:
    """The file's YAML. `last` is the file that the workflow wrote last."""
    cite = citation()
    authors = [{"name": author_name(author)} | ({"ORCID": orcid(author)} if orcid(author) else {}) for author in cite["authors"]]
    made = {path: f"{target}: {what}" for path, (target, what) in results(plan).items() if compared(Path(path))}
    found: dict[str, Any] = {
        "version": SPECIFICATION,
        "manifest": [{"file": path, "comment": comment} for path, comment in made.items()],
        "paper": {"title": cite["title"], "authors": authors, "reference": f"Regenerates: {'; '.join(titles(plan))}"},
        "codechecker": [{"name": "The workflow itself; no independent codechecker has run it yet"}],
        "report": f"{plan.settings.figures}/audit/summary.md",
        "summary": (
            f"The workflow made the {len(made)} files of the manifest at {plan.settings.scale} scale and judged every claim of the papers; "
            "the report counts the verdicts. Sidecars name CPU seconds and machine, differ from run to run, and are left out."
        ),
        "check_time": ended(last).strftime("%Y-%m-%d %H:%M:%S"),
    }
    if cite.get("repository-code"):
        found["repository"] = str(cite["repository-code"])
    return yaml.safe_dump(found, explicit_start=True, sort_keys=False, allow_unicode=True, width=10_000)
