"""Random numbers by counter: Philox4x32 with ten rounds.

Source: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

    a number = f(key = (seed, purpose), counter = (round, lane, draw, index))

so that every number is a function of its name alone: numbers can be left out, be drawn in any order or again, and none is shifted by how
many others there were. All words are of 32 bits, held in 64 so that no product overflows. A pair of words (hi, lo) makes the uniform

    u = ((hi << 20 | lo >> 12) + 1/2) 2^-52   in (0, 1),

and a counter makes two: words 0 and 1, and words 2 and 3. The loops are free of branches, so that the compiler works on several counters
at once.
"""

import numpy as np
from numba import njit

from banditpapers.kernels.normal import quantiles

# which numbers: what they are for is the second half of the key
BETA, CONTEXT, RADIUS, NOISE, DRAW, FIRST, GIBBS = 1, 2, 3, 4, 5, 6, 7

MULTIPLIER_0, MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
WORD, SPARED, KEPT = np.uint64(32), np.uint64(12), np.uint64(20)


@njit(cache=True, inline="always")  # left to itself the compiler may call it once per counter, which takes six times as long
def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """The four words of the counter (c0, c1, c2, c3) under the key (k0, k1)."""
    a, b, c, d = np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3)
    k, m = np.uint64(k0), np.uint64(k1)
    for _ in range(10):
        p, q = MULTIPLIER_0 * a, MULTIPLIER_1 * c
        a, b, c, d = (q >> WORD) ^ b ^ k, q & LOW, (p >> WORD) ^ d ^ m, p & LOW
        k, m = (k + WEYL_0) & LOW, (m + WEYL_1) & LOW
    return a, b, c, d


@njit(cache=True)
def uniform(high, low):  # type: ignore[no-untyped-def]
    """The uniform number of two words."""
    return (np.float64((high << KEPT) | (low >> SPARED)) + 0.5) * 2.0**-52


@njit(cache=True)
def fill_uniforms(out, seed, purpose, round, lane, draw):  # type: ignore[no-untyped-def]
    """Fill `out` (1-D) with uniforms: element m is the first (m even) or the second number of the counter (round, lane, draw, m // 2)."""
    for pair in range(out.size // 2):
        a, b, c, d = philox(round, lane, draw, pair, seed, purpose)
        out[2 * pair] = uniform(a, b)
        out[2 * pair + 1] = uniform(c, d)
    if out.size % 2 == 1:
        a, b, c, d = philox(round, lane, draw, out.size // 2, seed, purpose)
        out[out.size - 1] = uniform(a, b)


@njit(cache=True)
def fill_normals(out, seed, purpose, round, lane, draw):  # type: ignore[no-untyped-def]
    """Fill `out` (1-D) with standard normals: the normal quantiles of what fill_uniforms gives."""
    fill_uniforms(out, seed, purpose, round, lane, draw)
    quantiles(out)


@njit(cache=True)
def fill_draws(out, seed, purpose, round, lane):  # type: ignore[no-untyped-def]
    """Fill `out` (1-D) with one uniform per draw: element m is the first number of the counter (round, lane, m, 0)."""
    for draw in range(out.size):
        a, b, _, _ = philox(round, lane, draw, 0, seed, purpose)
        out[draw] = uniform(a, b)


@njit(cache=True)
def padded(size):  # type: ignore[no-untyped-def]
    """The length of buffer that is filled fastest for `size` numbers: loops take 16 at a time, and a longer array keeps its prefix."""
    return (size + 15) // 16 * 16
