"""What a person types: each mistake ends in one sentence before anything is written, and each paper stands on its own."""

import resource

import pytest
from checkout import QUICK

from banditpapers.configuration import PAPERS

ONLY = {paper: f'papers=["{paper}"]' for paper in PAPERS}
EVIL = "__use_yte__: true\n__definitions__:\n- open('executed', 'w').close()\nscale: quick\n"
FILES = {  # what Snakemake itself would answer with a traceback or with a sentence that names no line
    "syntax.yaml": (b"scale: quick\nblock: {largest: 2\n", "line 3: not YAML: "),
    "twice.yaml": (b"scale: a\nscale: b\n", "line 2, scale: found this key for the second time"),
    "tab.yaml": (b"block:\n\tlargest: 2\n", "line 2: found a tab in the indentation; write blanks"),
    "latin.yaml": (b"# caf\xe9\nscale: quick\n", "line 1: found the byte 0xe9, which is not UTF-8; save the file as UTF-8"),
    "nul.yaml": (b"scale: a\0b\n", "line 1: found the control character '\\x00'; leave it out"),
    "deep.yaml": (b"scale: " + b"[" * 5000, "line 1: not YAML: "),
    "anchor.yaml": (b"block: &a {largest: *a}\n", "found a value nested 40 deep or aliases that multiply; write the values out"),
    "bomb.yaml": (b"a: &a [x]\n" + b"".join(b"%c: &%c [%s]\n" % (n, n, b", ".join([b"*%c" % (n - 1)] * 9)) for n in b"bcdefgh"), "aliases"),
    "long.yaml": (
        b"a: [" + b"1234567, " * 1_200_000 + b"]",
        "found more than 400000 bytes, which is no configuration; write the path of a",
    ),
    "evil.yaml": (EVIL.encode(), "line 1, __use_yte__: unknown key '__use_yte__'; write one of master_seed, "),
}


def refused(checkout, *arguments):
    """The last words of Snakemake, which must be ours alone: no traceback before them, nothing written."""
    before = set(checkout.root.rglob("*"))
    printed = checkout.refused("--cores", "1", *arguments, before_any_job=True)
    assert "Traceback" not in printed
    assert {
        path for path in set(checkout.root.rglob("*")) - before if ".snakemake" not in path.parts and "__pycache__" not in path.parts
    } == set()
    return printed.rstrip().split("the configuration is refused:\n")[-1]


@pytest.fixture(scope="module")
def clone(fresh, tmp_path_factory):
    """A clone of this module's own: even a dry run leaves something behind."""
    return fresh.clone(tmp_path_factory.mktemp("faute") / "de frappe")


@pytest.fixture(scope="module")
def mistaken(clone):
    """The same with the bad files in it."""
    for name, (content, _) in FILES.items():
        (clone.root / name).write_bytes(content)
    return clone


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_snakemake_cannot_read_ends_in_our_sentence(mistaken, name):
    printed = refused(mistaken, "lp2s_figure1", "--configfile", QUICK[1], name)
    assert printed.startswith(f"{name}, line " if FILES[name][1].startswith("line") else name)
    assert FILES[name][1] in printed
    assert not (mistaken.root / "executed").exists()


@pytest.mark.parametrize(("name", "reason"), [("absent.yaml", "No such file or directory"), ("config", "a folder or a device, not a file")])
def test_a_file_that_is_none_ends_in_our_sentence(mistaken, name, reason):
    assert refused(mistaken, "--configfile", name) == f"{name}: the file cannot be read ({reason}); write the path of a YAML file"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lp2s_tabel2"], "found the target lp2s_tabel2, which there is not; did you mean lp2s_table2?"),
        (["drts_zzz"], "found the target drts_zzz, which there is not; write one of drts_figure1, drts_figure1_repaired, "),
        (["lp2s_table2", "--config", ONLY["drts"]], "found the target lp2s_table2, but papers has only drts; write lp2s there, too"),
        (["drts", "--config", ONLY["lp2s"]], "found the target drts, but papers has only lp2s; write drts there, too"),
        (["--config", "master_sed=3"], "--config, master_sed: unknown key 'master_sed'; did you mean 'master_seed'?"),
        (["--config", "papers=drts"], "--config, papers: found the text 'drts'; write a list of at least one entry"),
        (["--config", "papers=[lp2z]"], "--config, papers[0]: found the text 'lp2z'; write a paper's key (debora, drts, lp2s, softucb)"),
        (["--config", "block={largest: 0}"], "--config, block.largest: found the number 0; write an integer of at least 1"),
        (
            ["--config", "lp2s={realizations: 1e3}"],
            "--config, lp2s.realizations: found the text '1e3', which YAML readers take for different",
        ),
        (["--config", "scale=no"], "--config, scale: found the text 'no', which YAML reads as false; write 'no' in quotes for a text"),
        (["--config", "drts={replicates: 1000000}"], "found more than 20000 blocks to simulate, with "),
        (
            ["--config", "figures=results"],
            "--config, figures: found the text 'results', which holds the results, too; write another folder",
        ),
        (["--config", "m=1"], "--config: found the text 'm=1'; write KEY=VALUE, such as master_seed=7 or "),
        (["--config", "master_seed"], "--config: found the text 'master_seed'; write KEY=VALUE, such as master_seed=7 or "),
        (["-C", "lp2s.realizations=20"], "--config: found the text 'lp2s.realizations=20'; write KEY=VALUE, such as master_seed=7 or "),
        (["--config", "figures=README.md"], "README.md is a file, but README.md is to be a folder; move the file or write another folder"),
    ],
)
def test_a_mistyped_command_ends_in_our_sentence(mistaken, arguments, sentence):
    assert refused(mistaken, *arguments).startswith(sentence)


def test_a_file_that_nothing_makes_ends_in_snakemake_s_sentence(mistaken):
    assert "No rule to produce figures/lp2s/table9.csv" in refused(mistaken, "figures/lp2s/table9.csv").splitlines()[-1]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_stands_on_its_own(clone, paper):
    whole = clone.dry_run(*QUICK, "--config", ONLY[paper])
    assert {name.partition("_")[0] for name in whole.exhibits} == {paper}
    assert whole.counts["claims"] == whole.counts["gallery"] == whole.counts["all"] == 1
    target = clone.dry_run(paper, *QUICK)
    assert (target.blocks, target.exhibits) == (whole.blocks, whole.exhibits)


def test_a_dry_run_of_everything_takes_seconds(clone):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = clone.dry_run(cold=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert {name.partition("_")[0] for name in found.exhibits} == set(PAPERS)
    assert found.counts.total() < 3000
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10
