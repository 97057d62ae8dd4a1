"""Games on many machines: the workers of a Dask scheduler.

Each thread of a worker has a process of our own that plays its games, started by :mod:`subprocess`
and controlled over a connection of :mod:`multiprocessing`. Simpler ways fail:

- Playing in the worker itself: tasks run in a thread that is not the main one, where
  ``signal.signal`` raises; and a process that dies there takes with it the worker and all results
  and files that it keeps for others. After four lost workers Dask gives a game up.
- A pool of :mod:`concurrent.futures`, or the forked processes of a tournament on one machine:
  ``dask worker`` runs workers as daemons of a nanny, and :mod:`multiprocessing` refuses to start a
  process there ("daemonic processes are not allowed to have children"); a worker has threads, so
  it must not be forked either.
- Sending the tournament once, and keys of games after it: its starts are made by a closure of the
  command line, which pickle refuses, and players of a ladder come while it runs.

Dask itself does the rest: it sends each file to each worker once, plays games of lost workers
again, and repeats once a task whose process died.
"""
