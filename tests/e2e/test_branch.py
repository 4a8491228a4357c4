"""A branch in the real app: chosen by keys, shown with a way back, at an address of its own."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from tests.e2e.test_app import RAIN, Visit, asked, chips, drawn
from viz.text.beam import TEXT as BEAM
from viz.text.branch import EN
from viz.text.inspector import TEXT as INSPECTOR

pytestmark = pytest.mark.e2e


def test_another_token_is_chosen_and_left_again(visit: Visit, tiny_model: TransformerModel) -> None:
    page = visit("/?" + urlencode({"source": RAIN, "step": "2"}))
    first = drawn(page, step=2, status="exact")
    free = chips(page)
    page.get_by_test_id("hl-steps").press("ArrowRight")
    expect(page.get_by_test_id("hl-next")).to_contain_text(
        INSPECTOR["en"].next_title.format(step=3)
    )
    page.get_by_test_id("hl-pick-1").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"branch="))
    expect(page.get_by_text("Branched at step 3")).to_be_visible()
    ids = tuple(map(int, asked(page)["branch"].split(".")))
    trace = tiny_model.trace(TraceRequest(RAIN, prefix=ids))
    written = "".join(token.text for token in trace.written)
    expect(page.get_by_test_id("hl-steps")).to_contain_text(trace.written[2].text)
    state = drawn(page, step=3, status="exact")
    assert state["traceId"] != first["traceId"]
    assert trace.logits is not None
    odds = np.exp(trace.logits[2].astype(float) - trace.logits[2].max())
    assert state["next"][0][0][1] == pytest.approx(1 / odds.sum(), abs=1e-6)
    assert chips(page) == "start" + written
    page.reload()
    drawn(page, step=3)
    assert chips(page) == "start" + written
    page.get_by_role("button", name=EN.back).click()
    expect(page.get_by_text("Branched at step 3")).to_have_count(0)
    drawn(page, step=3, status="exact")
    assert chips(page) == free
    assert "branch" not in asked(page)


def test_a_hypothesis_of_a_beam_is_opened_as_a_look(
    visit: Visit, tiny_model: TransformerModel
) -> None:
    page = visit("/step?" + urlencode({"source": RAIN}))
    drawn(page)
    page.get_by_role("button", name=BEAM["en"].width).click()
    page.get_by_role("radio", name="3").click()
    rows = page.get_by_test_id("hl-beam-rows").get_by_role("option")
    best = tiny_model.generate(RAIN, beam=3)
    expect(rows.first).to_contain_text("answer 1")
    cells = "".join(rows.first.locator(".hl-beam-cell").all_inner_texts())
    assert cells == "".join(token.text for token in best.tokens)
    rows.nth(1).click()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"branch="))
    ids = tuple(map(int, asked(page)["branch"].split(".")))
    written = tiny_model.trace(TraceRequest(RAIN, prefix=ids)).written
    expect(page.get_by_text("Branched at step")).to_be_visible()
    drawn(page, status="exact")
    assert chips(page) == "start" + "".join(token.text for token in written)
    assert asked(page)["beam"] == "3"
