"""Learning of networks: ``ludograph learn`` (extra ``learn``: JAX and optax).

Games are played in lockstep by a search that the network guides; the network then learns from the
results of searches and games. The result is a file that needs none of these packages:
:mod:`ludograph.search.network`.

``learner``
    The loop: play, learn, measure.
``settings``
    The settings of a run.
``selfplay``
    Games of the network against itself.
``teacher``
    Games of a strategy against itself.
``groups``
    Groups of games in lockstep, played by threads or processes.
``samples``
    Positions to learn from, and batches of them.
``store``
    The folder of a run: samples, checkpoint, curve.
``model``
    The network as a function that JAX differentiates.
``device``
    The same network as the evaluator of self-play on a GPU.
``training``
    Steps of an optimizer.
``matches``
    Matches against fixed players.
``curve``
    Their results over time, as a chart, a picture and a page.
"""
