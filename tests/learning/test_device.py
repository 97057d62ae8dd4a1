"""On a GPU, self-play asks JAX; its answers are those of the network that plays."""

from __future__ import annotations

import numpy as np
import pytest

from ludograph import amazons, carcassonne, flood, hex, penguins
from ludograph.learning.device import DeviceNetwork
from ludograph.learning.learner import surfaces_of
from ludograph.learning.model import exported, first_parameters
from ludograph.rules.observer import Observer
from ludograph.search.network import NetworkEvaluator
from tests.learning.test_model import positions
from tests.search.network.test_forward import layers_of, shape_for

pytestmark = pytest.mark.slow


def check(start, count, **sizes):
    shape = shape_for(start, channels=16, layers=2, hidden=8, **sizes)
    parameters = {**first_parameters(shape, 1), **layers_of(shape)._asdict()}
    own = NetworkEvaluator(shape, exported(shape, parameters), start.setup, start.board)
    observer = Observer(start.setup, count, touches=True)
    states = np.array([each.state for each in positions(start, count, 3)], np.int32)
    observer.observe(start.setup, states, 0)
    network = DeviceNetwork(shape, parameters)
    asked = network.evaluator(*surfaces_of(shape, [start]), by_code=observer.by_code)
    for found, wanted in zip(asked(observer.arrays), own(observer.arrays), strict=True):
        assert found.shape == wanted.shape
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_moves_that_touch_one_vertex() -> None:
    check(hex.position(4), 20)


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(flood.position(5), id="many vertices, in any order"),
        pytest.param(amazons.position(6), id="three vertices in their order"),
        pytest.param(penguins.position(seats=3), id="three seats"),
        pytest.param(carcassonne.position(), id="moves by their places"),
    ],
)
def test_other_games(start) -> None:
    check(start, 7)
