import pytest

from viz.figures.parameters import parameter_bars
from viz.figures.theme import PALETTES


def test_a_bar_for_each_part_in_its_order_and_hue() -> None:
    figure = parameter_bars(
        ["embedding", "embedding", "<b>"],
        [10, 0, 30],
        ["25 %", "0 %", "75 %"],
        hues=[None, "#0072B2", None],
        x_title="parameters",
        mode="light",
    )
    bars = figure.data[0]
    assert list(bars.x) == [10, 0, 30]
    assert list(bars.y) == [0, 1, 2]
    plain = PALETTES["light"].series
    assert list(bars.marker.color) == [plain, "#0072B2", plain]
    assert list(figure.layout.yaxis.ticktext) == ["embedding", "embedding", "&lt;b&gt;"]
    assert list(bars.text) == ["25 %", "0 %", "75 %"]
    assert figure.layout.xaxis.title.text == "parameters"
    assert figure.layout.xaxis.range[1] > 30


def test_a_model_without_parameters_can_be_drawn() -> None:
    figure = parameter_bars([], [], [], hues=[], x_title="parameters", mode="dark")
    assert len(figure.data[0].x) == 0


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="every part"):
        parameter_bars(["a"], [1, 2], ["x"], hues=[None], x_title="", mode="light")
