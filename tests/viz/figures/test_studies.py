"""Lines of studies: each with its own values, and what lies between its seeds."""

import pytest

from viz.figures.studies import HUES, Series, study_lines

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
