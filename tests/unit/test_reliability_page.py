"""docs/reliability.md: all 32 reports are answered, and every test that it names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines()
ROWS = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in LINES if re.match(r"\| \d+ \|", line)]


def test_every_report_has_its_row_of_four():
    assert [int(row[0]) for row in ROWS] == list(range(1, 33))
    assert all(len(row) == 4 and all(row) for row in ROWS)


def test_every_test_that_is_named_exists():
    named = 0
    for *_, tests in ROWS:
        for path, fragments in re.findall(r"`((?:unit|truth|workflow|contract)/\w+\.py)`([^`;]*)", tests):
            source = (ROOT / "tests" / path).read_text(encoding="utf-8")
            names = re.findall(r"^def test_(\w+)", source, re.MULTILINE)
            for fragment in filter(None, map(str.strip, fragments.replace("(*slow*)", "").split(","))):
                assert any(fragment in name for name in names), f"{path} has no test {fragment}"
            named += 1
    assert named > 40
