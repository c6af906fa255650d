"""Cells: one canonical JSON, one id; blocks that cover the replicates and stay when there are more of them."""

import itertools
import json
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditpapers.canonical import canonical, digest, normal
from banditpapers.cells import Cell, block_size, blocks

WORLD = {"name": "beta_bernoulli", "prior": [1, 3], "arms": 1000}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
ROUND = {int(f"{factor}{'0' * zeros}") for factor in (1, 2, 5) for zeros in range(8)}
fast = settings(max_examples=150, deadline=None, derandomize=True)


def cell(algorithm="batch_racing", world=WORLD, **parameters) -> Cell:
    return Cell("lp2s", world, {"name": algorithm, **parameters})


def test_canonical_json_is_one_text():
    assert canonical({"b": [1.0, 0.10, -0.0, 1e-1], "a": {"d": None, "c": True}}) == '{"a":{"c":true,"d":null},"b":[1,0.1,0,0.1]}'
    assert canonical({"é": "µ"}) == '{"é":"µ"}'
    assert canonical((1, (2.5,))) == canonical([1, [2.5]]) == "[1,[2.5]]"
    assert canonical(True) != canonical(1)
    assert canonical("1") != canonical(1)
    assert digest({"a": 1.0}) == digest({"a": 1})


@pytest.mark.parametrize(("one", "other"), [(1e16, 10**16), (2.0**53, 2**53), (1e22, 10**22), (-3e20, -3 * 10**20), (5.0, 5)])
def test_equal_numbers_have_one_spelling_whatever_their_size(one, other):
    assert one == other
    assert canonical(one) == canonical(other)


def test_integers_beyond_floating_point_are_numbers_too():
    assert canonical(10**400) == str(10**400)
    assert canonical(2**53 + 1) != canonical(2**53)


@fast
@given(VALUES)
def test_canonical_json_reads_back_to_itself(value):
    text = canonical(value)
    assert canonical(json.loads(text)) == text
    assert normal(normal(value)) == normal(value)


@fast
@given(st.dictionaries(st.text(max_size=4), VALUES, min_size=2, max_size=5))
def test_the_order_of_keys_does_not_matter(value):
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_a_grid_spelled_three_ways_is_one_cell():
    spellings = [cell(delta=float(text), batches=batches) for text in ("0.1", "0.10", "1e-1") for batches in (1, 1.0)]
    spellings += [cell(batches=1, delta=0.1, world={"prior": (1.0, 3), "arms": 1000.0, "name": "beta_bernoulli"})]
    assert len(set(spellings)) == 1
    assert len({found.json for found in spellings}) == 1
    assert len({found.id for found in spellings}) == 1, "equal cells must have the same files"
    assert all(found.environment == spellings[0].environment for found in spellings)
    assert type(spellings[1].algorithm["batches"]) is int
    assert cell(delta=0.1) != cell(delta=0.2)
    assert cell(delta=0.1) != cell(delta=0.1).json


def test_the_id_is_readable_and_ends_in_its_hash():
    found = cell(delta=0.05)
    assert found.id == f"batch_racing-arms1000-prior_1_3-{digest(json.loads(found.json)).hex()[:10]}"


def test_any_parameter_changes_the_id():
    ids = [cell().id, cell(delta=0.1).id, cell(delta="0.1").id, cell(delta=None).id, cell("lp2s").id]
    ids += [cell(world={**WORLD, "arms": 10}).id, Cell("drts", WORLD, {"name": "batch_racing"}).id]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("length", [1, 9, 40])
def test_ids_stay_short_with_18_parameters(length):
    world = {"name": "beta_bernoulli", **{f"p{letter}{'x' * length}": 0.123456789 for letter in string.ascii_lowercase[:18]}}
    algorithm = {"name": "batch_racing", **{f"q{i}{'y' * length}": 1e-9 for i in range(18)}}
    first, second = Cell("lp2s", world, algorithm), Cell("lp2s", world, {**algorithm, "q0": 2})
    assert len(first.id) < 80
    assert first.id != second.id
    assert re.fullmatch(r"[a-z][A-Za-z0-9._-]*[^_-]-[0-9a-f]{10}", first.id)


@fast
@given(st.text(min_size=1, max_size=30), st.dictionaries(st.text(max_size=20), VALUES, max_size=4))
def test_an_id_is_a_file_name_whatever_the_parameters(name, parameters):
    found = Cell("lp2s", {**parameters, "name": name}, {"name": "lp2s"})
    assert re.fullmatch(r"[A-Za-z0-9._-]{12,79}", found.id)
    assert Cell.from_json(found.json) == found
    assert Cell.from_json(found.json).id == found.id
    assert hash(Cell.from_json(found.json)) == hash(found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "3",
        "[]",
        '"text"',
        "null",
        "{}",
        '{"paper": "lp2s", "environment": {"name": "x"}}',
        '{"paper": "lp2s", "environment": 1, "algorithm": 2}',
        '{"paper": "lp2s", "environment": {"name": "x"}, "algorithm": {}}',
        '{"paper": "lp2s", "environment": {"name": 5}, "algorithm": {"name": "y"}}',
        '{"paper": 7, "environment": {"name": "x"}, "algorithm": {"name": "y"}}',
        '{"paper": "lp2s", "environment": {"name": "x", "p": NaN}, "algorithm": {"name": "y"}}',
        '{"paper": "lp2s", "environment": {"name": "x"}, "algorithm": {"name": "y"}, "more": 1}',
    ],
)
def test_what_is_no_cell_is_refused(text):
    with pytest.raises(ValueError, match=r"not a cell: .*; write the JSON of a cell with paper, environment and algorithm"):
        Cell.from_json(text)


@pytest.mark.parametrize("bad", [{1, 2}, float("nan"), object()])
def test_a_cell_without_identity_is_refused_when_it_is_made(bad):
    with pytest.raises((TypeError, ValueError), match=r"canonical form|finite"):
        cell(delta=bad)


def test_changing_the_grid_afterwards_does_not_change_a_cell():
    world = {"name": "beta_bernoulli", "prior": [1, 3]}
    found = cell(world=world)
    world["prior"].append(5)
    assert found == cell(world={"name": "beta_bernoulli", "prior": [1, 3]})


@fast
@given(st.floats(1e-9, 1e4), st.integers(1, 100_000), st.floats(1e-3, 1e5))
def test_a_block_is_the_largest_round_one_that_fits(cost, largest, seconds):
    size = block_size(cost, largest, seconds)
    fitting = [candidate for candidate in ROUND if candidate <= largest and candidate * cost <= seconds]
    assert size == max(fitting, default=1)


def test_block_sizes_by_example():
    assert [block_size(cost, 1000, 60) for cost in (1e-9, 0.06, 0.061, 0.13, 29.0, 31.0, 1e9)] == [1000, 1000, 500, 200, 2, 1, 1]
    assert block_size(1e-9, 999, 60) == 500


@fast
@given(st.integers(0, 3000), st.sampled_from(sorted(size for size in ROUND if size <= 1000)))
def test_blocks_cover_each_replicate_once(n, size):
    found = blocks(n, size)
    covered = [replicate for first, last in found for replicate in range(first, last + 1)]
    assert covered[:n] == list(range(n))
    assert len(covered) == len(set(covered)) < n + size
    assert all(last - first + 1 == size for first, last in found)


@fast
@given(st.integers(0, 2000), st.integers(0, 2000), st.sampled_from([1, 2, 5, 50, 200]))
def test_more_replicates_keep_all_old_blocks(n, more, size):
    assert blocks(n + more, size)[: len(blocks(n, size))] == blocks(n, size)


def test_ids_of_a_grid_are_distinct():
    grid = [cell(delta=delta, batches=batches) for delta, batches in itertools.product((0.01, 0.05, 0.1), range(1, 60))]
    assert len({found.id for found in grid}) == len(grid)
