"""How sure a model is of what it wrote: as its search found it, and of nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.families.transformer import TransformerModel
from core.model import Sampling, TraceRequest
from core.outputs import WordFamiliarity, certainty_of, weighed
from core.studies.certainty import certainty

SOURCE = "나는 물을 마신다"


def test_it_is_what_the_search_found(tiny_model: TransformerModel) -> None:
    found = tiny_model.generate(SOURCE)
    assert found.certainty is not None
    sure = certainty(tiny_model.trace(TraceRequest(SOURCE)))
    assert sure == pytest.approx(found.certainty, abs=1e-4)
    assert sure is not None
    assert sure <= 0


@given(st.lists(st.floats(-50, 0), min_size=1, max_size=9), st.integers(0, 9))
def test_the_three_least_sure_tokens_decide(gains: list[float], sure: int) -> None:
    least = sorted(gains)[:3]
    assert certainty_of(gains) == pytest.approx(sum(least) / len(least))
    if len(gains) >= 3:  # however many sure ones stand beside them
        assert certainty_of([*gains[::-1], *[0.0] * sure]) == certainty_of(gains)


def test_of_nothing_written_it_is_nothing() -> None:
    assert certainty_of(()) is None


def test_of_what_it_was_made_to_write_it_is_nothing(tiny_model: TransformerModel) -> None:
    forced = tiny_model.trace(TraceRequest(SOURCE, "water"))
    prefix = tuple(token.id for token in forced.written[:1])
    assert certainty(forced) is None
    assert certainty(tiny_model.trace(TraceRequest(SOURCE, prefix=prefix))) is None
    assert certainty(replace(forced, logits=None)) is None


def test_a_model_guesses_below_what_was_measured(tiny_model: TransformerModel) -> None:
    card = replace(tiny_model.card, sure_from=-0.5)
    assert card.guesses(-0.6, ())
    assert not card.guesses(-0.5, ())
    assert not card.guesses(None, ())
    assert not tiny_model.card.guesses(-9.0, ())
    assert tiny_model.generate(SOURCE, sampling=Sampling(1)).certainty is not None


@given(st.lists(st.integers(0, 10**6), min_size=1), st.floats(-20, 0), st.floats(0, 1))
def test_a_rare_word_asks_for_more(
    tiny_model: TransformerModel, seen: list[int], certainty: float, weight: float
) -> None:
    card = replace(tiny_model.card, sure_from=-0.5, frequency_weight=weight)
    words = [WordFamiliarity("x", one, True) for one in seen]
    enough = weighed(certainty, min(seen), weight) >= -0.5 - 1e-12
    assert card.guesses(certainty, words) is not enough or certainty == pytest.approx(
        card.sure_of(words)
    )
    rarer = [*words, WordFamiliarity("y", 0, False)]
    assert card.sure_of(rarer) >= card.sure_of(words)  # type: ignore[operator]
    assert card.sure_of(rarer) == pytest.approx(-0.5)
    # Of words that are not known, nothing is said, where those count.
    assert card.sure_of(()) == (None if weight else -0.5)
