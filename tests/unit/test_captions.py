"""What stands below an exhibit: n, its counterpart in the paper, and a caption that Snakemake's report can include."""

import re
from pathlib import Path

import pytest
from docutils.core import publish_parts

from banditpapers import captions
from banditpapers.configuration import PAPERS

FIGURES = Path(__file__).parents[2] / "figures"


def test_n_is_what_was_planned_or_from_the_fewest_that_finished():
    assert captions.replicates({"cells": []}) == "no replicates of its own (see the caption)"
    assert captions.replicates({"cells": [{"finished": 10}, {"finished": 12}], "replicates_planned": 10}) == "n = 10"
    assert captions.replicates({"cells": [{"finished": 7}, {"finished": 10}], "replicates_planned": 10}) == "n = 7 to 10"


def test_the_counterpart_is_what_the_caption_names_and_where_its_claims_stand():
    places = ["Table 2, same cost", "Section 4, text on Table 2", "Table 2, same regret"]
    assert captions.counterpart("Table 2 of the paper: LP2S", places) == "in the paper: Table 2, Section 4"
    assert captions.counterpart("Expected cost", []) == "no counterpart in the paper"
    assert captions.counterpart("", [f"Lemma {number}" for number in range(9)]).endswith("Lemma 5 and 3 more places")


@pytest.fixture(scope="module")
def restructured(tmp_path_factory):
    path = tmp_path_factory.mktemp("captions") / "captions.rst"
    path.write_text(captions.restructured(PAPERS), encoding="utf-8")
    return path


@pytest.mark.parametrize(("paper", "name"), [("lp2s", "figure1"), ("lp2s", "table2"), ("softucb", "coverage"), ("debora", "price")])
def test_a_report_includes_the_caption_word_for_word(restructured, paper, name):
    text = f".. include:: {restructured}\n   :start-after: [{paper}_{name}]\n   :end-before: .. [end]\n"
    found = publish_parts(text, writer="html", settings_overrides={"halt_level": 2})["body"]
    words = re.sub(r"<[^>]+>", "", found).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&quot;", '"')
    assert " ".join(words.split()) == " ".join(captions.caption(paper, name).split())


def test_the_gallery_names_every_exhibit_with_its_target_its_n_and_its_counterpart():
    text = (FIGURES / "README.md").read_text(encoding="utf-8")
    for paper in PAPERS:
        for sidecar in sorted((FIGURES / paper).glob("*.json")):
            target = f"{paper}_{sidecar.stem}"
            line = re.search(
                rf"^`snakemake --cores 8 {target}` · (n = \d+|no replicates of its own)[^·]*· (in the paper: |no counterpart)", text, re.M
            )
            assert line, f"the gallery says not enough of {target}"
            assert captions.caption(paper, sidecar.stem) in text
