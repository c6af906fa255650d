"""Which arms of a round can win at all: only these need their confidence widths.

A width is at most |x| / sqrt(lambda), because B - lambda I is positive semidefinite. So an arm's sampled score lies within reach |x| of its
mean, where `reach` is the sampling scale over sqrt(lambda), times the largest normal that there is or the arm's own |z|. An arm whose
highest possible score is below another's lowest cannot win, and its probability of being the maximum is 0 to 15 digits. For small
exploration parameters a single arm is left in most rounds. The decisions are those of the full computation.
"""

from numba import njit

LARGEST = 8.3  # a normal that is made of a uniform of 53 bits is never further from 0


@njit(cache=True)
def within_reach(means, lengths, reach, found):  # type: ignore[no-untyped-def]
    """The arms whose intervals means_i +- reach_i lengths_i reach the highest lower end: `found` begins with them, ascending.

    means, lengths (|x_i|), reach: shape (N,). found: integers, shape (N,), is written. Returns how many they are, at least 1.
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


@njit(cache=True)
def largest(means, scale, widths, z, found):  # type: ignore[no-untyped-def]
    """argmax_i means_i + scale widths_i z_i over the arms `found` (ascending, so that the smallest index wins ties).

    means, z: of all arms, shape (N,). found; widths, of the arms found in their order: shape (n,).
    """
    arm, highest = found[0], means[found[0]] + scale * widths[0] * z[found[0]]
    for c in range(1, found.size):
        sampled = means[found[c]] + scale * widths[c] * z[found[c]]
        if sampled > highest:
            arm, highest = found[c], sampled
    return arm
