"""The same bytes whatever the number of cores, the size of the blocks and the hash seed, and from build to build."""

import json
import shutil
from pathlib import Path

import pytest
from checkout import PAPERS, RESULTS, TINY, Checkout

from banditpapers import gallery, publication, records

FIGURES = {
    "lp2s": ("figure1", "figure2", "frontier", "scaling", "recommendation"),
    "drts": ("figure1", "figure1_repaired", "sensitivity", "ablation", "variants", "readings", "longer", "early", "selection"),
}
TABLES = {"lp2s": ("table1", "table2", "table3", "table4", "theory"), "drts": ("finals", "table1", "theory")}
PUBLISHED = set(publication.PAGES) | {
    f"{paper}/{name}.{suffix}"
    for exhibits, suffixes in ((FIGURES, ("svg", "png", "csv", "json")), (TABLES, ("csv", "md", "tex", "json")))
    for paper, names in exhibits.items()
    for name in names
    for suffix in suffixes
}
SOME = ("lp2s_figure2", "drts_table1")  # a figure and a table


@pytest.fixture(scope="module", params=[pytest.param(SOME, id="some"), pytest.param((), id="all", marks=pytest.mark.slow)])
def variants(finished, request) -> Checkout:
    """The preset twice more, side by side: on one core, and in smaller blocks; hash seeds differ, too."""
    one, blocks = ([f"results=results/{name}", f"figures=results/{name}/figures"] for name in ("one", "blocks"))
    for name in ("one", "blocks"):
        shutil.rmtree(finished.root / "results" / name, ignore_errors=True)
    process = finished.start("--cores", "1", *request.param, *TINY, "--config", *one, PYTHONHASHSEED="2")
    finished.run("--cores", "1", *request.param, *TINY, "--config", *blocks, "block={largest: 4}", PYTHONHASHSEED="random")
    printed, _ = process.communicate()
    assert process.returncode == 0, printed
    yield finished
    for name in ("one", "blocks"):
        shutil.rmtree(finished.root / "results" / name)


def sidecars(files):
    """The sidecars' contents but for CPU seconds, which nobody can repeat."""
    read = {name: json.loads(text) for name, text in files.items() if name.endswith(".json") and not name.startswith("audit/")}
    assert all(sidecar.pop("cpu_seconds") >= 0 for sidecar in read.values())
    return read


def same(files, others):
    """All files byte for byte, sidecars but for their CPU seconds."""
    assert files.keys() == others.keys()
    whole = [name for name in files if gallery.compared(Path(name)) or name.endswith(".sha256")]
    assert [name for name in whole if files[name] != others[name]] == []
    assert sidecars(files) == sidecars(others)
    return True


def read(checkout, folder):
    """The tables of Parquet files, and what they say of themselves but for CPU seconds."""
    found = {}
    for path in sorted((checkout.root / folder).glob("*.parquet")):
        table, about = records.read(path)
        assert about.pop("cpu_seconds") >= 0
        found[path.name] = (table.to_pydict(), about)
    return found


def test_every_exhibit_is_published(finished):
    assert finished.files(f"{RESULTS}/figures").keys() == PUBLISHED


@pytest.mark.parametrize("variant", ["one", "blocks"])
def test_exhibits_audit_gallery_and_manifest_are_the_same_bytes(finished, variants, variant):
    found, whole = variants.files(f"results/{variant}/figures"), finished.files(f"{RESULTS}/figures")
    if len(found) < len(PUBLISHED):  # single exhibits were asked for
        assert len(found) == 4 * len(SOME)
        whole = {name: whole[name] for name in found}
    else:
        for name in ("audit.json", "complete.json"):
            assert (finished.root / RESULTS / name).read_bytes() == (variants.root / "results" / variant / name).read_bytes()
    assert same(whole, found)


@pytest.mark.parametrize("variant", ["one", "blocks"])
def test_tidy_tables_are_the_same(finished, variants, variant):
    for paper in PAPERS:
        tables, found = read(finished, f"{RESULTS}/{paper}"), read(variants, f"results/{variant}/{paper}")
        assert len(tables) == len(FIGURES[paper] + TABLES[paper])
        assert len(found) in (1, len(tables))
        assert repr({name: tables[name] for name in found}) == repr(found)  # as text, in which NaN equals NaN


def runs(checkout, folder):
    """The cells with runs below a folder of results: paper and name."""
    return [(path.parts[-3], path.name) for path in sorted((checkout.root / folder).glob("*/runs/*"))]


def test_runs_on_one_core_and_on_two_are_the_same(finished, variants):
    cells = runs(variants, "results/one")
    assert len(cells) in (3, len(runs(finished, RESULTS)))
    for paper, cell in cells:
        pair = (read(finished, f"{RESULTS}/{paper}/runs/{cell}"), read(variants, f"results/one/{paper}/runs/{cell}"))
        assert repr(pair[0]) == repr(pair[1]), "as text: NaN is not equal to itself"


def test_smaller_blocks_are_blocks_of_the_same_replicates(finished, variants):
    assert runs(variants, "results/blocks") == runs(variants, "results/one")
    for paper, cell in runs(variants, "results/blocks"):
        ((whole, about),) = read(finished, f"{RESULTS}/{paper}/runs/{cell}").values()
        parts = read(variants, f"results/blocks/{paper}/runs/{cell}")
        blocks = [part["replicates"] for _, part in parts.values()]
        assert about["replicates"] == [0, 4] or cell.startswith("doubly_robust_data-")
        assert blocks == [[first, first + 1] for first in range(0, 2 * len(blocks), 2)] or cell.startswith("doubly_robust_data-")
        joined = {name: [value for part, _ in parts.values() for value in part[name]] for name in whole}
        shared = [min(len(whole[name]), len(joined[name])) for name in whole]  # whole blocks reach beyond n, and not equally far
        found, expected = ([side[name][:n] for name, n in zip(whole, shared, strict=True)] for side in (joined, whole))
        assert repr(found) == repr(expected), "as text: NaN is not equal to itself"
        assert min(shared) >= len(whole["replicate"]) * 3 // 5


def test_the_manifest_is_what_sha256sum_checks(finished):
    listed = dict(line.split("  ")[::-1] for line in (finished.root / RESULTS / "figures/MANIFEST.sha256").read_text().splitlines())
    assert listed.keys() == {name for name in PUBLISHED if gallery.compared(Path(name))}


@pytest.mark.parametrize("targets", [SOME, pytest.param((), marks=pytest.mark.slow)], ids=["some", "all"])
def test_a_second_build_is_the_same_bytes(work, targets):
    before = work.files(f"{RESULTS}/figures")
    written = {path: path.stat().st_mtime_ns for path in (work.root / RESULTS / "figures").glob("*/*.csv") if path.parent.name in PAPERS}
    work.run(*targets, "--cores", "2", "--forcerun", "figure", "table", *TINY, PYTHONHASHSEED="3")
    again = {path for path, time in written.items() if path.stat().st_mtime_ns > time}
    assert len(again) == (len(targets) or len(written))
    assert same(before, work.files(f"{RESULTS}/figures"))
