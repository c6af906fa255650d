"""Regret after T rounds on every world: levels, and leads of SoftUCB over its rivals, paired by replicate.

Quantities: "R(T)" of each method and variant; "R(T) with training" of SoftUCB offline, with the regret of its training trajectories added;
"lead in R(T)" of a method over a rival, R(T) of the rival minus its own, so that it is positive where the method has less regret;
"lead in R(T) with training" of SoftUCB offline.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.contenders import (
    FIXED,
    GREEDY,
    LINTS,
    LINUCB,
    OFFLINE,
    ONLINE,
    TUNED,
    Contender,
    by_world,
    counts,
    difference,
)
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import NAN, row

Row = dict[str, Any]
RIVALS = (LINUCB, f"{LINUCB} {TUNED}", LINTS, GREEDY, f"{FIXED} {TUNED}")


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per world, quantity, algorithm and rival."""
    rows: list[Row] = []
    for world, players in by_world(runs, parameters["grid"]):
        rows += ({**entry, **world, "published": NAN} for entry in (*_levels(players), *_leads(players)))
    leading = ["dimension", "variance", "ratings", "reward", "source", "quantity", "method", "variant", "rival", "rule", "tuned_on"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _levels(players: Sequence[Contender]) -> Iterator[Row]:
    for one in players:
        keys = {"method": one.method, "variant": one.variant, "rival": "", "rule": one.rule, "tuned_on": one.tuned_on}
        yield row(student(one.final()), one.runs.counts, **keys, quantity="R(T)")
        if one.method == OFFLINE:
            yield row(student(one.with_training()), one.runs.counts, **keys, quantity="R(T) with training")


def _leads(players: Sequence[Contender]) -> Iterator[Row]:
    called = {one.called: one for one in players}
    for method in (OFFLINE, ONLINE):
        for rival in RIVALS:
            yield _lead(called[method], called[rival], with_training=False)
    yield _lead(called[OFFLINE], called[f"{LINUCB} {TUNED}"], with_training=True)
    yield _lead(called[f"{FIXED} {TUNED}"], called[f"{LINUCB} {TUNED}"], with_training=False)  # soft elimination by itself
    yield _lead(called[f"{LINUCB} {TUNED}"], called[LINUCB], with_training=False)  # how cautious the bound of theory is


def _lead(one: Contender, rival: Contender, with_training: bool) -> Row:
    own, quantity = (one.with_training(), "lead in R(T) with training") if with_training else (one.final(), "lead in R(T)")
    found = difference(rival, rival.final(), one, own)
    variant = one.variant if one.variant == TUNED else ""
    variant = one.variant if one.variant == TUNED else ""
    keys = {"method": one.method, "variant": variant, "rival": rival.called, "rule": rival.rule, "tuned_on": rival.tuned_on}
    return row(student(found), counts(one, rival), **keys, quantity=quantity)
