import torch
from hypothesis import given
from hypothesis import strategies as st

from core.decoding.many import batches_by_length, search_all
from core.families.transformer import TransformerModel
from core.model import Done
from core.text.tokenizer import END_ID


@given(st.lists(st.integers(1, 300), max_size=200), st.integers(1, 64))
def test_batches_hold_every_row_once_and_keep_their_bounds(
    lengths: list[int], most_rows: int
) -> None:
    batches = list(batches_by_length(lengths, range(len(lengths)), most_rows=most_rows))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= most_rows
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= 4096


def _recorder(calls: list[tuple[int, int]]) -> Done:
    return lambda finished, total: calls.append((finished, total))


def test_many_sources_equal_one_at_a_time(tiny_model: TransformerModel) -> None:
    checkpoint = tiny_model.checkpoint
    texts = [*tiny_model.card.examples, "물", "카페에 갔어", "나는 어제 집에 갔어 나는 물을"]
    sources = [[*checkpoint.tokenizer.encode(text), END_ID] for text in texts]
    for beam in (1, 3):
        calls: list[tuple[int, int]] = []
        outputs = search_all(
            checkpoint.model,
            [*sources, [5] * 49],
            torch.device("cpu"),
            max_source=48,
            max_target=64,
            beam=beam,
            done=_recorder(calls),
        )
        for text, output in zip(texts, outputs, strict=False):
            alone = tiny_model.generate(text, beam=beam)
            assert output == tuple(token.id for token in alone.tokens)
        assert outputs[-1] == ()  # beyond max_source: nothing is written, nothing crashes
        assert calls[-1] == (len(texts) + 1, len(texts) + 1)
