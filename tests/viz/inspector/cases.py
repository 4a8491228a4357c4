"""What Python and the browser both compute, as one table: each case is written once.

Files are printed by Python and pages are drawn by JavaScript, from the same weights: what one says,
the other says. `test_cases.py` asks Python; `tests/e2e/inspector/test_cases.py` asks the browser.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any, Final

import numpy as np

from core.trace import Token
from viz.export.paper.next_token import shaped
from viz.export.paper.order import most_first
from viz.export.paper.shown import summed, trimmed
from viz.export.paper.strongest import Budget, budget, strongest
from viz.inspector.options import PLAIN, Options, change, spell
from viz.inspector.words import spelt
from viz.text.tokens import visible


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is computed twice.

    Attributes:
        python: of JSON, to JSON.
        browser: a function of the same, as JavaScript.
        cases: what is given, and what comes of it.
    """

    python: Callable[..., Any]
    browser: str
    cases: tuple[tuple[tuple[Any, ...], Any], ...]


def settled(texts: dict[str, str]) -> dict[str, str]:
    """Texts of options as Python reads and spells them; what cannot be used is passed over."""
    options = PLAIN
    for name, text in texts.items():
        try:
            options = change(options, name, text)
        except ValueError:
            continue
    return spell(options)


def _tokens(starts: list[bool]) -> list[Token]:
    words = np.cumsum([True, *starts[1:]]).tolist()
    return [Token("p", "p", at, word) for at, word in enumerate(words)]


def _lines(
    weights: list[list[float]], threshold: float, room: list[int], first: int, whole: int
) -> list[Any]:
    """Cells that are lines in reading order, and how many are over the threshold."""
    rows = np.array(weights, np.float32)[first:]
    spoken = whole - first if whole >= first else None
    over, count = strongest(rows, threshold, Budget(*room), first=first, whole=spoken)
    return [(np.flatnonzero(over) + first * rows.shape[1]).tolist(), count]


_STEEP: Final = [[0.5, 0.25, 0.25], [0.75, 0.25, 0.0], [0.125, 0.5, 0.375], [1.0, 0.0, 0.0]]
_OPEN: Final = [[1, 1, 1], [1, 1, 1]]
_HALF: Final = [[0.5, 0.25, 0.25], [0.125, 0.625, 0.25]]  # sums are exact

RULES: Final[dict[str, Rule]] = {
    "options, read and spelled": Rule(
        settled,
        """async (texts) => {
          const { OPTIONS, optionsOf, settleOptions } = await import("/inspector/options.js");
          const size = { rows: 9999, columns: 9999, layers: 9999, heads: 9999 };
          const sites = new Map([["cross", size]]);
          const model = { kinds: ["cross"], sites, traitsOf: () => ["entropy", "first"] };
          const names = [...new Set(Object.values(OPTIONS).flat())];
          const told = optionsOf(settleOptions(texts, model, "cross", names), names);
          return Object.fromEntries(Object.entries(told).filter(([, text]) => text !== null));
        }""",
        (
            (({},), {}),
            (({"mode": "lines", "words": "on"},), {"mode": "lines", "words": "on"}),
            (({"mode": "matrix", "words": "off", "order": "layer"},), {}),
            (({"mode": "Lines", "words": "1", "order": "alphabet"},), {}),
            (({"order": "entropy", "top": "5"},), {"order": "entropy", "top": "5"}),
            (({"top": "05"},), {}),
            (({"top": "10000", "top_k": "0"},), {}),
            (({"top": "٣", "top_k": "5.0"},), {}),
            (({"kept": "3.5 2.1"},), {"kept": "3.5 2.1"}),
            (({"kept": "3.5,2.1,3.5"},), {"kept": "3.5 2.1"}),
            (({"kept": "3.5,,2.1"},), {}),
            (({"kept": "1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8"},), {}),
            (({"kept": "0.1"},), {}),
            (({"held": "query.7"},), {"held": "query.7"}),
            (({"held": "key.4"},), {"held": "key.4"}),
            (({"held": "row.4"},), {}),
            (({"held": "key"},), {}),
            (({"held": "key.4.1"},), {}),
            (({"zoom": "101-160.33-92"},), {"zoom": "101-160.33-92"}),
            (({"zoom": "7-7.9999-9999"},), {"zoom": "7-7.9999-9999"}),
            (({"zoom": "160-101.33-92"},), {}),
            (({"zoom": "0-160.33-92"},), {}),
            (({"zoom": "101-160"},), {}),
            (({"zoom": "101-160.33-92.1"},), {}),
            (({"trim": "0.15", "threshold": "0.06"},), {"trim": "0.15"}),
            (({"trim": "0.50"},), {"trim": "0.5"}),
            (({"trim": "0.51", "threshold": "1e-2"},), {}),
            (({"trim": ".1"},), {}),
            (({"trim": "0.125"},), {}),
            (({"temperature": "1.0"},), {}),
            (({"temperature": "0.1", "top_p": "0.05"},), {"temperature": "0.1", "top_p": "0.05"}),
            (({"temperature": "0.05", "top_p": "0"},), {}),
            (({"stretch": "on", "shaping": "on", "stages": "on"},),
             {"stretch": "on", "shaping": "on", "stages": "on"}),
        ),
    ),
    "what would not be seen": Rule(
        visible,
        """async (text) => (await import("/inspector/data/text.js")).visible(text)""",
        (
            (("cafe",), "cafe"),
            (("",), "∅"),
            (("  ",), "␣␣"),
            (("a b",), "a b"),
            (("\n\t",), "↵⇥"),
            (("a\u202eb",), "a⟨U+202E⟩b"),
            (("\u3164",), "⟨U+3164⟩"),
            (("\u200b",), "⟨U+200B⟩"),
            (("👩\u200d👧",), "👩\u200d👧"),
            (("가",), "가"),
        ),
    ),
    "pieces as the word that they spell": Rule(
        lambda pieces: spelt([Token(piece, text, 1, 0) for piece, text in pieces]),
        """async (pieces) => {
          const { spelt } = await import("/inspector/views/units.js");
          const rest = { joint: true, special: false };
          return spelt(pieces.map(([piece, text]) => ({ piece, text, ...rest })));
        }""",
        (
            (([["▁caf", "caf"], ["e", "e"]],), "cafe"),
            (([["▁", "▁"], ["a", "a"]],), "a"),
            (([["ᄒ", "ᄒ"], ["ᅡ", "ᅡ"], ["ᆫ", "ᆫ"]],), "한"),
            (([["<0xEA>", "?"], ["<0xB0>", "?"], ["<0x80>", "?"]],), "가"),
            (([["<0xEA>", "?"], ["a", "a"]],), "\ufffda"),
            (([["a", "a"], ["\u200b", "\u200b"]],), "a⟨U+200B⟩"),
            (([["Ġ", "␣"], ["ë", "뚫 1/3"], ["ļ", "뚫 2/3"], ["«", "뚫 3/3"]],), "뚫"),
            (([["ĠëļŐ", "뚫 1/2"], ["«ë", "뚫 2/2린 1/3"], ["¦", "린 2/3"], ["°!", "린 3/3!"]],),
             "뚫린!"),
            (([["ð", "😀 1/4"], ["Ł", "😀 2/4"], ["ĺ", "😀 3/4"]],), "😀 1/4😀 2/4😀 3/4"),
            (([["a", "👩"], ["âĢ", "\u200d 1/2"], ["į", "\u200d 2/2"], ["b", "👧"]],),
             "👩\u200d👧"),
            (([["Ġ", "Ġ"], ["ħ", "ħ"]],), "Ġħ"),
            (([[" ", "␣"], ["ㄱ", "ㄱ"], ["a", "a"]],), "ㄱa"),
        ),
    ),
    "weights between words": Rule(
        lambda weights, open, rows, columns: summed(
            np.array(weights, np.float32), np.array(open) > 0, _tokens(rows), _tokens(columns)
        ).tolist(),
        """async (weights, open, ...starts) => {
          const { summed, wordsOf } = await import("/inspector/views/units.js");
          const [rows, columns] = starts.map((axis) =>
            wordsOf(axis.map((start, at) => ({ joint: at > 0 && !start }))));
          const mask = Uint8Array.from(open.flat());
          const flat = [...summed(Float32Array.from(weights.flat()), mask, rows, columns)];
          const wide = columns.first.length - 1;
          return rows.first.slice(0, -1).map((_, at) => flat.slice(at * wide, (at + 1) * wide));
        }""",
        (
            ((_HALF, _OPEN, [True, True], [True, True, True]), _HALF),
            ((_HALF, _OPEN, [True, True], [True, True, False]), [[0.5, 0.5], [0.125, 0.875]]),
            ((_HALF, _OPEN, [True, False], [True, False, False]), [[1.0]]),
            (
                ([[0.0, 0.0], [0.25, 0.75]], [[0, 0], [1, 1]], [True, False], [True, True]),
                [[0.25, 0.75]],
            ),
            (  # it may look, and all of its row goes to no key
                ([[0.0, 0.0], [0.25, 0.75]], [[1, 0], [1, 1]], [True, False], [True, True]),
                [[0.125, 0.375]],
            ),
            (  # it may not, and was made to
                ([[0.5, 0.5], [0.25, 0.75]], [[0, 0], [1, 1]], [True, False], [True, True]),
                [[0.375, 0.625]],
            ),
        ),
    ),
    "the smallest weights left out": Rule(
        lambda weights, share: trimmed(np.array(weights, np.float32), share).tolist(),
        """async (weights, share) => {
          const { trimmed } = await import("/inspector/views/trim.js");
          const [rows, columns] = [weights.length, weights[0].length];
          const { drawn } = trimmed(Float32Array.from(weights.flat()), rows, columns, share);
          return weights.map((_, at) => [...drawn.slice(at * columns, (at + 1) * columns)]);
        }""",
        (
            ((_HALF, 0.125), [[0.5, 0.25, 0.25], [0.0, 0.625, 0.25]]),
            ((_HALF, 0.25), [[0.5, 0.25, 0.25], [0.0, 0.625, 0.25]]),  # of equal ones all or none
            ((_HALF, 0.5), [[0.5, 0.0, 0.0], [0.0, 0.625, 0.0]]),
            (([[0.0, 0.0, 0.0]], 0.5), [[0.0, 0.0, 0.0]]),
        ),
    ),
    "room for lines between rows": Rule(
        lambda rows, heads: list(astuple(budget(rows, heads))),
        """async (rows, heads) => {
          const { budget } = await import("/inspector/data/strongest.js");
          const { most, stretch, each } = budget(rows, heads);
          return [most, stretch, each];
        }""",
        (
            ((1, 1), [1200, 1, 16]),
            ((64, 1), [1200, 1, 16]),  # all
            ((64, 8), [150, 1, 2]),
            ((65, 1), [264, 2, 8]),
            ((128, 1), [512, 2, 8]),
            ((129, 1), [215, 3, 5]),
            ((512, 1), [128, 8, 2]),
            ((512, 3), [64, 8, 1]),
            ((4096, 8), [64, 64, 1]),
            ((0, 2), [600, 1, 8]),
        ),
    ),
    "weights that are lines": Rule(
        _lines,
        """async (weights, threshold, [most, stretch, each], first, whole) => {
          const { strongest } = await import("/inspector/data/strongest.js");
          const [rows, columns] = [weights.length, weights[0].length];
          const flat = Float32Array.from(weights.flat());
          const part = { top: first, bottom: rows, left: 0, right: columns };
          const how = { room: { most, stretch, each }, whole, part };
          const { found, all } = strongest(flat, rows, columns, threshold, how);
          return [found.toSorted((one, other) => one - other), all];
        }""",
        (
            ((_STEEP, 0.0, [1200, 1, 16], 0, -1), [[0, 1, 2, 3, 4, 6, 7, 8, 9], 9]),
            ((_STEEP, 0.25, [1200, 1, 16], 0, -1), [[0, 3, 7, 8, 9], 5]),  # 0.25 is not over it
            ((_STEEP, 0.0, [2, 1, 16], 0, -1), [[3, 9], 9]),
            ((_STEEP, 0.0, [2, 2, 1], 0, -1), [[3, 9], 9]),
            ((_STEEP, 0.0, [4, 2, 2], 0, -1), [[0, 3, 7, 9], 9]),
            ((_STEEP, 0.0, [6, 2, 3], 0, -1), [[0, 1, 3, 7, 8, 9], 9]),  # the first of equals
            ((_STEEP, 0.0, [3, 2, 1], 0, -1), [[0, 3, 9], 9]),  # what is left goes to the largest
            ((_STEEP, 0.0, [7, 2, 1], 0, -1), [[0, 1, 2, 3, 7, 8, 9], 9]),
            ((_STEEP, 0.0, [9, 2, 1], 0, -1), [[0, 1, 2, 3, 4, 6, 7, 8, 9], 9]),  # all fit
            ((_STEEP, 0.0, [2, 3, 1], 0, -1), [[3, 9], 9]),  # the last stretch is shorter
            ((_STEEP, 0.0, [2, 2, 1], 1, -1), [[3, 9], 6]),  # stretches count from the first row
            ((_STEEP, 0.0, [2, 2, 1], 0, 2), [[3, 6, 7, 8, 9], 9]),  # all that is spoken of
            ((_STEEP, 0.0, [1, 4, 1], 0, 3), [[3, 9], 9]),
            ((_STEEP, 1.0, [2, 2, 1], 0, -1), [[], 0]),
        ),
    ),
    "heads by a measured trait": Rule(
        lambda values, top: [list(head) for head in most_first(np.array(values), top)],
        """async (values, top) => {
          const { ranking } = await import("/inspector/views/order.js");
          const model = {
            traitsOf: () => ["entropy"],
            site: () => ({ layers: values.length, heads: values[0].length }),
            trait: (kind, name, layer, head) => values[layer][head],
          };
          return ranking(model, { kind: "cross", order: "entropy", top });
        }""",
        (
            (([[1, 3], [2, 0]], None), [[0, 1], [1, 0], [0, 0], [1, 1]]),
            (([[1, 3], [2, 0]], 2), [[0, 1], [1, 0]]),
            (([[1, 2], [2, 1]], None), [[0, 1], [1, 0], [0, 0], [1, 1]]),  # ties stay in place
            (([[1, 2]], 9), [[0, 1], [0, 0]]),
        ),
    ),
    "the next token, shaped": Rule(
        lambda logits, shape: _shaped(logits, *shape),
        """async (logits, [temperature, topK, topP]) => {
          const { Logits } = await import("/inspector/data/sampling.js");
          const all = new Logits(Float32Array.from(logits));
          const { kept, probability } = all.shaped({ temperature, topK, topP });
          return [logits.map((_, id) => probability(id)), kept];
        }""",
        (
            (([0, 0, 0, 0], [1, 0, 1]), [[0.25, 0.25, 0.25, 0.25], 4]),
            (([0, 0, 0, 0], [3, 2, 1]), [[0.5, 0.5, 0.0, 0.0], 2]),  # the smaller ids first
            (([0, 0, 0, 0], [1, 0, 0.7]), [[1 / 3, 1 / 3, 1 / 3, 0.0], 3]),
            (([0, 5, 0, 0], [1, 1, 1]), [[0.0, 1.0, 0.0, 0.0], 1]),
            (([0, 5, 0, 0], [1, 0, 0.05]), [[0.0, 1.0, 0.0, 0.0], 1]),
            (([-80, 40], [0.1, 0, 0.99]), [[0.0, 1.0], 1]),
        ),
    ),
}  # fmt: skip


def _shaped(logits: list[float], temperature: float, top_k: int, top_p: float) -> list[Any]:
    options = Options(temperature=temperature, top_k=top_k, top_p=top_p)
    odds, kept = shaped(np.array(logits, np.float32), options)
    return [odds.tolist(), kept]


CASES: Final = [
    (name, given, wanted) for name, rule in RULES.items() for given, wanted in rule.cases
]


def flat(value: Any) -> list[Any]:
    """The numbers of nested lists, to compare them with what floats allow."""
    return [one for part in value for one in flat(part)] if isinstance(value, list) else [value]
