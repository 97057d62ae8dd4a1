"""All code that uses Numba's internals, in one package.

If one of them is missing or fails, stock Numba compiles the kernels: games and results are the
same, but slower, and each process compiles again. ``dispatchers`` chooses between the two ways,
``insides`` tells when.
"""
