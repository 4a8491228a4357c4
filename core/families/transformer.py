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

from core.checkpoint.folder import Checkpoint
from core.decoding.beam import beam_search
from core.decoding.forced import continued
from core.decoding.greedy import greedy
from core.decoding.limits import output_limit
from core.decoding.stepper import Hypothesis
from core.errors import HeadlightError
from core.model import (
    Generation,
    Heads,
    ModelCard,
    SearchNode,
    SearchTree,
    TraceRequest,
    WordFamiliarity,
)
from core.nn.transformer import DecoderState, Transformer
from core.probe import OF_ATTENTION, Edit, Probe, Record, Site, edits_as_json
from core.reasons import Reason, RefusedError, because
from core.text.tokenizer import END_ID, START_ID, clean
from core.threads import threads_for
from core.trace import (
    KINDS,
    STACKS,
    AttentionSite,
    AttentionTrace,
    Axis,
    Bools,
    Floats,
    Kind,
    TraceError,
)

MAX_CHARACTERS: Final = 10_000
MAX_BEAM: Final = 16


class TransformerModel:
    """Satisfies `core.model.Inspectable`.

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
        self._check_edits(request)
        source = self._source_ids(source_text)
        if target_text is None:
            hypothesis = self._continued(source, request.prefix, request.with_mask().edits)
            written, finished = hypothesis.tokens, hypothesis.finished
        elif request.prefix:
            raise _wrong_prefix(request.prefix, because("branch_target"))
        else:
            written, finished = self._target_ids(target_text), True
        read = (START_ID, *written[:-1])
        probe = Probe(OF_ATTENTION | {*request.record}, request.edits)
        logits = self._pass(source, read, probe)
        meta: dict[str, str | int | float | bool] = {
            "free_running": target_text is None and not request.prefix,
            "lift_mask": request.lifts_mask,
            "finished": finished,
            "source_text": source_text,
            "target_text": self._tokenizer.decode(written) if target_text is None else target_text,
            "checkpoint": self.digest,
            "device": self._device.type,
        }
        if request.with_mask().edits:
            meta["edits"] = edits_as_json(request.edits)
        try:
            return AttentionTrace(
                self._card.model_id,
                self._tokenizer.tokens(source),
                self._tokenizer.tokens(read),
                self._tokenizer.tokens(written),
                {kind: _site(kind, probe) for kind in KINDS},
                logits.cpu().numpy(),
                meta,
                self._vocabulary,
                {s: _stacked("residual", s, probe) for s in STACKS if "residual" in probe.record},
            )
        except TraceError as error:
            if request.edits:
                reason = because("overflow", reason=error.reason)
                raise _wrong_edit(request.edits[-1], reason) from error
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
            found = beam_search(self._model, self._batch(ids), [limit], beam=beam, **ends)[0]
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
            return beam_search(self._model, batch, limits, beam=beam, **ids)[0].hypotheses()[0]

    def _continued(
        self, source: Sequence[int], prefix: tuple[int, ...], edits: tuple[Edit, ...]
    ) -> Hypothesis:
        """What is written freely behind `prefix`, under these edits."""
        if not prefix and not edits:
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
            model = _Edited(self._model, edits) if edits else self._model
            return continued(model, self._batch(source), prefix, limit, **ids)

    def _threads(self, rows: int) -> AbstractContextManager[None]:
        """As many as passes over so many tokens at a time deserve."""
        sizes = self._checkpoint.config.model
        return threads_for(rows * sizes.d_model * sizes.d_ff)

    @torch.inference_mode()
    def _pass(self, source: Sequence[int], read: Sequence[int], probe: Probe) -> Tensor:
        """The logits (target, vocab) of one pass; what the probe wants is recorded.

        Raises:
            HeadlightError: parameter_invalid for an edit that meets nothing.
        """
        lengths: dict[Axis, int] = {"source": len(source), "read": len(read), "written": len(read)}
        for edit in probe.edits:
            self._check_reach(edit, lengths)
        try:
            with self._threads(max(len(source), len(read))):
                logits: Tensor = self._model(self._batch(source), self._batch(read), probe)
        except RefusedError as error:
            raise _wrong_edit(probe.edits[-1], error.reason) from error
        return logits[0]

    def _check_edits(self, request: TraceRequest) -> None:
        """That the model has what is edited.

        Raises:
            HeadlightError: parameter_invalid.
        """
        sizes = self._checkpoint.config.model
        layers = {"encoder": sizes.encoder_layers, "decoder": sizes.decoder_layers}
        for edit in request.edits:
            stack = "encoder" if edit.site in ("encoder", "encoder_self") else "decoder"
            most = layers[stack] + (edit.place == "residual")
            if (edit.layer or 0) >= most or (edit.head or 0) >= sizes.heads:
                raise _wrong_edit(edit, because("edit_layer", layers=most, heads=sizes.heads))

    def _check_reach(self, edit: Edit, lengths: Mapping[Axis, int]) -> None:
        sizes = self._checkpoint.config.model
        width = sizes.d_v if edit.place == "outputs" else sizes.d_model
        rows, columns = edit.extent(lengths, width)
        if max(edit.rows or (0,)) >= rows or max(edit.columns or (0,)) >= columns:
            raise _wrong_edit(edit, because("edit_reach", rows=rows, columns=columns))


class _Edited:
    """The network as it writes under edits: a `Stepper`."""

    def __init__(self, model: Transformer, edits: tuple[Edit, ...]) -> None:
        self._model = model
        self._probe = Probe(edits=edits)

    def start(self, source: Tensor) -> DecoderState:
        return self._model.start(source, self._probe)

    def step(self, reading: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        return self._model.step(reading, state, self._probe)


def _wrong_edit(edit: Edit, reason: Reason) -> HeadlightError:
    value = f"{edit.place} of {edit.site}"
    return HeadlightError("parameter_invalid", name="edit", value=value, reason=reason)


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


def _site(kind: Kind, probe: Probe) -> AttentionSite:
    parts = {
        record: _stacked(record, kind, probe) for record in probe.record - {"mask", "residual"}
    }
    return AttentionSite(
        kind,
        parts["weights"],
        _mask(probe.layers("mask", kind), parts["weights"].shape),
        parts["scores"],
        parts["queries"],
        parts["keys"],
        parts.get("outputs"),
        forced=any(edit.place == "weights" and edit.site == kind for edit in probe.edits),
    )


def _stacked(record: Record, site: Site, probe: Probe) -> Floats:
    """What was recorded of the one sentence, layers first."""
    return torch.stack([x[0] for x in probe.layers(record, site)]).cpu().numpy()


def _mask(layers: Sequence[Tensor], shape: tuple[int, ...]) -> Bools:
    """(query, key) where all heads of all layers have the same mask, else of each its own."""
    masks = np.stack([mask.expand(1, *shape[1:])[0].cpu().numpy() for mask in layers])
    same = (masks == masks[:1, :1]).all()
    return np.ascontiguousarray(masks[0, 0] if same else masks)


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
