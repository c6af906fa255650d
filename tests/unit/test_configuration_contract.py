"""The contract between validation and planning: a mutated configuration is refused in our sentences, or everything that follows from it can
be built: the plan with all its files and commands, and the environment and algorithm of every cell."""

import json
import re
from collections import Counter
from pathlib import Path

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from banditpapers.cells import files
from banditpapers.configuration import ConfigurationError, Settings, load, shipped
from banditpapers.planning import Plan
from banditpapers.plugins import build
from banditpapers.refusals import refuse

ROOT = Path(__file__).parents[2]
REMEDY = r"; (?:write|keep|leave|save|correct|add|did you mean) "
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

NUMBERS = st.sampled_from([0, 1, 2, 3, 10, 11, 12, 30, 1000, 10**6, 10**9, 10**40, -1, 0.05, 0.1, 0.5, 0.999999, 1e-300, 1e300, 1.0000001])
WORDS = [
    "smallest",
    "fit",
    "grid 0.05",
    "sqrt t",
    "A.3",
    "1/(N + 1)",
    "PAC",
    "FC",
    "A",
    "D",
    "clip",
    "global",
    "fresh",
    "lp2s",
    "drts",
    "stage2",
]
SCALARS = NUMBERS | st.sampled_from(WORDS) | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["A", "prior", "zz"]), inner, max_size=2),
    max_leaves=4,
)
SCALED = {
    "a bit more": lambda value: value * 1.01 if isinstance(value, float) else value + 1,
    "a bit less": lambda value: value * 0.99 if isinstance(value, float) else value - 1,
    "twice": lambda value: value * 2,
    "thousands": lambda value: value * 1000,
    "millions": lambda value: value * 1_000_000,
}
CHANGES = {
    "first": lambda value: value[:1],
    "rest": lambda value: value[1:],
    "backwards": lambda value: value[::-1],
    "last twice": lambda value: value + value[-1:],
}


def places(value, path=()):
    """All values in plain data with their key paths."""
    yield path, value
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(item, (*path, key))


PLAIN = {key: value for file in shipped(ROOT) for key, value in yaml.safe_load(file.read_text(encoding="utf-8")).items()}


@st.composite
def mutated(draw):
    """The shipped configuration with one to three values changed, removed or added at random key paths."""
    data, dice = json.loads(json.dumps(PLAIN)), draw(st.randoms(use_true_random=True))  # even dice: hypothesis prefers what is simple
    gentle = dice.random() < 0.6
    for _ in range(1 if gentle else dice.choice([1, 1, 2, 3])):
        path = dice.choice([path for path, value in places(data) if path and (not gentle or isinstance(value, int | float | list))])
        holder = data
        for step in path[:-1]:
            holder = holder[step]
        value, action = holder[path[-1]], "near" if gentle else dice.choice(["near", "near", "junk", "remove", "add"])
        if action == "remove" and len(data) > 1:
            del holder[path[-1]]
        elif action == "add" and isinstance(value, dict | list):
            holder[path[-1]] = (
                {**value, draw(st.sampled_from(["zz", "arms", "B"])): draw(JUNK)} if isinstance(value, dict) else [*value, draw(JUNK)]
            )
        elif action == "near" and isinstance(value, int | float) and not isinstance(value, bool):
            holder[path[-1]] = SCALED[dice.choice(sorted(SCALED))](value)
        elif action == "near" and isinstance(value, list):
            holder[path[-1]] = CHANGES[dice.choice(sorted(CHANGES))](value)
        else:
            holder[path[-1]] = draw(JUNK)
    return data


PLAIN = {key: value for file in shipped(ROOT) for key, value in yaml.safe_load(file.read_text(encoding="utf-8")).items()}


def refused(sentences, file):
    """Whether a refusal is ours: each line with file, line and key, what was found and what to write instead."""
    known = rf"{re.escape(str(file))}, line [0-9]+(?:, \S.*)?: (?:found|unknown key|the key) .*{REMEDY}.*"
    return all(re.fullmatch(known, line) for line in sentences.split("\n"))


def build_everything(plan):
    """What the rules of the workflow ask of a plan, and what its jobs build first."""
    for cell in {block.cell for block in plan.blocks.values()}:
        build("environments", cell.environment)
        algorithm = build("algorithms", cell.algorithm)
        assert len(algorithm.checkpoints) >= 1
        assert len(algorithm.rules) >= 1
    for paper in plan.papers:
        for exhibit in plan.exhibits(paper):
            assert plan.replicates(paper, exhibit) >= 1
            assert json.loads(plan.parameters(paper, exhibit)) is not None
            assert [path for word in plan.spans(paper, exhibit) for path in files(word)] == list(map(Path, plan.runs(paper, exhibit)))
    assert json.loads(plan.described()).keys() == plan.blocks.keys()


def test_what_loads_can_be_planned_and_built_and_the_rest_is_refused_in_sentences(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    file, met = tmp_path / "mine.yaml", Counter()

    @settings(max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(data=mutated())
    def holds(data):
        file.write_text(yaml.dump(data, Dumper=DUMPER, allow_unicode=True), encoding="utf-8")
        try:
            found = load([file])
        except ConfigurationError as error:
            met["refused"] += 1
            sentences = str(error)
        else:
            met["loaded"] += 1
            assert Settings.from_json(found.to_json()) == found
            plan, sentences = Plan(found), ""
            try:
                refuse(plan)
            except ValueError as error:
                sentences = str(error)
                met["too large"] += 1
            else:
                build_everything(plan)
        assert not sentences or refused(sentences, file) or re.fullmatch(rf"found (?:more than|too many) .*{REMEDY}fewer.*", sentences), (
            sentences
        )

    holds()
    # the test would be hollow if nearly everything were refused, or nearly nothing; what is drawn differs with the modules that are loaded
    # (hypothesis takes constants from them), so that the bounds lie well below what is usual (22 loaded, 58 refused)
    assert met["loaded"] >= 8, met
    assert met["refused"] >= 20, met
