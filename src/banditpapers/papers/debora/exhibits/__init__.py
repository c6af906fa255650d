"""From tidy tables to figures and printed tables: nothing is computed here."""
