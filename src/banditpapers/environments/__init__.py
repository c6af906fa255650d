"""Where arms and rewards come from, and where regret is accounted: one file per environment."""
