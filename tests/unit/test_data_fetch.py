"""Ratings come from the first place with the right bytes, each step says so, and where nothing serves one sentence says what to do."""

import subprocess
import sys
import threading
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import rating_files as small

from banditpapers.data import fetch
from banditpapers.data.sources import SOURCES

ROOT = Path(__file__).parents[2]
DATA = ROOT / "workflow" / "scripts" / "data.py"


@pytest.fixture
def log():
    return []


@pytest.fixture
def find(monkeypatch, tmp_path, log):
    """`fetch.find` of the made-up set, on a machine without network."""
    small.blocked(monkeypatch)

    def of(local=None, allow_synthetic=False, **changes):
        return fetch.find(small.SMALL._replace(**changes), local, tmp_path / "data", allow_synthetic, log.append)

    return of


@pytest.fixture
def packaged(find, monkeypatch, tmp_path):
    """A registry that has the wheel."""

    def serve(wheel=small.WHEEL):
        (tmp_path / "wheels").mkdir(exist_ok=True)
        (tmp_path / "wheels" / "smallratings-1.0-py3-none-any.whl").write_bytes(wheel)
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))

    return serve


@pytest.fixture
def official(find, monkeypatch):
    """An official address that answers with these bytes."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    started = []

    class Answer(BaseHTTPRequestHandler):
        def __init__(self, content, *arguments):
            self.content = content
            super().__init__(*arguments)

        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.content)

        def log_message(self, *_):
            pass

    def serve(content):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Answer, content))
        started.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return (f"http://127.0.0.1:{server.server_port}/small.zip", small.PACKED)

    yield serve
    for server in started:
        server.shutdown()
        server.server_close()


PLACES = {
    "u.data": small.CONTENT,
    "a file with a name of its own": small.CONTENT,
    "small.zip": small.ARCHIVE,
    "packed again.zip": small.zipped(("mine/u.data", small.CONTENT)),
    "smallratings-1.0-py3-none-any.whl": small.WHEEL,
    "small.inter": small.HEADER + small.CONTENT,
}


@pytest.mark.parametrize("name", PLACES)
def test_a_configured_file_is_known_by_its_bytes(find, tmp_path, log, name):
    (tmp_path / name).write_bytes(PLACES[name])
    found = find(tmp_path / name)
    assert found.content.removeprefix(small.HEADER) == small.CONTENT
    assert (found.content != small.CONTENT) == (found.file.form == "tabs below a header")
    assert len(log) == 1
    assert log[0].startswith(f"movielens: took {found.file.source}, ")


@pytest.mark.parametrize("name", ["u.data", "small.zip", "small.inter"])
def test_a_configured_folder_of_downloads_is_searched(find, tmp_path, name):
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / name).write_bytes(PLACES[name])
    assert find(tmp_path / "downloads").file.name == name


@pytest.mark.parametrize("alteration", small.ALTERATIONS)
def test_a_known_alteration_is_repaired_and_said(find, tmp_path, log, alteration):
    alter, said = small.ALTERATIONS[alteration]
    (tmp_path / "u.data").write_bytes(alter(small.CONTENT, small.LAST))
    found = find(tmp_path / "u.data")
    assert (found.content, found.file.sha256) == (small.CONTENT, sha256(small.CONTENT).hexdigest()) or found.file == small.INTER
    assert said in log[0] or found.file == small.INTER, "the package's own file has that header, too"


def assert_says_all(sentence):
    assert "\n" not in sentence
    for part in (
        f"u.data ({len(small.CONTENT)} bytes, SHA-256 {sha256(small.CONTENT).hexdigest()}) is needed",
        "write its path as data.movielens",
        f"or put it (or small.zip from {small.NOWHERE}) into the folder ",
        "or let `pip download --no-deps smallratings==1.0` reach a package registry",
    ):
        assert part in sentence, sentence


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (small.CONTENT.replace(b"\t4\t", b"\t5\t"), "u.data has other bytes (80, SHA-256 "),
        (small.CONTENT.replace(b"\n", b"\r\n"), "u.data has other bytes (85, SHA-256 "),
        (small.CONTENT[:40], "u.data has other bytes (40, SHA-256 "),
        (b"", "u.data has other bytes (0, SHA-256 "),
        (small.ARCHIVE[:-30], "u.data has other bytes ("),
        (small.zipped(("../u.data", small.CONTENT)), "u.data has a member '../u.data', which would leave its folder"),
        (small.zipped(("u.data", small.CONTENT), ("/etc/passwd", b"")), "u.data has a member '/etc/passwd', which would leave its folder"),
        (small.zipped(("u.data", small.zipped(("u.data", small.CONTENT)))), "u.data of "),
        (small.zipped(("book.xls", b"\xd0\xcf\x11\xe0")), "holds book.xls, a workbook that no library of this environment reads"),
        (None, "u.data does not exist"),
    ],
)  # fmt: skip
def test_a_configured_file_that_does_not_serve_is_refused_and_not_passed_over(find, packaged, tmp_path, log, content, said):
    packaged()
    if content is not None:
        (tmp_path / "u.data").write_bytes(content)
    with pytest.raises(ValueError, match=r"data\.movielens: ") as caught:
        find(tmp_path / "u.data", allow_synthetic=True)
    assert said in str(caught.value)
    assert_says_all(str(caught.value))
    assert str(caught.value).endswith("; for a synthetic stand-in write data.allow_synthetic: true and no path")
    assert log == []


def test_a_configured_folder_without_ratings_is_refused(find, tmp_path):
    with pytest.raises(ValueError, match=r"holds none of u\.data, small\.zip, small\.inter, book\.zip") as caught:
        find(tmp_path)
    assert_says_all(str(caught.value))


def test_the_official_address_comes_first_and_its_archive_is_kept(find, packaged, official, tmp_path, log):
    packaged()
    address = official(small.ARCHIVE)
    assert find(official=(address,)).file == small.PACKED
    assert (tmp_path / "data" / "small.zip").read_bytes() == small.ARCHIVE
    assert log == [f"movielens: took Small from its makers, {address[0]}"]
    # the next time nothing is asked
    assert find().content == small.CONTENT
    assert log[1:] == [f"movielens: took Small from its makers, {tmp_path / 'data' / 'small.zip'}"]


@pytest.mark.parametrize("content", [b"<html>moved</html>", small.ARCHIVE + b"more", small.ARCHIVE[:-1], b""])
def test_what_an_address_sends_instead_is_not_kept(find, packaged, official, tmp_path, log, content):
    packaged()
    address = official(content)
    found = find(official=(address,))
    assert found.content == small.HEADER + small.CONTENT
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["small.inter"]
    assert log[0].startswith(f"movielens: {address[0]} did not serve: {address[0]} has other bytes than small.zip (")
    assert log[1] == "movielens: took Small from a package, by pip download smallratings==1.0"


def test_an_address_that_hangs_is_left(find, packaged, monkeypatch, log):
    packaged()

    def hang(address, timeout):
        assert timeout == fetch.PATIENCE <= 10
        raise TimeoutError("timed out")

    monkeypatch.setattr(fetch, "urlopen", hang)
    assert find().file == small.INTER
    assert log[0] == f"movielens: {small.NOWHERE} did not serve: timed out"


def test_a_damaged_download_is_fetched_again(find, packaged, tmp_path, log):
    packaged()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "small.inter").write_bytes(b"cut")
    assert find().content == small.HEADER + small.CONTENT
    assert "movielens: nothing in the folder of downloads: " in log[0]
    assert (tmp_path / "data" / "small.inter").read_bytes() == small.HEADER + small.CONTENT


@pytest.mark.parametrize(
    ("wheel", "said"),
    [
        (small.WHEEL.replace(b"examples", b"exampels"), "has 0 members smallratings/examples/small.inter; take an archive with one"),
        (small.zipped(("smallratings/examples/small.inter", b"1\t1\t4\n")), "has other bytes than small.inter ("),
        (small.zipped((small.SMALL.member, small.HEADER + small.CONTENT), ("../evil.py", b"")), "would leave its folder"),
    ],
)
def test_a_package_with_other_bytes_is_refused(find, packaged, tmp_path, log, monkeypatch, wheel, said):
    (tmp_path / "smallratings-1.0-py3-none-any.whl").write_bytes(wheel)

    def downloaded(command, **_):
        (Path(command[command.index("--dest") + 1]) / "smallratings-1.0-py3-none-any.whl").write_bytes(wheel)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(fetch.subprocess, "run", downloaded)
    with pytest.raises(ValueError, match=r"the ratings of Small are not to be had; u\.data "):
        find()
    assert log[-1].startswith("movielens: pip download smallratings==1.0 did not serve: ")
    assert said in log[-1]
    assert not (tmp_path / "data").exists()


def test_a_workbook_is_not_asked_for(find, log):
    with pytest.raises(ValueError, match="are not to be had") as caught:
        find(official=(("http://127.0.0.1:9/book.zip", small.WORKBOOK),))
    assert (
        log[0]
        == "movielens: http://127.0.0.1:9/book.zip is not asked: it has book.xls, a workbook that no library of this environment reads"
    )
    assert "or put it into the folder" in str(caught.value)


def test_without_network_one_sentence_says_what_to_do(find, tmp_path, log):
    with pytest.raises(ValueError, match="the ratings of Small are not to be had; ") as caught:
        find()
    assert_says_all(str(caught.value))
    assert str(caught.value).endswith("; for a synthetic stand-in write data.allow_synthetic: true")
    assert [line.split(" did not serve: ")[0] for line in log] == [
        f"movielens: {small.NOWHERE}",
        "movielens: pip download smallratings==1.0",
    ]
    assert not (tmp_path / "data").exists()


def test_the_stand_in_comes_last_and_only_where_it_is_allowed(find, packaged, log):
    assert find(allow_synthetic=True) is None
    assert log[-1] == "movielens: made the synthetic stand-in, as data.allow_synthetic says"
    packaged()
    assert find(allow_synthetic=True).file == small.INTER


@pytest.mark.parametrize("name", SOURCES)
def test_the_command_ends_with_exit_code_1_and_names_the_file(tmp_path, monkeypatch, name):
    small.blocked(monkeypatch)
    command = [sys.executable, str(DATA), "--set", name, "--local", "--folder", "data", "--output", "out.parquet"]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    source, (*steps, last) = SOURCES[name], process.stderr.splitlines()
    assert len(steps) == 2
    assert last.startswith(f"data.py: the ratings of {source.title} are not to be had; {source.wanted.described} is needed: ")
    assert f"{source.wanted.size:,} bytes, SHA-256 {source.wanted.sha256}" in last
    assert f"`pip download --no-deps {source.pin}`" in last
    assert list(tmp_path.iterdir()) == []


def test_what_is_known_of_each_set():
    for source in SOURCES.values():
        assert {source.packaged, source.wanted, *(file for _, file in source.official)} <= set(source.files)
        assert source.member.endswith(f"/{source.packaged.name}")
        for file in source.files:
            assert len(file.sha256) == 64
            assert file.source.startswith(source.title)
            assert (file.name.endswith(".zip")) == bool(file.member)
        assert all(address.startswith("https://") and file.size for address, file in source.official)
