"""The door of ``flood.position`` and of ``Position.play``: one sentence for what is wrong."""

import numpy as np

from ludograph import boards, flood
from ludograph.games.outcome import Outcome

BOARD = boards.square(4)


def test_numbers_of_numpy_are_moves() -> None:
    position = flood.position(BOARD, seed=1)
    position.play(np.int32(position.legal_moves()[0]))
    position.play(np.uint8(position.legal_moves()[0]))
    assert position.ply == 2


def test_colorings_differ_at_the_starts() -> None:
    for coloring in range(4):
        for seed in range(50):
            position = flood.position(BOARD, colors=3, seats=3, coloring=coloring, seed=seed)
            starts = position.setup.colors[position.setup.starts]
            assert len(set(starts.tolist())) == 3


def test_balanced_is_balanced() -> None:
    position = flood.position(boards.torus(6), colors=4, coloring="balanced", seed=5)
    counts = np.bincount(position.setup.colors[position.setup.region_of])
    assert counts.max() - counts.min() <= 2  # one of them may have been recolored as a start


def test_blocks_are_larger_than_chance() -> None:
    def regions(coloring: str) -> int:
        return flood.position(boards.square(20), coloring=coloring, seed=3).setup.sizes.size

    assert regions("blocks") < regions("random") / 2


def sentence(scores: tuple[float, ...], **options) -> str:
    position = flood.position(BOARD, seats=len(scores), seed=1, **options)
    return flood.presentation.result(
        position, Outcome.from_scores(scores), list("abcd")[: len(scores)]
    )


def test_results_of_flood_in_words(wording) -> None:
    said = [sentence(scores) for scores in ((9, 7), (1, 1), (9, -1, 7))]
    assert [*said, sentence((16, 0), variant="capture")] == wording
