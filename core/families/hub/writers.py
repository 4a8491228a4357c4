"""Hugging Face models that write: after a source that they read, or on from a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from torch import Tensor
from transformers import GenerationConfig

from core.decoding.limits import BEYOND_SOURCE
from core.decoding.rules import Rules
from core.decoding.stepper import Stepper
from core.families.hub.base import HubModel
from core.families.hub.loading import HubFolder
from core.families.hub.projection import tolerance
from core.families.hub.stepper import HubState, HubStepper, cache_apart
from core.families.hub.template import Chat, Template
from core.families.hub.wiring import call, logits_of
from core.families.opened import Pass
from core.families.refusing import check_output
from core.families.translator import Rows, Translator
from core.model import Capabilities, Done, TraceRequest, untold
from core.outputs import Likelihood
from core.probe import Edit, Probe
from core.reasons import Reason, because
from core.text.readable import readable_or_empty

_SETTINGS: Final = {
    "repetition_penalty": 1.0,
    "encoder_repetition_penalty": 1.0,
    "no_repeat_ngram_size": 0,
    "encoder_no_repeat_ngram_size": 0,
    "min_length": 0,
    "min_new_tokens": 0,
    "suppress_tokens": [],
    "begin_suppress_tokens": [],
    "forced_eos_token_id": None,
}
"""Settings by which transformers overrules what is likeliest, as nobody has set them."""
_NAMED: Final = 3
"""Tokens that are never written and are named; some models have hundreds."""


class HubWriter(HubModel, Translator):
    """Both have in common how they write."""

    def stepper(self, edits: tuple[Edit, ...] = ()) -> Stepper[HubState]:
        return HubStepper(self._network, Probe(edits=edits), self._ends.pad, cached=self._cached)

    @cached_property
    def _cached(self) -> bool:
        """Whether it writes the same by its cache as by whole passes, found out as it is opened."""
        return cache_apart(self._network) <= tolerance(self._network.model.dtype)

    @cached_property
    def rules(self) -> Rules:
        rows, words = range(self._opened.rows), self._opened.generation.bad_words_ids or ()
        never = tuple(word[0] for word in words if len(word) == 1 and word[0] in rows)
        first = self.first_id()
        return Rules(len(rows), first=first if first in rows else None, never=never)

    def first_id(self) -> int | None:
        """What its settings have it write first, where they do."""
        return None

    def notes(self) -> Iterator[Reason]:
        yield from super().notes()
        rules = self.rules
        if not self._cached:
            yield because("cache_other")
        if rules.first is not None:
            yield because("writes_first", token=self._named(rules.first))
        if rules.never:
            tokens = ", ".join(map(self._named, rules.never[:_NAMED]))
            yield because("writes_never", count=len(rules.never), tokens=tokens)
        other = ", ".join(_other_settings(self._opened.generation))
        if other:
            yield because("writes_otherwise", names=other)

    def _named(self, token: int) -> str:
        return self._tokenizer.tokens([token])[0].text

    def likelihood(self, source: str, target: str) -> Likelihood | None:
        given = self._ends.around(self._tokenizer.encode(source))
        written = (*self.encode_target(target), *self._ends.closing[:1])
        rows = self.rows(given, written)
        if not written or max(len(rows.source), len(rows.read)) > self._card.max_source:
            return None
        batches = (self.batch(rows.source), self.batch(rows.read))
        with self.threads(len(rows.read)):
            logits = logits_of(call(self._network.model, self._network.form, *batches))
        assert logits is not None
        logs = logits[0, -len(written) :].float().log_softmax(-1)
        total = logs.gather(1, self.batch(written).T).double().sum()
        return Likelihood(float(total), len(written))

    def run(self, source: Tensor, target: Tensor, probe: Probe) -> Pass:
        return self._network.read(source, target, probe)


def _other_settings(settings: GenerationConfig) -> Iterator[str]:
    """Names of what its settings change of how it writes, beside what `rules` are made of."""
    for name, usual in _SETTINGS.items():
        if getattr(settings, name, None) not in (None, usual):
            yield name
    if any(len(word) > 1 for word in settings.bad_words_ids or ()):
        yield "bad_words_ids"


class HubTranslator(HubWriter):
    """An encoder and a decoder. Satisfies `core.model.Inspectable`."""

    def start_id(self) -> int | None:
        settings, config = self._opened.generation, self._config
        model = self._network.model.config  # of one whose stacks have configurations of their own
        for of in (settings, config, model):
            known = getattr(of, "decoder_start_token_id", None)
            if known is not None:
                return int(known[0] if isinstance(known, list) else known)
        return int(getattr(config, "bos_token_id", None) or 0)

    def first_id(self) -> int | None:
        first: int | None = self._opened.generation.forced_bos_token_id
        return first

    def encode_target(self, text: str) -> Sequence[int]:
        first = self.first_id()
        ids = super().encode_target(text)
        return ids if first is None else [int(first), *ids]


class HubContinuer(HubWriter):
    """A decoder alone: what it is given and what it writes are one text, which it reads.

    Satisfies `core.model.Inspectable`. Each row but the last is called by the token that follows
    it, whether that was given or written.
    """

    def __init__(self, opened: HubFolder) -> None:
        super().__init__(opened)
        self._ends = replace(self._ends, after=())  # a text that has ended is not gone on with

    def capabilities(self) -> Capabilities:
        return replace(super().capabilities(), message=isinstance(self._opened.template, Template))

    def rendered(self) -> Chat:
        """What its template puts around a message; runs what came with the folder, for a trial."""
        return self._opened.tokenizer.rendered()

    def encode_source(self, text: str, *, message: bool) -> tuple[int, ...]:
        template = self._opened.template
        if not message or not isinstance(template, Template):
            return super().encode_source(text, message=message)
        return self.within_limit(self._opened.tokenizer.encode_message(text, template))

    def room(self, source: Sequence[int]) -> int:
        """What is given and what is written share its places.

        Its output is as long whatever it goes on from: a text of 512 tokens calls for no 562 more.
        """
        return min(BEYOND_SOURCE, self.most(source))

    def most(self, source: Sequence[int]) -> int:
        return self._card.max_target - len(source) + 1

    def rows(self, source: tuple[int, ...], written: tuple[int, ...]) -> Rows:
        return Rows((), (*source, *written[:-1]), (*source[1:], *written))

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done = untold
    ) -> list[str]:
        """As `generate`, one by one; "" for one that cannot be read.

        Raises:
            HeadlightError: unsupported or parameter_invalid, of the beam.
        """
        check_output(self._card, beam, None)
        texts = []
        for number, source in enumerate(map(readable_or_empty, sources), start=1):
            ids = self._ends.around(self._tokenizer.encode(source))
            fits = len(self._ends.around(())) < len(ids) <= self._card.max_source
            texts.append(self.generate(source, beam=beam).text if fits else "")
            done(number, len(sources))
        return texts

    def _write(
        self, source: tuple[int, ...], request: TraceRequest
    ) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
        """A prefix is what the rows are called: it goes through the text that was given first."""
        given, prefix = source[1:], request.prefix
        self.check_prefix(prefix, self._card.max_target)
        if prefix[: len(given)] == given:
            prefix = prefix[len(given) :]
        elif prefix:
            source, prefix = (source[0], *prefix[:-1]), prefix[-1:]
        return super()._write(source, replace(request, prefix=prefix))
