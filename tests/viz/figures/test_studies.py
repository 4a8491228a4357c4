"""Lines of studies: each with its own values, and what lies between its seeds."""

import pytest

from viz.figures.studies import HUES, Series, study_lines
from viz.figures.theme import TICK_SIZE

PLACES = ["1–2", "3+"]


def test_a_line_is_its_values_and_its_band_lies_between_its_seeds() -> None:
    series = [
        Series("with", (93.0, 90.0), (92.0, 88.0), (94.0, 91.0)),
        Series("<b>without</b>", (92.0, None)),
    ]
    figure = study_lines(PLACES, series, x_title="words", y_title="BLEU", mode="light")
    band, first, second = figure.data
    assert list(band.x) == [*PLACES, *reversed(PLACES)]
    assert list(band.y) == [94.0, 91.0, 88.0, 92.0]
    assert list(first.y) == [93.0, 90.0]
    assert list(second.y) == [92.0, None]
    assert second.name != "<b>without</b>"  # never markup
    assert {first.line.color, second.line.color} == set(HUES[:2])
    assert figure.layout.yaxis.type == "linear"
    assert (
        study_lines(
            PLACES, series, x_title="", y_title="", logarithmic="y", mode="dark"
        ).layout.yaxis.type
        == "log"
    )


def test_one_line_alone_has_its_name() -> None:
    series = [Series("with", (93.0, 90.0))]
    figure = study_lines(PLACES, series, x_title="", y_title="", mode="light")
    assert figure.layout.showlegend
    assert figure.data[0].showlegend is not False


def test_more_lines_than_hues_are_told_apart() -> None:
    many = [Series(str(at), (1.0,)) for at in range(2 * len(HUES))]
    figure = study_lines([1.0], many, x_title="", y_title="", mode="light")
    assert len({(line.line.color, line.line.dash) for line in figure.data}) == len(many)


def test_a_line_of_other_places_is_refused() -> None:
    with pytest.raises(ValueError, match="has 1 values, not 2"):
        study_lines(PLACES, [Series("one", (1.0,))], x_title="", y_title="", mode="light")


def test_places_are_never_markup() -> None:
    figure = study_lines(
        ["<b>one</b>"], [Series("a", (1.0,))], x_title="", y_title="", mode="light"
    )
    assert list(figure.data[0].x) == ["&lt;b&gt;one&lt;/b&gt;"]
    assert figure.layout.xaxis.type == "category"


def test_a_band_has_no_marks() -> None:
    series = [Series("with", (93.0, 90.0), (92.0, 88.0), (94.0, 91.0))]
    band, line = study_lines(PLACES, series, x_title="", y_title="", mode="light").data
    assert (band.mode, line.mode) == ("lines", "lines+markers")


def test_places_without_an_order_are_not_joined() -> None:
    series = [Series("heads", (1.0, 2.0), drawn="marks"), Series("chance", (3.0, 3.0))]
    heads, chance = study_lines(PLACES, series, x_title="", y_title="", mode="light").data
    assert (heads.mode, heads.marker.color) == ("markers", HUES[0])
    assert "lines" in chance.mode


def test_a_line_that_may_lie_on_another_is_dashed() -> None:
    series = [Series("one", (1.0, 2.0)), Series("same", (1.0, 2.0), drawn="dashed")]
    one, same = study_lines(PLACES, series, x_title="", y_title="", mode="light").data
    assert (one.line.dash, same.line.dash) == ("solid", "dash")


@pytest.mark.parametrize(("least", "dtick"), [(1e-6, 1), (1e-11, 2), (1e-36, 6)])
def test_powers_of_ten_are_few_and_no_larger_than_other_ticks(least: float, dtick: int) -> None:
    figure = study_lines(
        [1.0, 2.0],
        [Series("a", (1.0, least))],
        x_title="",
        y_title="",
        logarithmic="y",
        mode="light",
    )
    axis = figure.layout.yaxis
    assert axis.dtick == dtick
    assert 1.25 * axis.tickfont.size == TICK_SIZE  # as plotly.js writes 10^n
