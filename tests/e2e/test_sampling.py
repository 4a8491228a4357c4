"""Sampling in the real app: another draw by a key, a typed sentence by the same chance, a link."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from core.families.transformer import TransformerModel
from core.model import Sampling, TraceRequest
from tests.e2e.conftest import told
from tests.e2e.test_app import PEOPLE, RAIN, Visit, asked, typed
from viz.jobs.snapshots import snapshot_id
from viz.text.sampling import EN

pytestmark = pytest.mark.e2e

IS = "state.traceId === given"


def test_another_text_is_drawn_by_a_key_and_a_link_opens_the_same(
    visit: Visit, tiny_model: TransformerModel
) -> None:
    def snapshot(source: str, seed: int) -> str:
        request = TraceRequest(source, sampling=Sampling(seed, 1.5))
        return snapshot_id(tiny_model.digest, "cpu", request)

    page = visit("/?" + urlencode({"source": RAIN, "seed": "3", "sample_temperature": "1.5"}))
    told(page, IS, snapshot(RAIN, 3))
    page.keyboard.press("n")
    expect(page.get_by_text(EN.drawn.format(seed=4))).to_be_visible()
    page.wait_for_url(re.compile("seed=4"))
    told(page, IS, snapshot(RAIN, 4))
    page.reload()
    told(page, IS, snapshot(RAIN, 4))
    with page.expect_response("**/snapshot?**") as answer:
        typed(page, PEOPLE)
    assert answer.value.json()["trace_id"] == snapshot(PEOPLE, 4)
    told(page, IS, snapshot(PEOPLE, 4))
    assert asked(page)["seed"] == "4"
