"""What lemmas, theorems and sentences say, as margins: positive where it holds. Exact unless rounds or replicates are counted."""

from collections.abc import Iterator
from math import log, sqrt
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.kernels.gaussian_max import argmax_probabilities
from banditpapers.kernels.resampling import draws_allowed
from banditpapers.papers.drts import lemmas
from banditpapers.papers.drts.context_checks import EQUAL, Row, Settings, equality, of_contexts, of_examples
from banditpapers.papers.drts.grid import LOWEST
from banditpapers.papers.drts.tuned import DRTS, best, settings, size_of_coefficients
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import row

DELTA = 0.05  # the confidence at which statements with a delta are looked at
WIDTHS = (0.1, 0.3, 0.5, 0.7, 0.9)
CANDIDATE = np.array([0.3, 0.25, 0.2, 0.12, 0.06, 0.04, 0.03])  # p of an example with seven arms, three of them above gamma
REWARDS, IMPUTED = np.array([0.4, -0.2, 0.1, 0.7, -0.5, 0.3, 0.0]), np.array([-0.3, 0.5, 0.2, -0.6, 0.1, 0.9, -0.8])


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per check, setting and reading; arms and dimension are 0 where they do not matter."""
    worlds = settings(runs)
    rows = [
        *of_contexts(worlds, parameters),
        *of_examples(worlds, parameters),
        *_lemma2(worlds, parameters),
        *_pseudo_rewards(),
        *_resampling(worlds),
    ]
    rows += [*_regularisation(worlds, parameters), *_first_round(), *_played(runs, worlds, parameters)]
    table = pd.DataFrame({"arms": 0, "dimension": 0, **entry} for entry in rows)
    leading = ["check", "arms", "dimension", "reading", "default", "measured", "note"]
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _lemma2(worlds: Settings, parameters: dict[str, Any]) -> Iterator[Row]:
    """Lemma 2 and what section 4.2 concludes from it, at its v and at those of section 5."""
    for arms in sorted({arms for arms, _ in worlds}):
        gamma = 1 / (arms + 1) if parameters["threshold"] == LOWEST else float(parameters["threshold"])
        star, drawn, worst = lemmas.v_star(arms, gamma), list(lemmas.random_instances(arms)), list(lemmas.boundary_instances(arms))
        for v in (star, *parameters["v"]):
            keys: Row = {"arms": arms, "reading": f"v = {v:.4g}" + (" (the lemma's)" if v == star else ""), "default": v == star}
            least = [min(lemmas.inside_probability(one, v) for one in group) for group in (drawn, worst)]
            found = f"{least[0]:.4f} over {len(drawn)} random rounds, {least[1]:.4f} over {len(worst)} at the boundary"
            note = f"least probability {found}; 1 - gamma = {1 - gamma:.4f}"
            yield row(min(least) - 1 + gamma, **keys, check="lemma2", note=note)
            most = max(lemmas.likeliest_outside(one, v) for one in (*drawn, *worst))
            note = f"an arm outside has at most the probability {most:.4g}; gamma = {gamma:.4g}"
            yield row(gamma - most, **keys, check="admitted_arms", note=note)
            if v != star:
                note = f"the lemma's v is {star:.4f}"
                yield row(star - v, **{**keys, "default": v == max(parameters["v"])}, check="v_within_lemma", note=note)


def _pseudo_rewards() -> Iterator[Row]:
    """E[Y^DR] = X beta: sections 3.2 and 3.3, for the example's seven arms."""
    gamma = 1 / (CANDIDATE.size + 1)
    for most in (1, 2, 3):
        law, exactly = lemmas.law_by_enumeration(CANDIDATE, gamma, most), lemmas.law_by_formula(CANDIDATE, gamma, most)
        off = float(np.abs(lemmas.bias(law, exactly, REWARDS, IMPUTED)).max())
        keys: Row = {"reading": f"M = {most}", "default": most == 3}
        yield row(
            equality(off),
            **keys,
            check="unbiased",
            note="weights of (15) and (16); all sequences of draws counted",
        )
        raw = float(np.abs(lemmas.bias(law, CANDIDATE, REWARDS, IMPUTED)).max())
        yield row(
            equality(raw),
            **keys,
            check="unbiased_by_candidates",
            note=f"weights P(candidate = i), as Algorithm 1 reads; largest bias {raw:.3g}",
        )
    kept = lemmas.bias(CANDIDATE, np.maximum(CANDIDATE, gamma), REWARDS, IMPUTED)
    most_biased = float(np.abs(kept).max())
    yield row(most_biased - EQUAL, check="clipping_biases", note=f"largest bias {most_biased:.3g} with max(pi, gamma) and no resampling")
    law = lemmas.law_by_formula(CANDIDATE, gamma, np.inf)
    never, off = law == 0, float(np.abs(lemmas.bias(law, law, REWARDS, IMPUTED)).max())
    note = f"unlimited resampling never plays {int(never.sum())} of {law.size} arms: a bias of up to {off:.3g} there, none elsewhere"
    yield row(float(law.min()), check="positive_probabilities", reading="M unlimited", default=False, exists=bool(law.min() > 0), note=note)
    law = lemmas.law_by_formula(CANDIDATE, gamma, 200)
    yield row(
        float(law.min()),
        check="positive_probabilities",
        reading="M = 200",
        note=f"all arms can be played; the least likely with probability {law.min():.2g}",
    )


def _resampling(worlds: Settings) -> Iterator[Row]:
    """How many samples find an arm above gamma = 1/(N + 1): A.3."""
    for arms in sorted({arms for arms, _ in worlds}):
        gamma = 1 / (arms + 1)
        extreme = np.full(arms, gamma)
        extreme[0] = 2 * gamma
        found = float(extreme[extreme > gamma].sum())
        note = f"at least 2/(N + 1) = {2 * gamma:.4f}; P(200 samples find none) <= {(1 - 2 * gamma) ** 200:.1g}"
        yield row(equality(found - max(1 / arms, 2 * gamma)), arms=arms, check="share_admitted", note=note)
        allowed = draws_allowed("A.3", arms, 20_000, DELTA)
        failing, budget = (1 - 2 * gamma) ** allowed, DELTA / np.arange(1, 20_001) ** 2
        shown = ", ".join(f"{allowed[t - 1]:.0f} at t = {t}" for t in (2, 100, 20_000))
        yield row(float((1 - failing / budget).min()), arms=arms, check="draws_suffice", note=f"M_t = {shown} for delta = {DELTA}")


def _regularisation(worlds: Settings, parameters: dict[str, Any]) -> Iterator[Row]:
    """Theorem 3's lambda_t against that of section 5."""
    t = parameters["horizon"]
    for arms in sorted({arms for arms, _ in worlds}):
        ratio = 4 * sqrt(2) * arms * sqrt(log(12 * t**2 / DELTA))
        note = f"at t = {t}, delta = {DELTA}, the theorem's lambda_t is {ratio:.4g} sqrt(t); tau is read as t"
        yield row(1 / ratio - 1, arms=arms, check="lambda_of_theorem3", note=note)


def _first_round() -> Iterator[Row]:
    for reading, widths in (("unequal norms", np.array(WIDTHS)), ("equal norms", np.full(len(WIDTHS), 0.5))):
        chances = argmax_probabilities(np.zeros(widths.size), widths)
        off = float(np.abs(chances - 1 / widths.size).max())
        listed = ", ".join(f"{chance:.3f}" for chance in chances)
        note = f"norms {', '.join(f'{width:g}' for width in widths)}: P(candidate = i) = {listed}"
        yield row(equality(off), check="first_round_uniform", reading=reading, default=reading == "unequal norms", note=note)


def _played(runs: Runs, worlds: Settings, parameters: dict[str, Any]) -> Iterator[Row]:
    """Rates between T/2 and T, and the error against that of the estimate 0: DRTS with exact propensities and its best v."""
    for arms, d in worlds:
        one = best(runs.one(DRTS, arms=arms, dimension=d))
        last = int(one.rounds[-1])
        half = int(one.rounds[one.rounds <= last / 2][-1])
        keys: Row = {"arms": arms, "dimension": d, "reading": one.rule}
        norm = size_of_coefficients(one.runs)
        spare = student(norm - one.at("error", last))
        yield row(
            spare,
            one.runs.counts,
            **keys,
            check="error_below_zero_vector",
            note=f"|beta| = {norm:.4g}, mean error at T = {norm - spare.mean:.4g}",
        )
        for check, quantity, rate in (("regret_rate", "regret", 0.5), ("error_rate", "error", -0.5)):
            exponents = np.log(one.at(quantity, last) / one.at(quantity, half)) / log(last / half)
            found = student(rate - exponents)
            note = f"from t = {half} to {last} the {quantity} moves like t^{rate - found.mean:.3g}"
            yield row(found, one.runs.counts, **keys, check=check, note=note)
