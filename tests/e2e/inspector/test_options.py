"""The browser's looks and the printed figure's are one: spelling, trimming, words, order."""

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from core.trace import Token
from tests.e2e.inspector.page import Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector import cases
from tests.viz.inspector.made import trace
from tests.viz.session.test_address import EVERY_OPTION
from viz.export.paper.order import ranked
from viz.export.paper.shown import trimmed
from viz.inspector.options import OPTIONS, Options, Order, spell
from viz.inspector.words import spelt
from viz.text.browser import inspector_words

pytestmark = pytest.mark.e2e
quick = settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

SETTLED = """async (texts) => {
  const { OPTIONS, optionsOf, settleOptions } = await import("/inspector/options.js");
  const traits = %s;
  const site = { rows: 9999, columns: 9999, layers: 9999, heads: 9999 };
  const model = { kinds: ["cross"], sites: new Map([["cross", site]]), traitsOf: () => traits };
  const names = [...new Set(Object.values(OPTIONS).flat())];
  return texts.map((one) => optionsOf(settleOptions(one, model, "cross", names), names));
}""" % [order for order in get_args(Order) if order != "layer"]
JUNK = st.text(max_size=12) | st.sampled_from(
    ("1e999", "NaN", "Infinity", "-1", "0", "1.1", "1.1 2.2", "on", "off", "0.50", "٣", "1.", ".1")
)


def settled(page: Page, texts: list[dict[str, str]]) -> list[dict[str, str]]:
    answers: list[dict[str, Any]] = page.evaluate(SETTLED, texts)
    return [{n: text for n, text in answer.items() if text is not None} for answer in answers]


@quick
@given(options=EVERY_OPTION)
def test_the_browser_spells_as_python_does(page: Page, options: Options) -> None:
    texts = {name: text for name, text in spell(options).items() if name != "pinned"}
    assert settled(page, [texts]) == [texts]


@quick
@given(texts=st.dictionaries(st.sampled_from([name for name in OPTIONS if name != "pinned"]), JUNK))
def test_both_refuse_the_same(page: Page, texts: dict[str, str]) -> None:
    assert settled(page, [texts]) == [cases.settled(texts)]


@pytest.mark.parametrize("junk", [None, 7, {}, [], [[]], True, "x" * 100_000])
def test_whatever_arrives_is_settled(page: Page, junk: Any) -> None:
    wanted = dict.fromkeys(OPTIONS, junk)
    (texts,) = settled(page, [wanted])
    assert set(texts) <= {"top", "top_k"}  # 7 is a number for these


@quick
@given(
    rows=st.lists(
        st.lists(st.floats(0, 1, width=32), min_size=5, max_size=5), min_size=1, max_size=4
    ),
    share=st.integers(1, 50).map(lambda number: number / 100),
)
def test_the_browser_trims_as_print_does(page: Page, rows: list[list[float]], share: float) -> None:
    weights = np.array(rows, np.float32)
    got = page.evaluate(
        """async ([weights, ...size]) => {
          const { trimmed } = await import("/inspector/views/trim.js");
          return Array.from(trimmed(Float32Array.from(weights), ...size).drawn);
        }""",
        [weights.ravel().tolist(), *weights.shape, share],
    )
    assert np.array_equal(np.array(got, np.float32), trimmed(weights, share).ravel())


LETTERS = st.sampled_from(
    ("▁", " ", "Ġ", "", "caf", "é", "ᄒ", "ᅡ", "ᆫ", "가", "\u200b", "\u200d", "👩", *"Aa.")
)
PARTS = st.sampled_from([f"{letter} {at}/2" for letter in "가👩\u200d\n" for at in (1, 2)])
PIECES = (LETTERS | PARTS).map(lambda text: Token(text, text, 1, 0)) | st.integers(0, 255).map(
    lambda byte: Token(f"<0x{byte:02X}>", "?", 1, 0)
)


@quick
@given(pieces=st.lists(PIECES, min_size=2, max_size=6))
def test_the_browser_spells_words_as_print_does(page: Page, pieces: list[Token]) -> None:
    got = page.evaluate(
        """async (pieces) => {
          const { spelt } = await import("/inspector/views/units.js");
          return spelt(pieces.map((one) => ({ ...one, joint: true, special: false })));
        }""",
        [{"piece": token.piece, "text": token.text} for token in pieces],
    )
    assert got == spelt(pieces)


@pytest.mark.parametrize("order", ["entropy", "distance", "special"])
def test_the_browser_orders_as_print_does(opened: Open, order: Order) -> None:
    here = opened()
    here.at("hl-order").select_option(order)
    state = here.until(f"state.order === '{order}' && state.grid.heads === state.grid.of")
    heads, _ = ranked(trace(), "cross", Options(order=order), inspector_words("en"))
    assert heads is not None
    assert state["grid"]["cells"] == [[layer + 1, head + 1] for layer, head in heads]


def test_data_that_start_with_looks_are_drawn_so(opened: Open, shelf: Shelf) -> None:
    options = {"trim": "0.3", "kept": "1.1 3.2", "held": "key.2", "order": "entropy", "top": "4"}
    put(shelf, "looks", trace(), selection={"kind": "cross", "pinned": [2, 3], **options})
    here = opened("looks")
    state = here.state()
    assert {name: state["options"][name] for name in options} == options
    assert state["selection"]["pinned"] == [2, 3]
    assert state["grid"]["of"] == 4
    assert state["kept"] == [[0, 0], [2, 1]]
