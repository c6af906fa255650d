"""Which arms of a round can win at all: only these need their confidence widths.

A width is at most |x| / sqrt(lambda), because B - lambda I is positive semidefinite. So the sampled score of an arm lies within
reach |x| / sqrt(lambda) of its mean, where `reach` is the sampling scale times the largest normal that there is, or the arm's own |z|. An arm
whose highest possible score is below another's lowest cannot win, and its probability of being the maximum is 0 to 15 digits. For small
exploration parameters one arm is left in most rounds. The decisions are those of the full computation.
"""

from numba import njit

LARGEST = 8.3  # no normal that a uniform of 52 bits makes is larger in absolute value


@njit(cache=True)
def within_reach(means, lengths, reach, found):  # type: ignore[no-untyped-def]
    """The arms whose intervals means_i +- reach_i lengths_i reach the highest lower end; the first `count` of `found` are these, ascending.

    means, lengths, reach: shape (N,). found: integers, shape (N,), is written. Returns count.
    """
    floor = means[0] - reach[0] * lengths[0]
    for i in range(1, means.size):
        floor = max(floor, means[i] - reach[i] * lengths[i])
    count = 0
    for i in range(means.size):
        if means[i] + reach[i] * lengths[i] >= floor:
            found[count] = i
            count += 1
    return count
