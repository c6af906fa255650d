"""The rule of the verdicts: each of its sentences on made-up rows."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from banditpapers.claims import Claim
from banditpapers.statistics import Z95, Estimate, student
from banditpapers.tidy import NAN, row
from banditpapers.verdicts import RULES, judge

N = 1000
COUNTS = {"planned": N, "finished": N, "failed": 0}
CRITICAL = 2.5  # the z of the claim's step in its table


def claim(kind="value", value=None, rounding=0.0, **select) -> Claim:
    stated = 100 if value is None and kind == "value" else value
    return Claim(
        id="c", where="Table 2", statement="it is so", kind=kind, exhibit="table2", select=select, paper_value=stated, rounding=rounding
    )


def sampled(centre: float, se: float, **keys) -> dict:
    return row(Estimate(centre, se, centre - Z95 * se, centre + Z95 * se, "normal 95%"), COUNTS, **keys)


def verdict(stated: Claim, measured: dict | None) -> str:
    return judge(stated, measured, N, CRITICAL).verdict


def reason(stated: Claim, measured: dict | None) -> str:
    return judge(stated, measured, N, CRITICAL).reason


# ---- values


def test_a_value_within_the_noise_of_both_runs_is_reproduced():
    reach = CRITICAL * math.sqrt(2)  # two runs of 1000
    assert verdict(claim(value=100 + 0.999 * reach), sampled(100, 1)) == "reproduced"
    assert verdict(claim(value=100 - 0.999 * reach), sampled(100, 1)) == "reproduced"
    assert verdict(claim(value=100 + 1.001 * reach), sampled(100, 1)) == "same direction"
    assert reason(claim(value=101), sampled(100, 1)) == (
        "101 lies within 96.46 to 103.5, both runs' noise; a deviation of 4.73 would have been seen"
    )


def test_rounding_of_the_printed_number_counts():
    assert verdict(claim(value=105, rounding=1.4), sampled(100, 1)) == "same direction"
    assert verdict(claim(value=105, rounding=1.5), sampled(100, 1)) == "reproduced"


def test_noise_of_the_paper_grows_with_fewer_replicates_of_its_own():
    assert judge(claim(value=105), sampled(100, 1), 1000, CRITICAL).verdict == "same direction"
    assert judge(claim(value=105), sampled(100, 1), 200, CRITICAL).verdict == "reproduced"


def test_a_value_within_a_quarter_is_the_same_direction_and_beyond_it_deviates():
    assert [verdict(claim(value=value), sampled(100, 1)) for value in (75, 125, 74.9, 125.1)] == [
        "same direction", "same direction", "deviates", "deviates",
    ]  # fmt: skip
    assert "0.749 times ours" in reason(claim(value=74.9), sampled(100, 1))
    assert verdict(claim(value=-100), sampled(-110, 1)) == "same direction"
    assert verdict(claim(value=110), sampled(-110, 1)) == "deviates"


def test_zero_is_a_number():
    assert verdict(claim(value=0), row(0.0)) == "reproduced"
    assert verdict(claim(value=0.5), row(0.0)) == "deviates"
    assert verdict(claim(value=0), sampled(10, 1)) == "deviates"


def test_an_exact_number_is_compared_exactly():
    assert verdict(claim(value=2.5, rounding=0.05), row(2.549)) == "reproduced"
    assert verdict(claim(value=2.5, rounding=0.05), row(2.56)) == "same direction"


def band(low, centre, high):
    return row(Estimate(centre, NAN, low, high, "band 95%"), COUNTS)


def test_an_end_that_is_not_known_is_open():
    """The band of a curve may not come down to the level within the curve: its upper end is then somewhere beyond."""
    assert verdict(claim(value=500), band(90, 100, NAN)) == "not testable"
    assert "on one side no deviation would have been seen" in reason(claim(value=500), band(90, 100, NAN))
    assert verdict(claim(value=50), band(90, 100, NAN)) == "deviates"
    assert verdict(claim(value=5), band(NAN, 100, 110)) == "not testable"
    assert verdict(claim(value=500), band(NAN, 100, 110)) == "deviates"
    assert verdict(claim(value=100.1), band(NAN, 100, NAN)) == "not testable", "no interval at all"


def test_what_n_could_not_have_refuted_is_not_testable():
    """The deviation that is seen with a chance of 80% is (2.5 + 0.8416) sqrt 2 = 4.726 standard errors; it must not exceed half of v."""
    reach = (CRITICAL + 0.8416212) * math.sqrt(2)
    assert judge(claim(value=100), sampled(100, 49.9 / reach), N, CRITICAL).detectable == pytest.approx(49.9)
    assert verdict(claim(value=100), sampled(100, 49.9 / reach)) == "reproduced"
    assert verdict(claim(value=100), sampled(100, 50.1 / reach)) == "not testable"
    assert verdict(claim(value=100, rounding=1), sampled(100, 49.1 / reach)) == "not testable", "what rounding hides is not seen"
    assert "but only a deviation of 50.1 or more would have been seen" in reason(claim(value=100), sampled(100, 50.1 / reach))
    assert verdict(claim(value=100), sampled(1000, 50.1 / reach)) == "deviates", "what was refuted could be"


def test_a_stricter_step_of_the_table_needs_more():
    assert judge(claim(value=104), sampled(100, 1), N, 2.5).verdict == "same direction"
    assert judge(claim(value=104), sampled(100, 1), N, 3.5).verdict == "reproduced"


# ---- impossible values

BOUNDS = {"floor": 1000.0, "floor_rounded": 900.0, "bound_se": 10.0}


@pytest.mark.parametrize(
    ("stated", "expected", "said"),
    [
        (
            800,
            "impossible as stated",
            "800 is below 1000, the least that the stated parameters allow, under every reading, by 10 to 20 standard errors",
        ),
        (
            880,
            "deviates",
            "880 is below 1000, the least that the stated parameters allow with L real, by 12 standard errors; with L rounded down (900)",
        ),
        (960, "deviates", "with L real, by 4 standard errors; with L rounded down (900) it is possible"),
        (975, "deviates", "with L real, but only by 2.5 standard errors: noise"),
        (1000, "deviates", "1000 is 0.5 times ours"),
    ],
)
def test_a_value_below_its_floor(stated, expected, said):
    found = judge(claim(value=stated), sampled(2000, 1, **BOUNDS), N, CRITICAL)
    assert found.verdict == expected
    assert said in found.reason


def test_the_floor_allows_for_rounding_and_noise():
    measured = sampled(2000, 1, floor=1000.0, bound_se=10.0)
    assert verdict(claim(value=969, rounding=0.5), measured) == "impossible as stated"
    assert verdict(claim(value=969, rounding=1.5), measured) == "deviates"
    assert verdict(claim(value=971, rounding=0.5), measured) == "deviates"


@pytest.mark.parametrize("se", [NAN, 0.0])
def test_a_floor_without_noise(se):
    strict = sampled(2000, 1, floor=1000.0, bound_se=se)
    assert verdict(claim(value=999.9), strict) == "impossible as stated"
    assert "standard errors" not in reason(claim(value=999.9), strict)
    assert verdict(claim(value=999.9, rounding=0.2), strict) == "deviates"
    lenient = sampled(2000, 1, floor=1000.0, floor_rounded=900.0, bound_se=se)
    assert verdict(claim(value=950), lenient) == "deviates", "possible with L rounded down"
    assert "with L rounded down (900) it is possible" in reason(claim(value=950), lenient)
    assert "inf" not in reason(claim(value=950), lenient)
    assert verdict(claim(value=850), lenient) == "impossible as stated"


def test_a_value_above_its_ceiling():
    measured = sampled(60, 1, ceiling=100.0)
    assert verdict(claim(value=100), measured) == "deviates"
    assert verdict(claim(value=101, rounding=1), measured) == "deviates"
    assert verdict(claim(value=101, rounding=0.5), measured) == "impossible as stated"
    assert "101 exceeds 100, the most that the stated parameters allow, under every reading" in reason(claim(value=101), measured)
    assert verdict(claim(value=101), sampled(60, 1, ceiling=100.0, bound_se=1.0)) == "deviates"


def test_a_bound_that_our_own_number_breaks_too_still_bars():
    assert verdict(claim(value=800), sampled(800, 1, **BOUNDS)) == "impossible as stated"


# ---- margins


@pytest.mark.parametrize("kind", ["ordering", "trend", "bound"])
def test_margins(kind):
    stated = claim(kind)
    assert verdict(stated, sampled(3, 1)) == "reproduced"
    assert verdict(stated, sampled(1, 1)) == "same direction"
    assert verdict(stated, sampled(-3, 1)) == "deviates"
    assert verdict(stated, sampled(-1, 1)) == verdict(stated, sampled(0, 1)) == "not testable"
    assert reason(stated, sampled(-1, 1)) == "fails by 1, but the interval -2.96 to 0.96 reaches above zero"
    assert verdict(stated, row(1e-9)) == "reproduced"
    assert verdict(stated, row(-1e-9)) == "deviates"
    assert verdict(stated, row(0.0)) == ("reproduced" if kind == "bound" else "deviates")
    assert reason(stated, sampled(3, 1, note="with 5 against 2")) == "holds by 3 (1.04 to 4.96); with 5 against 2"
    assert reason(stated, sampled(1, 1)) == "holds by 1, but the interval -0.96 to 2.96 reaches below zero"


def test_a_margin_without_an_interval_is_not_certain():
    assert verdict(claim("ordering"), row(Estimate(2.0, NAN, NAN, NAN, "normal 95%"), COUNTS)) == "not testable"
    assert "holds by 2, but has no interval" in reason(claim("ordering"), row(Estimate(2.0, NAN, NAN, NAN, "normal 95%"), COUNTS))
    assert verdict(claim("ordering"), row(Estimate(-2.0, NAN, NAN, NAN, "normal 95%"), COUNTS)) == "not testable"


def test_a_margin_with_an_open_end():
    assert verdict(claim("ordering"), band(NAN, 2, 3)) == "same direction"
    assert verdict(claim("ordering"), band(1, 2, NAN)) == "reproduced"
    assert verdict(claim("bound"), band(NAN, -2, 3)) == "not testable"
    assert verdict(claim("bound"), band(NAN, -2, -1)) == "deviates"


def worst(margin, replicates):
    return row(Estimate(margin, 0.0, margin, margin, "extreme"), {"planned": replicates, "finished": replicates, "failed": 0})


def test_a_worst_case_counts_from_six_replicates_on():
    assert verdict(claim("bound"), worst(0.0, 6)) == "reproduced"
    assert verdict(claim("bound"), worst(1.0, 5)) == "not testable"
    assert verdict(claim("bound"), worst(-1.0, 5)) == "deviates"
    assert reason(claim("bound"), worst(1.0, 500)) == "holds by 1, over 500 replicates"


def test_how_often_a_margin_is_one_is_said():
    sample = student(np.array([1.0, 2.0, 3.0, -0.5, 2.0, 2.5, 1.5, 3.5, 1.0, 2.0]))
    found = row(sample, {"planned": 10, "finished": 10, "failed": 0})
    assert verdict(claim("ordering"), found) == "reproduced"
    assert reason(claim("ordering"), found).endswith("); it holds in 90% of 10 replicates")


@pytest.mark.parametrize("measured", [row(0.0), row(-0.0), sampled(-0.0, 0.0)])
def test_no_sentence_has_a_negative_zero(measured):
    assert reason(claim("ordering"), measured) in ("fails by 0, exactly", "fails by 0, over 1000 replicates")
    assert "-0 " not in reason(claim("bound"), measured)


@pytest.mark.parametrize("exists", [False, pd.Series([False]).to_numpy()[0]])
def test_what_does_not_exist_makes_a_statement_impossible(exists):
    for measured in (NAN, 1.0):
        found = judge(claim("ordering"), row(Estimate(measured, NAN, NAN, NAN, "none"), note="no such delta_0", exists=exists), N, CRITICAL)
        assert (found.verdict, found.reason) == ("impossible as stated", "no such delta_0")
    assert verdict(claim("ordering"), row(1.0, exists=True)) == "reproduced"


# ---- not testable


@pytest.mark.parametrize("kind", ["value", "ordering", "trend", "bound"])
def test_what_cannot_be_tested(kind):
    stated = claim(kind)
    assert (verdict(stated, None), reason(stated, None)) == ("not testable", "this run's grid has no such cell")
    lost = {**sampled(100, 1), "planned": 10, "finished": 7, "failed": 3}
    assert (verdict(stated, lost), reason(stated, lost)) == ("not testable", "only 7 of 10 replicates finished")
    nothing = row(Estimate(NAN, NAN, NAN, NAN, "band 95%"), COUNTS)
    assert (verdict(stated, nothing), reason(stated, nothing)) == ("not testable", "the measurement gave no number")
    assert reason(stated, {**nothing, "note": "the curve does not come down"}) == "the curve does not come down"
    assert verdict(stated, row(Estimate(math.inf, NAN, NAN, NAN, ""), COUNTS)) == "not testable"


# ---- the sentences


def test_every_sentence_of_the_rule_is_used_with_its_own_word():
    """One made-up row per sentence; the verdict is the word that the sentence begins with."""
    value, ordering, bound = claim(value=100), claim("ordering"), claim("bound")
    lost = {**sampled(100, 1), "planned": 10, "finished": 7, "failed": 3}
    cases = {
        "not measured": (value, None),
        "not finished": (value, lost),
        "no interval": (ordering, row(Estimate(2.0, NAN, NAN, NAN, "none"), COUNTS)),
        "barred": (value, sampled(2000, 1, floor=1000.0, bound_se=1.0)),
        "value equal": (value, sampled(100, 1)),
        "value unseen": (value, sampled(100, 30)),
        "value near": (value, sampled(110, 1)),
        "value far": (value, sampled(200, 1)),
        "value exceeded": (value, row(Estimate(NAN, NAN, 200.0, NAN, "band 95%"), COUNTS)),
        "missing": (ordering, row(1.0, exists=False)),
        "margin holds": (ordering, sampled(3, 1)),
        "margin leans": (ordering, sampled(1, 1)),
        "margin unclear": (ordering, sampled(-1, 1)),
        "margin few": (bound, worst(1.0, 5)),
        "margin fails": (ordering, sampled(-3, 1)),
    }
    assert cases.keys() == RULES.keys()
    for name, (stated, measured) in cases.items():
        found = judge(stated, measured, N, CRITICAL)
        assert (name, found.rule) == (name, RULES[name])
        assert found.rule.startswith(f"{found.verdict}: ")
        assert found.reason


def test_the_page_on_claims_says_the_same_rule():
    page = (Path(__file__).parents[2] / "config" / "claims" / "README.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line in {f"- {sentence}" for sentence in RULES.values()}] == [
        f"- {sentence}" for sentence in RULES.values()
    ]
