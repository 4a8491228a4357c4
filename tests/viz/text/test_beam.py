"""The words of the beam: both languages alike, and the browser asks for all of them."""

import re
from pathlib import Path

from tests.viz.text.alike import unlike
from viz.text.beam import EN, KO, BeamText
from viz.text.browser import inspector_words
from viz.text.rows import by_name, names

WEB = Path(__file__).parents[3] / "viz" / "inspector" / "web" / "beam"
NAMES = names(BeamText)


def test_both_languages_fill_the_same_holes() -> None:
    assert unlike(by_name(EN), by_name(KO)) == []


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in WEB.glob("*.js"))
    asked = set(re.findall(r"words\.(\w+)", code))
    assert asked == {name for name in NAMES if name.startswith("beam_")}
    assert not set(NAMES) & set(inspector_words("en"))
