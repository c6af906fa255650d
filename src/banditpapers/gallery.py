"""The page that leads to every exhibit, and the manifest of what is committed."""

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from banditpapers import captions
from banditpapers.files import file_digest, write_json, write_text

# sidecars name CPU seconds, which differ from run to run: they are read by people and not compared by bytes
COMPARED = (".svg", ".png", ".csv", ".md", ".tex", ".html")
Judged = Mapping[str, Sequence[Mapping[str, str]]]  # the claims that an exhibit measures, each under its first reading


def compared(path: Path) -> bool:
    """Whether a published file is the same bytes on every run: all but sidecars and the manifest itself. The audit's JSON is no sidecar."""
    return path.suffix in COMPARED or (path.parent.name == "audit" and path.suffix == ".json")


def page(papers: Sequence[str], figures: Path, scale: str) -> str:
    """The gallery as Markdown, with paths relative to the folder of figures."""
    parts = [
        f"# Gallery, {scale} scale",
        "",
        "Made by the workflow. Each exhibit stands below the target that makes it, with its n and its counterpart in the paper; its JSON "
        "says from which cells, seeds, code and versions.",
        "",
    ]
    parts += ["## Audit", "", "**[Every claim on one page](audit/index.html)** (open it in a browser)", ""]
    parts += [(figures / "audit" / "summary.md").read_text(encoding="utf-8"), "[All claims](audit/claims.csv)", ""]
    judged = _judged(figures / "audit" / "claims.csv")
    for paper in papers:
        experiment = import_module(f"banditpapers.papers.{paper}.experiment")
        parts += [f"## {experiment.TITLE}", ""]
        for name, exhibit in experiment.EXHIBITS.items():
            parts += [f"### {paper}_{name}: {exhibit.title}", "", _about(paper, name, figures, judged), ""]
            links = [suffix for suffix in ("svg", "png", "csv", "md", "tex", "json") if (figures / paper / f"{name}.{suffix}").exists()]
            parts += [" · ".join(f"[{suffix}]({paper}/{name}.{suffix})" for suffix in links), ""]
            caption = captions.caption(paper, name)
            parts += [f"![{exhibit.title}]({paper}/{name}.png)", "", caption, ""] if exhibit.kind == "figure" else [caption, ""]
    return "\n".join(parts)


def _judged(path: Path) -> Judged:
    found: dict[str, list[Mapping[str, str]]] = {}
    seen = set()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (row["paper"], row["id"]) not in seen:
                seen.add((row["paper"], row["id"]))
                found.setdefault(row["exhibit"], []).append(row)
    return found


def _about(paper: str, name: str, figures: Path, judged: Judged) -> str:
    """The target, n, the counterpart in the paper and the verdicts of an exhibit, in one line."""
    claims = judged.get(f"{paper}/{name}", [])
    sidecar = json.loads((figures / paper / f"{name}.json").read_text(encoding="utf-8"))
    parts = [f"`snakemake --cores 8 {paper}_{name}`", captions.replicates(sidecar)]
    parts.append(captions.counterpart(captions.caption(paper, name), [claim["where"] for claim in claims]))
    if claims:
        counted = ", ".join(f"{count} {verdict}" for verdict, count in Counter(claim["verdict"] for claim in claims).most_common())
        parts.append(f"[{len(claims)} claim{'s' if len(claims) > 1 else ''}](audit/index.html#exhibit={paper}/{name}): {counted}")
    return " · ".join(parts)


def manifest(figures: Path) -> str:
    """SHA-256 and path of every file that is the same bytes on every run, as `sha256sum --check` reads it."""
    files = sorted(path for path in figures.rglob("*") if compared(path))
    return "\n".join(f"{file_digest(path)}  {path.relative_to(figures).as_posix()}" for path in files)


def write(papers: Sequence[str], figures: Path, scale: str, page_path: Path, manifest_path: Path, complete: Path) -> None:
    """Write the gallery page, then the manifest that covers it, then a small file that says that all is done."""
    write_text(page_path, page(papers, figures, scale))
    write_text(manifest_path, manifest(figures))
    write_json(complete, {"papers": list(papers), "files": len(manifest(figures).splitlines()), "manifest": file_digest(manifest_path)})
