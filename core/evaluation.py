"""How good a model is on pairs that it was not trained on."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import torch
import torch.nn.functional as F

from core.decoding.many import Done, batches_by_length, pad_rows, search_all
from core.nn.transformer import Transformer
from core.text.corpora import Pair
from core.text.tokenizer import END_ID, PAD_ID, START_ID, Tokenizer

_LOGITS: Final = 2**25  # logits computed at once: 128 MiB of float32


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores over one set of pairs.

    Attributes:
        pairs: how many there were.
        too_long: of them, beyond what the model reads or writes. A source that it cannot
            read counts as an empty output; either leaves the pair out of `loss`.
        bleu, chrf: 0 to 100, higher is better, with sacrebleu's signatures.
        exact: share of outputs that equal their reference, 0 to 1.
        loss: mean negative log-likelihood in nats a target token (end token included),
            teacher-forced, without label smoothing; None where no pair fitted.
        tokens: target tokens that `loss` is the mean of.
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


@dataclass(frozen=True, slots=True)
class _Example:
    source: list[int]
    target: list[int]


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
) -> Scores:
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
    sources = [[*tokenizer.encode(source), END_ID] for source, _ in pairs]
    targets = [[*tokenizer.encode(reference), END_ID] for reference in references]
    fitting = [
        (source, target)
        for source, target in zip(sources, targets, strict=True)
        if len(source) <= max_source and len(target) <= max_target
    ]
    training = model.training
    model.eval()
    try:
        written = search_all(
            model,
            sources,
            device,
            max_source=max_source,
            max_target=max_target,
            start_id=START_ID,
            end_id=END_ID,
            beam=beam,
            done=done,
        )
        total, tokens = _negative_log_likelihood(model, fitting, device)
    finally:
        model.train(training)
    outputs = [tokenizer.decode(ids).strip() for ids in written]
    overlap = _overlap(outputs, references, bleu_tokenizer(target_language))
    equal = sum(output == wanted for output, wanted in zip(outputs, references, strict=True))
    return Scores(
        pairs=len(pairs),
        too_long=len(pairs) - len(fitting),
        bleu=overlap.bleu,
        bleu_signature=overlap.bleu_signature,
        chrf=overlap.chrf,
        chrf_signature=overlap.chrf_signature,
        exact=equal / len(pairs),
        loss=total / tokens if tokens else None,
        tokens=tokens,
    )


@torch.inference_mode()
def _negative_log_likelihood(
    model: Transformer, examples: Sequence[tuple[list[int], list[int]]], device: torch.device
) -> tuple[float, int]:
    """Sum in nats over the target tokens of all examples, and how many tokens these are."""
    total, tokens = 0.0, 0
    lengths = [max(len(source), len(target)) for source, target in examples]
    for rows in batches_by_length(lengths, range(len(examples))):
        source = pad_rows([examples[row][0] for row in rows], PAD_ID, device)
        target = pad_rows([[START_ID, *examples[row][1]] for row in rows], PAD_ID, device)
        hidden, _ = model.decode(target[:, :-1], model.start(source))
        wanted = target[:, 1:]
        real = wanted != PAD_ID
        hidden, wanted = hidden[real], wanted[real]  # (tokens, d_model), (tokens,)
        # Summed a slice at a time: the logits of a whole batch can be larger than the model.
        slices = max(1, _LOGITS // model.config.vocab_size)
        for start in range(0, len(wanted), slices):
            part = slice(start, start + slices)
            logits = model.project(hidden[part])  # (tokens, vocab)
            total += float(F.cross_entropy(logits, wanted[part], reduction="sum"))
        tokens += len(wanted)
    return total, tokens


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
