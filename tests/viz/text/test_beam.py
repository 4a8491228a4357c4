"""The words of the beam: both languages alike, and the browser asks for all of them."""

import re
from pathlib import Path

import pytest

from viz.text.beam import EN, KO, BeamText
from viz.text.browser import inspector_words

ASSETS = Path(__file__).parents[3] / "viz" / "inspector" / "assets" / "beam"
NAMES = list(BeamText.__dataclass_fields__)


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_fill_the_same_holes(name: str) -> None:
    english, korean = getattr(EN, name), getattr(KO, name)
    assert english
    assert korean
    assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", korean))


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in ASSETS.glob("*.js"))
    asked = set(re.findall(r"words\.(\w+)", code))
    assert asked == {name for name in NAMES if name.startswith("beam_")}
    assert not set(NAMES) & set(inspector_words("en"))
