"""What may be written next: what is written by settings, bytes of one character, loops."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from core.decoding.beam import beam_search
from core.decoding.forced import continued
from core.decoding.greedy import greedy
from core.decoding.rules import Rules, repeated
from core.text.tokenizer import END_ID
from core.trace import overruled_as_meta, overruled_in

BYTES = 10
SIZE = BYTES + 256
SPELLING = {BYTES + byte: byte for byte in range(256)}
SEEDS = st.integers(0, 999)


@dataclass(frozen=True)
class Carried:
    at: int
    rows: tuple[int, ...]

    def select(self, sources: Sequence[int], rows: Sequence[int]) -> "Carried":
        return Carried(self.at, tuple(self.rows[row] for row in rows))


class Random:
    """Logits by chance, of each source, step and vocabulary row; bytes are likelier."""

    def __init__(self, seed: int, size: int = SIZE, bytes_: float = 2.0) -> None:
        self._seed, self._size, self._bytes = seed, size, bytes_

    def logits(self, source: int, step: int) -> Tensor:
        chance = torch.Generator().manual_seed(hash((self._seed, source, step)) % 2**31)
        found = torch.randn(self._size, generator=chance)
        found[BYTES:] += self._bytes
        return found

    def start(self, source: Tensor) -> Carried:
        return Carried(0, tuple(range(len(source))))

    def step(self, reading: Tensor, state: Carried) -> tuple[Tensor, Carried]:
        each = len(reading) // len(state.rows)
        rows = tuple(row for row in state.rows for _ in range(each))
        steps = range(state.at, state.at + reading.shape[1])
        found = torch.stack([torch.stack([self.logits(row, at) for at in steps]) for row in rows])
        return found, Carried(steps.stop, rows)


def texts(written: Sequence[int]) -> bytes:
    return b"".join(
        bytes([SPELLING[token]]) if token in SPELLING else b"." for token in written if token != 3
    )


def is_whole(raw: bytes, *, finished: bool) -> bool:
    """Whether it is text, but for a character at its end where it was cut off."""
    text = raw.decode(errors="replace")
    return "�" not in (text if finished else text.rstrip("�"))


@given(seed=SEEDS)
def test_bytes_make_characters_however_it_writes(seed: int) -> None:
    rules = Rules(SIZE, spelling=SPELLING)
    model, source = Random(seed), torch.zeros(2, 1, dtype=torch.long)
    found = greedy(model, source, [12, 20], rules=rules)
    found += [
        tree.hypotheses()[0] for tree in beam_search(model, source, [9, 12], beam=3, rules=rules)
    ]
    found.append(continued(model, source[:1], (5, 6), 12, rules=rules))
    for one in found:
        assert is_whole(texts(one.tokens), finished=one.finished), one.tokens
        assert np.isfinite(sum(one.gains))
    bare = [greedy(Random(seed), source, [12, 20])[0] for seed in range(20)]
    assert not all(is_whole(texts(one.tokens), finished=one.finished) for one in bare)


@given(text=st.text(min_size=1, max_size=6))
def test_every_character_can_be_spelled(text: str) -> None:
    rules = Rules(SIZE, spelling=SPELLING)
    written = [BYTES + byte for byte in text.encode(errors="ignore")]
    for at, token in enumerate(written):
        assert rules.written_next(written[:at])[token]
    assert rules.written_next(written)[END_ID]
    assert not rules.written_next([BYTES + 0xEA])[END_ID]
    assert not rules.written_next([BYTES + 0xEA])[BYTES + 0x41]
    assert not rules.written_next([BYTES + 0xED])[BYTES + 0xA0]  # half of a surrogate pair


RULES = st.builds(
    lambda first, never: Rules(7, first=first, never=never),
    st.none() | st.integers(0, 6),
    st.lists(st.integers(4, 6), max_size=2, unique=True),
)


@given(rules=RULES, seed=SEEDS)
def test_a_trace_s_steps_are_overruled_as_those_that_are_written(rules: Rules, seed: int) -> None:
    """Greedily written tokens are a whole pass' likeliest, but for those that it tells of."""
    network = Random(seed, 7, 0.0)
    source = torch.zeros(1, 1, dtype=torch.long)
    (found,) = greedy(network, source, [6], rules=rules)
    logits = torch.stack([network.logits(0, at) for at in range(len(found.tokens))]).numpy()
    liked = logits.argmax(axis=1)
    steps = rules.overruled(logits, found.tokens)
    for step, token in steps.items():
        assert liked[step] != token
        liked[step] = token
    assert liked.tolist() == list(found.tokens)
    assert overruled_in(overruled_as_meta(steps)) == steps


@pytest.mark.parametrize("told", ["x", "1", "1:", "-1:2", "²:1", 5, "1:2:3", "9" * 40 + ":1"])
def test_a_file_may_tell_anything_of_them(told: object) -> None:
    assert overruled_in({"overruled": told}) == {}


@pytest.mark.parametrize("block", [[4], [4, 5], [4, 5, 6], [4, 5, 4], list(range(4, 16))])
def test_a_loop_is_ended(block: list[int]) -> None:
    """At the third time of a block, or at eight tokens of a shorter one."""
    whole = max(3 * len(block), 8)
    loop = (block * 8)[:whole]
    before = [20, 21, 22]
    assert repeated([*before, *loop[:-1]]) == loop[-1]
    assert repeated([*before, *loop[:-2]]) is None
    assert not Rules(30, loops=False).written_next([*before, *loop[:-1]])[loop[-1]]
    assert Rules(30).written_next([*before, *loop[:-1]]).all()


@given(tokens=st.lists(st.integers(4, 6), max_size=40))
def test_what_is_written_holds_no_loop(tokens: list[int]) -> None:
    written: list[int] = []
    for token in tokens:
        if repeated(written) != token:
            written.append(token)
    for period in range(1, 14):
        size = max(3 * period, 8)
        for end in range(size, len(written) + 1):
            tail = written[end - size : end]
            assert any(tail[at] != tail[at - period] for at in range(period, size))


def test_numbers_and_laughter_are_no_loops() -> None:
    zeros = [*[8] * 7]
    assert repeated(zeros[:-1]) is None
    phone = [8, 1, 8, 7, 1, 8, 1, 8, 7, 1, 8, 1]  # 010-1010-10, then 10
    assert repeated(phone) is None


def test_characters_that_are_spelled_may_be_said_again() -> None:
    rules = Rules(SIZE, spelling=SPELLING, loops=False)
    written = [BYTES + byte for byte in "뷁뷁뷁뷁".encode()]
    for at, token in enumerate(written):
        assert rules.written_next(written[:at])[token]


def test_a_first_token_that_is_no_choice_costs_nothing() -> None:
    """And ranks nothing, however unlikely the model finds it."""
    source = torch.zeros(1, 1, dtype=torch.long)

    class Unwilling(Random):
        def logits(self, source: int, step: int) -> Tensor:
            found = super().logits(source, step)
            found[5] -= 20 * (step == 0)
            return found

    rules = Rules(7, first=5)
    willing, unwilling = Random(3, 7, 0.0), Unwilling(3, 7, 0.0)
    trees = [beam_search(one, source, [8], beam=3, rules=rules)[0] for one in (willing, unwilling)]
    assert trees[0] == trees[1]
    assert trees[0].nodes[0][1:] == (5, 0.0, 0.0)
    found = [greedy(one, source, [8], rules=rules)[0] for one in (willing, unwilling)]
    assert found[0] == found[1]


def test_who_forbids_everything_forbids_nothing() -> None:
    assert Rules(5, never=range(5)).written_next([]).all()
    assert Rules(SIZE, spelling={BYTES: 0xEA}).written_next([BYTES]).any()


def test_what_it_adds_up_to_is_what_the_model_finds() -> None:
    network, rules = Random(7), Rules(SIZE, spelling=SPELLING)
    (found,) = greedy(network, torch.zeros(1, 1, dtype=torch.long), [12], rules=rules)
    own = [network.logits(0, at).log_softmax(-1)[token] for at, token in enumerate(found.tokens)]
    assert sum(found.gains) == pytest.approx(float(sum(own)), abs=1e-4)
