"""What an exhibit is, and how its files come to be: tidy table in, picture or table out, with a sidecar that says where it came from.

A paper's `experiment.py` describes its exhibits in one mapping; `papers/<paper>/summaries/<summary>.py` makes the tidy table and
`papers/<paper>/exhibits/<name>.py` draws or tabulates it. They are found by these names.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from banditpapers import claims, records
from banditpapers.files import file_digest, write_json, write_text
from banditpapers.runs import read

SHOWN = {"figure": ("svg", "png", "csv"), "table": ("csv", "md", "tex")}  # an exhibit's files besides its sidecar
PROVENANCE = (  # what every sidecar says
    "exhibit", "caption", "cells", "replicates_planned", "replicates", "master_seed", "parameters", "claims", "summary_code",
    "exhibit_code", "lock", "versions", "machine", "cpu_seconds", "files",
)  # fmt: skip
DIGITS = 9  # significant digits of what is shown: a last-bit difference on another machine changes no file


def rounded(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its floating-point columns at 9 significant digits."""
    shown = table.copy()
    for name in shown.columns[[kind.kind == "f" for kind in shown.dtypes]]:
        shown[name] = [float(f"{value:.{DIGITS}g}") + 0.0 for value in shown[name].to_numpy(dtype=float)]  # + 0.0: no negative zero
    return shown


def summarise(
    paper: str,
    summary: str,
    runs: Sequence[Path],
    replicates: int,
    parameters: Mapping[str, Any],
    claims_path: Path,
    code: str,
    output: Path,
) -> None:
    """Make an exhibit's tidy table from its runs and write it with what its sidecar will say.

    Raises ValueError where no replicate of a cell finished.
    """
    found = read(runs, replicates)
    for cell in found.cells:
        if not cell.finished:
            raise ValueError(
                f"none of the {cell.planned} replicates of {cell.cell.id} finished, so that there is nothing to show; the metadata of its "
                f"blocks in {runs[0].parent.parent / cell.cell.id} says why"
            )
    make = import_module(f"banditpapers.papers.{paper}.summaries.{summary}").summarise
    stated = claims.load(claims_path)
    table: pd.DataFrame = rounded(make(found, parameters, stated))
    about = {**found.about, "replicates_planned": replicates, "parameters": parameters, "claims": stated.key, "summary_code": code}
    records.write(output, pa.Table.from_pandas(table, preserve_index=False), about)


def tidy(path: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A tidy table and its provenance. Raises DamagedRecordError for a damaged file."""
    table, about = records.read(path)
    return table.to_pandas(), about


def publish(paper: str, name: str, kind: str, source: Path, claims_path: Path, code: str, prefix: Path) -> None:
    """Write an exhibit's files beside `prefix`: svg, png and csv of a figure; csv, md and tex of a table; and the sidecar, last.

    The sidecar names the bytes of the others, so that each exhibit shows by itself whether it was altered.
    """
    table, about = tidy(source)
    module = import_module(f"banditpapers.papers.{paper}.exhibits.{name}")
    write_text(prefix.with_suffix(".csv"), csv_text(table))
    if kind == "figure":
        save = import_module("banditpapers.plotting").save  # matplotlib starts slowly, and most jobs draw nothing
        picture = module.draw(table)
        for suffix in (".svg", ".png"):
            save(picture, prefix.with_suffix(suffix))
    else:
        layout: Callable[[pd.DataFrame, claims.Claims], list[Panel]] = module.tabulate
        panels = layout(table, claims.load(claims_path))
        write_text(prefix.with_suffix(".md"), markdown(module.CAPTION, panels))
        write_text(prefix.with_suffix(".tex"), latex(module.CAPTION, panels))
    about = {key: value for key, value in about.items() if key != "content"}
    about |= {"exhibit": f"{paper}/{name}", "caption": module.CAPTION, "exhibit_code": code}
    about["files"] = {path.name: file_digest(path) for path in (prefix.with_suffix(f".{suffix}") for suffix in SHOWN[kind])}
    write_json(prefix.with_suffix(".json"), about)


def csv_text(table: pd.DataFrame) -> str:
    """CSV with one spelling per number: the shortest text that reads back as the same 9-digit number; an empty field is 'no number'."""
    return table.map(_spelled).to_csv(index=False, lineterminator="\n")


def _spelled(value: Any) -> Any:
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.{DIGITS}g}".replace("-0", "0") if value == 0 else f"{value:.{DIGITS}g}"
    return value


def counted(row: Mapping[Any, Any]) -> str:
    """n of a row of a tidy table, as it is printed: "exact" of what is computed, "10", or "7/10" where three replicates failed."""
    if not row["planned"]:
        return "exact"
    return str(row["planned"]) if row["finished"] == row["planned"] else f"{row['finished']}/{row['planned']}"


@dataclass(frozen=True)
class Panel:
    """One block of a printed table: a heading, column names and rows of text."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def markdown(caption: str, panels: Sequence[Panel]) -> str:
    """The table for a web page."""
    parts = [_plain(caption), ""]
    for panel in panels:
        lines = [[_plain(cell).replace("|", "\\|") for cell in row] for row in (panel.columns, *panel.rows)]
        header, *rows = [f"| {' | '.join(cells)} |" for cells in lines]
        parts += [f"**{_plain(panel.heading)}**", "", header, "|" + "---|" * len(panel.columns), *rows, ""]
    return "\n".join(parts)


# "[" is shielded because it would be the optional argument of the row's end before it
LATEX = {
    "&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}", "\\": r"\textbackslash{}",
    "^": r"\^{}", "~": r"\~{}", "[": "{[}", "±": r"$\pm$", "≥": r"$\geq$", "≤": r"$\leq$", "−": "$-$", "·": r"$\cdot$",
    "×": r"$\times$", "—": "---", "–": "--",
}  # fmt: skip


def latex(caption: str, panels: Sequence[Panel]) -> str:
    """The table for a paper: booktabs rules, one tabular per panel."""

    def clean(text: str) -> str:
        return "".join(LATEX.get(letter, letter) for letter in _one_line(text))

    parts = [r"\begin{table}", r"\centering", rf"\caption{{{clean(caption)}}}"]
    for panel in panels:
        parts += [rf"\par\medskip {clean(panel.heading)}\par", rf"\begin{{tabular}}{{{'l' * len(panel.columns)}}}", r"\toprule"]
        parts += [" & ".join(clean(name) for name in panel.columns) + r" \\", r"\midrule"]
        parts += [" & ".join(clean(cell) for cell in row) + r" \\" for row in panel.rows]
        parts += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*parts, r"\end{table}"])


def _plain(text: str) -> str:
    """Text of which no web page makes an element: "p < 0.05" stays, "<b" does not."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def parameters_json(parameters: Mapping[str, Any]) -> str:
    """Parameters as the command line carries them."""
    return json.dumps(parameters, sort_keys=True, separators=(",", ":"))
