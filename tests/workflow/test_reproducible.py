"""The same bytes whatever the number of cores, the size of the blocks and the hash seed, and from build to build."""

import json

import pytest
from checkout import QUICK, Checkout

from banditpapers import records

EXHIBITS = {
    **dict.fromkeys(("figure1", "figure2", "frontier", "scaling", "recommendation"), ("svg", "png", "csv", "json")),
    **dict.fromkeys(("table1", "table2", "table3", "table4", "theory"), ("csv", "md", "tex", "json")),
}
PUBLISHED = {"README.md", "MANIFEST.sha256", "audit/claims.csv", "audit/summary.md"} | {
    f"lp2s/{name}.{suffix}" for name, suffixes in EXHIBITS.items() for suffix in suffixes
}


@pytest.fixture(scope="module")
def variants(finished) -> Checkout:
    """The quick preset twice more, side by side: on one core, and in smaller blocks; hash seeds differ, too."""
    one, blocks = ([f"results=results/{name}", f"figures=results/{name}/figures"] for name in ("one", "blocks"))
    process = finished.start("--cores", "1", *QUICK, "--config", *one, PYTHONHASHSEED="2")
    finished.run("--cores", "2", *QUICK, "--config", *blocks, "block={largest: 19}", PYTHONHASHSEED="random")
    printed, _ = process.communicate()
    assert process.returncode == 0, printed
    return finished


def sidecars(files):
    """The sidecars' contents but for CPU seconds, which nobody can repeat."""
    read = {name: json.loads(text) for name, text in files.items() if name.endswith(".json")}
    assert all(sidecar.pop("cpu_seconds") >= 0 for sidecar in read.values())
    return read


def same(files, others):
    """All files byte for byte, sidecars but for their CPU seconds."""
    assert files.keys() == others.keys()
    assert [name for name in files if not name.endswith(".json") and files[name] != others[name]] == []
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
    assert finished.files("results/quick/figures").keys() == PUBLISHED


@pytest.mark.parametrize("variant", ["one", "blocks"])
def test_exhibits_audit_gallery_and_manifest_are_the_same_bytes(finished, variants, variant):
    assert same(finished.files("results/quick/figures"), variants.files(f"results/{variant}/figures"))
    for name in ("audit.json", "complete.json"):
        assert (finished.root / "results/quick" / name).read_bytes() == (variants.root / "results" / variant / name).read_bytes()


@pytest.mark.parametrize("variant", ["one", "blocks"])
def test_tidy_tables_are_the_same(finished, variants, variant):
    tables = read(finished, "results/quick/lp2s")
    assert len(tables) == len(EXHIBITS)
    assert repr(tables) == repr(read(variants, f"results/{variant}/lp2s"))  # as text, in which NaN equals NaN


def test_runs_on_one_core_and_on_two_are_the_same(finished, variants):
    for cell in finished.cells:
        assert read(finished, f"results/quick/lp2s/runs/{cell}") == read(variants, f"results/one/lp2s/runs/{cell}")


def test_smaller_blocks_are_blocks_of_the_same_replicates(finished, variants):
    for cell in finished.cells:
        ((whole, _),) = read(finished, f"results/quick/lp2s/runs/{cell}").values()
        parts = read(variants, f"results/blocks/lp2s/runs/{cell}")
        assert list(parts) == ["0-9.parquet", "10-19.parquet"]
        assert {name: [value for part, _ in parts.values() for value in part[name]] for name in whole} == whole


def test_the_manifest_is_what_sha256sum_checks(finished):
    listed = dict(line.split("  ")[::-1] for line in (finished.root / "results/quick/figures/MANIFEST.sha256").read_text().splitlines())
    assert listed.keys() == {name for name in PUBLISHED if not name.endswith((".json", ".sha256"))}


def test_a_second_build_of_all_exhibits_is_the_same_bytes(work):
    before = work.files("results/quick/figures")
    written = (work.root / "results/quick/figures/lp2s/figure2.svg").stat().st_mtime_ns
    work.run("--cores", "2", "--forcerun", "figure", "table", *QUICK, PYTHONHASHSEED="3")
    assert (work.root / "results/quick/figures/lp2s/figure2.svg").stat().st_mtime_ns > written
    assert same(before, work.files("results/quick/figures"))
