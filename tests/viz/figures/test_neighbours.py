"""A map of neighbours: all are there, the chosen group is joined, and names have room."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.studies.neighbours import Near
from core.trace import Token
from viz.figures.neighbours import neighbour_bars, neighbour_map
from viz.figures.studies import HUES
from viz.figures.theme import PALETTES

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


@st.composite
def sentences(draw: st.DrawFn) -> tuple[list[Near], dict[int, str], dict[int, tuple[float, float]]]:
    """Some tokens, each with some neighbours, anywhere."""
    count, near = draw(st.integers(1, 6)), draw(st.integers(0, 8))
    ids = range(count * (near + 1))
    letters = st.text(st.sampled_from("가나다라마abc"), min_size=1, max_size=7)
    names = {id: f"{draw(letters)}{id}" for id in ids}
    at = st.floats(0, 1)
    places = {id: (draw(at), draw(at)) for id in ids}
    groups = [
        Near(
            Token(names[one], names[one], one),
            tuple(range(one + 1, one + near + 1)),
            (0.5,) * near,
        )
        for one in range(0, len(ids), near + 1)
    ]
    return groups, names, places


def boxes(figure: object, width: float, height: float) -> list[tuple[float, ...]]:
    """Left, right, low and high of each name, in pixels of a plot of that size."""
    axes = figure.layout.xaxis.range, figure.layout.yaxis.range  # type: ignore[attr-defined]
    found: list[tuple[float, ...]] = []
    for trace in figure.data:  # type: ignore[attr-defined]
        if "text" not in trace.mode:
            continue
        size = trace.textfont.size
        where = trace.textposition
        sides = [where] * len(trace.x) if isinstance(where, str) else where
        for x, y, name, side in zip(trace.x, trace.y, trace.text, sides, strict=True):
            if not name:
                continue
            across, up = (
                room * (at - low) / (high - low)
                for at, room, (low, high) in zip((x, y), (width, height), axes, strict=True)
            )
            wide = sum(size if "가" <= letter <= "힣" else 0.6 * size for letter in name)
            across += {"left": -1, "right": 1}.get(side.split()[1], 0) * (wide / 2 + 4)
            up += {"top": 1, "bottom": -1}.get(side.split()[0], 0) * (size / 2 + 4)
            found.append((across - wide / 2, across + wide / 2, up - size / 2, up + size / 2))
    return found


@given(sentences(), st.sampled_from([330, 640, 1200]))
def test_names_lie_over_no_other_and_the_chosen_token_has_its_own(
    made: tuple[list[Near], dict[int, str], dict[int, tuple[float, float]]], width: int
) -> None:
    groups, names, places = made
    figure = neighbour_map(groups, 0, names, places, mode="light")
    assert figure.data[-1].text == (names[0],)
    found = boxes(figure, width, 400)
    for at, (left, right, low, high) in enumerate(found):
        for other in found[:at]:
            apart = left >= other[1] or other[0] >= right or low >= other[3] or other[2] >= high
            assert apart, (found[at], other)


def test_only_the_chosen_group_has_a_colour() -> None:
    figure = neighbour_map(GROUPS, 1, NAMES, PLACES, mode="light")
    inks = {
        colour
        for trace in figure.data
        if "markers" in trace.mode
        for colour in (
            [trace.marker.color] if isinstance(trace.marker.color, str) else trace.marker.color
        )
    }
    assert inks == {HUES[1], PALETTES["light"].muted}


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
