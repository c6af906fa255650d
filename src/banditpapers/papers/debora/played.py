"""What happened in runs, of what lemmas and theorems promise: valid estimates, the safe set, safe rounds, numbers of epochs and calls."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from banditpapers.algorithms._pairs import doublings
from banditpapers.papers.debora import shown
from banditpapers.papers.debora.shown import Setting
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, exact_proportion, mean
from banditpapers.tidy import row

Row = dict[str, Any]
METHODS = {"debora": "DEBORA", "debora_soft": "DEBORA-S", "debora_hard": "DEBORA-H"}


def played(runs: Runs, grid: Row) -> Iterator[Row]:
    """Rows of the theory table that count runs, at the grid's rho."""
    rho, delta = float(grid["rho"]), float(grid["rho"]) * float(grid["ratio"])
    found = {method: [one for one in shown.settings(runs, method) if one.rho == rho] for method in METHODS}
    everywhere = [one for settings in found.values() for one in settings]
    groups = {"all runs": everywhere, **{METHODS[method]: settings for method, settings in found.items()}}
    for reading, settings in groups.items():
        keys: Row = {"rho": rho, "reading": reading, "default": reading == "all runs"}
        missed, counts = _share(settings, "missed")
        note = f"an estimate misses its width in {missed.mean:.3g} of {counts['finished']} runs, delta = {delta:g}"
        yield row(shown.affine(missed, -1.0, delta), counts, **keys, check="confidence", note=note)
        most = [float((one.of("epochs") / (one.arms * doublings(one.horizon))).max()) for one in settings]
        note = f"the largest H / (K ceil(log2 T)) of {counts['finished']} runs is {max(most):.4g}"
        yield row(shown.extreme(1 - max(most)), counts, **{**keys, "default": False}, check="epochs_bound", note=note)
    both = [*found["debora_soft"], *found["debora_hard"]]
    missed, counts = _share(both, "missed")
    note = f"where all estimates of costs are within their widths X* lies in every X_h: in at least {1 - missed.mean:.4g} of the runs"
    yield row(shown.affine(missed, -1.0, delta), counts, rho=rho, check="safe_set", reading="DEBORA-S and DEBORA-H", note=note)
    unsafe, counts = _share(found["debora_hard"], "unsafe")
    rounds = sum(float(one.of("unsafe").sum()) for one in found["debora_hard"])
    note = f"{rounds:g} unsafe rounds in {counts['finished']} runs of DEBORA-H, delta = {delta:g}"
    yield row(shown.affine(unsafe, -1.0, delta), counts, rho=rho, check="safety", reading="DEBORA-H", note=note)
    yield from _calls(found["debora_soft"], grid)


def _share(settings: Iterable[Setting], quantity: str) -> tuple[Estimate, dict[str, int]]:
    """The share of first runs in which a count is above 0, over all settings, and n."""
    settings = list(settings)
    counts = {word: sum(one.runs.counts[word] for one in settings) for word in ("planned", "finished", "failed")}
    return exact_proportion((np.concatenate([one.of(quantity) for one in settings]) > 0).astype(float)), counts


def _calls(settings: list[Setting], grid: Row) -> Iterator[Row]:
    """How many times too many the calls of DEBORA-S are for the text's rho', on the first instance at the last horizon."""
    first = next(iter(grid["instances"]))
    found = [one for one in settings if one.variant == "union" and shown.instance(one.runs, grid) == first]
    one = max(found, key=lambda setting: setting.horizon)
    factor = mean(one.of("epochs") / doublings(one.horizon))
    note = f"(m + 1) K calls in each of {one.of('epochs').mean():.4g} epochs: {factor.mean:.3g} times those of the text"
    keys: Row = {"arms": one.arms, "rho": one.rho, "horizon": one.horizon, "reading": "epochs of DEBORA-S", "default": False}
    yield row(shown.affine(factor, -1.0, 1.0), one.runs.counts, **keys, check="union_bound_text", note=note)
