"""How good a model is on pairs that it was not trained on."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.families.refusing import check_output
from core.model import Done, Inspectable, untold
from core.text.corpora import Pair
from core.text.sources import primary


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A model measured on one set of pairs.

    Attributes:
        pairs: how many there were.
        too_long: of them, beyond what the model reads or writes. A source that it cannot
            read counts as an empty output; either leaves the pair out of `loss`.
        bleu, chrf: 0 to 100, higher is better, with sacrebleu's signatures; None where labels are
            written and no text.
        exact: share of outputs that equal their reference, 0 to 1; None of a language model, which
            foretells the tokens of its source and writes none that a reference is of.
        loss: mean negative log-likelihood in nats a target token (end token included),
            teacher-forced, without label smoothing; None where no pair fitted.
        tokens: target tokens that `loss` is the mean of.
        outputs: what was written, in the order of the pairs; () of a language model.
    """

    pairs: int
    too_long: int
    bleu: float | None
    bleu_signature: str | None
    chrf: float | None
    chrf_signature: str | None
    exact: float | None
    loss: float | None
    tokens: int
    outputs: tuple[str, ...]


def bleu_tokenizer(language: str) -> str:
    """sacrebleu's tokenizer for a language: characters where spaces do not part words."""
    known = {"zh": "zh", "ja": "char", "ko": "char", "th": "char"}
    return known.get(primary(language), "13a")


def evaluate(
    model: Inspectable,
    pairs: Sequence[Pair | tuple[str, str]],
    *,
    beam: int = 1,
    done: Done = untold,
) -> Evaluation:
    """Translate every source, and compare with its reference.

    Args:
        pairs: source and reference, at least one.
        beam: 1 is greedy.
        done: called with (finished, all) pairs as outputs are written.

    Raises:
        HeadlightError: unsupported, for a beam of a model that has none.
        ValueError: for no pairs.
    """
    if not pairs:
        raise ValueError("no pairs")
    sources = [source for source, _ in pairs]
    references = [unicodedata.normalize("NFC", reference).strip() for _, reference in pairs]
    if model.card.answers == "labels":  # any spaces part them, as where they are taught
        references = [" ".join(reference.split()) for reference in references]
    outputs: list[str] = []
    if model.card.answers == "tokens":
        check_output(model.card, beam, None)
    else:
        outputs = [text.strip() for text in model.generate_all(sources, beam=beam, done=done)]
    likelihoods = model.likelihoods(list(zip(sources, references, strict=True)))
    forced = [found for found in likelihoods if found is not None]
    found = _NONE
    if model.card.answers == "text":
        found = overlap(outputs, references, model.card.target_language)
    equal = sum(output == wanted for output, wanted in zip(outputs, references, strict=False))
    nats, tokens = -sum(one.log_probability for one in forced), sum(one.tokens for one in forced)
    return Evaluation(
        pairs=len(pairs),
        too_long=len(pairs) - len(forced),
        exact=equal / len(pairs) if outputs else None,
        loss=nats / tokens if tokens else None,
        tokens=tokens,
        outputs=tuple(outputs),
        **found._asdict(),
    )


class Overlap(NamedTuple):
    """What a text has in common with a reference, with sacrebleu's signatures; None of labels."""

    bleu: float | None
    bleu_signature: str | None
    chrf: float | None
    chrf_signature: str | None


_NONE: Final = Overlap(None, None, None, None)


def overlap(outputs: Sequence[str], references: Sequence[str], language: str) -> Overlap:
    """BLEU and chrF of a corpus with one reference each.

    Args:
        language: of both, a BCP 47 tag.
    """
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    # force only silences a warning about texts that look tokenised.
    bleu, chrf = BLEU(tokenize=bleu_tokenizer(language), force=True), CHRF()
    return Overlap(
        bleu.corpus_score(outputs, [references]).score,
        str(bleu.get_signature()),
        chrf.corpus_score(outputs, [references]).score,
        str(chrf.get_signature()),
    )
