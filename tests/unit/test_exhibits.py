"""What is shown: nine digits, one spelling, escaped text, and the same bytes on every build."""

import json
import math
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import matplotlib as mpl
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

from banditpapers import claims, exhibits, plotting, records
from banditpapers.exhibits import Panel, csv_text, latex, markdown, rounded

SOURCE = Path(__file__).parents[2] / "src"
CLAIMS = """
paper: fake
replicates: 10
claims:
  - {id: a, where: w, statement: s, kind: value, exhibit: printed, paper_value: 3, select: {arms: 5}}
"""


# ---- numbers


def test_nine_digits_are_kept():
    table = pd.DataFrame({"x": [1 / 3, 123456789.6, 1e-300 / 7, -0.0, 0.1 + 0.2], "n": [1, 2, 3, 4, 10**17], "text": list("abcde")})
    found = rounded(table)
    assert found["x"].tolist() == [0.333333333, 123456790.0, 1.42857143e-301, 0.0, 0.3]
    assert math.copysign(1, found["x"][3]) == 1, "no negative zero"
    assert found["n"].tolist() == [1, 2, 3, 4, 10**17]
    assert table["x"][0] == 1 / 3, "the given table stays as it is"


def test_last_bits_do_not_show():
    exact = np.random.default_rng(1).random(200) * 1000
    other = np.nextafter(exact, np.inf)
    assert csv_text(rounded(pd.DataFrame({"x": exact}))) == csv_text(rounded(pd.DataFrame({"x": other})))


def test_holes_and_infinities_stay():
    found = rounded(pd.DataFrame({"x": [math.nan, math.inf, -math.inf], "empty": [math.nan] * 3}))
    assert math.isnan(found["x"][0])
    assert found["x"].tolist()[1:] == [math.inf, -math.inf]
    assert len(rounded(pd.DataFrame({"x": []}))) == 0


def test_the_spelling_of_csv():
    table = pd.DataFrame(
        {
            "x": [0.1 + 0.2, -0.0, math.nan, 1e10, 6940.0, -2.5e-7],
            "n": [1, 0, -3, 10**12, 5, 6],
            "flag": [True, False, True, True, True, True],
            "text": ["a,b", 'say "it"', "", None, "é − ±", "-0"],
        }
    )
    assert csv_text(table).splitlines() == [
        "x,n,flag,text",
        '0.3,1,True,"a,b"',
        '0,0,False,"say ""it"""',
        ",-3,True,",
        "1e+10,1000000000000,True,",
        "6940,5,True,é − ±",
        "-2.5e-07,6,True,-0",
    ]
    assert csv_text(table).endswith("\n")
    assert "\r" not in csv_text(table)


def test_csv_reads_back_to_the_same_numbers():
    table = rounded(pd.DataFrame({"x": np.random.default_rng(2).lognormal(0, 30, 500)}))
    lines = csv_text(table).splitlines()[1:]
    assert [float(line) for line in lines] == table["x"].tolist()


# ---- text

PANELS = [
    Panel(
        "T at 5 % of LP2S_x",
        ("a|b", "K"),
        (("1 ± 2 | 3", "[4, 5] (6)"), ("[7]", "−8")),
    ),
    Panel("Second", ("only",), (("two\nlines",),)),
]


def test_markdown():
    assert markdown("A caption.", PANELS).splitlines() == [
        "A caption.", "",
        "**T at 5 % of LP2S_x**", "", "| a\\|b | K |", "|---|---|", "| 1 ± 2 \\| 3 | [4, 5] (6) |", "| [7] | −8 |", "",
        "**Second**", "", "| only |", "|---|", "| two lines |",
    ]  # fmt: skip


def test_every_row_of_markdown_has_all_its_cells():
    found = markdown("", [Panel("", ("a", "b|c", "d"), (("|", "||", "x"), ("", "\n", "y")))])
    rows = [line for line in found.splitlines() if line.startswith("|")]
    assert [line.replace("\\|", "").count("|") for line in rows] == [4] * 4


def test_latex():
    assert latex("50 % of $K_1$ & {more} ≥ ~\\ #^.", PANELS).splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{50 \% of \$K\_1\$ \& \{more\} $\geq$ \~{}\textbackslash{} \#\^{}.}",
        r"\par\medskip T at 5 \% of LP2S\_x\par",
        r"\begin{tabular}{ll}",
        r"\toprule",
        r"a|b & K \\",
        r"\midrule",
        r"1 $\pm$ 2 | 3 & {[}4, 5] (6) \\",
        r"{[}7] & $-$8 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\medskip Second\par",
        r"\begin{tabular}{l}",
        r"\toprule",
        r"only \\",
        r"\midrule",
        r"two lines \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_no_row_of_latex_begins_with_a_bracket():
    """It would be taken for the optional argument of the row's end before it."""
    assert not [line for line in latex("[c]", PANELS).splitlines() if line.startswith("[")]


# ---- pictures


def draw(table: pd.DataFrame) -> Figure:
    figure, panels = plotting.new_figure(1, 2, (2.0, 1.5))
    for axes in panels:
        for name in ("lp2s", "batch_racing", "something_new"):
            look = plotting.look(name, ("something_new",))
            axes.plot(table["x"], table["y"], color=look.colour, ls=look.line, marker=look.marker, label=look.name)
        axes.fill_between(table["x"], table["y"] - 1, table["y"] + 1, alpha=0.2, clip_on=True)
        axes.set(xlabel="pulls T", ylabel="simple regret $\\delta_0$ − é", title="Beta(1, 1)")
        axes.legend()
    return figure


TABLE = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [3.0, math.nan, 1.0]})


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_two_saves_are_the_same_bytes(tmp_path, suffix):
    for name in ("one", "two"):
        plotting.save(draw(TABLE), tmp_path / f"{name}{suffix}")
    first, second = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
    assert first == second
    assert len(first) > 5000
    for word in (b"Matplotlib", b"matplotlib v", b"<dc:date>", b"Software"):
        assert word not in first
    if suffix == ".svg":
        assert b"font-family" not in first, "texts are paths: no font is needed to see them"


def test_a_style_set_by_others_does_not_show(tmp_path):
    plotting.save(draw(TABLE), tmp_path / "one.svg")
    with mpl.rc_context({"svg.hashsalt": None, "lines.linewidth": 7, "savefig.dpi": 30, "svg.fonttype": "none", "font.size": 20}):
        plotting.save(draw(TABLE), tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_two_processes_draw_the_same_bytes(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
        "import test_exhibits as t; from banditpapers import plotting\n"
        "for suffix in ('.svg', '.png'): plotting.save(t.draw(t.TABLE), Path(sys.argv[2] + suffix))"
    )
    for seed in ("0", "1"):
        command = [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path / seed)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCE), "TZ": f"UTC+{seed}"})
    for suffix in (".svg", ".png"):
        plotting.save(draw(TABLE), tmp_path / f"here{suffix}")
        assert len({(tmp_path / f"{name}{suffix}").read_bytes() for name in ("0", "1", "here")}) == 1, suffix


def test_algorithms_keep_their_looks():
    assert plotting.look("lp2s", ("other", "zebra")) == plotting.look("lp2s")
    new = [plotting.look(name, ("ant", "bee", "cow")) for name in ("ant", "bee", "cow")]
    known = [plotting.LOOKS[name] for name in ("lp2s", "batch_racing", "two_stage_exploration", "batched_thompson")]
    assert len({found.colour for found in (*new, *known)}) == 7
    assert len({found.marker for found in (*new, *known)}) == 7
    assert plotting.look("new_one").name == "new one"


# ---- files


def fake(monkeypatch, name: str, **members) -> None:
    module = ModuleType(name)
    vars(module).update(members)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def tidy_table(tmp_path):
    """A tidy table with its provenance, and a file of claims."""
    (tmp_path / "claims.yaml").write_text(CLAIMS)
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.333333333, math.nan, 0.0], "who": ["a", "b", None]})
    records.write(tmp_path / "tidy.parquet", pa.Table.from_pandas(frame, preserve_index=False), {"master_seed": [7], "cells": []})
    return tmp_path / "tidy.parquet"


def test_a_figure_is_published(tmp_path, monkeypatch, tidy_table):
    fake(monkeypatch, "banditpapers.papers.fake.exhibits.drawn", draw=draw, CAPTION="What is seen.")
    for folder in ("one", "two"):
        exhibits.publish("fake", "drawn", "figure", tidy_table, tmp_path / "claims.yaml", "c0de", tmp_path / folder / "drawn")
    written = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert set(written) == {"drawn.svg", "drawn.png", "drawn.csv", "drawn.json"}
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    assert written["drawn.csv"].decode() == "x,y,who\n1,0.333333333,a\n2,,b\n3,0,\n"
    assert json.loads(written["drawn.json"]) == {
        "caption": "What is seen.", "cells": [], "exhibit": "fake/drawn", "exhibit_code": "c0de", "master_seed": [7],
        "files": {name: sha256(text).hexdigest() for name, text in written.items() if name != "drawn.json"},
    }  # fmt: skip


def test_a_table_is_published_with_the_papers_numbers(tmp_path, monkeypatch, tidy_table):
    def tabulate(table, claims):
        return [Panel("Heading", ("x", "paper"), tuple((f"{value:g}", f"{claims.value('printed', arms=5):g}") for value in table["x"]))]

    fake(monkeypatch, "banditpapers.papers.fake.exhibits.printed", tabulate=tabulate, CAPTION="50 % of it.")
    exhibits.publish("fake", "printed", "table", tidy_table, tmp_path / "claims.yaml", "c0de", tmp_path / "out" / "printed")
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert set(written) == {"printed.md", "printed.tex", "printed.csv", "printed.json"}
    assert "| 2 | 3 |" in written["printed.md"]
    assert written["printed.md"].startswith("50 % of it.")
    assert r"2 & 3 \\" in written["printed.tex"]
    assert r"50 \% of it." in written["printed.tex"]
    assert json.loads(written["printed.json"])["exhibit"] == "fake/printed"


def test_a_damaged_table_is_not_published(tmp_path, monkeypatch, tidy_table):
    fake(monkeypatch, "banditpapers.papers.fake.exhibits.drawn", draw=draw, CAPTION="")
    tidy_table.write_bytes(tidy_table.read_bytes()[:-5])
    with pytest.raises(records.DamagedRecordError, match=r"tidy\.parquet"):
        exhibits.publish("fake", "drawn", "figure", tidy_table, tmp_path / "claims.yaml", "c0de", tmp_path / "out" / "drawn")
    assert not (tmp_path / "out").exists()


def test_a_summary_is_rounded_and_says_where_it_came_from(tmp_path, monkeypatch, tidy_table):
    def summarise(runs, parameters, claims):
        assert runs.cells == ()
        return pd.DataFrame({"x": [parameters["a"] / 3, math.nan], "n": [len(claims.claims), 2], "who": ["é", "b"]})

    fake(monkeypatch, "banditpapers.papers.fake.summaries.made", summarise=summarise)
    exhibits.summarise("fake", "made", [], 10, {"a": 1}, tmp_path / "claims.yaml", "abc", tmp_path / "made.parquet")
    table, about = exhibits.tidy(tmp_path / "made.parquet")
    assert table["x"][0] == 0.333333333
    assert math.isnan(table["x"][1])
    assert table["n"].tolist() == [1, 2]
    assert table["who"].tolist() == ["é", "b"]
    assert (about["replicates_planned"], about["parameters"], about["summary_code"]) == (10, {"a": 1}, "abc")
    assert about["versions"] == records.versions()


def test_every_sidecar_names_its_provenance(tmp_path, monkeypatch):
    """What is to be said of an exhibit is said on the whole way, also of one that needs no simulation."""
    (tmp_path / "claims.yaml").write_text(CLAIMS)
    fake(monkeypatch, "banditpapers.papers.fake.summaries.made", summarise=lambda runs, parameters, claims: pd.DataFrame({"x": [1.0]}))
    fake(monkeypatch, "banditpapers.papers.fake.exhibits.made", tabulate=lambda table, claims: [], CAPTION="")
    exhibits.summarise("fake", "made", [], 10, {"a": 1}, tmp_path / "claims.yaml", "abc", tmp_path / "made.parquet")
    exhibits.publish("fake", "made", "table", tmp_path / "made.parquet", tmp_path / "claims.yaml", "c0de", tmp_path / "out" / "made")
    about = json.loads((tmp_path / "out" / "made.json").read_text(encoding="utf-8"))
    assert set(about) == set(exhibits.PROVENANCE)
    assert about["claims"] == claims.load(tmp_path / "claims.yaml").key
    assert (about["machine"], about["lock"]) == (records.machine(), records.lock())
    assert about["replicates"] == {"planned": 0, "finished": 0, "failed": 0}
