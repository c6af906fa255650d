"""From runs to tidy tables: nothing is drawn here."""
