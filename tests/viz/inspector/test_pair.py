"""Which tokens of two looks belong together, and what a browser is told of both."""

import json

from hypothesis import given
from hypothesis import strategies as st

from core.trace import Token
from tests.viz.inspector.made import trace
from viz.inspector.pack import pack
from viz.inspector.pair import alignment, pair_data
from viz.text.browser import inspector_words
from viz.text.pair import TEXT
from viz.text.rows import by_name

texts = st.lists(st.sampled_from(["나", "는", "학생", "선생", "님", "이다", "."]), max_size=12)


def tokens(words: list[str]) -> list[Token]:
    return [Token(f"▁{word}", word, 4, at) for at, word in enumerate(words)]


@given(texts, texts)
def test_every_token_has_one_place_and_order_is_kept(first: list[str], second: list[str]) -> None:
    places = alignment(tokens(first), tokens(second))
    for side, words in enumerate((first, second)):
        assert [pair[side] for pair in places if pair[side] >= 0] == list(range(len(words)))
    assert all(max(pair) >= 0 for pair in places)


@given(texts)
def test_the_same_tokens_belong_together(words: list[str]) -> None:
    assert alignment(tokens(words), tokens(words)) == [[at, at] for at in range(len(words))]


@given(texts, texts)
def test_what_belongs_together_is_equal_or_was_exchanged(
    first: list[str], second: list[str]
) -> None:
    places = alignment(tokens(first), tokens(second))
    for at, (a, b) in enumerate(places):
        if min(a, b) < 0 or first[a] == second[b]:
            continue
        # An exchanged block has as many tokens on both sides: none beside it stands alone.
        before = next(
            (p for p in reversed(places[:at]) if min(p) < 0 or same(first, second, p)), None
        )
        assert before is None or min(before) >= 0
        after = next((p for p in places[at:] if min(p) < 0 or same(first, second, p)), None)
        assert after is None or min(after) >= 0


def same(first: list[str], second: list[str], pair: list[int]) -> bool:
    return first[pair[0]] == second[pair[1]]


def test_an_exchanged_word_stands_in_one_place_and_longer_ones_stand_alone() -> None:
    first = tokens(["나", "는", "학생", "이다"])
    assert alignment(first, tokens(["나", "는", "선생", "이다"])) == [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
    ]
    assert alignment(first, tokens(["나", "는", "선생", "님", "이다"])) == [
        *([0, 0], [1, 1]),
        *([2, -1], [-1, 2], [-1, 3]),
        [3, 4],
    ]


def test_a_special_token_is_no_word_of_the_same_letters() -> None:
    end = Token("</s>", "end", 2)
    assert end.special
    assert alignment([*tokens(["a"]), end], tokens(["a", "end", "b"])) == [
        [0, 0],
        *([1, -1], [-1, 1], [-1, 2]),
    ]


def test_both_looks_are_told_without_what_is_not_drawn() -> None:
    snapshots = [pack(trace(seed=seed), trace_id=f"look-{seed}") for seed in (1, 2)]
    text = inspector_words("en") | by_name(TEXT["en"])
    data = pair_data(*snapshots, language="en", text=text, selection={"kind": "cross"})
    meta = json.loads(json.dumps(data))["meta"]
    assert [traced["trace_id"] for traced in meta["traces"]] == ["look-1", "look-2"]
    assert [traced["next"] for traced in meta["traces"]] == [None, None]
    assert set(meta["alignment"]) == {"source", "read", "written"}
    assert "array" not in data
    assert snapshots[0].meta["next"] is not None  # the look itself is left as it was
