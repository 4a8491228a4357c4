"""One look as one file: opened from disk, without a network, all of it alive."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace
from tests.e2e.inspector.disk import fits_a_phone_in_the_dark, opened_from_disk
from tests.e2e.inspector.page import Harness
from tests.viz.inspector.made import KOREAN, long_trace, trace, vocabulary_tokens
from viz.export.one import Choice, exported
from viz.inspector import show
from viz.inspector.options import Options, spell
from viz.inspector.pack import exact_size, pack
from viz.inspector.single import EXACT
from viz.text.inspector import TEXT
from viz.text.language import LANGUAGES, Language
from viz.text.stages import TEXT as STAGES

pytestmark = pytest.mark.e2e

HOSTILE = (
    "</script>", "<!--", "<script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>",
    "{{}}", "${window.hacked=1}", "\u202egnp.exe", "\x00", "\u2028", "'\"`",
)  # fmt: skip


def opened(
    here: Harness,
    folder: Path,
    traced: AttentionTrace,
    choice: Choice,
    language: Language = "en",
    status: str = "exact",
) -> None:
    packed = pack(traced, trace_id="x", vocabulary_tokens=vocabulary_tokens)
    path = folder / "look.html"
    path.write_bytes(exported(packed, choice, "html", language=language, title=KOREAN[0]))
    opened_from_disk(here, path, status)


def test_it_is_the_whole_inspector(here: Harness, tmp_path: Path) -> None:
    traced = trace()
    opened(here, tmp_path, traced, Choice("head", "decoder_self", 2, 5, 7))
    here.until("state.status === 'exact' && state.grid.heads === 24")
    selection = here.state()["selection"]
    assert selection == {
        "kind": "decoder_self", "layer": 2, "head": 5, "step": 7, "pinned": None,
    }  # fmt: skip
    shown = np.array(here.state()["weights"], np.float32).reshape(14, 14)
    assert np.array_equal(shown, traced.sites["decoder_self"].weights[1, 4])
    here.page.get_by_role("gridcell", name="Layer 3, head 3").click()
    here.until("state.selection.head === 3 && state.status === 'exact'")
    here.page.get_by_role("radio").nth(2).click()
    here.until("state.selection.kind === 'cross' && state.status === 'exact'")
    here.page.keyboard.press("l")
    here.until("state.mode === 'lines'")
    here.at("hl-steps").press("End")
    here.until("state.selection.step === 14")
    expect(here.at("hl-next")).to_contain_text("%")
    assert here.page.title() == KOREAN[0]


def test_arrow_keys_step_before_anything_was_pressed(here: Harness, tmp_path: Path) -> None:
    opened(here, tmp_path, trace(), Choice("head", "decoder_self", 2, 5, 7))
    here.page.keyboard.press("ArrowLeft")
    here.until("state.selection.step === 6")
    here.page.keyboard.press("l")  # letters wait for the focus, or who dictates would press them
    here.page.keyboard.press("ArrowRight")
    here.until("state.selection.step === 7 && state.mode === 'matrix'")


def test_it_opens_as_it_was_seen(here: Harness, tmp_path: Path) -> None:
    options = Options(
        pinned=(2, 3), held=("key", 1), mode="lines", words=True, order="entropy", top=5,
        kept=((2, 6), (0, 1)), trim=0.15, stretch=True, threshold=0.1, temperature=1.3,
        top_k=20, top_p=0.9, shaping=True, zoom=((0, 8), (0, 6)),
    )  # fmt: skip
    opened(here, tmp_path, trace(), Choice("head", "cross", 2, 5, 7, options))
    state = here.until("state.shape.status === 'exact'")
    texts = spell(options)
    assert texts.pop("pinned") == "3.4"
    assert state["options"] == texts
    assert state["selection"] == {
        "kind": "cross", "layer": 2, "head": 5, "step": 7, "pinned": [3, 4],
    }  # fmt: skip
    assert state["grid"]["of"] == 5


def test_on_a_phone_in_korean_and_in_the_dark(here: Harness, tmp_path: Path) -> None:
    fits_a_phone_in_the_dark(here, lambda: opened(here, tmp_path, trace(), Choice(), "ko"))


def test_hostile_tokens_stay_text(here: Harness, tmp_path: Path) -> None:
    words = tuple(range(len(HOSTILE)))
    opened(here, tmp_path, trace(HOSTILE, words, HOSTILE, words), Choice())
    chips = here.at("hl-steps").locator(".hl-chip").all_inner_texts()
    assert chips[1:5] == list(HOSTILE[:4])
    assert here.page.evaluate("window.hacked") is None


def heads_in(path: Path) -> list[str]:
    """Heads whose exact floats a file holds."""
    held = re.search(r'id="held">(.*?)</script>', path.read_text("utf-8"))
    assert held is not None
    [own] = json.loads(held[1])["bytes"].values()
    return [name for name in own if re.fullmatch(r"\w+/\d+/\d+", name)]


def test_of_a_long_look_the_asked_head_and_those_around_it_are_exact(
    here: Harness, tmp_path: Path
) -> None:
    traced = long_trace(96, layers=8, heads=8)
    options = Options(kept=((0, 0),))
    opened(here, tmp_path, traced, Choice(kind="cross", layer=8, head=8, options=options))
    expect(here.at("hl-status")).to_have_text(TEXT["en"].exact)
    assert here.state()["weights"] == traced.sites["cross"].weights[7, 7].ravel()[:4096].tolist()
    held = heads_in(tmp_path / "look.html")
    assert held[:4] == ["cross/7/7", "cross/0/0", "cross/6/7", "cross/7/6"]
    assert len(held) == EXACT // exact_size(traced.sites["cross"])
    here.page.get_by_role("radio").nth(1).click()
    here.until("state.selection.kind === 'decoder_self' && state.status === 'exact'")
    here.page.get_by_role("gridcell", name="Layer 1, head 2").click()
    here.until("state.selection.layer === 1 && state.status === 'failed'")
    expect(here.at("hl-status")).to_contain_text("not in this file")
    here.page.get_by_role("radio").nth(2).click()
    here.until("state.selection.kind === 'cross' && state.status === 'exact'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_asked_head_is_exact_however_long_the_look_is(
    here: Harness, tmp_path: Path, language: Language
) -> None:
    """Larger than all that a file has room for, and coarse in the grid."""
    traced = long_trace(1300, layers=1, heads=2)
    assert traced.sites["cross"].weights[0, 1].nbytes * 2 > EXACT
    opened(here, tmp_path, traced, Choice(kind="cross", head=2, step=1), language)
    expect(here.at("hl-status")).to_have_text(TEXT[language].exact)
    assert here.state()["weights"] == traced.sites["cross"].weights[0, 1].ravel()[:4096].tolist()
    assert "cross/0/1" in heads_in(tmp_path / "look.html")
    here.page.get_by_role("radio").nth(0).click()
    here.until("state.selection.kind === 'encoder_self' && state.status === 'failed'")
    expect(here.at("hl-status")).to_contain_text(TEXT[language].absent_coarse)


def test_the_step_page_stays_the_step_page(here: Harness, tmp_path: Path) -> None:
    traced = trace()
    opened(here, tmp_path, traced, Choice("stages", "decoder_self", 2, 5, 7))
    state = here.until("state.status === 'exact' && state.strip?.status === 'exact'")
    assert state["view"] == "step"
    assert state["flow"]["row"] == 6
    shares = traced.sites["decoder_self"].shares
    assert shares is not None
    assert state["share"]["shares"] == shares[1, :, 6].tolist()
    here.page.get_by_role("radio", name=STAGES["en"].view_stages).click()
    state = here.until("state.stages.masked?.rows")
    assert state["selection"]["step"] == 7
    expect(here.at("hl-stage-masked")).to_be_visible()
    site = traced.sites["decoder_self"]
    assert site.scores is not None
    scores = site.scores[1, 4][site.allowed]
    stage = state["stages"]["masked"]
    assert (stage["low"], stage["high"]) == pytest.approx((scores.min(), scores.max()))
    here.at("hl-steps").press("ArrowRight")
    here.until("state.selection.step === 8 && state.stages.masked.rows === 8")


def test_without_scores_the_step_page_says_so(here: Harness, tmp_path: Path) -> None:
    bare = replace(trace(scores=False), logits=None)
    opened(here, tmp_path, bare, Choice("stages", "cross", 2, 5, 7))
    assert here.state()["flow"]["message"] == STAGES["en"].scores_missing
    expect(here.page.get_by_text(STAGES["en"].share_missing)).to_be_visible()
    here.page.get_by_role("radio", name=STAGES["en"].view_stages).click()
    here.until(f"state.stages.scores?.message === {STAGES['en'].scores_missing!r}")
    expect(here.page.get_by_text(TEXT["en"].next_missing)).to_be_visible()


def test_beneath_a_notebook_cell_it_is_alive_as_well(here: Harness, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{show(trace())._repr_html_()}", "utf-8")
    here.page.goto(path.as_uri())
    frame = here.page.frame_locator("iframe")
    expect(frame.get_by_test_id("hl-status")).to_have_text(TEXT["en"].exact)
    frame.get_by_role("gridcell", name="Layer 3, head 3").click()
    expect(frame.get_by_test_id("hl-title")).to_contain_text("head 3")


def test_temperature_is_there_where_the_logits_fit(
    here: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(here, tmp_path, trace(), Choice())
    here.at("hl-shape").click()
    here.at("hl-temperature").press("ArrowRight")
    here.until("state.shape.temperature === 1.1 && state.shape.status === 'exact'")
    monkeypatch.setattr("viz.inspector.single.LOGITS", 100)
    opened(here, tmp_path, trace(), Choice())
    assert here.at("hl-shape").count() == 0
