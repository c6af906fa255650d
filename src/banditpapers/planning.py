"""What has to be made for a configuration: exhibits, their cells, the blocks of each cell, and the names of all files.

Nothing is read here but the configuration and the claims; the workflow's rules ask this module and hold no logic of their own.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from banditpapers.canonical import canonical
from banditpapers.cells import Cell, block_size, blocks, span
from banditpapers.plan_keys import Keys

START = 1.2  # CPU seconds that a job spends before it computes: imports, and compiled code from the cache
RATINGS = 4.5  # CPU seconds in which a set of ratings becomes a table, its download included
SHOW = 1.7  # CPU seconds in which an exhibit is summarised, or drawn, from the start of the job to its end
MOST_JOBS = 20_000  # Snakemake takes minutes to look at so many
SUFFIXES = {"figure": ("svg", "png", "csv", "json"), "table": ("csv", "md", "tex", "json")}


@dataclass(frozen=True)
class Block:
    """One simulation job."""

    cell: Cell
    first: int
    last: int
    seconds: float


@dataclass(frozen=True)
class Plan(Keys):
    """Everything that follows from a configuration."""

    main_claims = "config/claims/main.yaml"  # the file of the papers' main claims

    def names(self, kind: str) -> list[str]:
        """The names of all exhibits of a kind ("figure" or "table"), of all papers."""
        return sorted({name for paper in self.papers for name, exhibit in self.exhibits(paper).items() if exhibit.kind == kind})

    def claims_key(self, paper: str) -> str:
        """Changes when a claim changes, not when a comment among the claims does."""
        return self.claims[paper].key

    def replicates(self, paper: str, exhibit: str) -> int:
        """n planned of an exhibit."""
        return int(self.experiment(paper).replicates(exhibit, self.settings.grids[paper]))

    def parameters(self, paper: str, exhibit: str) -> str:
        """What the exhibit's summary must know besides its runs, as JSON."""
        own = self.own_parameters(paper, exhibit)
        return canonical(self.experiment(paper).parameters(exhibit, self.settings.grids[paper]) | ({"own": own} if own else {}))

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str], tuple[Cell, ...]]:
        found = {}
        for paper in self.papers:
            for exhibit in self.exhibits(paper):
                cells = self.experiment(paper).cells(exhibit, self.settings.grids[paper], self.claims[paper])
                found[paper, exhibit] = tuple(sorted({*cells, *self.own_cells(paper, exhibit)}, key=lambda cell: cell.id))
        return found

    @cached_property
    def blocks(self) -> Mapping[str, Block]:
        """Every simulation job by its output file, with the replicates of the exhibit that wants most. Raises ValueError for too many."""
        wanted: dict[Cell, int] = {}
        for (paper, exhibit), cells in self._cells.items():
            wanted |= {cell: max(wanted.get(cell, 0), self.replicates(paper, exhibit)) for cell in cells}
        jobs: dict[str, Block] = {}
        for cell in sorted(wanted, key=lambda cell: cell.id):
            described = self.own_of(cell) or self.experiment(cell.paper)
            cost = described.seconds(cell)
            largest = min(self.settings.block.largest, described.largest_block(cell))
            size = block_size(cost, largest, self.settings.block.seconds)
            if len(jobs) + wanted[cell] / size > MOST_JOBS:
                raise ValueError(f"found more than {MOST_JOBS} blocks to simulate, with {cell.id}; write fewer replicates of {cell.paper}")
            for first, last in blocks(wanted[cell], size):
                path = f"{self.settings.results}/{cell.paper}/runs/{cell.id}/{first}-{last}.parquet"
                jobs[path] = Block(cell, first, last, cost * size)
        return jobs

    def runs(self, paper: str, exhibit: str) -> list[str]:
        """The files of runs that an exhibit's summary reads: the blocks that hold a replicate below its n."""
        wanted, planned = set(self._cells[paper, exhibit]), self.replicates(paper, exhibit)
        return [path for path, block in self.blocks.items() if block.cell in wanted and block.first < planned]

    def spans(self, paper: str, exhibit: str) -> list[str]:
        """The same files in one word per cell."""
        by_cell: dict[str, list[tuple[int, int]]] = {}
        for path in self.runs(paper, exhibit):
            by_cell.setdefault(os.path.dirname(path), []).append((self.blocks[path].first, self.blocks[path].last))
        return [span(folder, parts) for folder, parts in by_cell.items()]

    def summary(self, paper: str, exhibit: str) -> str:
        """The file of an exhibit's tidy table."""
        return f"{self.settings.results}/{paper}/{exhibit}.parquet"

    def summaries(self, paper: str) -> list[str]:
        """The tidy tables of all of a paper's exhibits."""
        return [self.summary(paper, exhibit) for exhibit in self.exhibits(paper)]

    def files(self, paper: str, exhibit: str) -> list[str]:
        """The files that an exhibit consists of."""
        suffixes = SUFFIXES[self.exhibits(paper)[exhibit].kind]
        return [f"{self.settings.figures}/{paper}/{exhibit}.{suffix}" for suffix in suffixes]

    def targets(self) -> dict[str, list[str]]:
        """Named targets: one per exhibit (`lp2s_table2`) and one per paper (`lp2s`).

        The tidy tables stand among the files because they are not committed: so a fresh clone with committed figures does the whole job.
        """
        found: dict[str, list[str]] = {}
        for paper in self.papers:
            for exhibit in self.exhibits(paper):
                found[f"{paper}_{exhibit}"] = [*self.files(paper, exhibit), self.summary(paper, exhibit)]
            found[paper] = [path for exhibit in self.exhibits(paper) for path in found[f"{paper}_{exhibit}"]]
        return found

    @property
    def ratings(self) -> tuple[str, ...]:
        """The sets of real ratings that the configuration's cells play on."""
        return tuple(sorted({name for block in self.blocks.values() if (name := rated(block.cell))}))

    def ratings_table(self, cell: Cell) -> str | None:
        """The file of the ratings that a cell plays on; None where it needs none."""
        name = rated(cell)
        return self.ratings_file(name) if name else None

    def ratings_file(self, name: str) -> str:
        """The file of a set's table."""
        return f"{self.settings.results}/data/{name}.parquet"

    def described(self) -> str:
        """The plan's simulation jobs as JSON: file to forecast CPU seconds, a job's start included."""
        return json.dumps({path: round(START + block.seconds, 3) for path, block in self.blocks.items()}, indent=0, sort_keys=True)


def rated(cell: Cell) -> str | None:
    """The set of real ratings that a cell's environment names; the synthetic one needs no file."""
    name = cell.environment.get("ratings")
    return None if name in (None, "stand-in") else str(name)
