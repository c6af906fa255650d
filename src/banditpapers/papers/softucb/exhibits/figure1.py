"""Figure 1: learning curves of SoftUCB offline and online (section 5)."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.softucb.learning_curves import beta_panel, regret_panel

CAPTION = (
    "Figure 1 of the paper: learning curves of SoftUCB (shipped grid: d = 10, K = 50, σ² = 0.1, δ = 0.99, n = 50 sets of arms). "
    "a, b: offline, T = 2¹⁰, N = 100 training trajectories, step 1/T, β₀ = 0: β after trajectory n, and the regret of trajectory n. "
    "c, d: online, T = 2¹¹, step 0.5, β₀ = 1: β after round t, and the cumulative regret R(t); logarithmic axis of t, so that the "
    "first rounds show. Lines: means over the replicates; bands: 95% interval of the mean (Student's t). Thick solid lines: the η of "
    "all other exhibits (0.001 offline, 0.1 online); thin lines: other η. Dotted: β̃, the bound of theory (equation 5 with R² = σ² = "
    "0.1, δ = 0.1, at t = T). The text begins online with β₀ = 0, which is greedy; the published program begins above 0, as here."
)


def draw(table: pd.DataFrame) -> Figure:
    """Offline above, online below; beta left, regret right."""
    figure, panels = plotting.new_figure(2, 2, (3.5, 2.6))
    for place, panel in enumerate(("offline", "online")):
        curves = table[(table["panel"] == panel) & (table["x"] > 0)]
        left, right = panels[2 * place], panels[2 * place + 1]
        beta_panel(left, curves)
        regret_panel(right, curves, legend=True)
        dimension, horizon = curves["dimension"].iloc[0], curves["horizon"].iloc[0]
        letters = "ab" if panel == "offline" else "cd"
        for letter, axes in zip(letters, (left, right), strict=True):
            axes.set(title=f"{letter}) {panel}, d = {dimension}, T = {horizon}")
            axes.set_xlabel("training trajectory n" if panel == "offline" else "round t (log scale)")
            if panel == "online":
                axes.set_xlim(1, horizon)
                plotting.log_scale(axes, "x")
        left.set_ylabel("β (log scale)")
        what = "regret of trajectory n" if panel == "offline" else "cumulative regret R(t)"
        right.set_ylabel(f"{what} (reward units)")
    return figure
