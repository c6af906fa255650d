"""Of a plan: its exhibits, algorithms of one's own among them, and the code key of everything that has to be made."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from banditpapers import claims
from banditpapers.canonical import digest
from banditpapers.cells import Cell
from banditpapers.checkout import shipped_file
from banditpapers.codekey import code_key
from banditpapers.configuration import Settings

SHOWING = "banditpapers.own.showing"


class Exhibit(NamedTuple):
    """One figure or table. `summary` names the module that makes its tidy table; `title` is for the gallery."""

    kind: str
    summary: str
    title: str


@dataclass(frozen=True)
class Keys:
    """The part of a plan that knows code."""

    settings: Settings

    @cached_property
    def papers(self) -> tuple[str, ...]:
        """The keys of the papers to regenerate."""
        return tuple(self.settings.papers)

    def experiment(self, paper: str) -> Any:
        """The module that describes a paper's cells and exhibits."""
        return import_module(f"banditpapers.papers.{paper}.experiment")

    def exhibits(self, paper: str) -> Mapping[str, Exhibit]:
        """A paper's exhibits by name."""
        found: Mapping[str, Exhibit] = self.experiment(paper).EXHIBITS
        return found

    def claims_path(self, paper: str) -> str:
        """The file of a paper's claims."""
        return shipped_file(f"config/claims/{paper}.yaml")

    @cached_property
    def claims(self) -> Mapping[str, claims.Claims]:
        """What each paper states."""
        return {paper: claims.load(Path(self.claims_path(paper))) for paper in self.papers}

    def summary_name(self, paper: str, exhibit: str) -> str:
        """The module of the paper's summaries that makes an exhibit's tidy table."""
        return self.exhibits(paper)[exhibit].summary

    @cached_property
    def own(self) -> tuple[Any, ...]:
        """The algorithms of one's own. Raises ValueError for a file that cannot be played."""
        written = self.settings.algorithms
        found: tuple[Any, ...] = import_module("banditpapers.own.entries").entries(written) if written else ()
        return found

    def own_of(self, cell: Cell) -> Any:
        """The algorithm of one's own that a cell plays; None where it plays one of ours."""
        return next((one for one in self.own if one.made(cell.algorithm)), None)

    def own_cells(self, paper: str, exhibit: str) -> list[Cell]:
        """The cells that algorithms of one's own add to an exhibit."""
        return [
            Cell(paper, world, one.cell(records))
            for one in self.own
            if paper in one.papers
            for world, records in import_module(f"banditpapers.papers.{paper}.own").worlds(
                exhibit, self.settings.grids[paper], self.claims[paper], one
            )
        ]

    def own_parameters(self, paper: str, exhibit: str) -> list[dict[str, Any]]:
        """What an exhibit's summary must know of the algorithms of one's own in it."""
        there = {one.label for cell in self.own_cells(paper, exhibit) if (one := self.own_of(cell))} if self.own else set()
        return [one.described for one in self.own if one.label in there]

    def simulation_code(self, cell: Cell) -> str:
        """The code key of a cell's simulation: its algorithm, its environment, the streams and the loop over replicates."""
        one, environment = self.own_of(cell), str(cell.environment["name"])
        if one:
            adapter = None if one.compiled else one.interface.adapter
            return str(import_module("banditpapers.own.keys").simulation_key(one.file, adapter, environment))
        return _simulation_code(cell.algorithm["name"], environment)

    def summary_code(self, paper: str, exhibit: str) -> str:
        """The code key of an exhibit's tidy table."""
        summary = f"banditpapers.papers.{paper}.summaries.{self.summary_name(paper, exhibit)}"
        own = (f"banditpapers.papers.{paper}.own", SHOWING) if self.own_parameters(paper, exhibit) else ()
        return code_key(summary, "banditpapers.runs", *own, alone=("banditpapers.exhibits",))

    def exhibit_code(self, paper: str, exhibit: str) -> str:
        """The code key of an exhibit's drawing or layout."""
        own = (f"banditpapers.papers.{paper}.own", SHOWING) if self.own_parameters(paper, exhibit) else ()
        return code_key(f"banditpapers.papers.{paper}.exhibits.{exhibit}", "banditpapers.exhibits", *own)

    def ratings_code(self) -> str:
        """The code key of the ratings' tables."""
        return code_key("banditpapers.data.making")

    def audit_code(self) -> str:
        """The code key of the audit."""
        return code_key("banditpapers.audit", "banditpapers.differences", "banditpapers.findings", "banditpapers.accepted")

    def gallery_code(self) -> str:
        """The code key of the gallery page."""
        return code_key("banditpapers.gallery")

    def titles_key(self) -> str:
        """Changes when the headings of the gallery page do; its captions stand in the exhibits' sidecars."""
        titles = [[self.experiment(paper).TITLE, *map(list, self.exhibits(paper).items())] for paper in self.papers]
        return digest(titles).hex()[:16]


@cache
def _simulation_code(algorithm: str, environment: str) -> str:
    modules = (f"banditpapers.algorithms.{algorithm}", f"banditpapers.environments.{environment}", "banditpapers.seeding")
    return code_key(*modules, alone=("banditpapers.simulation", "banditpapers.guard", "banditpapers.records"))
