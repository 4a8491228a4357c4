import re
from pathlib import Path
from typing import get_args

from core.training.networks import SIZES
from tests.viz.text.alike import unlike
from viz.jobs.runs import State
from viz.text import train, training
from viz.text.rows import by_name, names
from viz.text.train import TrainText
from viz.text.training import TrainingText

WEB = Path(__file__).parents[3] / "viz" / "inspector" / "web" / "training"
SCREENS = Path(__file__).parents[3] / "viz" / "screens"


def test_both_languages_fill_the_same_holes_in_the_browser() -> None:
    assert unlike(by_name(training.EN), by_name(training.KO)) == []


def test_both_languages_fill_the_same_holes_on_the_page() -> None:
    assert unlike(by_name(train.EN), by_name(train.KO)) == []


def test_the_browser_asks_for_no_other_text_and_for_every_one() -> None:
    code = "\n".join(path.read_text("utf-8") for path in WEB.glob("*.js"))
    known = set(names(TrainingText))
    asked = set(re.findall(r"words\.(\w+)", code))
    for prefix in re.findall(r"words\[`(\w+)\$\{", code):
        asked |= {name for name in known if name.startswith(prefix)}
    asked |= set(re.findall(r'(?:button|number)\(\s*"(\w+)"', code))
    assert asked == known


def test_the_page_asks_for_every_text() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SCREENS.glob("train*.py"))
    asked = set(re.findall(r"text\.(\w+)", code))
    assert set(names(TrainText)) <= asked


def test_every_state_and_every_size_has_its_word() -> None:
    known = set(names(TrainingText))
    assert {f"state_{state}" for state in get_args(State)} <= known
    assert train.EN.sizes.keys() == train.KO.sizes.keys() == set(SIZES)
    assert train.EN.languages.keys() == train.KO.languages.keys()
