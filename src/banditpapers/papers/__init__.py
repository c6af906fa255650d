"""One folder per paper: its grid, its cells and its exhibits."""
