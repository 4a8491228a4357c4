import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.nn.positions import rotate, sinusoidal_table
from viz.figures import positions
from viz.figures.theme import PALETTES


def lanes(table: np.ndarray[tuple[int, int], np.dtype[np.float64]], count: int) -> go.Figure:
    made = [positions.Lane(f"dimension {d}", table[:, d], table[:, d]) for d in range(count)]
    return positions.curves(
        made,
        np.arange(len(table), dtype=np.float64),
        chosen=3,
        dots=True,
        x_title="position",
        hover="%{y:.3f}",
        mode="light",
    )


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_each_dimension_has_its_lane_with_its_values_and_the_chosen_one(count: int) -> None:
    table = sinusoidal_table(20, 8)
    figure = lanes(table, count)
    dots = [trace for trace in figure.data if trace.mode == "markers" and len(trace.x) == 20]
    chosen = [trace for trace in figure.data if trace.mode == "markers" and len(trace.x) == 1]
    assert len(dots) == len(chosen) == count
    for d in range(count):
        assert np.array_equal(dots[d].y, table[:, d])
        assert chosen[d].x[0] == 3
        assert chosen[d].y[0] == table[3, d]
        assert chosen[d].marker.color == PALETTES["light"].accent
    titles = [note.text for note in figure.layout.annotations]
    assert titles == [f"dimension {d}" for d in range(count)]
    waves = [trace for trace in figure.data if trace.mode == "lines"]
    assert all(trace.line.simplify is False for trace in waves)  # no point is left out
    last = figure.layout[f"xaxis{count}" if count > 1 else "xaxis"]
    assert last.title.text == "position"


def test_a_table_of_one_position_can_be_drawn() -> None:
    table = sinusoidal_table(1, 4)
    figure = positions.curves(
        [positions.Lane("dimension 0", table[:, 0], table[:, 0])],
        np.zeros(1),
        chosen=0,
        dots=False,
        x_title="position",
        hover="%{y}",
        mode="dark",
    )
    low, high = figure.layout.xaxis.range
    assert low < 0 < high


def test_the_profile_shows_law_measurement_and_the_chosen_offset() -> None:
    offsets = np.arange(-3.0, 4.0)
    figure = positions.profile(
        offsets,
        np.cos(offsets),
        offsets[3:],
        np.cos(offsets[3:]),
        (2.0, float(np.cos(2.0))),
        names=("law", "measured"),
        titles=("offset", "dot product"),
        hover="%{y}",
        mode="light",
    )
    law, measured, marked = figure.data
    assert (law.name, measured.name) == ("law", "measured")
    assert np.array_equal(law.y, np.cos(offsets))
    assert np.array_equal(measured.x, offsets[3:])
    assert marked.x[0] == 2.0
    assert figure.layout.xaxis.title.text == "offset"
    assert figure.layout.yaxis.title.text == "dot product"


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 8), st.integers(-200, 200), st.integers(0, 200))
def test_hands_end_on_their_circle_where_the_table_says(count: int, offset: int, p: int) -> None:
    here = sinusoidal_table(p + 1, 16)[p]
    there = rotate(here[None, :], offset)[0]
    turns = [
        positions.Turn(
            f"pair {i}",
            (here[2 * i], here[2 * i + 1]),
            (there[2 * i], there[2 * i + 1]),
            offset / 10_000 ** (2 * i / 16),
        )
        for i in range(count)
    ]
    figure = positions.circles(turns, names=("before", "after"), hover="%{x}", mode="light")
    before = [trace for trace in figure.data if trace.name == "before"]
    after = [trace for trace in figure.data if trace.name == "after"]
    arcs = [trace for trace in figure.data if trace.line.dash == "dot"]
    for i in range(count):
        assert (before[i].x[1], before[i].y[1]) == (here[2 * i + 1], here[2 * i])
        assert (after[i].x[1], after[i].y[1]) == (there[2 * i + 1], there[2 * i])
        assert np.allclose(
            (arcs[i].x[0] / 0.55, arcs[i].y[0] / 0.55), (before[i].x[1], before[i].y[1])
        )
        if abs(turns[i].angle) <= 2 * np.pi:
            end = (arcs[i].x[-1] / 0.55, arcs[i].y[-1] / 0.55)
            assert np.allclose(end, (after[i].x[1], after[i].y[1]), atol=1e-9)
    assert sum(bool(trace.showlegend) for trace in before) == 1


@pytest.mark.parametrize(("count", "down"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (8, 3)])
def test_circles_fill_their_rows(count: int, down: int) -> None:
    turn = positions.Turn("pair", (0.0, 1.0), (1.0, 0.0), np.pi / 2)
    figure = positions.circles([turn] * count, names=("a", "b"), hover="", mode="dark")
    bottoms = {round(axis.domain[0], 6) for axis in figure.select_yaxes()}
    assert len(bottoms) == down


@settings(deadline=None)
@given(st.integers(0, 3000), st.integers(2, 64).map(lambda half: 2 * half))
def test_the_squares_of_every_pair_fill_their_bar(position: int, width: int) -> None:
    row = sinusoidal_table(position + 1, width)[position]
    figure = positions.pair_squares(
        row, names=("sin²", "cos²"), titles=("pair", "square"), hover="%{y}", mode="light"
    )
    sines, cosines = figure.data
    assert len(sines.y) == width // 2
    assert np.allclose(sines.y + cosines.y, 1, rtol=0, atol=1e-15)
    assert figure.layout.barmode == "stack"
    assert figure.layout.xaxis.title.text == "pair"
