"""The film's words: both languages alike, and the browser asks for no others."""

import re
from pathlib import Path

from tests.viz.text.alike import unlike
from viz.text import film, milestones
from viz.text.browser import inspector_words
from viz.text.film import FilmText
from viz.text.rows import by_name, names

WEB = Path(__file__).parents[3] / "viz" / "inspector" / "web" / "film"
OWN = set(names(FilmText))
THEIRS = set(inspector_words("en"))


def test_both_languages_fill_the_same_holes() -> None:
    assert unlike(by_name(film.EN), by_name(film.KO)) == []


def test_the_page_says_the_same_in_both_languages() -> None:
    assert unlike(by_name(milestones.EN), by_name(milestones.KO)) == []


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in sorted(WEB.glob("*.js")))
    asked = set(re.findall(r"words\.(\w+)", code))
    for prefix in re.findall(r"words\[`(\w+)\$\{", code):
        asked |= {name for name in OWN | THEIRS if name.startswith(prefix)}
    assert asked <= OWN | THEIRS
    assert asked >= OWN


def test_no_word_has_two_meanings() -> None:
    assert not OWN & THEIRS
