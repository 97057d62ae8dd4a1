import re

import pytest

from ludograph.errors import InvalidInput
from ludograph.views import colors
from ludograph.views.colors import LIMIT, distinct


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
