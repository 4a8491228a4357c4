"""Numbers and shortened texts in the browser are spelled as Python spells them."""

import pytest
from playwright.sync_api import Page

from viz.text.numbers import fixed

pytestmark = pytest.mark.e2e

VALUES = (0.0, -0.0, 0.0004, -0.0004, 0.001, -0.001, 0.9996, -0.9996, 0.5, -12.3456, 7.0)


def spelt(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(
        """async ([name, values]) => {
          const text = await import("/inspector/data/text.js");
          return values.map(text[name]);
        }""",
        [name, VALUES],
    )
    return found


def test_a_score_is_said_as_python_says_it(page: Page) -> None:
    assert spelt(page, "score") == [fixed(value) for value in VALUES]


@pytest.mark.parametrize("name", ["signed", "signedCell"])
def test_a_change_has_a_sign_unless_it_is_shown_as_zero(page: Page, name: str) -> None:
    for value, shown in zip(VALUES, spelt(page, name), strict=True):
        number = float(shown.replace("−", "-"))
        assert number == pytest.approx(value, abs=0.0051)
        if number == 0:
            assert shown[0] in "0."
        else:
            assert shown[0] == ("+" if value > 0 else "−")


def test_a_text_is_shortened_by_characters(page: Page) -> None:
    texts = ["🙂", "🙂🙂", "a🙂b", "word", "한국어", "", "👩\u200d🍳x", "🙂" * 9]
    cases = [(text, limit) for text in texts for limit in (1, 2, 3, 8)]
    shown = page.evaluate(
        """async (cases) => {
          const { shorten } = await import("/inspector/data/text.js");
          return cases.map(([text, limit]) => shorten(text, limit));
        }""",
        cases,
    )
    for (text, limit), short in zip(cases, shown, strict=True):
        cut = text[: limit - 1].removesuffix("\u200d") + "…"
        assert short == (text if len(text) <= limit else cut), (text, limit)
