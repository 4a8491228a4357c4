"""What an edit put where no model would, in what leaves the app: drawn and said as it is."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from core.probe import Edit, edits_as_json
from core.trace import AttentionTrace
from tests.viz.export.test_masks import hidden
from tests.viz.export.test_one import packed_of, svg_texts
from tests.viz.inspector.made import forced, trace
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.paper.both import both
from viz.export.paper.pair import pair
from viz.export.paper.shown import ends_of_scale, shown
from viz.export.paper.stages import stages
from viz.export.paper.style import paper
from viz.export.paper.views import head
from viz.export.request import View
from viz.inspector.options import Options
from viz.text.browser import inspector_words
from viz.text.language import LANGUAGES, Language
from viz.text.pair import TEXT as PAIR
from viz.text.paper import figure_words
from viz.text.rows import by_name
from viz.text.stages import TEXT as STAGES

AT = (1, 4)  # where `forced` put weights in row 6, beyond the mask as well
WORDS = figure_words("en", PAIR)


def shut(traced: AttentionTrace) -> int:
    """Cells that are forbidden, and hold nothing."""
    site = traced.sites["decoder_self"]
    return int((~site.mask(*AT) & (site.weights[AT] == 0)).sum())


def numbers(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_weights_that_an_edit_put_behind_the_mask_are_drawn() -> None:
    plain, edited = trace(), forced(trace())
    own = [int((~made.sites["decoder_self"].mask(*AT)).sum()) for made in (plain, edited)]
    assert [own[0] - shut(plain), own[1] - shut(edited)] == [0, 7]
    with paper():
        for made in (plain, edited):
            part = shown(made, "decoder_self", words=False)
            figure = head(part, *AT, Options(), inspector_words("en"))
            assert hidden(figure, 0) == shut(made)
            steps = stages(made, "decoder_self", *AT, 14, WORDS)
            assert hidden(steps, 3) == shut(made)
            assert hidden(steps, 2) == own[0]  # scores there stay −∞
        assert numbers(figure).count("0.50") >= 14
        laid = both((plain, edited), "decoder_self")
        three = pair((plain, edited), laid, (AT, AT), Options(), WORDS)
        assert [hidden(three, at) for at in range(3)] == [own[0], own[0] - 7, own[0] - 7]


def test_a_difference_to_them_is_a_number() -> None:
    traces = (trace(), forced(trace()))
    choice = PairChoice("head", "decoder_self", 2, 5)
    told = json.loads(pair_exported(traces, choice, "json", language="en"))
    assert told["difference"][6][7:] == [0.5] * 7
    assert all(told["known"][6])
    every = json.loads(
        pair_exported(traces, PairChoice("grid", "decoder_self"), "json", language="en")
    )
    known = {(one["layer"], one["head"]): one["known"] for one in every["heads"]}
    assert known[2, 5] == told["known"]
    assert known[1, 1] == np.tri(14, dtype=bool).tolist()


@pytest.mark.parametrize("factor", [1.0, 3.0])
@pytest.mark.parametrize("view", ["head", "grid", "stages"])
def test_a_scale_says_that_weights_lie_beyond_it(view: View, factor: float) -> None:
    plain = trace()
    site = replace(
        plain.sites["cross"], weights=plain.sites["cross"].weights * np.float32(factor), forced=True
    )
    made = packed_of(replace(plain, sites={**plain.sites, "cross": site}))
    texts = svg_texts(exported(made, Choice(view, "cross", 2, 5), "svg", language="en"))
    assert ("≥ 1.0" in texts) == (factor > 1)


def test_both_ends_of_a_scale() -> None:
    values = np.array([[-1.8, 2.1]], np.float32)
    assert ends_of_scale(-1, 1, values) == ["≤ −1.0", "0.0", "≥ 1.0"]
    assert ends_of_scale(-1, 1, values / np.float32(3)) == ["−1.0", "0.0", "1.0"]
    assert ends_of_scale(0, 1, np.array([1.0000001], np.float32)) == ["0.0", "0.5", "1.0"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_that_an_edit_met_are_not_q_k_alone(language: Language) -> None:
    edits = [Edit("scores", "cross", value=5.0, layer=1, head=4, columns=(0,))]
    packed = packed_of(replace(trace(), meta={"edits": edits_as_json(edits)}))
    words = by_name(STAGES[language])
    plain = words["stage_scores_note"].format(score=words["score_is"])
    told = words["scores_edited"].format(scores=plain)
    for which in (4, 5):
        choice = Choice("stages", "cross", 2, which)
        figure = exported(packed, choice, "svg", language=language).decode()
        said = re.sub(r"\s+", "", re.sub(r"<[^>]*>", "", figure))
        assert plain.replace(" ", "") in said
        assert (told.replace(" ", "") in said) == (which == 5)
    sites = {site["kind"]: site["scores_edited"] for site in packed.meta["sites"]}
    assert np.argwhere(sites["cross"]).tolist() == [[1, 4]]
    assert sites["decoder_self"] is None
