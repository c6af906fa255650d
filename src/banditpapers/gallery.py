"""The page that leads to every exhibit, and the manifest of what is committed."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from banditpapers.files import file_digest, write_json, write_text

# sidecars name CPU seconds, which differ from run to run: they are read by people and not compared by bytes
COMPARED = (".svg", ".png", ".csv", ".md", ".tex")


def compared(path: Path) -> bool:
    """Whether a published file is the same bytes on every run: all but sidecars and the manifest itself. The audit's JSON is no sidecar."""
    return path.suffix in COMPARED or (path.parent.name == "audit" and path.suffix == ".json")


def page(papers: Sequence[str], figures: Path, scale: str) -> str:
    """The gallery as Markdown, with paths relative to the folder of figures."""
    parts = [
        f"# Gallery, {scale} scale",
        "",
        "Made by the workflow; each exhibit's JSON says from which cells, seeds, code and versions.",
        "",
    ]
    parts += ["## Audit", "", (figures / "audit" / "summary.md").read_text(encoding="utf-8"), "[All claims](audit/claims.csv)", ""]
    for paper in papers:
        experiment = import_module(f"banditpapers.papers.{paper}.experiment")
        parts += [f"## {experiment.TITLE}", ""]
        for name, exhibit in experiment.EXHIBITS.items():
            parts += [f"### {paper}_{name}: {exhibit.title}", ""]
            links = [suffix for suffix in ("svg", "png", "csv", "md", "tex", "json") if (figures / paper / f"{name}.{suffix}").exists()]
            parts += [" · ".join(f"[{suffix}]({paper}/{name}.{suffix})" for suffix in links), ""]
            caption = import_module(f"banditpapers.papers.{paper}.exhibits.{name}").CAPTION
            parts += [f"![{exhibit.title}]({paper}/{name}.png)", "", caption, ""] if exhibit.kind == "figure" else [caption, ""]
    return "\n".join(parts)


def manifest(figures: Path) -> str:
    """SHA-256 and path of every file that is the same bytes on every run, as `sha256sum --check` reads it."""
    files = sorted(path for path in figures.rglob("*") if compared(path))
    return "\n".join(f"{file_digest(path)}  {path.relative_to(figures).as_posix()}" for path in files)


def write(papers: Sequence[str], figures: Path, scale: str, page_path: Path, manifest_path: Path, complete: Path) -> None:
    """Write the gallery page, then the manifest that covers it, then a small file that says that all is done."""
    write_text(page_path, page(papers, figures, scale))
    write_text(manifest_path, manifest(figures))
    write_json(complete, {"papers": list(papers), "files": len(manifest(figures).splitlines()), "manifest": file_digest(manifest_path)})
