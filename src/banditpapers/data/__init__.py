"""Ratings of real people: where they come from, how their bytes are checked, and the tables of arms that are made of them."""
