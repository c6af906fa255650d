"""What one submission to a cluster holds, and how a plan fills many cores: from the forecasts alone, before anything is submitted.

A submission costs its place in the queue and two starts of the workflow engine, so short blocks go together: blocks of a kind, which is
the least of `KINDS` that their forecast does not exceed, as many as are forecast to take ten minutes at most.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from banditpapers.planning import START, Block, Plan

KINDS = (4, 8, 15, 30, 60, 120, 240)  # seconds of CPU that a block of the kind takes at most, its start included
TOGETHER = 600  # seconds of CPU that the blocks of a submission take at most
QUEUE = 20.0  # seconds from a free core to the first block: the scheduler's turn, the engine's two starts, compiled code from the disk
RATE = 10.0  # submissions per second: an sbatch takes a tenth, and the engine makes them one after the other
FILE = 12_000  # bytes of a block's file besides its rows
BYTES = {"lp2s": 250, "drts": 5000, "softucb": 5000, "debora": 300}  # of a replicate's rows, from the runs at paper scale


def kind(seconds: float) -> str | None:
    """The name of a block's group; None where a block is a submission by itself."""
    return next((f"blocks_of_{least}s" for least in KINDS if START + seconds <= least), None)


def components() -> dict[str, int]:
    """How many blocks of each kind a submission holds: what a cluster's profile says after `group-components`."""
    return {f"blocks_of_{least}s": TOGETHER // least for least in KINDS}


def submissions(seconds: Iterable[float]) -> list[float]:
    """CPU seconds of each submission of blocks with these forecasts, the longest first."""
    whole: list[float] = []
    kinds: dict[str, list[float]] = defaultdict(list)
    for forecast in seconds:
        name = kind(forecast)
        (kinds[name] if name else whole).append(START + forecast)
    for name, members in kinds.items():
        members.sort(reverse=True)
        size = components()[name]
        whole += [sum(members[first : first + size]) for first in range(0, len(members), size)]
    return sorted(whole, reverse=True)


class Filled(NamedTuple):
    """A simulated run. `share`: busy part of all cores until all but the last 10% of the work is done; `saturation`: cores beyond which
    the wall time is that of the longest submission."""

    cores: int
    wall: float
    share: float
    saturation: int


def fill(lengths: Sequence[float], cores: int, delay: float = QUEUE, rate: float = RATE) -> Filled:
    """Give each submission, in this order, to the core that is free first.

    `rate` of them are made per second, and each waits `delay` seconds before it computes. Raises ValueError for less than one core.
    """
    if cores < 1:
        raise ValueError(f"found {cores} cores; write 1 or more")
    if not lengths:
        return Filled(cores, 0.0, 1.0, 1)
    free = [0.0] * cores
    spans = []
    for made, length in enumerate(lengths):
        begin = max(heapq.heappop(free), made / rate) + delay
        spans.append((begin, begin + length))
        heapq.heappush(free, begin + length)
    work, until = sum(lengths), _when(spans, 0.9 * sum(lengths))
    done = sum(max(0.0, min(end, until) - begin) for begin, end in spans)
    saturation = max(1, round((work + delay * len(lengths)) / (max(lengths) + delay)))
    return Filled(cores, max(free), done / (cores * until) if until else 1.0, saturation)


def _when(spans: Sequence[tuple[float, float]], work: float) -> float:
    """The moment at which so much work is done: the number at work is constant between starts and ends."""
    moments = sorted([(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans])
    done, active, last = 0.0, 0, 0.0
    for moment, change in moments:
        gained = active * (moment - last)
        if active and done + gained >= work:
            return last + (work - done) / active
        done, active, last = done + gained, active + change, moment
    return last


def simulated(plan: Plan, cores: Sequence[int], delay: float = QUEUE) -> dict[str, Any]:
    """The forecast of a plan, and a run on each number of cores. Exhibits follow the blocks and are left out: seconds each."""
    forecasts = [block.seconds for block in plan.blocks.values()]
    lengths = submissions(forecasts)
    minutes = sorted(length / 60 for length in lengths)
    size = sum(FILE + BYTES[block.cell.paper] * (block.last - block.first + 1) for block in plan.blocks.values())
    return {
        "cpu_hours": sum(lengths) / 3600,
        "blocks": len(forecasts),
        "submissions": len(lengths),
        "gigabytes": size / 1e9,
        "shortest": min(minutes, default=0.0),
        "median": minutes[len(minutes) // 2] if minutes else 0.0,
        "longest": max(minutes, default=0.0),
        "runs": [
            {"cores": n, "wall_minutes": run.wall / 60, "busy_share": run.share, "saturation": run.saturation}
            for n in cores
            for run in [fill(lengths, n, delay)]
        ],
    }


def pioneers(blocks: Iterable[Block]) -> frozenset[Block]:
    """The longest block of each algorithm. They start before all others, which then find their algorithm's code compiled."""
    longest: dict[str, Block] = {}
    for block in blocks:
        known = longest.setdefault(block.cell.algorithm["name"], block)
        if block.seconds > known.seconds:
            longest[block.cell.algorithm["name"]] = block
    return frozenset(longest.values())
