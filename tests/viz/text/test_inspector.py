import re
from pathlib import Path

import pytest

from tests.viz.text.alike import unlike
from viz.text.browser import inspector_words
from viz.text.language import LANGUAGES, Language

NAMES = set(inspector_words("en"))
WEB = Path(__file__).parents[3] / "viz" / "inspector" / "web"


def test_both_languages_fill_the_same_holes() -> None:
    assert unlike(inspector_words("en"), inspector_words("ko")) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_stop_follows_a_quotation_that_may_end_with_one(language: Language) -> None:
    """What a model wrote brings its own."""
    words = inspector_words(language)
    assert [name for name in words if re.search(r"\}[”’\"'»]\.", words[name])] == []


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    files = [path for room in (".", "data", "views") for path in (WEB / room).glob("*.js")]
    code = "\n".join(path.read_text("utf-8") for path in files)
    asked = set(re.findall(r"words\.(\w+)", code))
    for prefix in re.findall(r"(?:words\[|loading: |failed: )`(\w+)\$\{", code):
        asked |= {name for name in NAMES if name.startswith(prefix)}
    asked |= set(re.findall(r'(?:exact|loading|failed): "(\w+)"', code))
    assert asked == NAMES
