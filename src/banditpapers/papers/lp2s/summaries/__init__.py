"""From runs to tidy tables: one module per kind of measurement."""
