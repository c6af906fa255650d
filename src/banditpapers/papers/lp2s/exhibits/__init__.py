"""From tidy tables to pictures and printed tables: one file per exhibit, nothing computed."""
