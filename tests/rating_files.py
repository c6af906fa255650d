"""A made-up set of ratings in small files of its own, and everything that may happen to such files."""

import io
import zipfile
from hashlib import sha256

from banditpapers.data.sources import File, Source

LAST = b"3\t2\t5\t881250944\n"
CONTENT = b"1\t1\t4\t881250940\n1\t2\t2\t881250941\n2\t1\t3\t881250942\n3\t1\t1\t881250943\n" + LAST
HEADER = b"user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
NOWHERE = "http://127.0.0.1:9/small.zip"  # the port that discards; nothing listens there


def zipped(*members):
    """An archive of (name, content)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def described(name, content, source, form, member=""):
    return File(name, len(content), sha256(content).hexdigest(), source, form, member)


ARCHIVE = zipped(("small/README", b"who made it"), ("small/u.data", CONTENT))
U_DATA = described("u.data", CONTENT, "Small", "tabs")
PACKED = described("small.zip", ARCHIVE, "Small from its makers", "tabs", "small/u.data")
INTER = described("small.inter", HEADER + CONTENT, "Small from a package", "tabs below a header")
WORKBOOK = described("book.zip", zipped(("book.xls", b"\xd0\xcf\x11\xe0")), "A workbook", "xls", "book.xls")
SMALL = Source(
    name="movielens",
    title="Small",
    files=(U_DATA, PACKED, INTER, WORKBOOK),
    official=((NOWHERE, PACKED),),
    pin="smallratings==1.0",
    member="smallratings/examples/small.inter",
    packaged=INTER,
    wanted=U_DATA,
    alterable=U_DATA,
    last_row=LAST,
)
WHEEL = zipped(
    ("smallratings/__init__.py", b"raise SystemExit('imported')\n"),
    (SMALL.member, HEADER + CONTENT),
    ("smallratings-1.0.dist-info/METADATA", b"Metadata-Version: 2.1\nName: smallratings\nVersion: 1.0\n"),
    ("smallratings-1.0.dist-info/WHEEL", b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ("smallratings-1.0.dist-info/RECORD", b""),
)

# what public copies of u.data look like: the known alterations, some of them together
ALTERATIONS = {
    "a header of names and types": (lambda content, last: HEADER + content, "an added header line"),
    "a header of names": (lambda content, last: b"user_id\titem_id\trating\ttimestamp\n" + content, "an added header line"),
    "three rows of user 0": (
        lambda content, last: b"0\t50\t5\t881250949\n0\t172\t5\t881250949\n0\t133\t1\t881250949\n" + content,
        "3 extra rows of user 0",
    ),
    "the last newline lost": (lambda content, last: content[:-1], "the last newline lost"),
    "the last row lost": (lambda content, last: content.removesuffix(last), "the last row lost"),
    "the last row and its newline lost": (
        lambda content, last: content.removesuffix(last)[:-1],
        "the last newline lost and the last row lost",
    ),
    "a header, and the last newline lost": (
        lambda content, last: HEADER + content[:-1],
        "an added header line ('user_id:token\\titem_id:token\\trating:float\\ttimestamp:float') and the last newline lost",
    ),
}


def blocked(monkeypatch):
    """No registry, no proxy that answers, and none of a machine's own settings of the package client."""
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "")
