from typing import Any, get_args

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.figures.heatmap import Axis, point_at_row, signed_heatmap
from viz.figures.theme import PALETTES, Mode, diverging

MODES: tuple[Mode, ...] = get_args(Mode)
HOVER = "%{y} %{x} %{z:.3f}"


def draw(
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    rows: Axis | None = None,
    columns: Axis | None = None,
    limit: float = 1.0,
    mode: Mode = "light",
) -> go.Figure:
    return signed_heatmap(
        values,
        rows or Axis("position"),
        columns or Axis("dimension"),
        limit=limit,
        scale_title="value",
        hover=HOVER,
        mode=mode,
        height=300,
    )


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 40), st.integers(1, 40))
def test_every_cell_reaches_the_figure_as_an_array(rows: int, columns: int) -> None:
    values = np.random.default_rng(rows).uniform(-1, 1, (rows, columns))
    drawn = draw(values).data[0]
    assert isinstance(drawn.z, np.ndarray)
    assert drawn.z.dtype == np.float32
    assert np.array_equal(drawn.z, values.astype(np.float32))
    assert not drawn.zsmooth


@pytest.mark.parametrize("size", range(1, 9))
def test_of_few_cells_each_has_its_number_and_nothing_between_has_one(size: int) -> None:
    axis = draw(np.zeros((size, 40)), rows=Axis("position", start=5)).layout.yaxis
    assert (axis.tickmode, axis.tick0, axis.dtick) == ("linear", 5, 1)
    assert draw(np.zeros((size, 40))).layout.xaxis.tickmode == "auto"


@pytest.mark.parametrize("mode", MODES)
def test_the_scale_is_symmetric_printed_and_labelled(mode: Mode) -> None:
    figure = draw(np.zeros((2, 2)), limit=32.0, mode=mode)
    drawn = figure.data[0]
    assert (drawn.zmin, drawn.zmax) == (-32.0, 32.0)
    assert [tuple(stop) for stop in drawn.colorscale] == diverging(mode)
    assert list(drawn.colorbar.ticktext) == ["−32", "0", "32"]
    assert "value" in [note.text for note in figure.layout.annotations]


def test_axes_are_titled_and_the_first_row_is_on_top() -> None:
    figure = draw(np.zeros((2, 3)))
    assert figure.layout.xaxis.title.text == "dimension"
    assert figure.layout.yaxis.title.text == "position"
    assert figure.layout.yaxis.autorange == "reversed"


def test_a_window_is_numbered_from_its_start() -> None:
    drawn = draw(np.zeros((5, 5)), Axis("p", start=272), Axis("q", start=272)).data[0]
    assert (drawn.x0, drawn.y0) == (272, 272)


@settings(deadline=None)
@given(st.integers(1, 1024))
def test_named_columns_get_few_round_numbers_and_keep_their_names(size: int) -> None:
    names = [f"name {i}" for i in range(size)]
    figure = draw(np.zeros((1, size)), columns=Axis("dimension", names))
    axis = figure.layout.xaxis
    assert list(figure.data[0].x) == names
    assert 1 <= len(axis.tickvals) <= 9
    assert [str(place) for place in axis.tickvals] == list(axis.ticktext)


def test_spelled_names_stand_along_the_axis() -> None:
    figure = draw(np.zeros((2, 2)), Axis("", ("PE(1)", "PE(1 + 2)"), spelled=True))
    assert list(figure.layout.yaxis.ticktext) == ["PE(1)", "PE(1 + 2)"]


def test_a_scale_of_what_is_never_below_zero_begins_there() -> None:
    values = np.arange(6, dtype=np.float64).reshape(2, 3)

    def made(values: np.ndarray[Any, np.dtype[np.float64]], *, positive: bool) -> Any:
        (heatmap,) = signed_heatmap(
            values, Axis("a"), Axis("b"), limit=5.0, scale_title="", hover=HOVER, mode="light",
            height=300, positive=positive,
        ).data  # fmt: skip
        return heatmap

    rising, whole = made(values, positive=True), made(values, positive=False)
    assert (rising.zmin, rising.zmax) == (0, 5)
    assert list(rising.colorbar.ticktext) == ["0", "5"]
    assert rising.colorscale[0] == (0.0, dict(whole.colorscale)[0.5])
    assert rising.colorscale[-1] == whole.colorscale[-1]
    with pytest.raises(ValueError, match="outside the scale"):
        made(-values, positive=True)


def test_equal_names_are_refused_because_they_would_share_a_column() -> None:
    with pytest.raises(ValueError, match="same name"):
        draw(np.zeros((1, 2)), columns=Axis("token", ("the", "the")))


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="names for"):
        draw(np.zeros((1, 2)), columns=Axis("token", ("the",)))


@pytest.mark.parametrize("bad", [1.01, -1.01, np.nan, np.inf])
def test_a_value_that_the_scale_cannot_show_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="outside the scale"):
        draw(np.array([[0.0, bad]]))


def test_three_axes_are_refused() -> None:
    with pytest.raises(ValueError, match="2 axes"):
        draw(np.zeros((1, 1, 1)))


def test_the_chosen_row_is_pointed_at_beside_the_map() -> None:
    figure = draw(np.zeros((9, 2)))
    point_at_row(figure, 4, "<p>", "light")
    note = figure.layout.annotations[-1]
    assert note.y == 4
    assert note.xref == "paper"
    assert PALETTES["light"].accent in note.text
    assert "&lt;p&gt;" in note.text
