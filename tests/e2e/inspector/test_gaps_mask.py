"""The masks of models that fill a gap: what their rows and columns are."""

import numpy as np
import pytest
from playwright.sync_api import expect

from core.model import Context
from core.outputs import Gaps
from core.trace import Token
from tests.e2e.inspector.page import Open
from tests.e2e.inspector.server import Shelf
from viz.inspector.gaps import Filled, filled, gaps_data
from viz.text.browser import inspector_words
from viz.text.gaps import TEXT
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e

CONTEXTS: tuple[Context, ...] = ("before", "after", "both")


def model(context: Context, words: int) -> Filled:
    between = tuple(Token(f"w{at}", f"w{at}", 4 + at, at) for at in range(words))
    tokens = (Token("<s>", "start", 2), *between, Token("</s>", "end", 3))
    logits = np.random.default_rng(1).normal(size=(words, 60)).astype(np.float32)
    gaps = Gaps(tokens, logits)
    return filled(context, context, context, gaps, lambda ids: [Token("", f"t{i}", i) for i in ids])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", [2, 40])
def test_each_mask_says_which_axis_looks(
    opened: Open, shelf: Shelf, language: Language, words: int
) -> None:
    shelf.data["gaps"] = gaps_data(
        [model(context, words) for context in CONTEXTS],
        language=language,
        text=inspector_words(language, TEXT),
    )
    here = opened()
    here.page.goto(f"{here.base}?data=gaps&module=gaps/main.js")
    here.until("state.ready")
    for context in CONTEXTS:
        mask = here.at(f"hl-gaps-{context}").locator(".hl-gaps-mask")
        cells = mask.locator("canvas").bounding_box()
        assert cells is not None
        key, query = mask.locator(".hl-axis-key"), mask.locator(".hl-axis-query")
        expect(key).to_contain_text(INSPECTOR[language].axis_key)
        expect(query).to_contain_text(INSPECTOR[language].axis_query)
        above, before = key.bounding_box(), query.bounding_box()
        assert above is not None
        assert before is not None
        assert above["y"] + above["height"] <= cells["y"]
        assert before["x"] + before["width"] <= cells["x"]
        assert mask.evaluate("one => one.scrollWidth <= one.clientWidth")
