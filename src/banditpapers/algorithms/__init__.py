"""One file per algorithm, named as in the grids: the file `batch_racing.py` defines the class `BatchRacing`."""
