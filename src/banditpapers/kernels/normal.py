"""The normal quantile function: Wichura's algorithm AS 241, PPND16 (Applied Statistics 37, 1988), relative error about 1e-15.

With q = p - 1/2: for |q| <= 0.425, q times a rational function of 0.425^2 - q^2; beyond, with r = sqrt(-log(min(p, 1 - p))), a rational
function of r - 1.6 (r <= 5) or of r - 5. The logarithm is written out, so that nothing but the five exact operations of IEEE 754 is used:
the bits are the same on every machine, and the compiler can work on several elements at once.
"""

import math

import numpy as np
from numba import njit

CENTRE, TAIL = 0.425, 5.0
SPLIT = 1.3887943864964021e-11  # exp(-25), the smaller of p and 1 - p at r = 5
MARK = 1024.0

# ln 2 in two parts, and the coefficients of the logarithm of FreeBSD's msun (e_log.c): log(1 + f) = f - s (f - R) with s = f / (2 + f)
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
ONE, ROOT_HALF = np.uint64(0x3FF0000000000000), np.uint64(0x3FE6A09E00000000)  # the bits of 1 and of about sqrt(1/2)
FRACTION, EXPONENT = np.uint64(0x000FFFFFFFFFFFFF), np.uint64(52)


@njit(cache=True, error_model="numpy")
def quantile(p):  # type: ignore[no-untyped-def]
    """The z with Phi(z) = p, for 0 < p < 1."""
    q, least = p - 0.5, min(p, 1.0 - p)
    if abs(q) <= CENTRE:
        above, below = central(q)
    elif least >= SPLIT:
        above, below = outer(least)
    else:
        above, below = outermost(least)
    return above / below if abs(q) <= CENTRE or q > 0.0 else -above / below


@njit(cache=True, error_model="numpy")
def quantiles(p):  # type: ignore[no-untyped-def]
    """Replace each element of `p` (1-D), a multiple of 2^-53, by its quantile: the same bits as `quantile`.

    Without branches: both formulas are evaluated for all, which is faster than guessing wrong which of them is wanted. Where r > 5 the
    sweep leaves 1024 q, which no quantile comes near. Nothing is lost in q, nor in 1/2 - |q| = min(p, 1 - p), for multiples of 2^-53.
    """
    for m in range(p.size):
        q = p[m] - 0.5
        least = 0.5 - abs(q)
        above, below = central(q)
        tail_above, tail_below = outer(least)
        tail_above = tail_above if q > 0.0 else -tail_above
        tail_above = tail_above if least >= SPLIT else MARK * q
        tail_below = tail_below if least >= SPLIT else 1.0
        p[m] = (above if abs(q) <= CENTRE else tail_above) / (below if abs(q) <= CENTRE else tail_below)
    for m in range(p.size):
        if abs(p[m]) > 0.25 * MARK:
            p[m] = quantile(p[m] / MARK + 0.5)


@njit(cache=True, error_model="numpy")
def logarithm(x):  # type: ignore[no-untyped-def]
    """The natural logarithm of a positive normal number, within one unit in the last place."""
    bits = np.float64(x).view(np.uint64) + (ONE - ROOT_HALF)
    k = np.float64(np.int64(bits >> EXPONENT)) - 1023.0
    f = np.uint64((bits & FRACTION) + ROOT_HALF).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)))
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    half = 0.5 * f * f
    return s * (half + (odd + even)) + k * LN2_LOW - half + f + k * LN2_HIGH


@njit(cache=True, error_model="numpy")
def central(q):  # type: ignore[no-untyped-def]
    """The quantile of p = 1/2 + q for |q| <= 0.425, as numerator and denominator."""
    r = CENTRE * CENTRE - q * q
    above = 2.5090809287301226727e3 * r + 3.3430575583588128105e4
    above = above * r + 6.7265770927008700853e4
    above = above * r + 4.5921953931549871457e4
    above = above * r + 1.3731693765509461125e4
    above = above * r + 1.9715909503065514427e3
    above = above * r + 1.3314166789178437745e2
    above = above * r + 3.3871328727963666080e0
    below = 5.2264952788528545610e3 * r + 2.8729085735721942674e4
    below = below * r + 3.9307895800092710610e4
    below = below * r + 2.1213794301586595867e4
    below = below * r + 5.3941960214247511077e3
    below = below * r + 6.8718700749205790830e2
    below = below * r + 4.2313330701600911252e1
    below = below * r + 1.0
    return q * above, below


@njit(cache=True, error_model="numpy")
def outer(least):  # type: ignore[no-untyped-def]
    """|quantile| where min(p, 1 - p) is `least`, from exp(-25) to 0.075, as numerator and denominator."""
    r = math.sqrt(-logarithm(least)) - 1.6
    above = 7.74545014278341407640e-4 * r + 2.27238449892691845833e-2
    above = above * r + 2.41780725177450611770e-1
    above = above * r + 1.27045825245236838258e0
    above = above * r + 3.64784832476320460504e0
    above = above * r + 5.76949722146069140550e0
    above = above * r + 4.63033784615654529590e0
    above = above * r + 1.42343711074968357734e0
    below = 1.05075007164441684324e-9 * r + 5.47593808499534494600e-4
    below = below * r + 1.51986665636164571966e-2
    below = below * r + 1.48103976427480074590e-1
    below = below * r + 6.89767334985100004550e-1
    below = below * r + 1.67638483018380384940e0
    below = below * r + 2.05319162663775882187e0
    below = below * r + 1.0
    return above, below


@njit(cache=True, error_model="numpy")
def outermost(least):  # type: ignore[no-untyped-def]
    """|quantile| where min(p, 1 - p) is `least`, below exp(-25), as numerator and denominator."""
    r = math.sqrt(-logarithm(least)) - TAIL
    above = 2.01033439929228813265e-7 * r + 2.71155556874348757815e-5
    above = above * r + 1.24266094737807843860e-3
    above = above * r + 2.65321895265761230930e-2
    above = above * r + 2.96560571828504891230e-1
    above = above * r + 1.78482653991729133580e0
    above = above * r + 5.46378491116411436990e0
    above = above * r + 6.65790464350110377720e0
    below = 2.04426310338993978564e-15 * r + 1.42151175831644588870e-7
    below = below * r + 1.84631831751005468180e-5
    below = below * r + 7.86869131145613259100e-4
    below = below * r + 1.48753612908506148525e-2
    below = below * r + 1.36929880922735805310e-1
    below = below * r + 5.99832206555887937690e-1
    below = below * r + 1.0
    return above, below
