"""A token that is a sign stands in quotation marks within a sentence, page and paper alike."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_modules import call
from tests.viz.export.test_one import packed_of, svg_texts
from tests.viz.inspector.made import trace
from viz.export.one import Choice, exported
from viz.inspector.options import Options
from viz.inspector.payload import Comparison, View
from viz.text.browser import inspector_words
from viz.text.language import LANGUAGES, Language
from viz.text.tokens import is_sign

pytestmark = pytest.mark.e2e

COMMA: Final = 8  # the step that writes it, from 1


@pytest.mark.parametrize("view", ["inspect", "step"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_comma_is_none_of_the_sentences_own(
    opened: Open, shelf: Shelf, view: View, language: Language
) -> None:
    words = inspector_words(language)
    lifted, causal = trace(lifted=True), put(Shelf(), "other", trace())
    beside = Comparison(causal, "causal", "own", "open")
    start, end = (
        words["writing_put"].split("{query}")[0],
        words["compare_delta"].split("{token}")[0],
    )
    for step, named in ((COMMA, "“,”"), (COMMA + 1, "there")):
        at = {**START, "kind": "cross", "step": step}
        put(shelf, "signs", lifted, view=view, language=language, selection=at, comparison=beside)
        here = opened("signs")
        expect(here.at("hl-sentence")).to_contain_text(f"{start}{named}")
        expect(here.at("hl-delta")).to_contain_text(f"{end}{named}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nor_on_paper(language: Language) -> None:
    words = inspector_words(language)
    packed = packed_of(trace())
    for row, named in ((COMMA, "“,”"), (COMMA + 1, "there")):
        choice = Choice("head", "cross", 2, 5, options=Options(pinned=(row - 1, 2)))
        said = " ".join(svg_texts(exported(packed, choice, "svg", language=language)))
        assert words["pinned_put"].split("{query}")[0] + named in said
        choice = Choice("next", "cross", 2, 5, row)
        said = " ".join(svg_texts(exported(packed, choice, "svg", language=language)))
        assert words["cell_writes"].format(token=named) in said


@pytest.mark.parametrize(
    "text", [",", "?!", "‑", "…", "🎉", "a", "가", "ㅏ", "7", "½", "a,", "⟨U+200D⟩"]
)
def test_what_a_sign_is_both_know(page: Page, text: str) -> None:
    assert call(page, "text", "m.isSign(a[0])", text) == is_sign(text)
