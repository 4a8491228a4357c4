"""Keys that nothing on the page has asked for: the first view of it hears them."""

import pytest

from tests.e2e.inspector.film.shelf import open_film, put_film, shows
from tests.e2e.inspector.page import Open
from tests.e2e.inspector.server import Shelf

pytestmark = pytest.mark.e2e

FIELD = "document.body.append(Object.assign(document.createElement('input'), { value: 'ab' }))"
MENU = "document.body.append(Object.assign(document.createElement('div'), { role: 'dialog' }))"
ANOTHER = """async () => {
  const { mount } = await import("./inspector/main.js");
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  const meta = await fetch("data/default/meta.json").then((reply) => reply.json());
  const bytes = new Uint8Array(await fetch("data/default/array.bin").then((r) => r.arrayBuffer()));
  mount({ data: { meta, array: bytes }, key: "other", name: "inspector", parentElement });
  window.other = () => parentElement.headlight.state();
}"""


def test_arrow_keys_step_before_anything_was_pressed(opened: Open) -> None:
    here = opened()
    here.page.keyboard.press("ArrowLeft")
    here.selection(step=6)
    here.page.keyboard.press("ArrowRight")
    here.selection(step=7)


def test_letters_and_signs_wait_for_the_focus(opened: Open) -> None:
    here = opened()
    for key in ("l", "+", "Home", "Shift+ArrowLeft", "ArrowRight"):
        here.page.keyboard.press(key)
    here.selection(step=8)  # by the last of them
    state = here.state()
    assert (state["mode"], state["zoom"]) == ("matrix", None)


def test_a_field_beside_it_keeps_its_keys(opened: Open) -> None:
    here = opened()
    here.page.evaluate(FIELD)
    field = here.page.locator("body > input")
    field.focus()
    here.page.keyboard.press("ArrowLeft")
    assert field.evaluate("one => one.selectionStart") == 1
    field.blur()
    here.page.keyboard.press("ArrowRight")
    here.selection(step=8)  # the one before went to the field alone


def test_what_lies_over_the_page_keeps_its_keys(opened: Open) -> None:
    here = opened()
    here.page.evaluate(MENU)
    here.page.keyboard.press("ArrowLeft")
    here.page.locator("[role=dialog]").evaluate("one => one.remove()")
    here.page.keyboard.press("ArrowRight")
    here.selection(step=8)


def test_one_of_two_answers(opened: Open) -> None:
    here = opened()
    here.page.evaluate(ANOTHER)
    here.page.wait_for_function("window.other().ready")
    # What both show of one trace steps together: once, not twice.
    here.page.keyboard.press("ArrowLeft")
    here.selection(step=6)
    assert here.page.evaluate("window.other().selection.step") == 6
    here.page.evaluate("window.unmount()")
    here.page.keyboard.press("ArrowLeft")
    here.page.wait_for_function("window.other().selection.step === 5")


def test_space_plays_a_film_before_anything_was_pressed(opened: Open, shelf: Shelf) -> None:
    put_film(shelf)
    here = open_film(opened)
    here.page.keyboard.press("ArrowLeft")
    shows(here, 500)
    here.page.keyboard.press("Space")
    here.until("state.playing")
    here.page.keyboard.press("Space")
    here.until("!state.playing")
