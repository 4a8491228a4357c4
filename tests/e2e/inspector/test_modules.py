"""The inspector's small modules, called one by one in the browser."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from viz.text.numbers import percent, weighed, whole_percent

pytestmark = pytest.mark.e2e
PLACES = {  # the others are views
    **dict.fromkeys(("text", "softmax", "strongest", "part"), "data"),
    "story": "training",
}


def call(page: Page, module: str, expression: str, *arguments: Any) -> Any:
    """Value of an expression over `m` (a module) and `a` (arguments)."""
    return page.evaluate(
        f"async ([module, a]) => {{ const m = await import(module); return {expression}; }}",
        [f"/inspector/{PLACES.get(module, 'views')}/{module}.js", list(arguments)],
    )


@pytest.mark.parametrize(("background", "text"), [("#ffffff", "#1a1c22"), ("#0e1117", "#fafafa")])
def test_scales_are_monotone_in_luminance(page: Page, background: str, text: str) -> None:
    scales = call(
        page,
        "colour",
        """(() => {
          const root = document.createElement("div");
          root.style.setProperty("--st-background-color", a[0]);
          root.style.setProperty("--st-text-color", a[1]);
          document.body.append(root);
          const theme = m.readTheme(root);
          root.remove();
          const rgb = (p) => [p & 255, (p >> 8) & 255, (p >> 16) & 255];
          const light = (table) => Array.from(table, (p) => m.luminance(rgb(p)));
          return [...Object.values(theme.scales).map(light), light(theme.diverging)];
        })()""",
        background,
        text,
    )
    sign = 1 if background == "#0e1117" else -1
    for scale in scales[:3]:
        steps = [sign * (b - a) for a, b in pairwise(scale)]
        assert min(steps) >= -1e-4
        assert abs(scale[-1] - scale[0]) > 0.2
    low, high = scales[3][:128][::-1], scales[3][128:]
    for side in (low, high):
        assert min(sign * (b - a) for a, b in pairwise(side)) >= -1e-4
    assert low[0] == pytest.approx(scales[0][0], abs=1e-3)


ABOVE = """(() => {
  const [names, cell, upright] = a;
  const context = new OffscreenCanvas(60 * names.length, 160).getContext("2d");
  const tokens = names.map((name) => ({
    text: name.replace(/^[+[]/, ""), dash: name.startsWith("+"), special: name.startsWith("["),
  }));
  const labels = m.labelsOf(tokens, context, "12px sans-serif", 100);
  const wide = cell || Math.ceil(m.pitchOf(labels, 12));
  const theme = { faint: "#000", line: "#000" };
  const tilts = [];
  const fill = context.fillText;
  context.fillText = function (text, ...at) {
    if (text) tilts.push(Math.round(100 * this.getTransform().b));
    fill.call(this, text, ...at);
  };
  const inks = labels.map((label, at) => {
    context.reset();
    context.font = "12px sans-serif";
    m.drawColumnLabel(context, label, 30 + at * wide, 150, wide, upright, "#000", theme);
    const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
    return data.filter((_, byte) => byte % 4 === 3);
  });
  const common = inks.slice(1).map(
    (ink, at) => ink.filter((alpha, p) => Math.min(alpha, inks[at][p]) > 127).length,
  );
  return { tilts, common };
})()"""


@pytest.mark.parametrize("letters", [["ㅡ", "ㅣ", "ㅏ", "-ㄱ"], ["N", "Z", "+별", "␣", "🎉", "+,"]])
@pytest.mark.parametrize("cell", [0, 15, 40])
def test_a_letter_above_a_column_is_never_turned(page: Page, letters: list[str], cell: int) -> None:
    """Turned, some are others."""
    assert set(call(page, "labels", ABOVE, letters, cell, False)["tilts"]) == {0}


def test_names_above_columns_lean_unless_all_are_upright(page: Page) -> None:
    """Nor does one lie down under another that leans."""
    names = ["[start", "Yesterday", "to", "the", "장은"]
    slanted = call(page, "labels", ABOVE, names, 18, False)["tilts"]
    assert len(set(slanted)) == 1
    assert slanted[0] != 0
    assert set(call(page, "labels", ABOVE, names, 18, True)["tilts"]) == {0}


@pytest.mark.parametrize("cell", [0, 18, 20, 24, 36])
@pytest.mark.parametrize(
    "names",
    [
        ["문", "+장은", "아주", "짧", "+아요", "[끝"],
        ["[start", "Yesterday", "I", "went", "to", "the", "cafe", "+,", "there", "+."],
        ["ㅅ", "ㅡ", "-ㄹ", "[시작", "ㅏ", "ㅣ"],
    ],
)
def test_names_above_columns_have_room_beside_each_other(
    page: Page, names: list[str], cell: int
) -> None:
    assert set(call(page, "labels", ABOVE, names, cell, False)["common"]) == {0}


INVISIBLE = [*range(0x20), 0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_shown_text_has_nothing_invisible_and_is_never_empty(page: Page, text: str) -> None:
    shown = call(page, "text", "m.visible(a[0])", text)
    assert shown
    assert not any(ord(character) in INVISIBLE for character in shown)


@pytest.mark.parametrize(
    ("template", "expected"),
    [("{a} and {b}", "{b}$& and 2"), ("{a}{a}", "{b}$&{b}$&"), ("{missing}", "{missing}")],
)
def test_values_are_never_templates(page: Page, template: str, expected: str) -> None:
    assert call(page, "text", "m.format(a[0], {a: '{b}$&', b: '2'})", template) == expected
    in_nodes = "(() => { const p = document.createElement('p'); "
    in_nodes += "p.append(m.fragment(a[0].replace('{a}{a}', '{a}'), {a: '{b}$&', b: '2'})); "
    in_nodes += "return p.textContent; })()"
    once = "{b}$&" if template == "{a}{a}" else expected
    assert call(page, "text", in_nodes, template) == once


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0.0\u00a0%"), (0.0004, "< 0.1\u00a0%"), (0.713, "71.3\u00a0%")]
)
def test_per_cent(page: Page, value: float, shown: str) -> None:
    assert call(page, "text", "m.percent(a[0])", value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0.000"), (1.9e-7, "< 0.001"), (0.0005, "0.001"), (0.934, "0.934")]
)
def test_a_weight_that_is_something_is_never_said_to_be_nothing(
    page: Page, value: float, shown: str
) -> None:
    assert call(page, "text", "m.weight(a[0])", value) == shown
    assert call(page, "text", "m.near('loading', m.weight(a[0]))", value).endswith(shown)


EDGES = (0.0005, 0.001, 0.125, 0.9985, 0.9995, 1.0)
SHARES = [
    *(at / 800 for at in range(801)),
    *(at / 9973 for at in range(0, 9974, 7)),
    *(math.nextafter(edge, to) for edge in EDGES for to in (0.0, edge, 1.0)),
    *(10.0**-at for at in range(1, 30)),
]


def test_figures_say_numbers_as_the_screen_does(page: Page) -> None:
    for name, own in (("percent", percent), ("wholePercent", whole_percent), ("weight", weighed)):
        shown = call(page, "text", f"a[0].map(m.{name})", SHARES)
        assert shown == [own(at) for at in SHARES]


@pytest.mark.parametrize(
    ("said", "summed", "shown"), [("a", True, "a b"), ("a", False, "a"), ("", True, "")]
)
def test_what_was_measured_on_pieces_says_so(
    page: Page, said: str, summed: bool, shown: str
) -> None:
    assert (
        call(page, "text", "m.measured(a[0], {units_measured: 'b'}, a[1])", said, summed) == shown
    )


def test_no_more_lines_than_can_be_drawn_and_the_largest_of_them(page: Page) -> None:
    found = call(
        page,
        "strongest",
        "m.strongest(Float32Array.from(a[0]), 2, 3, a[1], {room: {most: a[2], stretch: 1}})",
        [0.5, 0.3, 0.2, 0.1, 0.6, 0.3],
        0.15,
        2,
    )
    assert sorted(found["found"]) == [0, 4]
    assert found["all"] == 5
    assert found["hidden"] == pytest.approx(1 - 1.1 / 2.0, abs=1e-6)


@pytest.mark.parametrize("only", [None, [0, -1], [1, -1], [-1, 2]])
def test_of_lines_that_leave_nothing_out_nothing_is_hidden(page: Page, only: Any) -> None:
    """Exactly, whatever their sums round to: a share of it would be said to be < 1 %."""
    weights = np.random.default_rng(5).dirichlet(np.ones(7), 3).astype(np.float32)
    weights[1, 2] = 0.0
    hidden = "m.strongest(Float32Array.from(a[0]), 3, 7, a[1], {only: a[2]}).hidden"
    assert call(page, "strongest", hidden, weights.ravel().tolist(), 0.0, only) == 0


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_lines_of_a_step_a_row_or_a_column_are_those_of_their_cells(
    page: Page, data: st.DataObject
) -> None:
    rows, columns = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    sizes = st.integers(0, 16).map(lambda part: part / 16)  # sums of them are exact
    weights = data.draw(st.lists(sizes, min_size=rows * columns, max_size=rows * columns))
    live, threshold = data.draw(st.integers(1, rows)), data.draw(sizes)
    row, column = data.draw(st.integers(-1, rows - 1)), data.draw(st.integers(-1, columns - 1))
    only = None if row < 0 and column < 0 else [row, -1] if row >= 0 else [-1, column]

    cells = [at for at in range(live * columns) if only is None or at // columns == row]
    if only is not None and row < 0:
        cells = [at for at in range(live * columns) if at % columns == column]
    total, drawn = sum(weights[at] for at in cells), [at for at in cells if weights[at] > threshold]
    shown = sum(weights[at] for at in drawn)
    found = call(
        page,
        "strongest",
        "(() => { const w = Float32Array.from(a[0]); m.strongest(w, 1, a[2], a[5]);"
        " m.strongest(w, 1, a[2], 2); return m.strongest(w, a[1], a[2], a[3], {only: a[4]}); })()",
        *(weights, live, columns, threshold, only, 0.5),
    )
    assert found["found"] == drawn
    assert found["all"] == len(drawn)
    assert found["total"] == total
    assert found["hidden"] == pytest.approx(1 - shown / total if total else 0)


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.floats(-60, 60, width=32), st.booleans()), min_size=1, max_size=8))
def test_a_softmax_row_by_hand(page: Page, row: list[tuple[float, bool]]) -> None:
    scores, allowed = [score for score, _ in row], [int(may) for _, may in row]
    got = call(
        page,
        "softmax",
        "m.softmaxRow(Float32Array.from(a[0]), Uint8Array.from(a[1]), 0, a[0].length)",
        scores,
        allowed,
    )
    open_scores = [score for score, may in row if may]
    expected = sum(math.exp(score - max(open_scores)) for score in open_scores)
    assert got["sum"] == pytest.approx(expected, rel=1e-6)
    assert [bool(item["exp"]) or not item["allowed"] for item in got["of"]].count(False) == 0


def test_a_name_that_is_cut_keeps_which_part_of_a_letter_it_is(page: Page) -> None:
    texts = [*(f"\u200d {part}/3" for part in (1, 2, 3)), "\u200d\u200d 4/4", "a longer word"]
    for limit in (200, 64, 52):
        got = page.evaluate(
            """async ([texts, limit]) => {
              const { labelsOf } = await import("/inspector/views/labels.js");
              const context = document.createElement("canvas").getContext("2d");
              const tokens = texts.map((text) => ({ text, dash: true, special: false }));
              const made = labelsOf(tokens, context, "14px sans-serif", limit);
              return made.map(({ text, width }) => [text, width]);
            }""",
            [texts, limit],
        )
        assert len({text for text, _ in got}) == len(texts)
        assert [text[-3:] for text, _ in got[:4]] == ["1/3", "2/3", "3/3", "4/4"]
        assert all(width <= limit for _, width in got)
    assert got[4][0].endswith("…")


SMILE = [f"<0x{byte:02X}>" for byte in "😀".encode()]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["h", "i", "▁", "y", "o", "u"], "hi you"),
        (["h", "i", "▁"], "hi ␣"),  # a space that was written last is seen
        (["▁", "h", "i"], "hi"),
        (["h", "i", " ", "y", "o", "u"], "hi you"),  # a model of characters
        (["▁hi", "▁", "you", "▁there"], "hi you there"),
        (["h", *SMILE, *SMILE, "!"], "h😀😀!"),
        (["▁", *SMILE, "▁", *SMILE], "😀 😀"),
        (SMILE[:3], "".join(SMILE[:3])),
        (["<0xFF>", "<0x41>", "a"], "<0xFF>Aa"),
        ([*SMILE[:2], "a"], "".join([*SMILE[:2], "a"])),
        (["▁a", "한 1/2", "한 2/2", "b 1/2"], "a한b 1/2"),  # bytes whose pieces do not tell so
    ],
)
def test_tokens_read_as_the_text_that_they_make(page: Page, pieces: list[str], text: str) -> None:
    tokens = [
        {
            "piece": piece,
            "text": piece.removeprefix("▁") or "␣",
            "joint": not piece.startswith("▁"),
            "special": False,
        }
        for piece in pieces
    ]
    assert call(page, "dom", "m.joined(a[0])", tokens) == text


@pytest.mark.parametrize("reports", [1, 4000, 4001, 4002, 8003])
def test_a_long_run_keeps_its_first_and_its_newest_report(page: Page, reports: int) -> None:
    """Of 4,000 and more every second one goes, and never the one just heard."""
    made = "(() => { const story = new m.Story(); const newest = [];"
    made += "for (let step = 1; step <= a[0]; step += 1) {"
    made += "story.add({ event: 'progress', step }); newest.push(story.step === step); }"
    made += "return [newest.every(Boolean), story.progress.map((told) => told.step)]; })()"
    newest, steps = call(page, "story", made, reports)
    assert newest
    assert (steps[0], steps[-1]) == (1, reports)
    assert len(steps) <= 4000
    assert steps == sorted(steps)
