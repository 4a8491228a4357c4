import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.nn.positions import sinusoidal_table
from tests.viz.text.alike import unlike
from viz.jobs.models import Models
from viz.screens.positions_state import PICTURES
from viz.text import positions, positions_captions
from viz.text.language import LANGUAGES, Language
from viz.text.rows import by_name

RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
pytestmark = pytest.mark.usefixtures("fresh")


def page() -> None:
    from viz.main import run

    run("positions")


def opened(**query: str) -> AppTest:
    at = AppTest.from_function(page, default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception
    return at


def figures(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def array(encoded: dict[str, str]) -> np.ndarray[Any, Any]:
    import base64

    raw = base64.b64decode(encoded["bdata"])
    made = np.frombuffer(raw, dtype=np.dtype(encoded["dtype"]))
    if "shape" not in encoded:
        return made
    return made.reshape([int(n) for n in str(encoded["shape"]).split(",")])


def test_each_picture_is_saved_by_its_own_name() -> None:
    charts = opened().get("plotly_chart")
    options = [json.loads(chart.proto.config)["toImageButtonOptions"] for chart in charts]
    names = {one["filename"] for one in options}
    assert len(names) == len(charts)
    assert all(name.startswith("headlight-positions-") for name in names)


def texts(at: AppTest) -> str:
    return "\n".join(block.value for block in (*at.markdown, *at.caption))


def widget(kind: Any, name: str) -> Any:
    return next(w for w in kind if w.key.endswith(f"positions_{name}"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_is_drawn_in_both_languages(picture: str, language: Language) -> None:
    at = opened(lang=language, picture=picture)
    drawn = figures(at)
    assert drawn
    words = positions.TEXT[language]
    assert at.subheader[0].value == words.title
    for figure in drawn:
        assert figure["data"]
    assert "{" not in texts(at)
    assert all(chart.proto.alt for chart in at.get("plotly_chart"))


def test_the_heatmap_holds_the_whole_table() -> None:
    drawn = figures(opened(lang="en", length="300", width="512"))[0]["data"][0]
    table = sinusoidal_table(300, 512).astype(np.float32)
    assert np.array_equal(array(drawn["z"]), table)
    assert drawn["x"][17].startswith("dimension 17 = cos(position / 10000<sup>16/512</sup>)")
    assert "wavelength 8.379 positions" in drawn["x"][17]


def test_a_crowded_picture_says_so_and_a_small_one_does_not() -> None:
    note = positions_captions.EN.heatmap_crowded.split("{")[0]
    assert note not in texts(opened(lang="en"))
    assert note in texts(opened(lang="en", length="2048", width="4"))


@pytest.mark.parametrize(("length", "width"), [("1", "4"), ("2", "6"), ("2048", "1024")])
@pytest.mark.parametrize("picture", PICTURES)
def test_the_ends_of_the_range_can_be_drawn(picture: str, length: str, width: str) -> None:
    at = opened(lang="en", picture=picture, length=length, width=width, offset="-2047")
    assert figures(at)


def test_presets_and_numbers_change_the_table_and_the_address() -> None:
    at = opened(lang="en")
    next(button for button in at.button if button.label == "d_model 512").click()
    at.run()
    assert array(figures(at)[0]["data"][0]["z"]).shape == (128, 512)
    widget(at.number_input, "length").set_value(20).run()
    assert array(figures(at)[0]["data"][0]["z"]).shape == (20, 512)
    assert at.query_params["length"] == "20"
    assert at.query_params["width"] == "512"


def test_p_follows_a_table_that_gets_shorter() -> None:
    at = opened(lang="en", position="100")
    widget(at.number_input, "length").set_value(50).run()
    assert not at.exception
    assert widget(at.number_input, "position").value == 49


def test_an_odd_width_is_made_even_and_said() -> None:
    at = opened(lang="en")
    widget(at.number_input, "width").set_value(65).run()
    assert widget(at.number_input, "width").value == 64
    assert [toast.value for toast in at.toast] == ["d_model has to be even: took 64."]


def test_dimensions_are_chosen_and_come_back_from_the_address() -> None:
    at = opened(lang="en", picture="waves", dimensions="2.7")
    widget(at.multiselect, "dimensions").set_value([63, 2]).run()
    assert at.query_params["dimensions"] == "2.63"
    titles = [note["text"] for note in figures(at)[0]["layout"]["annotations"]]
    assert [title.split(" · ")[0] for title in titles] == ["dimension 2", "dimension 63"]


def test_an_address_that_asks_for_nonsense_gets_a_page_and_a_notice() -> None:
    at = opened(lang="en", picture="pie", length="1e9", width="63", position="-4")
    assert figures(at)
    notice = [caption.value for caption in at.caption if "picture" in caption.value]
    assert notice
    assert all(name in notice[0] for name in ("length", "width", "position"))


def number_after(label: str, shown: str) -> float:
    found = re.search(re.escape(label) + r"\]\s+\*\*(?P<number>[^*]+)\*\*", shown)
    assert found, shown
    mantissa, _, power = found["number"].partition(" × 10")
    return float(mantissa) * 10.0 ** int(
        power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0
    )


@pytest.mark.parametrize("offset", ["0", "5", "-31", "1000"])
def test_the_rotation_is_verified_in_numbers(offset: str) -> None:
    shown = texts(opened(lang="en", picture="rotation", offset=offset, position="77"))
    captions = positions_captions.EN
    assert 0 <= number_after(captions.rotation_here.format(p=77), shown) < 1e-12
    assert 0 <= number_after(captions.rotation_all.format(last=127), shown) < 1e-12


def test_the_norm_is_printed_as_expected_and_as_measured() -> None:
    shown = texts(opened(lang="en", picture="norm", width="512"))
    captions = positions_captions.EN
    assert number_after(captions.norm_expected, shown) == 16
    assert abs(number_after(captions.norm_smallest, shown) - 16) < 1e-13
    assert abs(number_after(captions.norm_largest, shown) - 16) < 1e-13
    assert number_after(captions.norm_deviation, shown) < 1e-13


def test_dot_products_are_checked_on_all_pairs_and_a_window_says_so() -> None:
    at = opened(lang="en", picture="dots", length="700", position="400")
    shown = texts(at)
    assert "490,000 pairs" in shown
    assert "positions 272 to 527 of 700" in shown
    matrix = figures(at)[0]["data"][0]
    table = sinusoidal_table(700, 64)[272:528]
    assert np.array_equal(array(matrix["z"]), (table @ table.T).astype(np.float32))
    assert (matrix["x0"], matrix["y0"]) == (272, 272)


def test_what_is_chosen_survives_a_change_of_language() -> None:
    at = opened(lang="en", picture="waves", length="33")
    next(w for w in at.segmented_control if str(w.key).endswith("lang")).set_value("ko").run()
    assert widget(at.number_input, "length").value == 33
    assert at.subheader[0].value == positions.KO.title


def test_the_page_opens_without_a_model(fresh: Models) -> None:
    opened(lang="en")
    assert fresh.opened("tiny") is None


def test_controls_in_both_languages_fill_the_same_holes() -> None:
    assert unlike(by_name(positions.EN), by_name(positions.KO)) == []


def test_captions_in_both_languages_fill_the_same_holes() -> None:
    assert unlike(by_name(positions_captions.EN), by_name(positions_captions.KO)) == []
