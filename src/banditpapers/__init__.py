"""Regenerates the figures and tables of bandit papers and audits them number by number."""

__version__ = "0.1.0"
