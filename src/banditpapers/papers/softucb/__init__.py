"""Differentiable Linear Bandit Algorithm (Yang and Toni 2020): cells, exhibits and their tidy tables."""
