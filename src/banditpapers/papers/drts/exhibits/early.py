"""Beyond the paper: early regret as a distribution. A mean of ten with a band around it hides that a share of the runs learns the wrong
sign."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Empirical distribution of regret early on (shipped grid: R(1000), 200 replicates) of LinTS and of DRTS as released, each with "
    "the v of the smallest mean in these runs, named in the title; one step per replicate, logarithmic axis, the mean marked on the "
    "curve. Dotted vertical line: the published mean of ten for DRTS at that round, read off Figure 1. The title gives, for DRTS, the "
    "share of replicates that play an arm of the wrong sign in more than half of the first rounds (shipped grid: 300; an arm's sign "
    "is that of its mean, right if it is the sign of the sum of β) with its Wilson 95% interval, and the chance that a mean of ten "
    "lies as far out as the published one (exact convolution of the empirical distribution: ten independent draws from the 200 "
    "replicates; no interval). No normal theory is used: the tail is heavy. The table has the same for every v, and the count among "
    "disjoint means of ten."
)


def draw(table: pd.DataFrame) -> Figure:
    """A panel per setting."""
    worlds = list(table[["arms", "dimension"]].drop_duplicates().itertuples(index=False))
    figure, panels = plotting.new_figure(1, len(worlds), (2.6, 2.6), sharey=True)
    for axes, (arms, dimension) in zip(panels, worlds, strict=True):
        world = table[(table["arms"] == arms) & (table["dimension"] == dimension) & table["default"]]
        parts = {str(method): part.set_index("quantity") for method, part in world.groupby("method", sort=False)}
        for method, part in parts.items():
            _distribution(axes, method, part)
        rules = ", ".join(f"{plotting.look(method).name} {part['rule'].iloc[0]}" for method, part in parts.items())
        title = "\n".join([f"N = {arms}, d = {dimension}: {rules}", *_findings(parts["doubly_robust_thompson"])])
        axes.set_title(title, loc="left", fontsize=7)
        axes.set(xlabel=f"R({world['round'].iloc[0]}) (reward units)", ylim=(0, 1.02))
        plotting.log_scale(axes, "x")
    panels[0].set_ylabel("share of replicates at or below")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _distribution(axes: Axes, method: str, part: pd.DataFrame) -> None:
    look, values = plotting.look(method), part.loc[["value"]]
    axes.step(values["measured"], values["share"], where="post", color=look.colour, ls=look.line, label=look.name)
    (mean,) = part.loc[["mean"], "measured"].tolist()
    axes.plot(mean, (values["measured"] <= mean).mean(), look.marker, color=look.colour, mec="black")
    published = part["published"].dropna()
    if method == "doubly_robust_thompson" and len(published):
        axes.axvline(published.iloc[0], color=look.colour, ls=":", lw=1.2, label="DRTS, published mean of ten runs")


def _findings(part: pd.DataFrame) -> list[str]:
    """What the panel says of DRTS."""
    wrong = part.loc["wrong sign"]
    lines = [f"DRTS, wrong sign at first: {wrong['measured']:.0%} [{wrong['low']:.0%}, {wrong['high']:.0%}]"]
    if "tail at published" in part.index:
        found = part.loc["tail at published"]
        side, chance = "≥" if "at least" in found["note"] else "≤", found["measured"]
        known = f"= {chance:.2g}" if chance >= 1e-4 else "< 0.0001"
        lines.append(f"P(mean of ten {side} {found['published']:.3g}, as published) {known}")
    return lines
