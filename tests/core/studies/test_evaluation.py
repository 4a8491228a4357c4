import math
from pathlib import Path

import pytest
import sacrebleu
import torch

from core import registry
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.studies.evaluation import Evaluation, bleu_tokenizer, evaluate
from tests.small import learnt

CPU = torch.device("cpu")
PAIRS = (
    ("나는 물을 마신다", "I drink water"),
    ("나는 어제 카페에 갔어", "I went to the cafe yesterday"),
    ("카페에 사람이 많더라", "there were many people at the cafe"),
    ("나는 집에 갔어", "he came home"),
    ("물", "water"),
)


def score(model: TransformerModel, *pairs: tuple[str, str], beam: int = 1) -> Evaluation:
    return evaluate(model, pairs or PAIRS, beam=beam)


def test_scores_are_those_of_the_sentences_one_by_one(tiny_model: TransformerModel) -> None:
    scores = score(tiny_model)
    outputs = [tiny_model.generate(source).text for source, _ in PAIRS]
    references = [reference for _, reference in PAIRS]
    assert scores.bleu == pytest.approx(sacrebleu.corpus_bleu(outputs, [references]).score)
    assert scores.chrf == pytest.approx(sacrebleu.corpus_chrf(outputs, [references]).score)
    assert scores.exact == sum(map(str.__eq__, outputs, references)) / len(PAIRS)
    assert 0 < scores.exact < 1
    assert (scores.pairs, scores.too_long) == (5, 0)
    assert "tok:13a" in str(scores.bleu_signature)
    assert "nc:6" in str(scores.chrf_signature)


def test_the_loss_is_that_of_the_traces(tiny_model: TransformerModel) -> None:
    """The mean over tokens, not over sentences: one by one without any padding."""
    total, tokens = 0.0, 0
    for source, reference in PAIRS:
        trace = tiny_model.trace(TraceRequest(source, reference))
        assert trace.logits is not None
        rows = torch.from_numpy(trace.logits).log_softmax(dim=-1)
        total -= sum(float(rows[t, token.id]) for t, token in enumerate(trace.written))
        tokens += len(trace.written)
    scores = score(tiny_model)
    assert scores.tokens == tokens
    assert scores.loss == pytest.approx(total / tokens, rel=1e-5)


def test_slices_of_the_vocabulary_product_add_up(
    tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = score(tiny_model)
    monkeypatch.setattr("core.families.measuring._LOGITS", 3 * 310)
    sliced = score(tiny_model)
    assert sliced.loss == pytest.approx(whole.loss, rel=1e-5)
    assert sliced.tokens == whole.tokens


def test_a_model_that_knows_its_sentences_by_heart(tiny_model: TransformerModel) -> None:
    for beam in (1, 3):
        scores = score(tiny_model, *PAIRS[:3], beam=beam)
        assert scores.exact == 1.0
        assert scores.bleu == pytest.approx(100)
        assert scores.loss is not None
        assert 0 < scores.loss < 0.5


def test_too_long_pairs_count_as_wrong(tiny_model: TransformerModel) -> None:
    scores = score(tiny_model, PAIRS[0], ("물" * 100, "water"), ("물", "I" * 100))
    assert (scores.pairs, scores.too_long) == (3, 2)
    assert scores.exact == pytest.approx(1 / 3)
    alone = score(tiny_model, PAIRS[0])
    assert scores.loss == pytest.approx(alone.loss, rel=1e-5)
    nothing = score(tiny_model, ("물" * 100, "water"))
    assert nothing.loss is None
    assert nothing.tokens == 0


def test_no_pairs_are_refused(tiny_model: TransformerModel) -> None:
    with pytest.raises(ValueError, match="no pairs"):
        evaluate(tiny_model, [])


@pytest.mark.parametrize(
    ("language", "tokenizer"),
    [("en", "13a"), ("", "13a"), ("ko", "char"), ("ko-KR", "char"), ("zh-Hant", "zh")],
)
def test_bleu_parts_words_as_the_language_does(language: str, tokenizer: str) -> None:
    assert bleu_tokenizer(language) == tokenizer


def test_hangul_is_scored_by_characters(tiny_spelling_checkpoint: Path) -> None:
    model = registry.load(tiny_spelling_checkpoint, CPU)
    pairs = [("tomato", "토마토"), ("radio", "라디오"), ("bus", "버스버스")]
    scores = evaluate(model, pairs)
    assert scores.exact == pytest.approx(2 / 3)
    assert "tok:char" in str(scores.bleu_signature)
    assert scores.bleu is not None
    assert math.isfinite(scores.bleu)


def test_labels_are_the_same_however_many_spaces_part_them(tmp_path: Path) -> None:
    sizes = {"answers": "labels", "labels": ["a", "b"], "d_model": 16}
    pairs = [("cafe bus", "a b"), ("bus cafe", "b a"), ("bus bus", "b b")]
    model = registry.load(learnt(tmp_path / "tags", "recurrent", sizes, pairs), CPU)
    spread = [(source, f" {labels.replace(' ', chr(9) + '  ')} ") for source, labels in pairs]
    assert evaluate(model, pairs).exact == 1
    assert evaluate(model, spread) == evaluate(model, pairs)
