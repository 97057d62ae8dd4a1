"""Games on many machines: the workers of a Dask scheduler."""
