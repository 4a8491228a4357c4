"""What is written behind given tokens, against slow twins that know no cache."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.forced import continued
from core.decoding.greedy import greedy
from tests.core.decoding.test_search import END, MODELS, VOCABULARY, Ids
from tests.core.decoding.test_search import next_log_probabilities as next_

Prefix = st.lists(st.integers(0, VOCABULARY - 1).filter(lambda id: id != END), max_size=6)


def slowly(
    model: int, source: Sequence[int], prefix: Sequence[int], limit: int
) -> tuple[tuple[int, ...], float]:
    written: list[int] = []
    total = 0.0
    while len(written) < limit and END not in written:
        gains = next_(MODELS[model], source, written)
        token = prefix[len(written)] if len(written) < len(prefix) else int(gains.argmax())
        total += float(gains[token])
        written.append(token)
    return tuple(written), total


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(MODELS) - 1), Ids, Prefix, st.integers(0, 8), st.booleans())
def test_it_writes_what_full_passes_write(
    model: int, source: list[int], prefix: list[int], more: int, ended: bool
) -> None:
    given_ = [*prefix, END] if ended else prefix
    limit = max(1, len(given_) + more)
    found = continued(MODELS[model], torch.tensor([source]), given_, limit)
    tokens, total = slowly(model, source, given_, limit)
    assert found.tokens == tokens
    assert sum(found.gains) == pytest.approx(total, abs=1e-4)
    assert found.finished == (tokens[-1] == END)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(MODELS) - 1), Ids, st.integers(0, 12))
def test_a_start_of_its_own_output_changes_nothing(
    model: int, source: list[int], kept: int
) -> None:
    batch = torch.tensor([source])
    free = greedy(MODELS[model], batch, [12])[0]
    forced = continued(MODELS[model], batch, free.tokens[:kept], 12)
    assert forced.tokens == free.tokens
    assert sum(forced.gains) == pytest.approx(sum(free.gains), abs=1e-4)


@pytest.mark.parametrize(("prefix", "limit"), [((4, 5, 6), 2), ((4, END, 5), 9), ((), 0)])
def test_what_cannot_be_written_is_refused(prefix: tuple[int, ...], limit: int) -> None:
    with pytest.raises(ValueError, match="prefix"):
        continued(MODELS[0], torch.tensor([[4]]), prefix, limit)
