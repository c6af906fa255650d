"""The exhibits of debora without constraints: on made-up runs of which the answer is known, and on short simulations."""

import math

import numpy as np
import pytest
from debora_exhibits import LUCK, NONE, SHIPPED, N, made_up, one, simulated, small, summarised

from banditpapers import plotting
from banditpapers.exhibits import latex, markdown
from banditpapers.kernels.replicable_mean import replicable_mean
from banditpapers.papers.debora import exhibits  # noqa: F401
from banditpapers.papers.debora.summaries import (
    collapse,
    constants,
    epochs,
    near_ties,
    onset,
    price,
    regret,
    replicability,
    rounding,
)
from banditpapers.statistics import exact_proportion, mean
