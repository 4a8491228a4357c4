"""A page says how large it will be before it is made; the small one holds what it says."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace
from tests.e2e.inspector.disk import opened_from_disk
from tests.e2e.inspector.page import Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.twins.packed import unpack
from tests.viz.inspector.made import long_trace, trace, vocabulary_tokens
from viz.export.one import Choice, exported
from viz.inspector.options import Options
from viz.inspector.pack import pack
from viz.inspector.quantise import WEIGHT_ERROR, quantised
from viz.text.inspector import TEXT

pytestmark = pytest.mark.e2e

SHAPES = {
    "short": lambda: trace(),
    "long": lambda: long_trace(128, layers=4, heads=6),
    "many": lambda: long_trace(96, layers=12, heads=12),
}


def page_of(traced: AttentionTrace, *, compact: bool) -> bytes:
    packed = pack(traced, trace_id="x", vocabulary_tokens=vocabulary_tokens)
    return exported(packed, Choice(compact=compact), "html", language="en")


@pytest.mark.parametrize("name", SHAPES)
def test_a_page_is_about_as_large_as_the_menu_says(opened: Open, shelf: Shelf, name: str) -> None:
    traced = SHAPES[name]()
    put(shelf, name, traced)
    here = opened(name)
    here.at("hl-export").click()
    for called, compact in (("HTML", False), (TEXT["en"].export_compact, True)):
        link = here.page.get_by_role("link", name=f"{TEXT['en'].export_whole}, {called}")
        said = re.search(r"≈ ([\d.]+) MB", link.get_attribute("aria-label") or "")
        assert said is not None
        size = len(page_of(traced, compact=compact)) / 1e6
        assert float(said[1]) == pytest.approx(size, rel=0.15, abs=0.1), called
        asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)
        assert asked.get("compact") == (["on"] if compact else None)


def test_a_small_page_of_many_heads_has_five_megabytes_at_most() -> None:
    assert len(page_of(long_trace(128, layers=12, heads=12), compact=True)) <= 5_000_000


@pytest.mark.parametrize("name", SHAPES)
def test_eight_bits_are_as_exact_as_they_say(name: str) -> None:
    traced = SHAPES[name]()
    packed = pack(traced, trace_id="x")
    for described in packed.meta["sites"]:
        site = traced.sites[described["kind"]]
        told = {**described, "linear": True}
        weights, allowed = unpack([told], quantised(site, linear=True))[site.kind]
        assert np.array_equal(allowed, site.allowed)
        assert np.abs(weights - site.weights).max() < WEIGHT_ERROR


def test_a_small_page_has_this_head_exact_and_the_others_say_what_they_are(
    here: Harness, tmp_path: Path
) -> None:
    traced = trace()
    packed = pack(traced, trace_id="x", vocabulary_tokens=vocabulary_tokens)
    choice = Choice(kind="cross", layer=2, head=5, options=Options(kept=((0, 1),)), compact=True)
    path = tmp_path / "small.html"
    path.write_bytes(exported(packed, choice, "html", language="en"))
    opened_from_disk(here, path, "exact")
    expect(here.at("hl-status")).to_have_text(TEXT["en"].exact)
    site = traced.sites["cross"]
    assert here.state()["weights"] == site.weights[1, 4].ravel().tolist()
    grid = here.at("hl-grid")
    grid.locator('[data-layer="0"][data-head="1"].hl-head').click()
    here.until("state.selection.layer === 1 && state.status === 'exact'")
    grid.locator('[data-layer="2"][data-head="7"].hl-head').click()
    state = here.until("state.selection.layer === 3 && state.status === 'failed'")
    expect(here.at("hl-status")).to_contain_text("not in this file")
    shown = np.array(state["weights"], np.float32).reshape(site.shape)
    assert np.abs(shown - site.weights[2, 7]).max() < WEIGHT_ERROR
    expect(here.at("hl-shape")).to_have_count(0)  # it has no logits
    assert path.stat().st_size < len(page_of(traced, compact=False))
