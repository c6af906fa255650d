"""Doubly Robust Thompson Sampling with Linear Payoffs (NeurIPS 2021): cells, exhibits and their tidy tables."""
