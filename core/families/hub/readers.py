"""Hugging Face models that write nothing: they fill what is hidden, label, or only read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.families.foreteller import Foreteller, Framed
from core.families.hub.base import HubModel
from core.families.hub.stepper import mask_of
from core.families.labeller import Labeller
from core.families.opened import Pass
from core.families.silent import Silent
from core.model import Capabilities
from core.nn.language import Objective
from core.outputs import Likelihood
from core.probe import Probe
from core.reasons import RefusedError
from core.trace import Floats, Token

_LOGITS: Final = 2**26  # of one pass: 256 MB


class HubReading(HubModel, Framed):
    """What they have in common: how they read."""

    def framed(self, ids: Sequence[int]) -> tuple[int, ...]:
        return self._ends.around(ids)

    def run(self, source: Tensor, probe: Probe) -> Pass:
        return self._network.read(source, source, probe)


class HubReader(HubReading, Silent):
    """A body without a head: it looks, and says nothing. Satisfies `core.model.Inspectable`."""


class HubForeteller(HubReading, Foreteller):
    """Fills what is hidden. Satisfies `core.model.Inspectable`."""

    objective: Objective = "masked"

    def capabilities(self) -> Capabilities:
        framed = len(self._ends.before) == len(self._ends.after) == 1
        fills = framed and self._opened.tokenizer.hidden_id is not None
        return super().capabilities() if fills else replace(super().capabilities(), gaps=None)

    @property
    def hidden_id(self) -> int:
        hides = self._opened.tokenizer.hidden_id
        assert hides is not None
        return hides

    @property
    def most_positions(self) -> int:
        return max(1, _LOGITS // self._card.vocabulary)

    def hidden(self, ids: Tensor) -> Tensor:
        """Logits: the head is part of the model."""
        found: Tensor = self._network.model(
            input_ids=ids, attention_mask=torch.ones_like(ids)
        ).logits
        return found.float()

    def unembed(self, hidden: Tensor) -> Tensor:
        return hidden


class HubLabeller(HubReading, Labeller):
    """Gives a text a label, or each of its words one. Satisfies `core.model.Inspectable`."""

    @property
    def labels(self) -> tuple[str, ...]:
        named: Mapping[int, str] = self._config.id2label
        return tuple(str(named[at]) for at in sorted(named))

    def facts(self) -> Mapping[str, str]:
        whole = {"foretells": "text"} if self._opened.head == "labels" else {}
        return {**super().facts(), **whole}

    def logits(self, source: Tensor) -> Tensor:
        mask = mask_of(source, self._ends.pad)
        found: Tensor = self._network.model(input_ids=source, attention_mask=mask).logits
        return found if found.dim() == 3 else found[:, None].expand(-1, source.shape[1], -1)

    def _labelled(self, sources: Sequence[Sequence[int]]) -> list[Floats]:
        if self._config.pad_token_id is not None or len(sources) == 1:
            return super()._labelled(sources)
        return [super(HubLabeller, self)._labelled([ids])[0] for ids in sources]

    def likelihood(self, source: str, target: str) -> Likelihood | None:
        """Of one label a text; words have none forced on them."""
        if self._opened.head != "labels":
            return None
        ids = self._ends.around(self._tokenizer.encode(source))
        if target not in self.labels:
            raise RefusedError("label_unknown", label=target[:40], known=", ".join(self.labels))
        if len(ids) > self._card.max_source:
            return None
        (logits,) = self._labelled([ids])
        logs = torch.from_numpy(logits[0]).double().log_softmax(-1)
        return Likelihood(float(logs[self.labels.index(target)]), 1)

    def asked(self, tokens: Sequence[Token]) -> list[int]:
        if self._opened.head == "labels":
            return [0]
        first = {token.word: at for at, token in reversed([*enumerate(tokens)])}
        return [at for word, at in sorted(first.items()) if word >= 0]

    def run(self, source: Tensor, probe: Probe) -> Pass:
        found = super().run(source, probe)
        logits = found.logits
        if logits is None or logits.ndim == 2:
            return found
        return replace(found, logits=np.repeat(logits[None], source.shape[1], 0))
