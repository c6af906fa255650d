"""Every printed number is claimed once: the numbers of the papers' tables and figures, typed apart from the claims, against the claims.

tests/data/printed_numbers.csv holds the cells of `lp2s` Tables 2 to 4, the ends and peaks of the curves of `drts` Figure 1 and of its
supplement's figure, and of `softucb` the sizes of Table 1 that the text has kept and those of the sets of ratings. `debora` prints no
number.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from banditpapers.claims import load

ROOT = Path(__file__).parents[2]
LEAST = {"lp2s": 261, "drts": 24, "softucb": 40, "debora": 40}  # claims that a paper has at least
PRINTED = {"lp2s": 261, "drts": 33, "softucb": 8, "debora": 0}


@pytest.fixture(scope="module")
def printed():
    """The rows of the file: paper, exhibit, what is selected as text, and the number."""
    with (ROOT / "tests" / "data" / "printed_numbers.csv").open(encoding="utf-8", newline="") as file:
        return [
            (row["paper"], row["exhibit"], dict(part.split("=", 1) for part in row["select"].split(";")), float(row["value"]))
            for row in csv.DictReader(file)
        ]


@pytest.mark.parametrize("paper", LEAST)
def test_every_printed_number_has_exactly_one_claim(printed, paper):
    values = [claim for claim in load(ROOT / "config" / "claims" / f"{paper}.yaml").claims if claim.kind == "value"]
    numbers = [row for row in printed if row[0] == paper]
    claimed = []
    for _, exhibit, select, value in numbers:
        fits = [
            claim
            for claim in values
            if claim.exhibit == exhibit and all(f"{claim.select.get(key)}" == text for key, text in select.items())
        ]
        assert len(fits) == 1, (exhibit, select)
        assert fits[0].paper_value == value, fits[0].id
        claimed.append(fits[0].id)
    assert sorted(claimed) == sorted(claim.id for claim in values), "and each claimed number is printed"
    assert len(claimed) == PRINTED[paper]


@pytest.mark.parametrize("paper", LEAST)
def test_no_statement_is_claimed_twice(paper):
    stated = load(ROOT / "config" / "claims" / f"{paper}.yaml").claims
    assert len(stated) >= LEAST[paper]
    measured = Counter((claim.exhibit, tuple(sorted(claim.select.items()))) for claim in stated)
    assert [place for place, times in measured.items() if times > 1] == []
    said = Counter((claim.where, claim.statement, tuple(sorted(claim.select.items()))) for claim in stated)
    assert [words for words, times in said.items() if times > 1] == []
