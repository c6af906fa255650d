"""Beyond the paper: how often the learnt bound is a confidence bound."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.softucb.exhibits.equilibrium import thin_log_scale

CAPTION = (
    "Is β w_i, with w_i = |x_i| in the norm of V⁻¹, a confidence bound? SoftUCB with a fixed β (means over sets of arms; shipped "
    "grid: n = 50, σ² = 0.1, δ = 0.99; bands: 95% interval of the mean, Student's t). Above: the share of the T rounds in which |μ̂_i "
    "− μ_i| ≤ β w_i for all arms i, which is the constraint of (10) (solid), and of those in which the best arm is eliminated, that "
    "is in L (dashed). The vertical line is the β to which the default η = 0.001 leads (exhibit `equilibrium`), the horizontal one "
    "0.9, the confidence of the bound of theory in Table 1: what is learnt is no confidence bound. Below: the share of rounds in "
    "which the arms that are not eliminated have a probability below δ, which Lemma 2 excludes: Algorithm 2 plays with the γ of the "
    "round before (dashed: one round in T)."
)


def draw(table: pd.DataFrame) -> Figure:
    """A column of two panels per setting."""
    settings = list(table[["arms", "dimension", "horizon"]].drop_duplicates().itertuples(index=False))
    figure, panels = plotting.new_figure(2, len(settings), (2.25, 1.9))
    for axes, below, (arms, dimension, horizon) in zip(panels[: len(settings)], panels[len(settings) :], settings, strict=True):
        world = table[(table["arms"] == arms) & (table["dimension"] == dimension) & (table["horizon"] == horizon)]
        _shares(axes, world)
        _curve(below, world, "missed", plotting.GREEN, "-", "^", 100)
        below.axhline(100 / horizon, color="black", ls="--", lw=0.7)
        below.set(xlabel="β", ylim=(0, None))
        thin_log_scale(below)
        axes.set_title(f"K = {arms}, d = {dimension}, T = {horizon}")
    panels[0].set_ylabel("share of rounds")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    panels[len(settings)].set_ylabel("rounds with p(U) < δ (%)")
    return figure


def _shares(axes: Axes, world: pd.DataFrame) -> None:
    _curve(axes, world, "covered", plotting.BLUE, "-", "o", 1, "all bounds hold")
    _curve(axes, world, "best arm eliminated", plotting.VERMILION, "--", "s", 1, "best arm eliminated")
    axes.axhline(0.9, color="black", lw=0.7)
    axes.axvline(world[world["quantity"] == "coverage at the learnt bound"].iloc[0]["at"], color="black", lw=1.0, label="β learnt")
    axes.set_ylim(-0.02, 1.02)
    thin_log_scale(axes)


def _curve(axes: Axes, world: pd.DataFrame, quantity: str, colour: str, line: str, marker: str, scale: float, label: str = "") -> None:
    curve = world[world["quantity"] == quantity]
    axes.fill_between(curve["beta"], scale * curve["low"], scale * curve["high"], color=colour, alpha=0.2, lw=0)
    axes.plot(curve["beta"], scale * curve["measured"], color=colour, ls=line, marker=marker, ms=3, label=label)
