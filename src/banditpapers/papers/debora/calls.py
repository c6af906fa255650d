"""Which calls of RepMean share rho, and what that makes of their cells and widths; the names of an algorithm's variants."""

from banditpapers.algorithms._pairs import doublings
from banditpapers.kernels.replicable_mean import Precision, precision
from banditpapers.runs import CellRuns


def most_calls(arms: int, costs: int, horizon: int, calls: str) -> int:
    """M: K ceil(log2 T) without constraints; with, 1 + m times as many, and K times again unless `calls` is "text" or "lazy"."""
    table = arms * doublings(horizon)
    return table if not costs else (1 + costs) * table * (arms if calls == "union" else 1)


def shared_precision(most: int, rho: float, ratio: float, grid: str) -> Precision:
    """RepMean's coefficients where M calls share rho and delta = ratio rho."""
    return precision(rho / most, ratio * rho / most, grid)


def variant(runs: CellRuns) -> str:
    """The variant's name of a cell: "" of what has none."""
    algorithm = runs.cell.algorithm
    match algorithm["name"]:
        case "debora":
            return "every" if algorithm.get("refresh") == "every" else "sharp" if algorithm["grid"] == "sharp" else ""
        case "debora_soft" | "debora_hard":
            grid, calls = str(algorithm.get("grid", "paper")), str(algorithm.get("calls", "union"))
            if grid in ("paper", "means"):
                return calls if grid == "paper" else f"means {float(algorithm.get('factor', 1)):g}"
            return grid if calls == "union" else f"{grid} {calls}"
        case "batched_elimination":
            return f"{algorithm['which']}" + (" label" if algorithm["commit"] == "label" else "")
        case "phased_elimination":
            return str(algorithm["style"])
    return ""
