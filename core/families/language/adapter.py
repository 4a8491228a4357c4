"""Language models, and what labels by the same layers, as something that can be looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from core.errors import HeadlightError
from core.families.labeller import Labeller
from core.families.opened import Pass
from core.families.reader import Reader
from core.families.recorded import attention_site, check_attention_edit, stacked
from core.families.refusing import check_beam, unsupported
from core.model import Answers, Capabilities, Context, Done, Gaps, Generation, Heads
from core.nn.language import HIDDEN_ID, Language, Objective
from core.probe import PLACES, RECORDS, Edit, Probe
from core.reasons import because
from core.text.readable import readable
from core.text.tokenizer import END_ID, START_ID
from core.threads import threads_for
from core.trace import Floats, Kind, Token

_CONTEXTS: Final[dict[Objective, Context]] = {
    "forward": "before",
    "backward": "after",
    "masked": "both",
}
_FORETELLS: Final[dict[Objective, str]] = {
    "forward": "next",
    "backward": "previous",
    "masked": "here",
}
_LONGEST: Final = 50
"""Tokens that are written before or after a text, at most."""
_POSITIONS: Final = 8192  # read at once


class _Stack(Reader[Language]):
    """What all have in common: one stack of layers over a text between its start and end token."""

    def kinds(self) -> Mapping[Kind, Heads]:
        sizes = self._network.config
        return {"encoder_self": Heads(sizes.layers, sizes.heads)}

    def parameters(self) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        for name, parameter in self._network.named_parameters():
            part = _part(name)
            counts[part] = counts.get(part, 0) + parameter.numel()
        return counts

    def products(self) -> int:
        return self._network.config.d_model * self._network.config.d_ff

    def check_edit(self, edit: Edit, source: int, target: int | None) -> None:
        if edit.site not in ("encoder", "encoder_self"):
            super().check_edit(edit, source, target)
        sizes = self._network.config
        check_attention_edit(edit, sizes, sizes.layers, source, target)

    def read(self, text: str, hidden: Sequence[int]) -> tuple[int, ...]:
        """As `Reader.read`; places are hidden of a masked model alone."""
        ids = [START_ID, *self._source_ids(text, END_ID)]
        limit = self._card.max_source
        if len(ids) > limit:
            raise HeadlightError("source_too_long", length=len(ids), limit=limit)
        if hidden and self._network.config.objective != "masked":
            raise unsupported(self._card, because("hiding"))
        for place in hidden:
            if not 0 < place < len(ids) - 1:
                reason = because("hidden_place", high=len(ids) - 2)
                raise HeadlightError("parameter_invalid", name="hidden", value=place, reason=reason)
            ids[place] = HIDDEN_ID
        return tuple(ids)

    def run(self, source: Tensor, probe: Probe) -> Pass:
        wanted, probe = probe.record, Probe(probe.record | {"outputs"}, probe.edits)
        logits = self._network.unembed(self._network(source, probe))
        attentions = [layer.self_attention for layer in self._network.stack()]
        site = attention_site("encoder_self", attentions, probe, "outputs" in wanted)
        found = Pass(logits[0].cpu().numpy(), {"encoder_self": site})
        if "residual" in wanted:
            found = replace(found, residuals={"encoder": stacked("residual", "encoder", probe)})
        return found


class LanguageLabeller(_Stack, Labeller[Language]):
    """Gives a text a label, at its end token; what it looks at is as that of a language model."""

    def capabilities(self) -> Capabilities:
        familiarity = self._checkpoint.familiarity is not None
        return Capabilities(familiarity=familiarity, edits=PLACES, records=RECORDS)

    @property
    def labels(self) -> tuple[str, ...]:
        return self._network.config.labels

    def logits(self, source: Tensor) -> Tensor:
        return self._network.unembed(self._network(source))

    def asked(self, tokens: Sequence[Token]) -> list[int]:
        return [len(tokens) - 1]

    def framed(self, ids: Sequence[int]) -> tuple[int, ...]:
        return (START_ID, *ids, END_ID)


class LanguageModel(_Stack):
    """Satisfies `core.model.Inspectable`.

    It reads a text between its start and end token, and at each of them foretells: the token after
    it (forward), the one before it (backward), or what stands there (masked).
    """

    def capabilities(self) -> Capabilities:
        return Capabilities(
            familiarity=self._checkpoint.familiarity is not None,
            gaps=_CONTEXTS[self._network.config.objective],
            edits=PLACES,
            records=RECORDS,
        )

    @property
    def answers(self) -> Answers:
        return "tokens"

    def facts(self) -> Mapping[str, str]:
        return {"foretells": _FORETELLS[self._network.config.objective]}

    def answer(self, source: Sequence[int], logits: Floats) -> str:
        """The text with what it would write: after it, before it, or where something is hidden."""
        if self._network.config.objective == "masked":
            told = zip(source, logits.argmax(-1), strict=True)
            return self._tokenizer.decode(
                [int(best) if id == HIDDEN_ID else id for id, best in told]
            )
        ids, _ = self._continued(list(source))
        return self._tokenizer.decode(ids)

    def generate(self, source: str, *, beam: int = 1) -> Generation:
        """The text with what it writes after it (forward) or before it (backward), greedily.

        Raises:
            HeadlightError: as `Inspectable.generate`, and unsupported for a beam above 1.
        """
        check_beam(beam)
        if beam > 1:
            raise self.no_search()
        ids = list(self.read(readable(source), ()))
        nats = 0.0
        if self._network.config.objective != "masked":
            ids, nats = self._continued(ids)
        tokens = self._tokenizer.tokens(ids[1:-1])
        return Generation(self._tokenizer.decode(ids), tokens, -nats, True)

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done | None = None
    ) -> list[str]:
        """As `generate`, one by one; "" for one that is too long to be read."""
        texts = []
        for number, source in enumerate(sources, start=1):
            fits = 0 < len(self._tokenizer.encode(source)) <= self._card.max_source - 2
            texts.append(self.generate(source, beam=beam).text if fits else "")
            if done is not None:
                done(number, len(sources))
        return texts

    @torch.inference_mode()
    def gaps(self, source: str) -> Gaps:
        """As `Inspectable.gaps`: of a masked model by passes over all texts with one gap each."""
        ids = self.read(readable(source), ())
        read, count = torch.tensor([ids], device=self._device), len(ids) - 2
        with threads_for(len(ids) * self.products()):
            if self._network.config.objective == "masked":
                places = torch.arange(1, count + 1, device=self._device)
                parts = torch.split(places, max(1, _POSITIONS // len(ids)))
                hidden = torch.cat([self._within(read, some) for some in parts])
            else:
                forward = self._network.config.objective == "forward"
                hidden = self._network(read)[0, :count] if forward else self._network(read)[0, 2:]
            logits = self._network.unembed(hidden)
        return Gaps(self._tokenizer.tokens(ids), logits.cpu().numpy())

    def _within(self, read: Tensor, places: Tensor) -> Tensor:
        """(place, d_model) at each of some places of (1, length) ids, while it is hidden."""
        rows, each = read.repeat(len(places), 1), torch.arange(len(places), device=read.device)
        rows[each, places] = HIDDEN_ID
        found: Tensor = self._network(rows)[each, places]
        return found

    @torch.inference_mode()
    def _continued(self, ids: list[int]) -> tuple[list[int], float]:
        """Ids between start and end, and more of them; with the nats of what was written.

        The end token, or the start, is what it stops at: it is foretold where the text goes on.
        """
        forward = self._network.config.objective == "forward"
        ends = (START_ID, END_ID) if forward else (END_ID, START_ID)
        text = list(ids[1:-1]) if forward else ids[-2:0:-1]
        nats = 0.0
        for _ in range(min(_LONGEST, self._card.max_source - len(ids))):
            read = [ends[0], *text]
            rows = torch.tensor([read if forward else read[::-1]], device=self._device)
            with threads_for(len(read) * self.products()):
                hidden = self._network(rows)[0, -1 if forward else 0]
                told = self._network.unembed(hidden).log_softmax(-1)
            best = int(told.argmax())
            nats -= float(told[best])
            if best == ends[1]:
                break
            text.append(best)
        text = text if forward else text[::-1]
        return [START_ID, *text, END_ID], nats


def _part(name: str) -> str:
    if name.startswith(("embedding.", "positions")):
        return name.split(".")[0]
    if "relative." in name:
        return "positions"
    if name.startswith("head."):
        return "output"
    if "norm." in name:
        return "norms"
    return "encoder_feed_forward" if ".feed_forward." in name else "encoder_self"
