"""Best Arm Identification in Batched Multi-armed Bandit Problems (arXiv 2312.13875)."""
