"""What is refused before a run although the configuration is well-formed: folders, sizes, and targets that there are not.

Each raises ValueError with one sentence: what was found, and what to write instead.
"""

import os
import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from banditpapers.configuration import PAPERS
from banditpapers.planning import Plan

MOST_LETTERS = 100_000  # a command ends at 131,072 bytes on Linux


def refuse(plan: Plan, words: Sequence[str] = ()) -> None:
    """All of it; `words` is the command line."""
    folders(plan)
    sizes(plan)
    targets(plan, words)


def folders(plan: Plan) -> None:
    """Raises ValueError where the folder of results or figures cannot be made or written into."""
    for folder in (plan.settings.results, plan.settings.figures):
        nearest = next(path for path in (Path(folder), *Path(folder).parents) if path.exists())
        if not nearest.is_dir():
            raise ValueError(f"{nearest} is a file, but {folder} is to be a folder; move the file or write another folder")
        if not os.access(nearest, os.W_OK):
            raise ValueError(
                f"{nearest} cannot be written into, but {folder} is to be filled; correct its permissions or write another folder"
            )


def sizes(plan: Plan) -> None:
    """Raises ValueError where a job's command would be too long to be run."""
    for paper in plan.papers:
        cells = [block.cell.json for block in plan.blocks.values() if block.cell.paper == paper]
        lengths = [sum(map(len, (*plan.spans(paper, name), plan.parameters(paper, name)))) for name in plan.exhibits(paper)]
        if max([*map(len, cells), *lengths]) > MOST_LETTERS:
            raise ValueError(f"found too many values in the grid of {paper} for one command to name; write fewer")


def targets(plan: Plan, words: Sequence[str]) -> None:
    """Raises ValueError for a word that looks like a paper or an exhibit where there is no such target.

    For other words Snakemake's own sentence has to do.
    """
    known = plan.targets()
    for word in words:
        paper = re.fullmatch(rf"({'|'.join(PAPERS)})(?:_\w+)?", word)
        if not paper or word in known or Path(word).exists():
            continue
        if paper[1] not in plan.papers:
            raise ValueError(f"found the target {word}, but papers has only {', '.join(plan.papers)}; write {paper[1]} there, too")
        own = [name for name in known if name.startswith(f"{paper[1]}_")]
        close = get_close_matches(word, own, n=1, cutoff=0.8)
        hint = f"did you mean {close[0]}?" if close else f"write one of {', '.join(own)}"
        raise ValueError(f"found the target {word}, which there is not; {hint}")
