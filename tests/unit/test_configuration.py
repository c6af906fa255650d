"""The configuration: what is accepted, how files are laid over each other, and the sentence for every kind of mistake."""

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from banditpapers import configuration
from banditpapers.configuration import ConfigurationError, Settings, load
from banditpapers.fields import shown
from banditpapers.papers.lp2s.grid import Grid
from banditpapers.papers.lp2s.sections import grid_step

ROOT = Path(__file__).parents[2]
COMMON, DRTS, LP2S, QUICK = (ROOT / "config" / name for name in ("config.yaml", "drts.yaml", "lp2s.yaml", "quick.yaml"))
SHIPPED = (COMMON, *(ROOT / "config" / f"{paper}.yaml" for paper in configuration.PAPERS))


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a file into an empty working directory, so that messages name it without a folder."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="mine.yaml"):
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return Path(name)

    return write


def complaints(*files, **overrides):
    with pytest.raises(ConfigurationError) as caught:
        load(files, overrides)
    return str(caught.value).split("\n")


# Laid over the committed files, the snippet is refused with this line and no other.
REFUSED = [
    # numbers that YAML reads as something else
    (
        "lp2s:\n  batch_racing:\n    delta: 1e-3",
        "mine.yaml, line 3, lp2s.batch_racing.delta: found the text '1e-3', *; write 1.0e-3 or 0.001",
    ),
    ("lp2s:\n  arms:\n    - 1000\n    - 1e3", "mine.yaml, line 4, lp2s.arms[1]: found the text '1e3', *; write 1.0e+3 or 1000"),
    ("lp2s: {survivors_factor: 1.5e1}", "mine.yaml, line 1, lp2s.survivors_factor: found the text '1.5e1', *; write 1.5e+1 or 15"),
    ("lp2s: {survivors_factor: -.5}", "mine.yaml, line 1, lp2s.survivors_factor: found the text '-.5', *; write -5.0e-1 or -0.5"),
    ("lp2s: {survivors_factor: 1e999}", "mine.yaml, line 1, lp2s.survivors_factor: found the text '1e999', *; write a smaller number"),
    (
        "master_seed: 010",
        "mine.yaml, line 1, master_seed: found the text '010', which looks octal; write 10, or '010' in quotes for a text",
    ),
    ("master_seed: 08", "mine.yaml, line 1, master_seed: found the text '08', which looks octal; write 8, *"),
    ("master_seed: 0x1F", "mine.yaml, line 1, master_seed: found the text '0x1F'; write a decimal number *"),
    ("master_seed: 0o17", "mine.yaml, line 1, master_seed: found the text '0o17'; write a decimal number *"),
    ("scale: 2024_06", "mine.yaml, line 1, scale: found the text '2024_06', which YAML reads as 202406; write the number without _, or *"),
    ("\nblock:\n  seconds: 1:30", "mine.yaml, line 3, block.seconds: found the text '1:30', which YAML reads as a number in base 60; *"),
    ("scale: no", "mine.yaml, line 1, scale: found the text 'no', which YAML reads as false; write 'no' in quotes for a text"),
    ("scale: ON", "mine.yaml, line 1, scale: found the text 'ON', which YAML reads as true; write 'ON' in quotes for a text"),
    (
        "scale: 2024-06-01",
        "mine.yaml, line 1, scale: found the text '2024-06-01', which YAML reads as a date; write '2024-06-01' in quotes",
    ),
    ("block: {seconds: .nan}", "mine.yaml, line 1, block.seconds: found the text '.nan'; write a finite number"),
    ("block: {seconds: -.inf}", "mine.yaml, line 1, block.seconds: found the text '-.inf'; write a finite number"),
    ("block: {seconds: inf}", "mine.yaml, line 1, block.seconds: found the text 'inf'; write a finite number"),
    (
        f"master_seed: {'1' * 101}",
        "mine.yaml, line 1, master_seed: found the text '1*...'; write a decimal number of at most 100 digits, *",
    ),
    # the wrong kind of value
    ("master_seed: '7'", "mine.yaml, line 1, master_seed: found the text '7'; write an integer of at least 0"),
    ("master_seed: true", "mine.yaml, line 1, master_seed: found true; write an integer of at least 0"),
    ("master_seed: 1.5", "mine.yaml, line 1, master_seed: found the number 1.5; write an integer of at least 0"),
    ("master_seed: -1", "mine.yaml, line 1, master_seed: found the number -1; write an integer of at least 0"),
    ("master_seed:", "mine.yaml, line 1, master_seed: found nothing; write an integer of at least 0"),
    ("lp2s:\n  arms: [1000, '1e3']", "mine.yaml, line 2, lp2s.arms[1]: found the text '1e3'; write an integer of at least 2"),
    ("lp2s: {arms: 1000}", "mine.yaml, line 1, lp2s.arms: found the number 1000; write a list of at least one entry"),
    ("lp2s: {arms: []}", "mine.yaml, line 1, lp2s.arms: found an empty list; write a list of at least one entry"),
    ("lp2s: 3", "mine.yaml, line 1, lp2s: found the number 3; write a mapping with the keys realizations, priors, arms, *"),
    ("lp2s: {readings: [A]}", "mine.yaml, line 1, lp2s.readings: found a list of 1; write a mapping"),
    ("lp2s: {readings: {A: 30}}", "mine.yaml, line 1, lp2s.readings.A: found the number 30; write a mapping with the keys rounds_factor"),
    ("lp2s: {default_reading: {stage: 1}}", "mine.yaml, line 1, lp2s.default_reading.stage: found the number 1; write a text"),
    ("lp2s: {default_reading: {score: last}}", "mine.yaml, *.score: found the text 'last'; write combined or stage2"),
    ("block: {seconds: 1}\nscale: Quick", "mine.yaml, line 2, scale: found the text 'Quick'; write a label in lower case *"),
    ("results: /tmp/results", "mine.yaml, line 1, results: found the text '/tmp/results'; write a relative folder path *"),
    ("results: a/../../b", "mine.yaml, line 1, results: found the text 'a/../../b'; write a relative folder path *"),
    ("papers: [lp2z]", "mine.yaml, line 1, papers[0]: found the text 'lp2z'; write a paper's key (debora, drts, lp2s, softucb)"),
    ("papers: [lp2s, lp2s]", "mine.yaml, line 1, papers[1]: found the text 'lp2s' for the second time; write each entry once"),
    # out of range
    ("lp2s: {realizations: 0}", "mine.yaml, line 1, lp2s.realizations: found the number 0; write an integer of at least 1"),
    ("lp2s: {arms: [1]}", "mine.yaml, line 1, lp2s.arms[0]: found the number 1; write an integer of at least 2"),
    ("lp2s: {arms: [1000, 1000.0]}", "mine.yaml, line 1, lp2s.arms[1]: found the number 1000.0 for the second time; *"),
    ("lp2s: {batch_racing: {delta: 0}}", "mine.yaml, *.delta: found the number 0; write a number above 0 and below 1"),
    ("lp2s: {batch_racing: {delta: 1}}", "mine.yaml, *.delta: found the number 1; write a number above 0 and below 1"),
    ("lp2s: {two_stage_exploration: {beyond: 1}}", "mine.yaml, *.beyond: found the number 1; write a number above 1 and of at most 1000"),
    ("lp2s: {survivors_factor: 0}", "mine.yaml, line 1, lp2s.survivors_factor: found the number 0; write a number above 0"),
    ("block: {largest: 0}", "mine.yaml, line 1, block.largest: found the number 0; write an integer of at least 1"),
    (f"block: {{seconds: 1{'0' * 99}}}\nmaster_seed: -1{'0' * 99}", "mine.yaml, line 2, master_seed: found a huge number; *"),
    (
        "lp2s: {delta0: [1.5]}",
        "mine.yaml, *.delta0[0]: found the number 1.5; write smallest, fit, a step such as 'grid 0.05', or a number *",
    ),
    ("lp2s: {delta0: [grid 2]}", "mine.yaml, *.delta0[0]: found the text 'grid 2'; write smallest, fit, *"),
    ("lp2s: {delta0: [grid 0.00]}", "mine.yaml, *.delta0[0]: found the text 'grid 0.00'; write smallest, fit, *"),
    ("lp2s: {delta0: [smallest, grid 0.05, grid .050]}", "mine.yaml, *.delta0[2]: found the text 'grid .050' for the second time; *"),
    ("lp2s: {scaling: {delta0: fit}}", "mine.yaml, *.scaling.delta0: found the text 'fit'; write smallest, a step *"),
    (
        "lp2s:\n  figure1:\n    prior: [1, 0]",
        "mine.yaml, line 3, lp2s.figure1.prior[1]: found the number 0; write a number of at least 0.5",
    ),
    ("lp2s: {figure1: {prior: [1]}}", "mine.yaml, line 1, lp2s.figure1.prior: found a list of 1; write a list of 2"),
    ("lp2s: {scaling: {rounds: [10, 5]}}", "mine.yaml, *.rounds[1]: found 5 after 10; write the list from small to large"),
    ("lp2s: {readings: {2nd: {rounds_factor: 1}}}", "mine.yaml, line 1, lp2s.readings.2nd: found the text '2nd'; write a name *"),
    # contradictions
    ("figures: results\nresults: results/a", "mine.yaml, line 1, figures: found the text 'results', which holds the results, too; *"),
    ("lp2s: {default_reading: {stage: B}}", "mine.yaml, *.default_reading.stage: found the text 'B'; write one of the readings: A, D"),
    (
        "lp2s:\n  delta0: [fit]",
        "*/config/lp2s.yaml, line *, lp2s.default_reading.delta0: found the text 'smallest'; write one of the rules of delta0: fit",
    ),
    ("lp2s: {survivors_factor: 200}", "mine.yaml, line 1, lp2s.survivors_factor: found 200, with which 921 of 100 arms survive; *"),
    ("lp2s: {fixed_confidence: {survivors: 201}}", "mine.yaml, *.survivors: found L = 201 survivors of K = 200 arms; *"),
    (
        "lp2s:\n  figure2:\n    programs:\n    - {setting: FC, delta0: 0.93, survivors: 101}",
        "mine.yaml, line 4, lp2s.figure2.programs[0].survivors: found L = 101 survivors of K = 100 arms; *",
    ),
    ("lp2s: {readings: {A: {rounds_factor: 0.2}}}", "mine.yaml, *.A.rounds_factor: found 0.2, with which 1000 arms get 1 rounds; *"),
    (
        "lp2s:\n  figure2:\n    priors:\n    - [2, 2]",
        "mine.yaml, line 4, lp2s.figure2.priors[0]: found Beta(2, 2), which has no good_mean; *",
    ),
    # keys
    ("lp2s:\n  realisations: 5", "mine.yaml, line 2, lp2s.realisations: unknown key 'realisations'; did you mean 'realizations'?"),
    ("block: {zzz: 1}", "mine.yaml, line 1, block.zzz: unknown key 'zzz'; write one of largest, seconds, replicate_seconds"),
    ("lp2z: 1", "mine.yaml, line 1, lp2z: unknown key 'lp2z'; did you mean 'lp2s'?"),
    ("lp2s.arms: [3]", "mine.yaml, line 1, 'lp2s.arms': unknown key 'lp2s.arms'; *"),
    ("lp2s:\n  scaling:\n    1: 2", "mine.yaml, line 3, lp2s.scaling: found the number 1 as a key; write a name, or the key in quotes"),
    ("on: 2", "mine.yaml, line 1: found the text 'on', which YAML reads as true; *"),
    ("? [1, 2]\n: 3", "mine.yaml, line 1: found a list or a mapping as a key; write a name"),
    ("scale: a\nblock: {}\nscale: b", "mine.yaml, line 3, scale: found this key for the second time (first: mine.yaml, line 1); *"),
    ("block: &b {largest: 3}\nlp2s: {<<: *b}", "mine.yaml, line 2, lp2s: found the merge key <<; write the keys out"),
    # files
    ("scale: [a", "mine.yaml, line *: not YAML: *; correct the syntax on this line or the one above"),
    ("scale: quick\nblock:\n\tlargest: 2", "mine.yaml, line 3: found a tab in the indentation; write blanks"),
    ("scale: a\n---\nscale: b", "mine.yaml, line *: not YAML: *another document*"),
    ("scale: *a", "mine.yaml, line 1: not YAML: *undefined alias*"),
    ("scale: a\nresults: b\x01", "mine.yaml, line 2: found the control character '\\x01'; leave it out"),
    (b"scale: quick\nresults: caf\xe9", "mine.yaml, line 2: found the byte 0xe9, which is not UTF-8; save the file as UTF-8"),
    ("- 1", "mine.yaml, line 1: found a list of 1; write a mapping *"),
    ("# nothing here", "mine.yaml, line 1: found nothing; write a mapping *"),
    ("scale: !!str 10", "mine.yaml, line 1, scale: found the tag tag:yaml.org,2002:str; write the value without a tag"),
    ("block: !!python/object:os.system {}", "mine.yaml, line 1, block: found the tag *; write the value without a tag"),
    ("scale: &a [*a]", "mine.yaml, line 1, scale*: found a value nested 40 deep or aliases that multiply; *"),
    ("scale: " + "[" * 5000, "mine.yaml, line 1: not YAML: *"),
]


def fits(pattern, line):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), line)


@pytest.mark.parametrize(("snippet", "sentence"), REFUSED, ids=[sentence[:90] for _, sentence in REFUSED])
def test_refuses_with_file_line_key_and_remedy(write, snippet, sentence):
    lines = complaints(*SHIPPED, write(snippet))
    assert len(lines) == 1
    assert fits(sentence, lines[0]), lines[0]


def test_aliases_of_aliases_end_in_one_sentence(write):
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9))
    lines = complaints(write(bomb))
    assert len(lines) == 1
    assert "aliases that multiply" in lines[0]


def test_a_missing_key_is_named_with_what_belongs_there(write):
    without = write(LP2S.read_text(encoding="utf-8").replace("  realizations: 1000 ", "  # realizations: 1000 "), "lp2s.yaml")
    line = 1 + LP2S.read_text(encoding="utf-8").split("\n").index("lp2s:")
    sentence = "the key 'realizations' is missing; write realizations: an integer of at least 1"
    assert complaints(*(file for file in SHIPPED if file != LP2S), without) == [f"lp2s.yaml, line {line}, lp2s: {sentence}"]


def test_a_missing_section_of_a_paper_is_named():
    lines = complaints(COMMON)
    wanted = yaml.safe_load(COMMON.read_text(encoding="utf-8"))["papers"]
    assert len(lines) == len(wanted) >= 3
    for paper, line in zip(wanted, lines, strict=True):
        assert fits(f"{COMMON}, line 1: the key '{paper}' is missing; write {paper}: a mapping with the keys *", line)


def test_a_prior_listed_twice_with_two_levels_is_refused(write):
    first = "  - {prior: [1, 1], good_mean: 0.7}\n  - {prior: [5, 1], good_mean: 0.8}\n"
    snippet = f"lp2s:\n  priors:\n{first}  - prior: [1.0, 1]\n    good_mean: 0.6"
    lines = complaints(*SHIPPED, write(snippet))
    assert lines[0] == "mine.yaml, line 5, lp2s.priors[2].prior: found Beta(1, 1) for the second time; write each prior once"


def test_an_empty_mapping_of_readings_is_refused(write):
    text = LP2S.read_text(encoding="utf-8")
    emptied = re.sub(r"  readings:\n.*\n.*\n", "  readings: {}\n", text)
    assert emptied != text
    lines = complaints(COMMON, DRTS, write(emptied))
    assert fits("mine.yaml, line *, lp2s.readings: found an empty mapping; write at least one reading", lines[0])


def test_all_faults_are_told_at_once(write):
    lines = complaints(
        *SHIPPED, write("master_seed: -1\nblock: {seconds: 0, smallest: 1}\nlp2s:\n  arms: [1, 2]\n  curve: {}\n  nothing: 0")
    )
    assert len(lines) == 5
    assert all(line.startswith("mine.yaml, line ") for line in lines)


@pytest.mark.parametrize("name", ["absent.yaml", ".", "nul\0.yaml"])
def test_a_file_that_cannot_be_read_is_named(write, name):
    assert fits(f"{name}: the file cannot be read (*); write the path of a YAML file", complaints(Path(name), *SHIPPED)[0])


def test_the_committed_configuration_is_the_paper():
    settings = load(SHIPPED)
    grid = settings.grids["lp2s"]
    assert settings.scale == "paper"
    assert isinstance(grid, Grid)
    assert (grid.realizations, grid.arms) == (1000, (1000, 2000, 5000))
    assert [grid.rounds("A", arms) for arms in grid.arms] == [207, 228, 255]
    assert [grid.rounds("D", arms) for arms in grid.arms] == [103, 114, 127]
    assert grid.survivors(1000) == pytest.approx(20.72326583694641, rel=1e-15)
    assert [grid.good_mean(prior) for prior in ((1, 1), (5, 1), (1, 3))] == [0.7, 0.8, 0.7]
    assert [grid_step(rule) for rule in (*grid.delta0, 0.93)] == [None, 0.05, 0.01, None, None]


def test_the_quick_configuration_is_laid_over_the_paper():
    settings = load([*SHIPPED, QUICK])
    grid = settings.grids["lp2s"]
    assert (settings.scale, settings.results, settings.block.largest, settings.block.seconds) == ("quick", "results/quick", 20, 60)
    assert (grid.realizations, grid.arms, grid.survivors_factor) == (20, (1000,), 3)


def test_numbers_written_in_two_ways_are_one(write):
    first = load([*SHIPPED, write("lp2s: {arms: [1000], delta0: [smallest, 0.10, grid 0.050]}", "a.yaml")])
    second = load([*SHIPPED, write("lp2s: {arms: [1000.0], delta0: [smallest, 1.0e-1, grid .05]}", "b.yaml")])
    assert first == second
    assert first.to_json() == second.to_json()
    assert type(second.grids["lp2s"].arms[0]) is int


def test_anchors_and_quoted_texts_are_fine(write):
    settings = load([*SHIPPED, write("lp2s:\n  arms: &arms [50, 60]\n  scaling: {rounds: *arms}\nscale: 'no'\n")])
    assert (settings.scale, settings.grids["lp2s"].scaling.rounds) == ("no", (50, 60))


def test_a_later_file_wins_and_its_line_is_told(write):
    first = write("lp2s:\n  curve:\n    points: 5\n  frontier:\n    points: 1\n", "a.yaml")
    second = write("\n\nlp2s:\n  curve:\n    points: 0\n", "b.yaml")
    assert [line.split(":")[0] for line in complaints(*SHIPPED, first, second)] == [
        "b.yaml, line 5, lp2s.curve.points",
        "a.yaml, line 5, lp2s.frontier.points",
    ]


def test_a_list_is_replaced_with_its_lines(write):
    first = write("lp2s:\n  arms:\n  - 10\n  - 20\n  - 1\n", "a.yaml")
    second = write("lp2s:\n  arms:\n  - 10\n  - 1\n", "b.yaml")
    assert [line.split(":")[0] for line in complaints(*SHIPPED, first, second)] == ["b.yaml, line 4, lp2s.arms[1]"]


def test_overrides_come_last_nested_or_dotted():
    overrides = {
        "master_seed": "7",
        "scale": "custom",
        "block": {"seconds": "0.5"},
        "lp2s.realizations": "30",
        "lp2s": {"arms": ["50", "60"], "curve": {"points": "9"}},
        "lp2s.scaling.rounds": "[2, 3]",
        "lp2s.frontier": {"points": 8},
    }
    settings = load(SHIPPED, overrides)
    grid = settings.grids["lp2s"]
    assert (settings.master_seed, settings.scale, settings.block.seconds) == (7, "custom", 0.5)
    assert (grid.realizations, grid.arms, grid.curve.points, grid.scaling.rounds, grid.frontier.points) == (30, (50, 60), 9, (2, 3), 8)


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ({"lp2s": {"realizations": "1e3"}}, "--config, lp2s.realizations: found the text '1e3', *; write 1.0e+3 or 1000"),
        ({"lp2s.arms": ["10", "x"]}, "--config, lp2s.arms[1]: found the text 'x'; write an integer of at least 2"),
        ({"master_sed": "1"}, "--config, master_sed: unknown key 'master_sed'; did you mean 'master_seed'?"),
        ({"master_seed": float("nan")}, "--config, master_seed: found the number nan; *"),
        ({"block.seconds": float("inf")}, "--config, block.seconds: found the number inf; *"),
        ({"lp2s.curve.points": "[1"}, "--config, lp2s.curve.points: not YAML: *"),
        ({"scale": "a: {a: 1, a: 2}"}, "--config, scale.a.a: found this key for the second time (first: --config); *"),
        ({"scale": ""}, "--config, scale: found nothing; *"),
        ({"scale": {1, 2}}, "--config, scale: found a set; *"),
    ],
)
def test_overrides_are_as_strict_as_files(overrides, sentence):
    (line,) = complaints(*SHIPPED, **overrides)
    assert fits(sentence, line), line


def test_settings_survive_their_own_json():
    settings = load([*SHIPPED, QUICK])
    assert Settings.from_json(settings.to_json()) == settings
    assert list(json.loads(settings.to_json())) == sorted(json.loads(settings.to_json()))


@pytest.mark.parametrize("text", ["{", "[]", '{"scale": "x"}'])
def test_json_that_is_no_settings_is_refused(text):
    with pytest.raises(ConfigurationError, match=r"the settings' JSON|the settings are not JSON"):
        Settings.from_json(text)


def test_settings_do_not_change():
    with pytest.raises(ValueError, match="frozen"):
        load(SHIPPED).scale = "other"


def test_the_committed_schema_is_the_code_s(tmp_path):
    configuration.main(["--schemas", str(tmp_path)])
    committed = ROOT / "workflow" / "schemas" / configuration.SCHEMA
    command = "python -m banditpapers.configuration --schemas workflow/schemas"
    assert committed.read_text(encoding="utf-8") == (tmp_path / configuration.SCHEMA).read_text(encoding="utf-8"), f"run: {command}"


def test_the_schema_accepts_the_committed_files_and_refuses_a_text_for_a_number():
    merged = json.loads(load([*SHIPPED, QUICK]).to_json())
    validator = jsonschema.Draft202012Validator(configuration.schema())
    validator.check_schema(configuration.schema())
    assert list(validator.iter_errors(merged)) == []
    merged["lp2s"]["realizations"] = "20"
    assert [list(error.absolute_path) for error in validator.iter_errors(merged)] == [["lp2s", "realizations"]]


def test_loading_imports_no_numerical_library():
    program = (
        "import sys; from pathlib import Path; from banditpapers.configuration import load; load([Path(path) for path in sys.argv[1:]])\n"
        "print(sorted({'numba', 'numpy', 'pandas', 'scipy', 'pyarrow', 'snakemake'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n{program}", *map(str, SHIPPED)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def paths(value, path=()):
    """The key paths of all values in plain data."""
    yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(item, (*path, key))


PLAIN = {key: value for file in SHIPPED for key, value in yaml.safe_load(file.read_text(encoding="utf-8")).items()}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["fit", "1e3", "no", "A", "lp2s"])
JUNK = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=5
)


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from([path for path in paths(PLAIN) if path]), junk=JUNK, key=st.none() | st.text(max_size=4))
def test_junk_anywhere_loads_or_is_refused_with_its_line(tmp_path, path, junk, key):
    data = json.loads(json.dumps(PLAIN))
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = junk if key is None else {key: junk}
    file = tmp_path / "junk.yaml"
    file.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    try:
        load([file])
    except ConfigurationError as error:
        for line in str(error).split("\n"):
            assert re.match(rf"{re.escape(str(file))}, line [0-9]+(, |: )", line), line


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.text(alphabet="ab:-[]{}&*!|>'\"#,?%@`\n\t 01.e_<~\\é\0", max_size=25) | st.binary(max_size=12))
def test_junk_text_is_refused_with_its_line(tmp_path, junk):
    file = tmp_path / "junk.yaml"
    file.write_bytes(junk if isinstance(junk, bytes) else junk.encode())
    with pytest.raises(ConfigurationError) as caught:
        load([file])
    for line in str(caught.value).split("\n"):
        assert line.startswith(f"{file}, line "), line


def test_a_value_is_shown_in_words():
    assert [shown(value) for value in (None, False, 2, "x", "y" * 99, {}, {"a": 1}, [], (1, 2), {3})] == [
        "nothing",
        "false",
        "the number 2",
        "the text 'x'",
        f"the text '{'y' * 57}...'",
        "an empty mapping",
        "a mapping",
        "an empty list",
        "a list of 2",
        "a set",
    ]
