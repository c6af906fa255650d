"""Judge every claim of the papers by the tidy tables of their exhibits."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import audit, differences, document, findings
from banditpapers.checkout import shipped_file
from banditpapers.exhibits import tidy
from banditpapers.files import write_json, write_text


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, files out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--papers", required=True, help="paper keys, separated by commas")
    line.add_argument("--claims", type=Path, default=Path(shipped_file("config/claims")), help="folder of the claims")
    line.add_argument("--results", type=Path, required=True)
    line.add_argument("--output", type=Path, required=True)
    line.add_argument("--summary", type=Path, required=True)
    line.add_argument("--json", type=Path, required=True, help="the same for other programs")
    line.add_argument("--schema", type=Path, required=True, help="what that obeys")
    line.add_argument("--findings", type=Path, default=Path(shipped_file("config/findings")), help="folder of what is open or differs")
    line.add_argument("--differences", type=Path, required=True, help="the page on where paper and measurement differ")
    line.add_argument("--scale", required=True)
    line.add_argument("--complete", type=Path, required=True)
    options = line.parse_args(arguments)
    papers = options.papers.split(",")
    table = audit.audit(papers, options.results, {paper: options.claims / f"{paper}.yaml" for paper in papers})
    words = [findings.load(options.findings / f"{paper}.yaml") for paper in papers]
    apart = [entry for paper in words for entry in findings.differences(paper, table)]
    registers = [
        entry
        for paper in words
        for entry in findings.registers(paper, table, lambda key, exhibit: tidy(options.results / key / f"{exhibit}.parquet")[0])
    ]
    whole = document.document(table, papers, options.scale, apart, registers)
    write_json(options.json, whole)
    write_text(options.differences, differences.page(whole))
    write_json(options.schema, document.schema())
    audit.write(table, options.output, options.summary, options.complete)


if __name__ == "__main__":
    _setup.run(main)
