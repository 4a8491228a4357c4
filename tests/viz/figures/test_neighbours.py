"""A map of neighbours: all are there, the chosen group is joined, and names have room."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.studies.neighbours import Near
from core.trace import Token
from viz.figures.neighbours import neighbour_bars, neighbour_map
from viz.figures.studies import HUES

NAMES = {1: "어제", 2: "<b>내일</b>", 3: "카페", 4: "서점"}
PLACES = {1: (0.0, 0.0), 2: (0.0, 0.001), 3: (1.0, 1.0), 4: (1.0, 0.0)}
GROUPS = [
    Near(Token("어제", "어제", 1), (2,), (0.9,)),
    Near(Token("카페", "카페", 3), (4,), (0.8,)),
]


def dots(figure: object) -> dict[str, tuple[float, float]]:
    """Every dot by the name that it has when it is pointed at."""
    return {
        name: (x, y)
        for trace in figure.data  # type: ignore[attr-defined]
        if "markers" in trace.mode
        for name, x, y in zip(trace.hovertext, trace.x, trace.y, strict=True)
    }


def test_every_token_is_at_its_place_and_the_chosen_group_is_joined() -> None:
    figure = neighbour_map(GROUPS, 0, NAMES, PLACES, mode="light")
    found = dots(figure)
    assert found["어제"] == PLACES[1]
    assert found["&lt;b&gt;내일&lt;/b&gt;"] == PLACES[2]  # never markup
    assert len(found) == len(PLACES)
    (lines,) = [trace for trace in figure.data if trace.mode == "lines"]
    assert list(lines.x) == [0.0, 0.0, None]
    assert lines.line.color == HUES[0]
    written = [name for t in figure.data if t.mode != "lines" for name in t.text or () if name]
    assert set(written) == {"어제", "카페"}  # 내일 would lie over 어제; 서점 is no centre


@given(st.integers(0, 1), st.sampled_from(["light", "dark"]))
def test_either_group_can_be_chosen(chosen: int, mode: str) -> None:
    figure = neighbour_map(GROUPS, chosen, NAMES, PLACES, mode=mode)  # type: ignore[arg-type]
    assert len(dots(figure)) == len(PLACES)
    assert math.isfinite(sum(figure.layout.xaxis.range))


def test_one_token_without_neighbours_has_a_map() -> None:
    alone = Near(Token("어제", "어제", 1), (), ())
    figure = neighbour_map([alone], 0, NAMES, {1: (0.0, 0.0)}, mode="light")
    low, high = figure.layout.xaxis.range
    assert low < 0 < high


def test_bars_are_as_long_as_tokens_are_near() -> None:
    figure = neighbour_bars(["<i>", "b"], [0.9, -0.2], hue="#000", x_title="cosine", mode="dark")
    (bars,) = figure.data
    assert list(bars.x) == [0.9, -0.2]
    assert list(bars.text) == ["0.90", "\u22120.20"]
    assert figure.layout.yaxis.ticktext[0] == "&lt;i&gt;"
    assert figure.layout.xaxis.range[0] == -0.2
