"""How good a model is on pairs that it was not trained on."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch

from core.decoding.many import Done, search_all
from core.nn.transformer import Transformer
from core.text.corpora import Pair
from core.text.tokenizer import END_ID, START_ID, Tokenizer
from core.training.batches import Example
from core.training.loss import negative_log_likelihood


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A model measured on one set of pairs.

    Attributes:
        pairs: how many there were.
        too_long: of them, beyond what the model reads or writes. A source that it cannot
            read counts as an empty output; either leaves the pair out of `loss`.
        bleu, chrf: 0 to 100, higher is better, with sacrebleu's signatures.
        exact: share of outputs that equal their reference, 0 to 1.
        loss: mean negative log-likelihood in nats a target token (end token included),
            teacher-forced, without label smoothing; None where no pair fitted.
        tokens: target tokens that `loss` is the mean of.
        outputs: what was written, in the order of the pairs.
    """

    pairs: int
    too_long: int
    bleu: float
    bleu_signature: str
    chrf: float
    chrf_signature: str
    exact: float
    loss: float | None
    tokens: int
    outputs: tuple[str, ...]


def bleu_tokenizer(language: str) -> str:
    """sacrebleu's tokenizer for a language: characters where spaces do not part words."""
    primary = language.split("-")[0].casefold()
    return {"zh": "zh", "ja": "char", "ko": "char", "th": "char"}.get(primary, "13a")


def evaluate(
    model: Transformer,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair | tuple[str, str]],
    device: torch.device,
    *,
    beam: int = 1,
    max_source: int | None = None,
    max_target: int | None = None,
    target_language: str = "",
    done: Done | None = None,
) -> Evaluation:
    """Translate every source, and compare with its reference.

    The model is put into eval mode and back into the mode that it was in.

    Args:
        pairs: source and reference, at least one.
        device: the model's own.
        beam: 1 is greedy.
        max_source, max_target: tokens, end token included; the model's max_length if None.
        target_language: BCP 47 tag, decides how BLEU parts words.
        done: called with (finished, all) pairs as outputs are written.

    Raises:
        ValueError: for no pairs.
    """
    if not pairs:
        raise ValueError("no pairs")
    longest = model.config.max_length
    max_source, max_target = max_source or longest, max_target or longest
    references = [unicodedata.normalize("NFC", reference).strip() for _, reference in pairs]
    examples = [
        Example(tuple(tokenizer.encode(source)), tuple(tokenizer.encode(reference)))
        for (source, _), reference in zip(pairs, references, strict=True)
    ]
    fitting = [
        example
        for example in examples
        if len(example.source) < max_source and len(example.target) < max_target
    ]
    training = model.training
    model.eval()
    try:
        written = search_all(
            model,
            [[*example.source, END_ID] for example in examples],
            device,
            max_source=max_source,
            max_target=max_target,
            pad_id=model.config.pad_id,
            start_id=START_ID,
            end_id=END_ID,
            beam=beam,
            done=done,
        )
        total, tokens = negative_log_likelihood(model, fitting)
    finally:
        model.train(training)
    outputs = [tokenizer.decode(ids).strip() for ids in written]
    overlap = _overlap(outputs, references, bleu_tokenizer(target_language))
    equal = sum(output == wanted for output, wanted in zip(outputs, references, strict=True))
    return Evaluation(
        pairs=len(pairs),
        too_long=len(pairs) - len(fitting),
        bleu=overlap.bleu,
        bleu_signature=overlap.bleu_signature,
        chrf=overlap.chrf,
        chrf_signature=overlap.chrf_signature,
        exact=equal / len(pairs),
        loss=total / tokens if tokens else None,
        tokens=tokens,
        outputs=tuple(outputs),
    )


class _Overlap(NamedTuple):
    bleu: float
    bleu_signature: str
    chrf: float
    chrf_signature: str


def _overlap(outputs: Sequence[str], references: Sequence[str], tokenizer: str) -> _Overlap:
    """BLEU and chrF of a corpus with one reference each."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    # force only silences a warning about texts that look tokenised.
    bleu, chrf = BLEU(tokenize=tokenizer, force=True), CHRF()
    return _Overlap(
        bleu.corpus_score(outputs, [references]).score,
        str(bleu.get_signature()),
        chrf.corpus_score(outputs, [references]).score,
        str(chrf.get_signature()),
    )
