"""The published curves of Figure 1, read off the figure: data, not measurements of ours.

A pixel of the panels is 0.40 to 0.57 units of cumulative regret and 0.012 to 0.015 units of estimation error. Error curves were published
for N = 10 only. In the figure a curve is the mean of 10 repetitions.
"""

HORIZON = 20_000
REPLICATES = 10
ROUNDS = (250, 500, 1000, 2000, 2500, 5000, 7500, 10_000, 12_500, 15_000, 17_500, 19_000, 19_900, 20_000)
# quantity, N, d, method: its values at ROUNDS
CURVES = {
    ("regret", 10, 20, "linear_thompson"): (
        14.065, 21.501, 34.159, 53.675, 61.573, 92.478, 116.382, 135.16, 150.796, 164.851, 177.16, 184.248, 187.903, 188.486,
    ),
    ("regret", 10, 20, "balanced_thompson"): (
        19.916, 34.675, 54.148, 79.198, 88.682, 123.538, 146.128, 166.399, 182.802, 197.219, 209.945, 216.927, 220.954, 221.326,
    ),
    ("regret", 10, 20, "doubly_robust_thompson"): (
        2.004, 3.359, 6.356, 12.359, 15.447, 30.04, 43.393, 55.497, 66.901, 77.717, 87.847, 93.624, 96.974, 97.312,
    ),
    ("regret", 10, 30, "linear_thompson"): (
        8.524, 14.75, 27.093, 49.104, 58.106, 97.377, 127.117, 153.797, 175.755, 195.859, 213.259, 222.776, 226.939, 228.693,
    ),
    ("regret", 10, 30, "balanced_thompson"): (
        18.512, 33.664, 57.025, 88.692, 100.512, 143.453, 175.264, 203.729, 227.432, 249.668, 268.825, 279.071, 284.66, 285.325,
    ),
    ("regret", 10, 30, "doubly_robust_thompson"): (
        7.069, 8.459, 11.112, 16.559, 19.172, 32.301, 45.026, 56.569, 68.198, 78.431, 88.177, 93.742, 97.185, 97.57,
    ),
    ("regret", 20, 20, "linear_thompson"): (
        15.265, 26.34, 39.451, 58.643, 66.888, 100.374, 125.475, 146.111, 163.281, 178.33, 193.405, 201.77, 206.173, 206.892,
    ),
    ("regret", 20, 20, "balanced_thompson"): (
        19.315, 31.444, 49.634, 76.924, 87.185, 126.267, 157.328, 181.387, 201.575, 219.542, 235.725, 244.277, 248.982, 249.551,
    ),
    ("regret", 20, 20, "doubly_robust_thompson"): (
        11.972, 19.328, 24.973, 32.136, 35.821, 53.723, 70.362, 85.914, 100.467, 114.148, 127.437, 134.672, 139.128, 139.64,
    ),
    ("regret", 20, 30, "linear_thompson"): (
        5.808, 11.092, 22.313, 44.505, 54.619, 97.075, 127.843, 153.899, 176.71, 196.716, 215.21, 225.665, 232.084, 232.843,
    ),
    ("regret", 20, 30, "balanced_thompson"): (
        17.669, 33.43, 55.939, 91.506, 106.265, 159.143, 196.595, 226.67, 251.231, 273.051, 292.85, 304.011, 310.768, 311.494,
    ),
    ("regret", 20, 30, "doubly_robust_thompson"): (
        18.773, 23.903, 26.342, 31.315, 33.919, 47.527, 61.616, 75.437, 89.326, 102.435, 115.375, 122.901, 127.54, 128.066,
    ),
    ("error", 10, 20, "linear_thompson"): (
        1.895, 2.159, 1.923, 1.615, 1.488, 1.176, 0.994, 0.886, 0.809, 0.75, 0.709, 0.679, 0.686, 0.687,
    ),
    ("error", 10, 20, "balanced_thompson"): (
        4.611, 3.517, 2.423, 1.906, 1.681, 1.254, 1.05, 0.99, 0.868, 0.807, 0.759, 0.71, 0.694, 0.682,
    ),
    ("error", 10, 20, "doubly_robust_thompson"): (
        0.638, 0.658, 0.662, 0.67, 0.664, 0.65, 0.622, 0.593, 0.576, 0.561, 0.548, 0.537, 0.531, 0.53,
    ),
    ("error", 10, 30, "linear_thompson"): (
        2.125, 2.644, 2.514, 2.09, 2.048, 1.739, 1.484, 1.369, 1.274, 1.165, 1.073, 1.015, 0.982, 0.978,
    ),
    ("error", 10, 30, "balanced_thompson"): (
        6.332, 5.341, 3.671, 2.55, 2.367, 1.868, 1.598, 1.465, 1.366, 1.248, 1.111, 1.05, 0.997, 0.995,
    ),
    ("error", 10, 30, "doubly_robust_thompson"): (
        0.689, 0.686, 0.724, 0.735, 0.739, 0.73, 0.718, 0.692, 0.677, 0.662, 0.646, 0.638, 0.631, 0.629,
    ),
}  # fmt: skip
# N, d, method: the highest point of the mean error and the round where it stands
PEAKS = {
    (10, 20, "linear_thompson"): (2.287, 375),
    (10, 20, "balanced_thompson"): (5.701, 20),
    (10, 20, "doubly_robust_thompson"): (1.604, 1),
    (10, 30, "linear_thompson"): (2.802, 517),
    (10, 30, "balanced_thompson"): (7.748, 91),
    (10, 30, "doubly_robust_thompson"): (1.318, 1),
}
# the supplement's figure for N = d = 20, to about 10 units: method, v and gamma (0 where there is none): regret after 20,000 rounds
SENSITIVITY = {
    ("linear_thompson", 1.0, 0.0): 385.0,
    ("balanced_thompson", 0.001, 0.01): 280.0,
    ("balanced_thompson", 0.01, 0.01): 390.0,
    ("balanced_thompson", 0.1, 0.01): 1740.0,
    ("balanced_thompson", 1.0, 0.01): 2870.0,
    ("doubly_robust_thompson", 0.001, 0.0): 144.0,  # 140 to 148 for the three smaller v
    ("doubly_robust_thompson", 0.01, 0.0): 144.0,
    ("doubly_robust_thompson", 0.1, 0.0): 144.0,
    ("doubly_robust_thompson", 1.0, 0.0): 197.0,
}


def at(quantity: str, arms: int, dimension: int, method: str, t: int) -> float:
    """The mean "regret" or "error" after round t as published; NaN where the figure was not read."""
    curve = CURVES.get((quantity, arms, dimension, method))
    return curve[ROUNDS.index(t)] if curve and t in ROUNDS else float("nan")


def peak(arms: int, dimension: int, method: str) -> float:
    """The highest mean error as published; NaN where the figure shows none."""
    return PEAKS.get((arms, dimension, method), (float("nan"), 0))[0]
