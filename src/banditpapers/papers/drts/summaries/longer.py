"""LinTS and DRTS (exact propensities) beyond the paper's horizon.

Quantities: "regret" along the rounds, every v; "lead of DRTS" along the rounds (LinTS minus DRTS, best v of each, by replicate);
"slope": regret per 1000 rounds over the last fifth of the horizon; "lead of DRTS in slope": the same comparison.
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.drts.tuned import DRTS, LINTS, Tuned, best, counts, paired, spelled
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import row

PER = 1000


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per quantity, algorithm, v and recorded round. `place` ranks an algorithm's v by mean regret at the end: 1 is the best."""
    arms, dimension = parameters["longer"]["setting"]
    rows = []
    lints, drts = (best(runs.one(method, arms=arms, dimension=dimension)) for method in (LINTS, DRTS))
    rounds = lints.rounds.tolist()
    start = max(t for t in rounds[:-1] if t <= max(0.8 * rounds[-1], rounds[0]))
    since = f"rounds {start} to {rounds[-1]}"
    per = PER / (rounds[-1] - start)
    for method, one in ((LINTS, lints), (DRTS, drts)):
        ranked = sorted(one.runs.rules, key=lambda rule: one.runs.of(one.runs.checkpoints[-1], rule, "regret").mean())
        for place, rule in enumerate(ranked, 1):
            player = Tuned(one.runs, rule)
            keys: dict[str, Any] = {"method": method, "rule": spelled(rule), "place": place, "default": place == 1}
            for t in rounds:
                rows.append(row(student(player.at("regret", t)), one.runs.counts, **keys, quantity="regret", round=t))
            slope = student(per * (player.at("regret", rounds[-1]) - player.at("regret", start)))
            rows.append(row(slope, one.runs.counts, **keys, quantity="slope", round=rounds[-1], note=since))
    keys = {"method": "", "rule": f"LinTS {spelled(lints.rule)}; DRTS {spelled(drts.rule)}", "place": 1}
    for t in rounds:
        lead = paired(lints, lints.at("regret", t), drts, drts.at("regret", t))
        rows.append(row(lead, counts(lints, drts), **keys, quantity="lead of DRTS", round=t))
    gained = [per * (one.at("regret", rounds[-1]) - one.at("regret", start)) for one in (lints, drts)]
    lead = paired(lints, gained[0], drts, gained[1])
    rows.append(row(lead, counts(lints, drts), **keys, quantity="lead of DRTS in slope", round=rounds[-1], note=since))
    leading = ["quantity", "method", "rule", "place", "round", "measured", "low", "high"]
    table = pd.DataFrame(rows).assign(arms=arms, dimension=dimension)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]
