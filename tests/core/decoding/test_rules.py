"""What a model's own settings have it write first, and never."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.decoding.rules import NONE, Rules

SIZE = 7
TOKENS = st.integers(0, SIZE - 1)
RULES = st.builds(Rules, st.none() | TOKENS, st.lists(TOKENS, max_size=3, unique=True).map(tuple))


@given(rules=RULES, steps=st.integers(1, 4), begins=st.integers(0, 4), seed=st.integers(0, 99))
def test_a_trace_read_by_them_is_what_is_written_step_by_step(
    rules: Rules, steps: int, begins: int, seed: int
) -> None:
    logits = torch.randn(1, steps, SIZE, generator=torch.Generator().manual_seed(seed))
    written = [
        int(rules.applied(logits[:, at : at + 1], begins=at == begins)[0, 0].argmax())
        for at in range(steps)
    ]
    assert rules.likeliest(logits[0].numpy(), begins).tolist() == written


@given(rules=RULES, seed=st.integers(0, 99))
def test_they_change_no_logit_and_a_step_behind_the_first_is_free(rules: Rules, seed: int) -> None:
    logits = torch.randn(2, 3, SIZE, generator=torch.Generator().manual_seed(seed))
    before = logits.clone()
    ruled = rules.applied(logits, begins=True)
    assert torch.equal(logits, before)
    free = [token for token in range(SIZE) if token not in rules.never]
    assert torch.equal(ruled[:, 1:, free], logits[:, 1:, free])
    assert np.isneginf(ruled[:, 1:, list(rules.never)].numpy()).all()
    if rules.first is not None:
        assert ruled[:, 0].isfinite().sum(-1).tolist() == [1, 1]


@given(rules=RULES)
def test_a_trace_tells_of_them(rules: Rules) -> None:
    assert Rules.of(rules.as_meta()) == rules


@pytest.mark.parametrize(
    "meta", [{"first": "x", "never": "a b"}, {"first": -1, "never": -5}, {"never": "²"}, {}]
)
def test_a_file_may_tell_anything_of_them(meta: dict[str, object]) -> None:
    assert Rules.of(meta) == NONE


def test_a_token_beyond_a_trace_s_vocabulary_is_no_matter() -> None:
    logits = np.zeros((2, SIZE), np.float32)
    assert Rules(None, (SIZE, 0)).likeliest(logits, 0).tolist() == [1, 1]
