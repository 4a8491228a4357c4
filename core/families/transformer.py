"""Our own encoder-decoder Transformer, as something that can be looked into."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.checkpoint import Checkpoint
from core.decoding.beam import beam_search
from core.decoding.common import Hypothesis
from core.decoding.forced import continued
from core.decoding.greedy import greedy
from core.decoding.limits import output_limit
from core.decoding.tree import beam_tree
from core.errors import HeadlightError
from core.inspectable import (
    Generation,
    Heads,
    ModelCard,
    SearchNode,
    SearchTree,
    TraceRequest,
    WordFamiliarity,
)
from core.nn.attention import AttentionRecord
from core.nn.transformer import Capture, Transformer
from core.reasons import Reason, because
from core.text.tokenizer import END_ID, START_ID, clean
from core.threads import threads_for
from core.trace import AttentionSite, AttentionTrace, Bools, Kind, TraceError

MAX_CHARACTERS: Final = 10_000
MAX_BEAM: Final = 16


class TransformerModel:
    """Satisfies `core.inspectable.Inspectable`.

    Calls may come from many threads at once: nothing is written after construction but names
    of the vocabulary, which are the same whoever writes them.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._model = checkpoint.model
        self._tokenizer = checkpoint.tokenizer
        self._device = checkpoint.device
        self._card = _card(checkpoint)

    @property
    def card(self) -> ModelCard:
        return self._card

    @property
    def checkpoint(self) -> Checkpoint:
        """What it was made of; for evaluation and studies. Treat it as read-only."""
        return self._checkpoint

    @property
    def digest(self) -> str:
        """Identity of weights, configuration and tokenizer, in hex."""
        return self._checkpoint.digest

    def trace(self, request: TraceRequest) -> AttentionTrace:
        """One forward pass with everything captured, teacher-forced or after greedy decoding.

        Greedy decoding goes on behind the request's prefix, where it has one.

        Free-running, the tokens are decoded first and then read back in one pass: in eval
        mode row t of a causal pass equals decoding step t.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, target_too_long,
                parameter_invalid for a prefix that this model cannot write, or
                checkpoint_invalid for weights whose attention overflows.
        """
        source_text = _readable(request.source)
        target_text = None if request.target is None else _readable(request.target)
        source = self._source_ids(source_text)
        if target_text is None:
            hypothesis = self._continued(source, request.prefix)
            written, finished = hypothesis.tokens, hypothesis.finished
        elif request.prefix:
            raise _wrong_prefix(request.prefix, because("branch_target"))
        else:
            written, finished = self._target_ids(target_text), True
        read = (START_ID, *written[:-1])
        capture, logits = self._look(source, read, lift_mask=request.lift_mask)
        meta: dict[str, str | int | float | bool] = {
            "free_running": target_text is None and not request.prefix,
            "lift_mask": request.lift_mask,
            "finished": finished,
            "source_text": source_text,
            "target_text": self._tokenizer.decode(written) if target_text is None else target_text,
            "checkpoint": self.digest,
            "device": self._device.type,
        }
        try:
            return AttentionTrace(
                self._card.model_id,
                self._tokenizer.tokens(source),
                self._tokenizer.tokens(read),
                self._tokenizer.tokens(written),
                _sites(capture),
                logits.cpu().numpy(),
                meta,
                self._vocabulary,
            )
        except TraceError as error:
            raise HeadlightError(
                "checkpoint_invalid",
                path=str(self._checkpoint.folder),
                file="model.safetensors",
                reason=because("overflow", reason=error.reason),
            ) from error

    def generate(self, source: str, *, beam: int = 1) -> Generation:
        """Best output for `source`: greedy for beam 1.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, or parameter_invalid
                for a beam outside 1 to 16.
        """
        _check_beam(beam)
        hypothesis = self._search(self._source_ids(_readable(source)), beam)
        return Generation(
            self._tokenizer.decode(hypothesis.tokens),
            self._tokenizer.tokens(hypothesis.tokens),
            hypothesis.log_probability,
            hypothesis.finished,
        )

    def search(self, source: str, *, beam: int) -> SearchTree:
        """Beam search for `source`, every hypothesis of it; `generate` answers the same.

        Raises:
            HeadlightError: as `generate`.
        """
        _check_beam(beam)
        ids = self._source_ids(_readable(source))
        limit = output_limit(len(ids), self._card.max_target)
        ends = {"start_id": START_ID, "end_id": END_ID}
        with self._threads(beam):
            found = beam_tree(self._model, self._batch(ids), limit, beam=beam, **ends)
        nodes = tuple(
            SearchNode(
                node.parent,
                self._tokenizer.tokens(found.path(place))[-1],
                node.gain,
                node.total,
                found.score(place),
                found.fates[place],
            )
            for place, node in enumerate(found.nodes)
        )
        return SearchTree(nodes, found.ranked, beam)

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """How well training covered each word of `source`; empty where unknown.

        Raises:
            HeadlightError: text_empty or text_too_large.
        """
        if self._checkpoint.familiarity is None:
            return ()
        return self._checkpoint.familiarity.words(self._tokenizer, _readable(source))

    def vocabulary_text(self, ids: list[int]) -> list[str]:
        """What people read for vocabulary rows.

        Raises:
            HeadlightError: parameter_invalid for an id outside the vocabulary.
        """
        for id in ids:
            if not 0 <= id < self._tokenizer.size:
                reason = because("range", low=0, high=self._tokenizer.size - 1)
                raise HeadlightError("parameter_invalid", name="id", value=id, reason=reason)
        return [self._vocabulary[id] for id in ids]

    @cached_property
    def _vocabulary(self) -> tuple[str, ...]:
        # One by one: side by side, unrelated byte pieces would be read as one character.
        return tuple(self._tokenizer.tokens([id])[0].text for id in range(self._tokenizer.size))

    def _source_ids(self, text: str) -> tuple[int, ...]:
        ids = (*self._tokenizer.encode(text), END_ID)
        limit = self._card.max_source
        if len(ids) == 1:
            raise HeadlightError("text_empty")
        if len(ids) > limit:
            raise HeadlightError("source_too_long", length=len(ids), limit=limit)
        return ids

    def _target_ids(self, text: str) -> tuple[int, ...]:
        ids = (*self._tokenizer.encode(text), END_ID)
        limit = self._card.max_target
        if len(ids) > limit:
            raise HeadlightError("target_too_long", length=len(ids), limit=limit)
        return ids

    def _batch(self, ids: Sequence[int]) -> Tensor:
        return torch.tensor([ids], dtype=torch.long, device=self._device)  # (1, length)

    def _search(self, source: Sequence[int], beam: int) -> Hypothesis:
        batch = self._batch(source)
        limits = [output_limit(len(source), self._card.max_target)]
        ids = {"start_id": START_ID, "end_id": END_ID}
        with self._threads(beam):
            if beam == 1:
                return greedy(self._model, batch, limits, **ids)[0]
            return beam_search(self._model, batch, limits, beam=beam, **ids)[0][0]

    def _continued(self, source: Sequence[int], prefix: tuple[int, ...]) -> Hypothesis:
        """What is written freely behind `prefix`."""
        if not prefix:
            return self._search(source, beam=1)
        limit = output_limit(len(source), self._card.max_target)
        if len(prefix) > limit:
            raise HeadlightError("target_too_long", length=len(prefix), limit=limit)
        if not all(0 <= token < self._card.vocabulary for token in prefix):
            reason = because("branch_tokens", high=self._card.vocabulary - 1)
            raise _wrong_prefix(prefix, reason)
        if END_ID in prefix[:-1]:
            raise _wrong_prefix(prefix, because("branch_ended"))
        ids = {"start_id": START_ID, "end_id": END_ID}
        with self._threads(1):
            return continued(self._model, self._batch(source), prefix, limit, **ids)

    def _threads(self, rows: int) -> AbstractContextManager[None]:
        """As many as passes over so many tokens at a time deserve."""
        sizes = self._checkpoint.config.model
        return threads_for(rows * sizes.d_model * sizes.d_ff)

    @torch.inference_mode()
    def _look(
        self, source: Sequence[int], read: Sequence[int], *, lift_mask: bool
    ) -> tuple[Capture, Tensor]:
        """The records of one pass, and its logits (target, vocab)."""
        capture = Capture()
        with self._threads(max(len(source), len(read))):
            logits = self._model(
                self._batch(source), self._batch(read), causal=not lift_mask, capture=capture
            )
        return capture, logits[0]


def _check_beam(beam: int) -> None:
    if not 1 <= beam <= MAX_BEAM:
        reason = because("range", low=1, high=MAX_BEAM)
        raise HeadlightError("parameter_invalid", name="beam", value=beam, reason=reason)


def _wrong_prefix(prefix: tuple[int, ...], reason: Reason) -> HeadlightError:
    value = ".".join(map(str, prefix))
    return HeadlightError("parameter_invalid", name="branch", value=value, reason=reason)


def _readable(text: str) -> str:
    """Text as tokenizers take it, refused before any of their work where it is no sentence."""
    if len(text) > MAX_CHARACTERS:
        raise HeadlightError("text_too_large", size=len(text), limit=MAX_CHARACTERS)
    cleaned = clean(text).strip()
    if all(unicodedata.category(character) in ("Cf", "Zs") for character in cleaned):
        raise HeadlightError("text_empty")
    return cleaned


def _sites(capture: Capture) -> dict[Kind, AttentionSite]:
    return {
        "encoder_self": _site("encoder_self", capture.encoder_self),
        "decoder_self": _site("decoder_self", capture.decoder_self),
        "cross": _site("cross", capture.cross),
    }


def _site(kind: Kind, records: Sequence[AttentionRecord]) -> AttentionSite:
    weights = torch.stack([record.weights[0] for record in records])  # (layer, head, query, key)
    scores = torch.stack([record.scores[0] for record in records])
    queries = torch.stack([record.queries[0] for record in records])  # (layer, head, query, d_k)
    keys = torch.stack([record.keys[0] for record in records])  # (layer, head, key, d_k)
    allowed = records[0].allowed.expand(1, 1, *weights.shape[2:])[0, 0]  # (query, key)
    mask: Bools = np.ascontiguousarray(allowed.cpu().numpy())
    floats = (each.cpu().numpy() for each in (scores, queries, keys))
    return AttentionSite(kind, weights.cpu().numpy(), mask, *floats)


def _card(checkpoint: Checkpoint) -> ModelCard:
    config, model = checkpoint.config, checkpoint.model
    sizes = config.model.model_dump(exclude={"vocab_size", "pad_id"})
    encoder = Heads(config.model.encoder_layers, config.model.heads)
    decoder = Heads(config.model.decoder_layers, config.model.heads)
    return ModelCard(
        model_id=checkpoint.folder.resolve().name,
        family=config.family,
        kinds={"encoder_self": encoder, "decoder_self": decoder, "cross": decoder},
        source_language=config.source_language,
        target_language=config.target_language,
        sizes=sizes,
        parameters=parameters_by_part(model),
        vocabulary=config.model.vocab_size,
        max_source=config.max_source,
        max_target=config.max_target,
        device=checkpoint.device.type,
        examples=config.examples,
        text=checkpoint.card,
        folder=checkpoint.folder,
    )


def parameters_by_part(model: Transformer) -> Mapping[str, int]:
    """How many parameters each part has; the values add up to the whole.

    Parts: embedding (also the output, tied), positions where learned, attention of each
    kind, feed_forward of both stacks, norms.
    """
    parts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = _part(name)
        parts[part] = parts.get(part, 0) + parameter.numel()
    return parts


def _part(name: str) -> str:
    if name.startswith(("embedding.", "positions")):
        return name.split(".")[0]
    if "_norm." in name:
        return "norms"
    if ".feed_forward." in name:
        return f"{name.split('.')[0]}_feed_forward"
    if ".cross_attention." in name:
        return "cross"
    return f"{name.split('.')[0]}_self"
