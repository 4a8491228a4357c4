"""What the browser and Python each say in their own code is the same."""

import re
from pathlib import Path

from core.studies import schemes
from viz.figures import theme
from viz.jobs import runs
from viz.screens import positions_state
from viz.session import state
from viz.session.address import MAX_ADDRESS_TEXT

WEB = Path(__file__).parents[3] / "viz" / "inspector" / "web"


def found(path: str, form: str) -> str:
    match = re.search(form, (WEB / path).read_text("utf-8"))
    assert match is not None
    return match[1]


def test_an_address_carries_as_many_letters() -> None:
    assert int(found("typed.js", r"LONGEST = (\d+)")) == MAX_ADDRESS_TEXT


def test_the_same_runs_are_active() -> None:
    assert re.findall(r'"(\w+)"', found("training/feed.js", r"ACTIVE = (\[.*\])")) == [*runs.ACTIVE]


def test_a_click_on_step_waits_for_nothing_that_its_link_never_carries() -> None:
    own = found("../../server/frame/frame.js", r"STEPS_OWN = (\[.*\])")
    assert re.findall(r'"(\w+)"', own) == ["kind", *state.OF_A_KIND]


def test_hues_of_attention_and_of_differences_are_the_same() -> None:
    told = dict(re.findall(r'(\w+): "(#\w+)"', found("views/colour.js", r"HUES = \{(.*)\}")))
    assert told == {kind: hue.lower() for kind, hue in theme.KIND_HUES.items()}
    for name in ("NEGATIVE", "POSITIVE"):
        assert found("views/colour.js", rf'{name} = "(.*)"') == getattr(theme, name).lower()


def test_the_page_of_positions_offers_the_slopes_of_its_pictures() -> None:
    assert positions_state.HEADS == schemes.HEADS
