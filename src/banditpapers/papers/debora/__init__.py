"""Replicable Constrained Bandits (2026): cells, exhibits and their tidy tables."""
