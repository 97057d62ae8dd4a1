"""Kernels that several games share: bit sets, union-find, Zobrist hashes, slides."""
