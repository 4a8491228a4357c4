"""The film's words: both languages alike, and the browser asks for no others."""

import re
from dataclasses import asdict, fields
from pathlib import Path

from tests.viz.text.alike import unlike
from viz.text import film, milestones
from viz.text.browser import inspector_words
from viz.text.film import FilmText

WEB = Path(__file__).parents[3] / "viz" / "inspector" / "web" / "film"
OWN = {field.name for field in fields(FilmText)}
THEIRS = set(inspector_words("en"))


def test_both_languages_fill_the_same_holes() -> None:
    assert unlike(asdict(film.EN), asdict(film.KO)) == []


def test_the_page_says_the_same_in_both_languages() -> None:
    assert unlike(asdict(milestones.EN), asdict(milestones.KO)) == []


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in sorted(WEB.glob("*.js")))
    asked = set(re.findall(r"words\.(\w+)", code))
    for prefix in re.findall(r"words\[`(\w+)\$\{", code):
        asked |= {name for name in OWN | THEIRS if name.startswith(prefix)}
    assert asked <= OWN | THEIRS
    assert asked >= OWN


def test_no_word_has_two_meanings() -> None:
    assert not OWN & THEIRS
