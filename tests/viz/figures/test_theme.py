import tomllib
from itertools import pairwise
from pathlib import Path
from typing import get_args

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.trace import KINDS
from tests.twins.contrast import contrast, luminance
from viz.figures import theme
from viz.figures.colour import full, ramp
from viz.figures.theme import PALETTES, Mode

MODES: tuple[Mode, ...] = get_args(Mode)
colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@settings(deadline=None)
@given(colours, colours, st.integers(2, 40))
def test_a_ramp_starts_and_ends_where_it_is_told(start: str, end: str, stops: int) -> None:
    made = ramp(start, end, stops)
    assert len(made) == stops
    assert (made[0], made[-1]) == (start, end)


@pytest.mark.parametrize("mode", MODES)
def test_signed_values_get_further_from_the_page_on_both_sides(mode: Mode) -> None:
    scale = theme.diverging(mode)
    places = [place for place, _ in scale]
    assert places[0] == 0
    assert places[-1] == 1
    assert all(a < b for a, b in pairwise(places))
    middle = len(scale) // 2
    assert scale[middle] == (0.5, PALETTES[mode].paper.lower())
    for side in (scale[middle:], scale[middle::-1]):
        lights = [luminance(colour) for _, colour in side]
        steps = [b - a for a, b in pairwise(lights)]
        assert all(step < 0 for step in steps) if mode == "light" else all(s > 0 for s in steps)


def test_zero_is_white_on_a_light_page() -> None:
    assert (0.5, "#ffffff") in theme.diverging("light")


@pytest.mark.parametrize("mode", MODES)
def test_text_and_marks_can_be_read(mode: Mode) -> None:
    palette = PALETTES[mode]
    assert contrast(palette.ink, palette.paper) >= 7
    assert contrast(palette.muted, palette.paper) >= 4.5
    assert contrast(palette.series, palette.paper) >= 4.5
    assert contrast(palette.series, palette.series_soft) >= 2.9


def test_the_three_kinds_have_three_hues() -> None:
    assert set(theme.KIND_HUES) == set(KINDS)
    assert len(set(theme.KIND_HUES.values())) == 3


def test_full_hues_are_darker_on_white_and_lighter_on_black() -> None:
    for hue in theme.KIND_HUES.values():
        assert luminance(full(hue, dark=False)) < luminance(hue)
        assert luminance(full(hue, dark=True)) > luminance(hue)


@settings(deadline=None)
@given(st.lists(st.text(max_size=12), max_size=20))
def test_equal_tokens_keep_their_own_places(tokens: list[str]) -> None:
    axis = theme.token_axis([*tokens, "the", "the"])
    figure = go.Figure(layout={"xaxis": axis})
    assert figure.layout.xaxis.type == "linear"
    assert list(figure.layout.xaxis.tickvals) == list(range(len(tokens) + 2))
    assert list(figure.layout.xaxis.ticktext)[-2:] == ["the", "the"]


@settings(deadline=None)
@given(st.text())
def test_markup_in_a_label_is_shown_not_obeyed(text: str) -> None:
    label = theme.plain(text)
    assert "<" not in label
    assert ">" not in label
    assert label.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == text


def test_start_tokens_survive() -> None:
    assert theme.token_axis(["<s>", "a&b"])["ticktext"] == ["&lt;s&gt;", "a&amp;b"]


@pytest.mark.parametrize("mode", MODES)
def test_the_template_asks_for_faces_with_hangul_and_for_no_web_font(mode: Mode) -> None:
    font = theme.template(mode).layout.font
    assert "Malgun Gothic" in font.family
    assert "Apple SD Gothic Neo" in font.family
    assert "Nanum" in font.family
    assert font.color == PALETTES[mode].ink


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_that_leaves_the_page_takes_the_pages_colour_along(mode: Mode) -> None:
    config = tomllib.loads((Path(__file__).parents[3] / ".streamlit" / "config.toml").read_text())
    page = config["theme"][mode]["backgroundColor"]
    assert theme.template(mode).layout.paper_bgcolor.lower() == page
    assert contrast(PALETTES[mode].ink, page) >= 4.5


def test_negative_ticks_have_a_true_minus() -> None:
    assert [theme.signed(value) for value in (-1.0, 0.0, 0.5, 256.0)] == ["−1", "0", "0.5", "256"]
