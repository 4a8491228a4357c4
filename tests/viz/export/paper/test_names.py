"""What rows and columns of a figure are called, and what its hatches mean."""

import pytest
from matplotlib.figure import Figure

from tests.viz.export.test_one import packed_of, svg_texts
from tests.viz.inspector.made import long_trace, trace
from viz.export.one import Choice, exported
from viz.export.paper.names import name_axes
from viz.export.paper.style import paper
from viz.text.browser import inspector_words
from viz.text.language import Language


@pytest.mark.parametrize("cell", [4.0, 11.0, 22.0])
def test_a_letter_above_a_column_is_never_turned(cell: float) -> None:
    """Turned, some are others."""
    names = ["Yesterday", *("ㅡ", "ㅣ", "-ㄱ", "N") * 8]
    with paper():
        axes = Figure().subplots()
        name_axes(axes, names, [], [], cell=cell)
        turned = {text.get_text(): text.get_rotation() for text in axes.get_xticklabels()}
    assert turned.pop("Yesterday") > 0
    assert set(turned.values()) == {0}


@pytest.mark.parametrize("step", [50, 51])
def test_the_row_of_the_step_is_named_among_those_that_are(step: int) -> None:
    """And those beside it give way, as on the screen."""
    long = long_trace(100, layers=1, heads=1)
    written = [token.text for token in long.written]
    texts = svg_texts(
        exported(packed_of(long), Choice("head", "cross", 1, 1, step), "svg", language="en")
    )
    named = {at for at, text in enumerate(written) if text in texts}
    assert step - 1 in named
    assert {step - 2, step}.isdisjoint(named)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(("step", "hatches"), [(3, 2), (None, 1)])
def test_stages_say_what_each_of_their_hatches_means(
    language: Language, step: int | None, hatches: int
) -> None:
    choice = Choice("stages", "decoder_self", 2, 5, step)
    texts = svg_texts(exported(packed_of(trace()), choice, "svg", language=language))
    words = inspector_words(language)
    legends = [words["legend_forbidden"], words["legend_unwritten"]]
    assert [text for text in texts if text in legends] == legends[:hatches]
