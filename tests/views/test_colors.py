import re

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.views import colors
from ludograph.views.colors import LIMIT, distinct, soft


def test_the_first_eight_have_these_names():
    names = [swatch.name for swatch in distinct(8)]
    assert names == ["blue", "red", "green", "yellow", "orange", "violet", "cyan", "pink"]


def test_names_symbols_and_colors_are_unique():
    swatches = distinct(LIMIT)
    assert len(swatches) == 32
    for values in zip(*((s.name, s.rgb, s.symbol) for s in swatches), strict=True):
        assert len(set(values)) == 32
    assert "".join(s.symbol for s in swatches) == "0123456789abcdefghijklmnopqrstuv"
    assert all(re.fullmatch("[a-z]+", s.name) for s in swatches)
    assert all(re.fullmatch("#[0-9a-f]{6}", s.rgb) for s in swatches)


@pytest.mark.parametrize("count", [-1, 33])
def test_there_are_no_more(count):
    with pytest.raises(InvalidInput, match="32 distinct colors"):
        distinct(count)


def test_neighbors_in_brightness_or_hue_stay_apart():
    def apart(a, b):
        return (
            sum((x - y) ** 2 for x, y in zip(colors.parse(a), colors.parse(b), strict=True)) ** 0.5
        )

    first = [swatch.rgb for swatch in distinct(8)]
    assert min(apart(a, b) for i, a in enumerate(first) for b in first[:i]) > 70
    every = [swatch.rgb for swatch in distinct(32)]
    assert min(apart(a, b) for i, a in enumerate(every) for b in every[:i]) > 30


@pytest.mark.parametrize("swatch", distinct(32), ids=lambda swatch: swatch.name)
def test_a_label_is_readable_on_every_color(swatch):
    background = colors.parse(swatch.rgb)
    assert colors.contrast(background, colors.readable(background)) >= 4.0


def test_contrast_of_black_and_white_is_21():
    assert colors.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert colors.contrast((9, 9, 9), (9, 9, 9)) == 1


def test_colors_are_read_and_written():
    assert colors.hexadecimal(colors.parse("#0aF03c")) == "#0af03c"
    assert colors.blend((0, 0, 0), (100, 200, 50), 0.5) == (50, 100, 25)


@pytest.mark.parametrize("text", ["red", "#fff", "#12345g", "#1234567", '#000000"'])
def test_other_colors_are_refused(text):
    with pytest.raises(InvalidInput, match="#rrggbb"):
        colors.parse(text)


# What people who lack one kind of cones see, in linear RGB: Machado, Oliveira and Fernandes (2009),
# "A physiologically-based model for simulation of color vision deficiency", severity 1.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
WHITE = (0.95047, 1.0, 1.08883)


def lab(swatches, vision):
    """CIELAB of some colors as a vision sees them: float64[n, 3]."""
    rgb = np.array([colors.parse(swatch.rgb) for swatch in swatches]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.transpose(VISIONS[vision]), 0, 1)
    t = seen @ np.transpose(XYZ) / WHITE
    x, y, z = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116).T
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=1)


def smallest_distance(swatches, vision):
    points = lab(swatches, vision)
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    return apart[np.triu_indices(len(points), 1)].min()


@pytest.mark.parametrize("vision", VISIONS)
def test_soft_colors_stay_apart_for_all_eyes(vision):
    assert smallest_distance(soft(6), vision) >= 27
    assert smallest_distance(soft(8), vision) >= 24


def test_soft_colors_have_less_chroma_than_those_of_terminals():
    def chroma(swatches):
        return np.hypot(*lab(swatches, "normal")[:, 1:].T)

    assert (chroma(soft(8)) < 70).all()
    assert chroma(soft(LIMIT)).mean() < 0.85 * chroma(distinct(LIMIT)).mean()


def test_soft_colors_are_called_as_distinct_ones():
    for count in (0, 3, LIMIT):
        pairs = zip(soft(count), distinct(count), strict=True)
        assert all((a.name, a.symbol) == (b.name, b.symbol) for a, b in pairs)
    assert len({swatch.rgb for swatch in soft(LIMIT)}) == LIMIT
    with pytest.raises(InvalidInput, match="32 distinct colors"):
        soft(33)
