"""Beyond the paper: DRTS leads under the contexts that were run, not under those that the text describes."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    'R(T) of LinTS minus R(T) of DRTS (exact propensities) under the readings of "truncate the contexts to norm at most 1", paired by '
    "replicate: right of 0 DRTS has less regret. Dots: mean over the replicates (shipped grid: n = 10, T = 20,000); bars: 95% "
    "interval of the mean (Student's t). Each algorithm has its best v in each panel and row: the smallest mean R(T) over these "
    "replicates. radial: X / |X| times a fresh uniform radius, which is what the released program does and what gives the published "
    "curves; projection: X / max(1, |X|), the natural reading of the words; truncated: the normal law conditioned on norm at most 1, "
    "the literal one (Gibbs sampling); clip: coordinates to ±1/sqrt(d); global: one constant scale. β is the released program's one "
    "draw (fixed), or drawn afresh for every replicate. Small figures: mean R(T) of LinTS and DRTS."
)
BOX = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}


def draw(table: pd.DataFrame) -> Figure:
    """A panel per setting, a row per reading."""
    worlds = list(table[["arms", "dimension"]].drop_duplicates().itertuples(index=False))
    readings = list(dict.fromkeys(table["reading"]))
    figure, panels = plotting.new_figure(1, len(worlds), (2.3, 0.42 * len(readings)), sharey=True)
    look = plotting.look("doubly_robust_thompson")
    for axes, (arms, dimension) in zip(panels, worlds, strict=True):
        world = table[(table["arms"] == arms) & (table["dimension"] == dimension)]
        axes.axvline(0, color="black", lw=0.8)
        for place, reading in enumerate(readings):
            rows = world[world["reading"] == reading]
            lead = rows[rows["quantity"] == "lead of DRTS in R(T)"].iloc[0]
            levels = rows[rows["quantity"] == "R(T)"].set_index("method")["measured"]
            axes.plot([lead["low"], lead["high"]], [-place, -place], color=look.colour, lw=1.5)
            axes.plot(
                lead["measured"],
                -place,
                "o" if lead["default"] else "s",
                color=look.colour,
                mfc=look.colour if lead["default"] else "white",
            )
            text = f"{levels['linear_thompson']:.0f} | {levels['doubly_robust_thompson']:.0f}"
            axes.text(lead["measured"], 0.18 - place, text, ha="center", va="bottom", fontsize=6, color="#444444", bbox=BOX)
        axes.set(title=f"N = {arms}, d = {dimension}", xlabel="LinTS − DRTS in R(T)", ylim=(0.4 - len(readings), 0.75))
        axes.set_yticks([-place for place in range(len(readings))], [reading.replace(", ", "\n") for reading in readings])
        axes.tick_params(axis="y", labelsize=7)
        axes.margins(x=0.12)
    return figure
