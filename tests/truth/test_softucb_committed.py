"""The committed numbers of `softucb` against an independent simulation: within four standard errors of both, everywhere."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
MEANS = json.loads((ROOT / "tests/data/softucb_means.json").read_text(encoding="utf-8"))
WORLDS = ((10, 0.1), (20, 0.1), (10, 0.01), (20, 0.01))


@pytest.fixture(scope="module")
def committed():
    return {name: pd.read_csv(ROOT / f"figures/softucb/{name}.csv", keep_default_na=False) for name in ("table1", "comparison")}


def only(table, **select):
    found = table[np.logical_and.reduce([table[key] == value for key, value in select.items()])]
    assert len(found) == 1, select
    return found.iloc[0]


@pytest.mark.parametrize(("dimension", "horizon", "eta", "mean", "se"), MEANS["beta_hat"])
def test_learnt_sizes(committed, dimension, horizon, eta, mean, se):
    row = only(committed["table1"], dimension=dimension, horizon=horizon, eta=eta, quantity="beta-hat")
    assert abs(float(row["measured"]) - mean) < 4 * np.hypot(float(row["se"]), se)
    assert int(row["planned"]) == int(row["finished"]) == 50


@pytest.mark.parametrize(("method", "variant", "means"), MEANS["regret"])
def test_regrets(committed, method, variant, means):
    levels = committed["comparison"]
    levels = levels[(levels["quantity"] == "R(T)") & (levels["ratings"] == "")]
    for (dimension, variance), (mean, se) in zip(WORLDS, means, strict=True):
        row = only(levels, method=method, variant=variant, dimension=dimension, variance=variance)
        assert abs(float(row["measured"]) - mean) < 4 * np.hypot(float(row["se"]), se), (dimension, variance)
