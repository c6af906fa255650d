"""One replicate of one cell, simulated again and held against the block that has it: what an odd number in a table is traced to."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from banditpapers import records, simulation
from banditpapers.cells import Cell
from banditpapers.planning import Plan

LISTED = 5  # cells that a refusal names


@dataclass(frozen=True)
class Replay:
    """A replicate as it comes out now, and each stored block that has it with what differs there ("" when no bit does)."""

    cell: Cell
    replicate: int
    rows: tuple[Mapping[str, Any], ...]
    failure: str | None
    stored: Mapping[str, str]

    @property
    def equal(self) -> bool:
        """Whether no stored block differs; nothing stored counts as equal."""
        return not any(self.stored.values())


def cells_of(plan: Plan, target: str) -> dict[Cell, int]:
    """The cells of a named target (`lp2s_table2`, or a paper: `lp2s`) with their planned replicates. Raises ValueError."""
    exhibits = {f"{paper}_{exhibit}": (paper, exhibit) for paper in plan.papers for exhibit in plan.exhibits(paper)}
    chosen = [pair for name, pair in exhibits.items() if target in (name, pair[0])]
    if not chosen:
        known = [*plan.papers, *exhibits]
        close = get_close_matches(target, known, n=1)
        raise ValueError(
            f"there is no target {target!r}; " + (f"did you mean {close[0]!r}?" if close else f"write one of {', '.join(known)}")
        )
    found: dict[Cell, int] = {}
    for paper, exhibit in chosen:
        for cell in {plan.blocks[path].cell for path in plan.runs(paper, exhibit)}:
            found[cell] = max(found.get(cell, 0), plan.replicates(paper, exhibit))
    return dict(sorted(found.items(), key=lambda item: item[0].id))


def find(cells: Sequence[Cell], text: str, target: str) -> Cell:
    """The cell with this id, else the only one whose id begins with the text, else the only one whose id holds it. Raises ValueError."""
    if not cells:
        raise ValueError(f"{target} has no cells: nothing in it is simulated; write another target")
    for fits in (lambda name: name == text, lambda name: name.startswith(text), lambda name: text in name):
        found = [cell for cell in cells if fits(cell.id)]
        if len(found) == 1:
            return found[0]
        if found:
            named = ", ".join(cell.id for cell in found[:LISTED]) + (", ..." if len(found) > LISTED else "")
            which = (
                f"{len(found)} cells of {target} fit {text!r}; write more of"
                if text
                else f"{target} has {len(found)} cells; write --cell with"
            )
            raise ValueError(f"{which} one of these: {named}")
    raise ValueError(f"no cell of {target} fits {text!r}; write --cell with one of those that the command lists without --cell")


def number(text: str) -> int:
    """A replicate's number as it is written on a command line. Raises ValueError."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"the replicate is {text!r}; write a whole number from 0, such as --replicate 17")
    return int(text)


def replay(plan: Plan, cell: Cell, replicate: int) -> Replay:
    """Simulate the replicate with the configured master seed and compare it with every block of the results that has it.

    Raises ValueError when the cell plays on ratings whose table is not there.
    """
    ratings = plan.ratings_table(cell)
    data = Path(ratings) if ratings else None
    block = simulation.simulate(cell, plan.settings.master_seed, replicate, replicate, plan.settings.block.replicate_seconds, data)
    table = simulation.table(block)
    failure = block.failures.get(str(replicate))
    folder = Path(plan.settings.results) / cell.paper / "runs" / cell.id
    stored = {}
    for path in sorted(folder.glob("*-*.parquet")):
        span = re.fullmatch(r"([0-9]+)-([0-9]+)", path.stem)
        if span and int(span[1]) <= replicate <= int(span[2]):
            kept, about = records.read(path)
            stored[str(path)] = _difference(table, failure, kept, about, replicate, plan, block)
    return Replay(cell, replicate, tuple(table.to_pylist()), failure, stored)


def _difference(
    table: pa.Table, failure: str | None, kept: pa.Table, about: Mapping[str, Any], replicate: int, plan: Plan, block: simulation.Block
) -> str:
    """How the stored rows differ from those of now, and why they may; empty when they do not."""
    what = _rows_differ(table, kept.filter(pc.equal(kept.column("replicate"), replicate)))
    if failure != about["failures"].get(str(replicate)):
        what = f"it failed then ({about['failures'].get(str(replicate))}) and now ({failure})"
    if not what:
        return ""
    seed, code, now = plan.settings.master_seed, plan.simulation_code(block.cell), records.made_with()
    reasons = [f"its master seed is {about['master_seed']}, not {seed}"] if about["master_seed"] != seed else []
    reasons += [f"it was made by other code ({about['code']}, now {code})"] if about["code"] != code else []
    reasons += ["it was played on other data"] if about.get("data") != block.data else []
    reasons += ["it was made under another lock file"] if about.get("lock", now["lock"]) != now["lock"] else []
    reasons += ["it was made on another machine"] if about.get("machine", now["machine"]) != now["machine"] else []
    return f"{what}; " + (" and ".join(reasons) or "seed, code, lock file and machine are the same")


def _rows_differ(table: pa.Table, kept: pa.Table) -> str:
    if table.column_names != kept.column_names or len(table) != len(kept):
        return f"it has {len(kept)} rows of {len(kept.column_names)} columns there and {len(table)} of {len(table.column_names)} here"
    now, then = table.to_pylist(), kept.to_pylist()
    for here, there in zip(now, then, strict=True):
        for name, value in here.items():
            if _bits(value) != _bits(there[name]):
                return f"{name} at checkpoint {here['checkpoint']}, rule {here['rule']} is {there[name]!r} there and {value!r} here"
    return ""


def _bits(value: Any) -> Any:
    """What is compared: of a float all of its bits, in which NaN equals itself and -0.0 is not 0.0."""
    return np.float64(value).tobytes() if isinstance(value, float) else value


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for JSON, which has no word for NaN and infinities: they stand as text."""
    return {name: str(value) if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}
