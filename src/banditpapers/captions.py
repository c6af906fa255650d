"""What stands below an exhibit, in the gallery and in Snakemake's report: its caption, its n and its counterpart in the paper."""

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

NAMED = re.compile(r"^(?:Figure|Table) \d+(?= of the paper)")
MOST = 6  # places of a paper that are named before the rest is counted


def caption(paper: str, name: str) -> str:
    """The caption of an exhibit."""
    return str(import_module(f"banditpapers.papers.{paper}.exhibits.{name}").CAPTION)


def replicates(about: Mapping[str, Any]) -> str:
    """n of an exhibit, from its sidecar: planned, and where some did not finish the fewest that did."""
    if not about["cells"]:
        return "no replicates of its own (see the caption)"
    planned, fewest = about["replicates_planned"], min(cell["finished"] for cell in about["cells"])
    return f"n = {planned}" if fewest >= planned else f"n = {fewest} to {planned}"


def counterpart(text: str, places: Sequence[str]) -> str:
    """What an exhibit stands beside in the paper: the figure or table that its caption names, then the places of the claims it measures."""
    named = NAMED.match(text)
    heads = [re.split(r"[,;:]", place)[0] for place in places]
    found = list(dict.fromkeys([*([named.group()] if named else []), *heads]))
    if not found:
        return "no counterpart in the paper"
    more = f" and {len(found) - MOST} more places" if len(found) > MOST else ""
    return f"in the paper: {', '.join(found[:MOST])}{more}"


def restructured(papers: Sequence[str]) -> str:
    """All captions as reStructuredText, each between `[paper_name]` and `[end]`: what a report's caption includes its own from."""
    parts = []
    for paper in papers:
        for name in import_module(f"banditpapers.papers.{paper}.experiment").EXHIBITS:
            text = re.sub(r"([\\*`|_\[\]<>])", r"\\\1", caption(paper, name))
            parts += [f".. [{paper}_{name}]", "", text, "", ".. [end]", ""]
    return "\n".join(parts)
