"""Temperature, top-k and top-p of the next-token panel: exact over the whole vocabulary."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from core.trace import AttentionTrace
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import ENGLISH, trace, vocabulary_tokens
from tests.viz.inspector.sampling import shaped
from viz.text.inspector import EN as INSPECTOR
from viz.text.language import Language
from viz.text.next_token import TEXT

pytestmark = pytest.mark.e2e


CUT = """async ([logits, shape]) => {
  const { Logits } = await import("/inspector/data/sampling.js");
  const { kept, probability } = new Logits(Float32Array.from(logits)).shaped(shape);
  return { kept, p: logits.map((_, id) => probability(id)) };
}"""


@settings(
    deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.floats(-40, 40, width=32), min_size=1, max_size=30)
    | st.lists(st.sampled_from([-0.0, 0.0, 1.0, -1.0]), min_size=1, max_size=12),
    st.sampled_from([0.1, 0.5, 1.0, 1.7, 3.0]),
    st.integers(0, 33),
    # No sum of equal odds comes out at such a share: there, rounding would decide.
    st.sampled_from([0.0513, 0.3107, 0.7039, 0.9511, 1.0]),
)
def test_the_browser_cuts_as_the_slow_twin(
    page: Page, logits: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    expected = shaped(logits, temperature, top_k, top_p)
    got = page.evaluate(CUT, [logits, {"temperature": temperature, "topK": top_k, "topP": top_p}])
    assert got["p"] == pytest.approx(expected, abs=1e-12)
    assert got["kept"] == sum(p > 0 for p in got["p"]) or min(logits) < max(logits) - 70
    assert sum(got["p"]) == pytest.approx(1)


def test_a_look_with_a_vocabulary_and_no_step_is_drawn_whole(opened: Open, shelf: Shelf) -> None:
    traced = trace()
    alone = AttentionTrace(
        "m",
        traced.source,
        (),
        (),
        {"encoder_self": traced.sites["encoder_self"]},
        np.zeros((0, 60), np.float32),
    )
    put(shelf, "encoder", alone, selection={"kind": "encoder_self", "layer": 1, "head": 1})
    here = opened("encoder")
    expect(here.at("hl-table").locator("caption")).not_to_be_empty()
    assert here.problems == []


def test_it_agrees_with_what_the_look_lists_where_nothing_is_changed(page: Page) -> None:
    traced = trace()
    assert traced.logits is not None
    row = traced.logits[3]
    got = page.evaluate(CUT, [row.tolist(), {"temperature": 1, "topK": 0, "topP": 1}])
    odds = np.exp(row.astype(np.float64) - row.max())
    np.testing.assert_allclose(got["p"], odds / odds.sum(), rtol=1e-12)


def opened_panel(here: Harness) -> None:
    here.at("hl-shape").click()
    expect(here.at("hl-temperature")).to_be_visible()


def pressed(here: Harness, slider: str, key: str, times: int = 1) -> None:
    for _ in range(times):
        here.at(f"hl-{slider}").press(key)


def shown(here: Harness, traced: AttentionTrace, step: int, **shape: Any) -> None:
    """The panel shows what the slow twin makes of the logits, per token."""
    assert traced.logits is not None
    wanted = {"temperature": 1.0, "topK": 0, "topP": 1.0} | shape
    tests = [f"state.shape.{name} === {value}" for name, value in wanted.items()]
    state = here.until(
        " && ".join([*tests, f"state.selection.step === {step}", "state.shape.status === 'exact'"])
    )
    row = [float(logit) for logit in traced.logits[step - 1]]
    expected = shaped(row, wanted["temperature"], wanted["topK"], wanted["topP"])
    names = [token.text for token in vocabulary_tokens(list(range(len(row))))]
    assert state["shape"]["kept"] == sum(p > 0 for p in expected)
    for text, p, _ in state["next"][0]:
        ids = [id for id, name in enumerate(names) if name == text]  # two may be spelled alike
        assert p in [pytest.approx(expected[id], abs=1e-9) for id in ids]


def test_sliders_reshape_the_distribution_by_keys(opened: Open, shelf: Shelf) -> None:
    traced = trace()
    put(shelf, "default", traced, view="step")
    here = opened()
    plain = here.state()["next"]
    opened_panel(here)
    pressed(here, "temperature", "ArrowRight", 5)
    shown(here, traced, 7, temperature=1.5)
    expect(here.at("hl-temperature")).to_have_attribute("aria-valuetext", "1.5")
    pressed(here, "top-k", "ArrowLeft", 4)
    shown(here, traced, 7, temperature=1.5, topK=10)
    pressed(here, "top-p", "ArrowLeft", 6)
    shown(here, traced, 7, temperature=1.5, topK=10, topP=0.7)
    expect(here.at("hl-shape-left")).to_contain_text("of 60 tokens are left")
    here.at("hl-steps").press("ArrowRight")
    shown(here, traced, 8, temperature=1.5, topK=10, topP=0.7)
    here.at("hl-steps").press("ArrowLeft")
    here.page.get_by_role("button", name=TEXT["en"].shape_reset).click()
    assert here.until("state.shape.topP === 1 && state.selection.step === 7")["next"] == plain


def test_numbers_that_are_not_the_models_say_so_with_the_sliders_folded(
    opened: Open, shelf: Shelf
) -> None:
    put(shelf, "warm", trace(), selection={**START, "temperature": "2", "top_k": "10"})
    here = opened("warm")
    expect(here.at("hl-shape")).to_have_text("temperature 2.0 · top-k 10")
    expect(opened().at("hl-shape")).to_have_text(TEXT["en"].shape)


def test_what_is_cut_says_so_and_the_written_token_stays(opened: Open, shelf: Shelf) -> None:
    put(shelf, "default", trace(), view="step")
    here = opened()
    opened_panel(here)
    pressed(here, "top-k", "Home")
    here.until("state.shape.topK === 1 && state.shape.status === 'exact'")
    cut = here.page.locator(".hl-bar-cut:visible .hl-bar-value")
    assert set(cut.all_inner_texts()) == {TEXT["en"].shape_cut}
    texts = [text for text, _, _ in here.state()["next"][0]]
    assert ENGLISH[6] in texts
    rest = re.escape(INSPECTOR.next_rest).replace(r"\{count\}", r"\d+")
    assert not re.search(rest, here.at("hl-next").inner_text())


def test_what_is_left_is_not_cut_however_little_it_is(opened: Open, shelf: Shelf) -> None:
    traced = trace()
    assert traced.logits is not None
    logits = traced.logits.copy()
    logits[:, 4] += 30
    put(shelf, "default", replace(traced, logits=logits), view="step")
    here = opened()
    opened_panel(here)
    pressed(here, "temperature", "Home")
    here.until("state.shape.temperature === 0.1 && state.shape.status === 'exact'")
    rest = here.page.locator(".hl-bar-rest .hl-bar-value")
    expect(rest).to_have_text("< 0.1\u00a0%", use_inner_text=True)
    expect(here.page.locator(".hl-bar-cut:visible")).to_have_count(0)


def test_logits_are_asked_for_once_a_step_when_they_may_be_wanted(opened: Open) -> None:
    here = opened()
    asked: list[str] = []
    here.page.on("request", lambda sent: asked.append(sent.url.partition("/logits/")[2]))
    here.at("hl-steps").press("ArrowRight")
    here.until("state.selection.step === 8")
    assert not any(asked)
    with here.page.expect_response("**/logits/7"):
        opened_panel(here)
    with here.page.expect_response("**/logits/8"):
        here.at("hl-steps").press("ArrowRight")
    here.at("hl-steps").press("ArrowLeft")
    pressed(here, "temperature", "ArrowRight")
    here.until("state.shape.temperature === 1.1 && state.shape.status === 'exact'")
    assert [path for path in asked if path] == ["7", "8"]


def test_logits_that_do_not_arrive_are_said(opened: Open, shelf: Shelf) -> None:
    shelf.refuse_logits = True
    here = opened()
    plain = here.state()["next"]
    opened_panel(here)
    pressed(here, "temperature", "ArrowRight")
    here.until("state.shape.status === 'failed'")
    expect(here.at("hl-shape-left")).to_have_text(TEXT["en"].shape_failed)
    assert here.state()["next"] == plain
    here.problems.clear()  # the browser's own line about the refused request


def test_logits_of_another_look_are_not_shown(opened: Open, shelf: Shelf) -> None:
    here = opened()
    shelf.traces["default"] = trace(seed=9)
    opened_panel(here)
    pressed(here, "temperature", "ArrowRight")
    here.until("state.shape.status === 'failed'")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_it_fits_a_phone(opened: Open, shelf: Shelf, language: Language) -> None:
    put(shelf, "default", trace(), language=language, selection=START)
    here = opened(size=(390, 800), touch=True)
    here.at("hl-shape").tap()
    expect(here.at("hl-top-p")).to_be_visible()
    here.at("hl-temperature").tap()
    here.until("state.shape.temperature !== 1 && state.shape.status === 'exact'")
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_look_without_logits_has_no_temperature(opened: Open, shelf: Shelf) -> None:
    made = trace()
    traced = AttentionTrace("m", made.source, made.target, made.written, made.sites)
    put(shelf, "default", traced)
    here = opened()
    assert here.at("hl-shape").count() == 0
