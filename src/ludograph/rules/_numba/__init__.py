"""All code that uses Numba's internals, in one package.

``insides`` lists every name that is none of Numba's interface, with the reason for its use. Where
one is missing, or fails, kernels are compiled by Numba as it comes: the same games and results,
slower, and anew in each process. ``dispatchers`` chooses between the two ways.
"""
