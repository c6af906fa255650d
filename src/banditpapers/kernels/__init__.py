"""Compiled numerics that algorithms share; imports nothing else of the package."""
