"""Beyond the paper: the optimum and the cost of solving the linear program as R grows.

The paper gives up on large R because the LP becomes too expensive: it has R (R + 1) / 2 variables. Column generation prices a policy by a
backward recursion in O(R^2) time and O(R) memory, so that R = 10,000 (50 million variables) takes seconds.
"""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "One linear program as R grows (shipped grid: LP-SRM, K = 1000, Beta(1, 1), delta_0 = 0.05). Left: optimal expected pulls per arm "
    "f* (exact; the duality gap is below 1e-10 throughout). Right: seconds to solve on one core, as measured by benchmarks/run.py on "
    "the machine named in benchmarks/latest.json; the dotted line has slope 2, crosses are HiGHS on the same programs where it was "
    "run."
)


def draw(table: pd.DataFrame) -> Figure:
    """Two panels over R, both logarithmic."""
    figure, (left, right) = plotting.new_figure(1, 2, (3.2, 2.6))
    look = plotting.look("lp2s")
    left.plot(table["rounds"], table["cost"], marker=look.marker, color=look.colour, ls=look.line)
    plotting.log_scale(left, "x")
    left.set(xlabel="rounds per stage R", ylabel="f* (expected stage-1 pulls per arm)", title="optimum")
    timed = table[table["seconds"].notna()]
    right.plot(timed["rounds"], timed["seconds"], marker=look.marker, color=look.colour, ls=look.line, label="column generation")
    highs = table[table["highs_seconds"].notna()]
    if len(highs):
        right.plot(highs["rounds"], highs["highs_seconds"], "x", color="black", label="HiGHS")
    if len(timed) > 1:
        last = timed.iloc[-1]
        right.plot(timed["rounds"], last["seconds"] * (timed["rounds"] / last["rounds"]) ** 2, ":", color="#555555", label="slope 2")
    right.set(xlabel="rounds per stage R", ylabel="seconds to solve", title="solver")
    if len(timed):
        plotting.log_scale(right, "x")
        plotting.log_scale(right, "y")
        right.legend(loc="lower right")
    else:
        right.text(0.5, 0.5, "not measured: run benchmarks/run.py", ha="center", va="center", transform=right.transAxes)
    return figure
