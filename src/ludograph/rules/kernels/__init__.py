"""Kernels that several games share: sets as bits, union-find, Zobrist hashes, slides."""
