"""Records prove that they are whole, files appear whole or not at all, and blocks are put together again by their replicates."""

import errno
import os
import platform
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from banditpapers import files, records, runs, simulation
from banditpapers.cells import Cell
from banditpapers.records import DamagedRecordError

SOURCE = Path(__file__).parents[2] / "src"
ABOUT = {"cell": "x", "numbers": [1, 2.5], "none": None, "nested": {"b": 1, "a": "é"}, "failures": {"3": "ValueError: no"}}
QUANTITIES = ("pulls", "batches", "survivors", "simple_regret", "best")
CELL = Cell("lp2s", {"name": "beta_bernoulli", "prior": [1, 1], "arms": 5}, {"name": "batch_racing", "delta": 0.1})
OTHER = Cell("lp2s", {"name": "beta_bernoulli", "prior": [1, 1], "arms": 7}, {"name": "batch_racing", "delta": 0.1, "mu0": None})


def table(rows: int = 200) -> pa.Table:
    rng = np.random.default_rng(1)
    return pa.table(
        {
            "replicate": np.arange(rows, dtype=np.int32),
            "rule": records.labels(np.arange(rows, dtype=np.int32) % 2, ("mean", "posterior mean")),
            "value": rng.random(rows),
            "holes": [None if i % 7 == 0 else i / 3 for i in range(rows)],
            "text": [f"é{i % 5}" for i in range(rows)],
            "flag": rng.random(rows) < 0.5,
        }
    )


def block(
    first: int, last: int, cell: Cell = CELL, failed: tuple[int, ...] = (), checkpoints: tuple[str, ...] = ("10", "cap")
) -> simulation.Block:
    """A block whose numbers say where they belong: 1000 replicate + 100 checkpoint + 10 rule + quantity."""
    replicates = np.array([i for i in range(first, last + 1) if i not in failed], dtype=np.int32)
    grid = np.indices((len(replicates), len(checkpoints), 2, 5))
    outcomes = 1000.0 * replicates[grid[0]] + 100 * grid[1] + 10 * grid[2] + grid[3] if len(replicates) else np.empty(grid.shape[1:])
    failures = {str(i): "ValueError: made up" for i in failed if first <= i <= last}
    return simulation.Block(
        cell,
        first,
        last,
        outcomes,
        replicates,
        checkpoints,
        ("mean", "posterior mean"),
        QUANTITIES,
        {"cap": {"pulls": 3.0}},
        failures,
        1.25,
    )


def put(folder: Path, *blocks: simulation.Block, seed: int = 7, code: str = "abc") -> list[Path]:
    paths = [folder / found.cell.id / f"{found.first}-{found.last}.parquet" for found in blocks]
    for path, found in zip(paths, blocks, strict=True):
        simulation.write(path, found, seed, code)
    return paths


# ---- records


def test_round_trip(tmp_path):
    path = tmp_path / "a folder é" / "b=1" / "records.parquet"
    records.write(path, table(), ABOUT)
    found, about = records.read(path)
    assert found.equals(table())
    assert {key: value for key, value in about.items() if key != "content"} == ABOUT
    assert [file.name for file in path.parent.iterdir()] == ["records.parquet"], "nothing is left beside it"


@pytest.mark.parametrize("rows", [0, 1])
def test_round_trip_of_next_to_nothing(tmp_path, rows):
    records.write(tmp_path / "t.parquet", table().slice(0, rows), {})
    assert records.read(tmp_path / "t.parquet")[0].num_rows == rows


def test_round_trip_of_what_pandas_makes(tmp_path):
    frame = pd.DataFrame({"text": ["a", None, "c"], "number": [1.0, float("nan"), -0.0], "flag": [True, False, True], "whole": [1, 2, 3]})
    for name in ("one", "two"):
        records.write(tmp_path / name, pa.Table.from_pandas(frame, preserve_index=False), {})
    assert records.read(tmp_path / "one")[0].to_pandas().equals(frame)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_same_content_is_the_same_bytes(tmp_path):
    records.write(tmp_path / "one", table(), ABOUT)
    records.write(tmp_path / "two", table(), dict(reversed(ABOUT.items())))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_digest_sees_names_types_order_and_values():
    base = pa.table({"a": [1, 2], "b": [0.5, 1.5]})
    others = [
        pa.table({"b": [0.5, 1.5], "a": [1, 2]}),
        pa.table({"a": [1, 2], "c": [0.5, 1.5]}),
        pa.table({"a": [1.0, 2.0], "b": [0.5, 1.5]}),
        pa.table({"a": [2, 1], "b": [0.5, 1.5]}),
        pa.table({"a": [1, 2], "b": [0.5, np.nextafter(1.5, 2)]}),
        pa.table({"a": [1, 2], "b": [0.5, None]}),
    ]
    assert len({records.content(found) for found in (base, *others)}) == 7
    chunked = pa.concat_tables([base.slice(0, 1), base.slice(1, 1)])
    assert records.content(chunked) == records.content(base)


@pytest.mark.parametrize(
    "text_type", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int32(), pa.large_string())]
)
def test_the_digest_does_not_depend_on_how_texts_are_held(text_type):
    words = ["a", "b", "a"]
    assert records.content(pa.table({"x": pa.array(words, text_type)})) == records.content(pa.table({"x": pa.array(words)}))


DAMAGE = {
    "cut at byte 1000": lambda original, other: original[:1000],
    "cut by one byte": lambda original, other: original[:-1],
    "emptied": lambda original, other: b"",
    "zeros": lambda original, other: bytes(len(original)),
    "text": lambda original, other: b"replicate,value\n1,2\n",
    "not ours": lambda original, other: other,
    "two files in one": lambda original, other: original[:1000] + original,
}


@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_records_are_never_read(tmp_path, how):
    path, other = tmp_path / "runs" / "0-99.parquet", tmp_path / "other.parquet"
    records.write(path, table(), ABOUT)
    pq.write_table(table(), other)
    path.write_bytes(DAMAGE[how](path.read_bytes(), other.read_bytes()))
    with pytest.raises(DamagedRecordError, match="delete it and run the same command again") as caught:
        records.read(path)
    assert str(path) in str(caught.value)


def test_a_missing_key_names_the_file(tmp_path):
    path = tmp_path / "strange.parquet"
    for metadata in (
        {records.KEY: b"{}"},
        {records.KEY: b"[1]", records.SEAL: b"x"},
        {b"other": b"{}"},
        {records.KEY: b"\xff", records.SEAL: b""},
    ):
        pq.write_table(table().replace_schema_metadata(metadata), path)
        with pytest.raises(
            DamagedRecordError, match=r"strange\.parquet is damaged or not one of our records|strange\.parquet does not hold"
        ):
            records.read(path)


def plain(column: pa.ChunkedArray) -> list[object]:
    """A column's values; a flipped type may turn texts into the bytes that they are."""
    return [
        value.decode() if isinstance(value, bytes) else repr(value) if isinstance(value, float) else value for value in column.to_pylist()
    ]


def test_a_flipped_bit_is_found_wherever_it_matters(tmp_path):
    """Whatever is read from a file with one bit flipped is what was written: columns and what is said of them."""
    path = tmp_path / "flipped.parquet"
    records.write(path, table(40), ABOUT)
    original, (first, about) = path.read_bytes(), records.read(path)
    caught = 0
    for place in [*range(0, len(original), 11), len(original) // 2]:
        flipped = bytearray(original)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        try:
            found, said = records.read(path)
        except DamagedRecordError:
            caught += 1
            continue
        assert said == about, place
        for name in first.column_names:
            assert plain(found.column(name)) == plain(first.column(name)), (place, name)
    assert caught > 100


def test_altered_provenance_is_found(tmp_path):
    path = tmp_path / "t.parquet"
    records.write(path, table(), ABOUT)
    found = pq.read_table(path)
    forged = found.schema.metadata[records.KEY].replace(b'"3": "ValueError: no"', b'"4": "ValueError: no"')
    assert forged != found.schema.metadata[records.KEY]
    pq.write_table(found.replace_schema_metadata({**found.schema.metadata, records.KEY: forged}), path)
    with pytest.raises(DamagedRecordError, match="does not hold what was written"):
        records.read(path)


def test_a_missing_or_locked_file_is_not_called_damaged(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError):
        records.read(tmp_path / "none.parquet")

    def locked(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", "locked.parquet")

    monkeypatch.setattr(pq, "read_table", locked)
    with pytest.raises(PermissionError):
        records.read(tmp_path / "locked.parquet")


# ---- files


def test_an_exception_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "result"
    files.write_text(path, "old")

    def fail(file):
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        files.write_atomically(path, fail)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("result", "old\n")]


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch, step):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    if step == "write":
        monkeypatch.setattr(pq, "write_table", lambda table, file, **_: (file.write(b"PAR1" * 100), file.flush(), full()))
    else:
        monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left"):
        records.write(tmp_path / "deep" / "t.parquet", table(), {})
    assert list((tmp_path / "deep").iterdir()) == []


def test_a_killed_writer_leaves_no_file_under_the_final_name(tmp_path):
    program = (
        "import os, signal, sys; from pathlib import Path; from banditpapers.files import write_atomically\n"
        "write_atomically(Path(sys.argv[1]), lambda file: (file.write(b'half' * 9999), file.flush(), os.kill(os.getpid(), signal.SIGKILL)))"
    )
    path = tmp_path / "0-9.parquet"
    done = subprocess.run([sys.executable, "-c", program, str(path)], env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    files.write_text(path, "whole")
    assert path.read_text() == "whole\n"


def test_two_writers_of_one_file_do_not_mix_their_bytes(tmp_path):
    path, beside = tmp_path / "same", []

    def outer(file):
        file.write(b"outer " * 50)
        files.write_atomically(path, inner)
        file.write(b"outer " * 50)

    def inner(file):
        beside.extend(found.name for found in tmp_path.iterdir())
        file.write(b"inner")

    files.write_atomically(path, outer)
    assert len(set(beside)) == 2
    assert all(name.startswith(".same.") and name.endswith(".part") for name in beside)
    assert path.read_bytes() == b"outer " * 100
    assert oct(path.stat().st_mode & 0o777) == "0o644"


def test_texts_end_in_one_newline_and_json_is_sorted(tmp_path):
    files.write_text(tmp_path / "t", "é\n\n")
    assert (tmp_path / "t").read_bytes() == "é\n".encode()
    files.write_json(tmp_path / "j", {"b": 1, "a": "é"})
    assert (tmp_path / "j").read_text(encoding="utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'
    with pytest.raises(ValueError, match=r"Out of range|not JSON compliant"):
        files.write_json(tmp_path / "n", float("nan"))
    assert not (tmp_path / "n").exists()
    assert files.file_digest(tmp_path / "t") == sha256("é\n".encode()).hexdigest()


# ---- runs


def test_blocks_are_joined_by_their_replicates_and_not_by_their_names(tmp_path):
    ranges = [(0, 199), (200, 399), (400, 999), (1000, 1999)]
    paths = put(tmp_path, *(block(first, last) for first, last in ranges))
    for order in (paths, paths[::-1], sorted(paths)):
        found = runs.read(order, 1500)
        (cell,) = found.cells
        assert cell.cell == CELL
        assert cell.counts == {"planned": 1500, "finished": 1500, "failed": 0}
        assert cell.values.shape == (1500, 2, 2, 5)
        assert np.array_equal(cell.of("10", "mean", "pulls"), 1000.0 * np.arange(1500))
        assert np.array_equal(cell.of("cap", "posterior mean", "best"), 1000.0 * np.arange(1500) + 114)
        assert np.array_equal(cell.path("mean", "survivors")[77], [77002, 77102])
        assert cell.cpu_seconds == 5.0


def test_replicates_beyond_the_plan_are_left_out(tmp_path):
    paths = put(tmp_path, block(0, 49), block(50, 99, failed=(60, 97)))
    (cell,) = runs.read(paths, 70).cells
    assert cell.counts == {"planned": 70, "finished": 69, "failed": 1}
    assert cell.of("10", "mean", "pulls").max() == 69_000


def test_failed_replicates_are_counted(tmp_path):
    (cell,) = runs.read(put(tmp_path, block(0, 9, failed=(2, 3, 9))), 10).cells
    assert cell.counts == {"planned": 10, "finished": 7, "failed": 3}
    assert np.array_equal(cell.of("10", "mean", "pulls") / 1000, [0, 1, 4, 5, 6, 7, 8])


@pytest.mark.parametrize("all_fail", [(0, 1, 2, 3), tuple(range(8))])
def test_a_block_may_fail_as_a_whole(tmp_path, all_fail):
    (cell,) = runs.read(put(tmp_path, block(0, 3, failed=(0, 1, 2, 3)), block(4, 7, failed=all_fail)), 8).cells
    assert cell.counts == {"planned": 8, "finished": 8 - len(all_fail), "failed": len(all_fail)}
    assert cell.checkpoints == ("10", "cap")
    assert cell.of("cap", "mean", "best").shape == (8 - len(all_fail),)


@pytest.mark.parametrize(
    "ranges",
    [[(0, 4), (6, 9)], [(1, 9)], [(0, 4)], [(0, 4), (4, 9)], [(0, 9), (0, 9)], [(0, 4), (5, 9), (5, 9)], [(0, 9), (10, 14), (12, 15)]],
)
def test_gaps_and_overlaps_are_refused(tmp_path, ranges):
    paths = [path for i, (first, last) in enumerate(ranges) for path in put(tmp_path / str(i), block(first, last))]
    with pytest.raises(ValueError, match=rf"the blocks of {CELL.id} do not cover replicates 0 to 9 once each"):
        runs.read(paths, 10)


def test_blocks_that_do_not_belong_together_are_refused(tmp_path):
    first = put(tmp_path, block(0, 4))
    for strange in (put(tmp_path, block(5, 9), seed=8), put(tmp_path, block(5, 9, checkpoints=("20", "cap")))):
        with pytest.raises(ValueError, match=rf"the blocks of {CELL.id} differ"):
            runs.read(first + strange, 10)


def test_what_is_said_of_the_runs(tmp_path):
    found = runs.read([*put(tmp_path, block(0, 4)), *put(tmp_path, block(5, 9), code="def"), *put(tmp_path, block(0, 9, OTHER, (1,)))], 10)
    by_id = {entry["id"]: entry for entry in found.about["cells"]}
    assert by_id[CELL.id] == {"id": CELL.id, "cell": CELL.json, "planned": 10, "finished": 10, "failed": 0, "code": "abc, def"}
    assert by_id[OTHER.id]["finished"] == 9
    assert by_id[OTHER.id]["code"] == "abc"
    assert found.about["replicates"] == {"planned": 20, "finished": 19, "failed": 1}
    assert (found.about["machine"], found.about["lock"]) == (records.machine(), records.lock())
    assert found.about["master_seed"] == [7]
    assert found.about["versions"] == records.versions()
    assert found.about["cpu_seconds"] == 3.8
    assert runs.read([], 10).cells == ()


def test_a_mixture_of_machines_versions_and_lock_files_shows(tmp_path, monkeypatch):
    paths = put(tmp_path, block(0, 4))
    monkeypatch.setattr(records, "machine", lambda: {"processor": "abacus", "system": "wood", "python": "Slow 0.1"})
    monkeypatch.setattr(records, "lock", lambda: "0" * 64)
    paths += put(tmp_path, block(5, 9))
    table, about = records.read(paths[0])
    old = {key: value for key, value in about.items() if key not in ("machine", "lock", "content", "cell", "versions")}
    records.write(tmp_path / "old.parquet", table, {**old, "cell": OTHER.json, "versions": {"numpy": "1.0", "abc": "2"}})
    mixed = runs.read(paths, 10).about
    assert mixed["machine"]["processor"] == ", ".join(sorted([platform.machine(), "abacus"]))
    assert mixed["lock"] == ", ".join(sorted([about["lock"], "0" * 64]))
    older = runs.read([tmp_path / "old.parquet"], 5).about
    assert older["lock"] == "unknown"
    assert set(older["machine"].values()) == {"unknown"}
    assert (older["versions"]["numpy"], older["versions"]["abc"], older["versions"]["numba"]) == ("1.0", "2", "unknown")
    assert runs.read([], 10).about["machine"]["processor"] == "abacus", "an exhibit without runs names where it was computed"


def test_machine_and_lock_file_name_no_host_and_no_place(monkeypatch, tmp_path):
    assert set(records.machine()) == {"processor", "system", "python"}
    assert platform.node() not in str(records.made_with())
    assert records.lock() == sha256((SOURCE.parent / "requirements.lock").read_bytes()).hexdigest()
    monkeypatch.setattr(records, "LOCK", tmp_path / "none")
    assert records.lock() == "none"


def test_cells_are_found_by_their_parameters(tmp_path):
    found = runs.read([*put(tmp_path, block(0, 1)), *put(tmp_path, block(0, 1, OTHER))], 2)
    assert found.one("batch_racing", arms=5).cell == CELL
    assert found.one("batch_racing", prior=(1.0, 1), arms=7).cell == OTHER
    assert found.one("batch_racing", mu0=None).cell == OTHER, "a parameter that a cell has not is not None"
    assert len(list(found.matching("batch_racing", delta=0.1))) == 2
    with pytest.raises(LookupError, match="2 cells of batch_racing"):
        found.one("batch_racing")
    with pytest.raises(LookupError, match="0 cells of lp2s"):
        found.one("lp2s")
    with pytest.raises(ValueError, match=r"index|not in"):
        found.cells[0].of("30", "mean", "pulls")
