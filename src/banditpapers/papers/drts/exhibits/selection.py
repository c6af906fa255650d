"""Beyond the paper: every algorithm is shown with the best of its grid on the very seeds that are shown. What does that flatter?"""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "As released, one setting (shipped grid: N = 10, d = 20, T = 20,000, 100 replicates). Markers: mean R(T) of each rule over all "
    "replicates, bars: 95% interval of the mean (Student's t); rules that give identical runs are shown once, with the number of "
    "others. The replicates are cut into disjoint groups of ten, the paper's n; in each group the rule with the smallest mean is "
    "chosen. The number at a marker says how often. Dashed line: apparent, the mean of those minima, which is what a figure of ten "
    "replicates shows. Solid line: held-out, the mean of the chosen rule over the other groups. The title gives held-out minus "
    "apparent with a 95% interval (jackknife leaving out one group everywhere, Student's t, since held-out means share replicates; "
    "where one rule is always chosen the difference is 0 by construction)."
)


def draw(table: pd.DataFrame) -> Figure:
    """A panel per algorithm."""
    methods = list(dict.fromkeys(table["method"]))
    figure, panels = plotting.new_figure(1, len(methods), (2.7, 2.5))
    for axes, method in zip(panels, methods, strict=True):
        look, part = plotting.look(method), table[table["method"] == method]
        rules, summary = part[part["quantity"] == "R(T)"], part[part["quantity"] != "R(T)"].set_index("quantity")
        for place, entry in enumerate(rules.itertuples()):
            axes.plot([place, place], [entry.low, entry.high], color=look.colour)
            axes.plot(place, entry.measured, look.marker, color=look.colour)
            axes.annotate(f"{entry.chosen}", (place, entry.measured), (5, 3), textcoords="offset points", fontsize=7)
        for quantity, line in (("apparent", "--"), ("held-out", "-")):
            level = summary.at[quantity, "measured"]
            axes.axhline(level, color="black", ls=line, lw=0.9, label=f"{quantity} {level:.1f}")
        found = summary.loc["optimism"]
        axes.set_title(f"{look.name}: {found['measured']:+.1f} [{found['low']:+.1f}, {found['high']:+.1f}]")
        more = [f"\nand {equals} more" if equals else "" for equals in rules["equals"]]
        labels = [rule.replace(", gamma", ",\nγ") + text for rule, text in zip(rules["rule"], more, strict=True)]
        axes.set_xticks(range(len(rules)), labels, fontsize=6.5)
        axes.set(xlim=(-0.6, len(rules) - 0.4), ylabel="mean R(T) (reward units)" if axes is panels[0] else "")
        if rules["measured"].max() > 3 * rules["measured"].min():
            plotting.log_scale(axes, "y")
        axes.legend(loc="upper left", fontsize=7)
    return figure
