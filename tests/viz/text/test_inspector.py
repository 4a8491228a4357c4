import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from viz.text.inspector import EN, KO, InspectorText

ASSETS = Path(__file__).parents[3] / "viz" / "inspector" / "assets"


def holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("name", [field.name for field in fields(InspectorText)])
def test_both_languages_fill_the_same_holes(name: str) -> None:
    english, korean = asdict(EN)[name], asdict(KO)[name]
    assert english.strip()
    assert korean.strip()
    assert holes(english) == holes(korean)


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in ASSETS.glob("*.js"))
    asked = set(re.findall(r"words\.(\w+)", code))
    for prefix in re.findall(r"words\[`(\w+)\$\{", code):
        asked |= {field.name for field in fields(InspectorText) if field.name.startswith(prefix)}
    asked |= set(re.findall(r'(?:exact|loading|failed): "(\w+)"', code))
    assert asked == {field.name for field in fields(InspectorText)}
