"""The supplement's figure: what v and gamma do to the regret after T rounds, as released."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Cumulative regret R(T) against the exploration parameter v, as released (shipped grid: N = d = 20, T = 20,000, n = 10 "
    "replicates). Points: means; bars: 95% intervals of Student's t, where longer than the marker. BLTS has a curve for each γ; as "
    "released its weight is the constant 1/max(1/N, γ), so that all γ up to 1/N are one algorithm, and its sampling variance does not "
    "shrink, so that large v give linear regret. Open grey markers: what the supplement's figure shows, read off to about ± 10 (BLTS "
    "for γ = 0.01). Points are moved apart a little along v. Both axes logarithmic."
)
SHIFT = 1.16  # factor between the curves, so that bars do not cover each other


def draw(table: pd.DataFrame) -> Figure:
    """One panel: a curve per method and gamma."""
    figure, (axes,) = plotting.new_figure(1, 1, (4.8, 3.4))
    curves = [
        (str(method), float(str(gamma)), curve)
        for (method, gamma), curve in table[table["quantity"] == "R(T) by v"].groupby(["method", "gamma"], sort=False)
    ]
    gammas = sorted({gamma for method, gamma, _ in curves if method == "balanced_thompson"})
    for i, (method, gamma, curve) in enumerate(curves):
        look = plotting.look(method)
        x = curve["v"] * SHIFT ** (i - (len(curves) - 1) / 2)
        marker, line = (look.marker, look.line) if gamma in (0, gammas[0]) else ("^v<>*"[gammas.index(gamma) - 1], look.line)
        bars = [curve["measured"] - curve["low"], curve["high"] - curve["measured"]]
        name = look.name if gamma == 0 else f"{look.name}, γ = {gamma:g}"
        axes.errorbar(
            x, curve["measured"], yerr=bars, color=look.colour, ls=line, marker=marker, ms=4.5, lw=1.2, elinewidth=0.9, label=name
        )
        axes.plot(x, curve["published"], look.marker, color="#555555", mfc="none", ms=9, mew=0.9, zorder=4)
    axes.plot([], [], "o", color="#555555", mfc="none", ms=9, mew=0.9, label="published, same shapes")
    axes.set(xlabel="exploration parameter v", ylabel="cumulative regret R(T) (reward units)")
    plotting.log_scale(axes, "x")
    plotting.log_scale(axes, "y")
    axes.legend(loc="upper left")
    return figure
