"""One member of an archive by its exact name; nothing leads out of a folder, fills the memory, or comes through damaged."""

from contextlib import suppress

import pytest
import rating_files as small

from banditpapers.data import archives
from banditpapers.data.repair import repair
from banditpapers.data.sources import SOURCES


@pytest.mark.parametrize("name", ["u.data", "small/u.data", "a b/ü.data", "..data", "a/..b"])
def test_a_member_comes_as_it_was_packed(name):
    assert archives.member(small.zipped((name, b"1\t1"), ("other", b"2")), name, "x.zip") == b"1\t1"
    assert name in archives.names(small.zipped((name, b"")))


@pytest.mark.parametrize(
    "name", ["../u.data", "/u.data", "a/../../u.data", "..\\u.data", "C:/u.data", "c:u.data", "\\\\host\\u.data", ".."]
)
def test_a_bad_name_refuses_the_whole_archive(name):
    for members in ([(name, b"1")], [("u.data", b"1"), (name, b"1")]):
        with pytest.raises(ValueError, match=r"x\.zip has a member .*, which would leave its folder; take an archive without it"):
            archives.member(small.zipped(*members), "u.data", "x.zip")


@pytest.mark.parametrize("wanted", ["data", "U.DATA", "small/", "small/u.dat", "/small/u.data"])
def test_another_name_is_not_the_member(wanted):
    with pytest.raises(ValueError, match=r"x\.zip has 0 members "):
        archives.member(small.ARCHIVE, wanted, "x.zip")


def test_two_members_of_one_name_are_none():
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = small.zipped(("u.data", b"1"), ("u.data", b"2"))
    with pytest.raises(ValueError, match=r"has 2 members u\.data"):
        archives.member(archive, "u.data", "x.zip")


def test_a_member_that_would_fill_the_memory_is_not_read(monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 1000)
    archive = small.zipped(("u.data", b"\0" * 100_000))
    assert len(archive) < 1000
    with pytest.raises(ValueError, match=r"has 100,000 bytes as u\.data, which are no ratings"):
        archives.member(archive, "u.data", "x.zip")


@pytest.mark.parametrize("place", range(30, len(small.ARCHIVE), 23))
def test_a_flipped_byte_never_comes_through(place):
    damaged = bytearray(small.ARCHIVE)
    damaged[place] ^= 0x55
    found = None
    with suppress(ValueError):
        found = archives.member(bytes(damaged), "small/u.data", "x.zip")
    assert found in (None, small.CONTENT), "refused, or a byte that says nothing of the content"


@pytest.mark.parametrize("content", [b"", b"PK", small.CONTENT, small.ARCHIVE[:-1], small.ARCHIVE[:100]])
def test_what_is_no_archive_is_refused(content):
    with pytest.raises(ValueError, match=r"x\.zip is no archive that can be read"):
        archives.member(content, "u.data", "x.zip")
    assert archives.names(content) == []


# ---- the known alterations of u.data

DIGEST = small.U_DATA.sha256


@pytest.mark.parametrize("alteration", small.ALTERATIONS)
def test_a_known_alteration_is_undone(alteration):
    alter, said = small.ALTERATIONS[alteration]
    altered = alter(small.CONTENT, small.LAST)
    assert altered != small.CONTENT
    found = repair(altered, DIGEST, small.LAST)
    assert found.content == small.CONTENT
    assert said in " and ".join(found.alterations)


@pytest.mark.parametrize(
    "content",
    [
        small.CONTENT.replace(b"\t4\t", b"\t5\t"),
        small.CONTENT.replace(b"\n", b"\r\n"),
        small.CONTENT.replace(b"\t", b","),
        small.CONTENT + small.LAST,
        small.CONTENT[17:],
        small.CONTENT.removesuffix(small.LAST)[:-18],
        b"\xef\xbb\xbf" + small.CONTENT,
        small.HEADER + small.HEADER + small.CONTENT,
        small.HEADER,
        b"a",
        b"",
    ],
)
def test_any_other_content_is_not(content):
    assert repair(content, DIGEST, small.LAST) is None


def test_a_lost_row_is_not_guessed():
    published = SOURCES["movielens"].last_row
    assert published.count(b"\t") == 3
    assert published.endswith(b"\n")
    assert repair(small.CONTENT.removesuffix(small.LAST), DIGEST, published) is None, "another file's last row does not fit"
