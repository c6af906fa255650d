"""Snakemake's own report of a finished run: every exhibit below its paper, with its caption, and the audit."""

import html
import json
import re
import zipfile
from importlib import import_module

from checkout import PAPERS, RESULTS, TINY

from banditpapers import captions


def test_the_report_has_every_exhibit_with_its_caption_below_its_paper(finished, tmp_path):
    path = tmp_path / "report.zip"
    finished.run("--report", str(path), *TINY)
    with zipfile.ZipFile(path) as archive:
        page = next(archive.read(name).decode("utf-8") for name in archive.namelist() if name.endswith("report.html"))
    results, categories = (json.loads(re.search(rf"var {name} = (\{{.*\}});", page).group(1)) for name in ("results", "categories"))
    assert set(categories) == {*PAPERS, "audit"}
    for paper in PAPERS:
        for name, exhibit in import_module(f"banditpapers.papers.{paper}.experiment").EXHIBITS.items():
            for suffix in ("svg", "csv") if exhibit.kind == "figure" else ("md", "csv"):
                result = results[f"{RESULTS}/figures/{paper}/{name}.{suffix}"]
                words = " ".join(html.unescape(re.sub(r"<[^>]+>", "", result["caption"])).split())
                assert words.startswith(" ".join(captions.caption(paper, name).split()))
                assert words.endswith(f"Made again by snakemake --cores 8 {paper}_{name}.")
                assert result["labels"] == {"exhibit": name, "file": suffix}
    assert "under every reading" in results[f"{RESULTS}/figures/audit/index.html"]["caption"]
