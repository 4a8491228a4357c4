"""Language models, whatever their layers are: at each place of a text they foretell a token."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.decoding.sampling import chosen
from core.errors import wrong
from core.families.reader import Reader
from core.families.refusing import check_output, unsupported
from core.model import Capabilities, Context, Done, Sampling, untold
from core.nn.language import HIDDEN_ID, Objective
from core.outputs import Gaps, Generation
from core.probe import OF_ATTENTION, Edit, Probe
from core.reasons import because
from core.text.readable import readable, readable_or_empty
from core.text.tokenizer import END_ID, START_ID
from core.threads import threads_for
from core.trace import Floats, TraceError

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


class Framed(Reader):
    """Reads a text between its start and end token."""

    def framed(self, ids: Sequence[int]) -> tuple[int, ...]:
        return (START_ID, *ids, END_ID)


class Foreteller(Framed):
    """Satisfies `core.model.Inspectable`.

    At each place of a text it foretells: the token after it (forward), the one before it
    (backward), or what stands there (masked).
    """

    answers = "tokens"

    @property
    @abstractmethod
    def objective(self) -> Objective:
        """What is foretold of what."""

    @property
    def hidden_id(self) -> int:
        """What stands in the place of a token that it is not shown."""
        return HIDDEN_ID

    @property
    def most_positions(self) -> int:
        """Positions that it reads at once."""
        return _POSITIONS

    @abstractmethod
    def hidden(self, ids: Tensor) -> Tensor:
        """(batch, place) ids -> (batch, place, d_model)."""

    @abstractmethod
    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., vocab)."""

    def read(self, text: str, hidden: Sequence[int]) -> tuple[int, ...]:
        """As `Reader.read`; places are hidden of a masked model alone."""
        ids = list(super().read(text, ()))
        if hidden and self.objective != "masked":
            raise unsupported(self._card, because("hiding"))
        for place in hidden:
            if not 0 < place < len(ids) - 1:
                raise wrong("hidden", place, because("hidden_place", high=len(ids) - 2))
            ids[place] = self.hidden_id
        return tuple(ids)

    def capabilities(self) -> Capabilities:
        return Capabilities(sampling=self.objective != "masked", gaps=_CONTEXTS[self.objective])

    def facts(self) -> Mapping[str, str]:
        return {**super().facts(), "foretells": _FORETELLS[self.objective]}

    def answer(
        self,
        source: Sequence[int],
        logits: Floats,
        sampling: Sampling | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> tuple[str, bool]:
        """The text with what it would write: after it, before it, or where something is hidden."""
        if self.objective == "masked":
            told = zip(source, logits.argmax(-1), strict=True)
            filled = [int(best) if id == self.hidden_id else id for id, best in told]
            return self._tokenizer.decode(filled), True
        ids, _, finished = self._continued(source, sampling, edits)
        return self._tokenizer.decode(ids), finished

    def output(self, ids: Sequence[int], sampling: Sampling | None) -> Generation:
        """The text with what it writes after it (forward) or before it (backward)."""
        gains: list[float] = []
        finished = True
        if self.objective != "masked":
            ids, gains, finished = self._continued(ids, sampling)
        tokens = self._tokenizer.tokens(ids[1:-1])
        return Generation(self._tokenizer.decode(ids), tokens, tuple(gains), finished)

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
            fits = 0 < len(self._tokenizer.encode(source)) <= self._card.max_source - 2
            texts.append(self.generate(source, beam=beam).text if fits else "")
            done(number, len(sources))
        return texts

    @torch.inference_mode()
    def gaps(self, source: str) -> Gaps:
        """As `Inspectable.gaps`: of a masked model by passes over all texts with one gap each."""
        ids = self.read(readable(source), ())
        read, count = torch.tensor([ids], device=self._device), len(ids) - 2
        with threads_for(len(ids) * self.products()):
            if self.objective == "masked":
                places = torch.arange(1, count + 1, device=self._device)
                parts = torch.split(places, max(1, self.most_positions // len(ids)))
                hidden = torch.cat([self._within(read, some) for some in parts])
            else:
                forward = self.objective == "forward"
                hidden = self.hidden(read)[0, :count] if forward else self.hidden(read)[0, 2:]
            logits = self.unembed(hidden)
        return Gaps(self._tokenizer.tokens(ids), logits.cpu().numpy())

    def _within(self, read: Tensor, places: Tensor) -> Tensor:
        """(place, d_model) at each of some places of (1, length) ids, while it is hidden."""
        rows, each = read.repeat(len(places), 1), torch.arange(len(places), device=read.device)
        rows[each, places] = self.hidden_id
        found: Tensor = self.hidden(rows)[each, places]
        return found

    @torch.inference_mode()
    def _continued(
        self, ids: Sequence[int], sampling: Sampling | None, edits: tuple[Edit, ...] = ()
    ) -> tuple[list[int], list[float], bool]:
        """Ids between start and end, and more of them; with the gain of each that was written.

        The end token, or the start, is what it stops at: it is foretold where the text goes on.

        Args:
            edits: which count positions as among `ids`: the first token that is written stands
                where the end token stood, or the start.

        Returns:
            The ids, the gains, and whether it stopped there: False when a limit cut it off.
        """
        forward = self.objective == "forward"
        ends = (START_ID, END_ID) if forward else (END_ID, START_ID)
        text = list(ids[1:-1] if forward else ids[-2:0:-1])
        placed = tuple(edit.placed() for edit in edits)
        gains: list[float] = []
        finished = False
        for _ in range(min(_LONGEST, self._card.max_source - len(ids))):
            read = [ends[0], *text]
            rows = torch.tensor([read if forward else read[::-1]], device=self._device)
            first = 0 if forward else len(ids) - len(read)
            with threads_for(len(read) * self.products()):
                told = self._told(rows, -1 if forward else 0, placed, first).log_softmax(-1)
            newest = chosen(told, sampling, len(text))
            gains.append(float(told[newest]))
            if finished := newest == ends[1]:
                break
            text.append(newest)
        text = text if forward else text[::-1]
        return [START_ID, *text, END_ID], gains, finished

    def _told(self, ids: Tensor, at: int, edits: tuple[Edit, ...], first: int) -> Tensor:
        """(vocabulary,) logits at one of (1, place) ids, whose first one edits count as `first`."""
        if not edits:
            return self.unembed(self.hidden(ids)[0, at])
        logits = self.run(ids, Probe(OF_ATTENTION, edits, first)).logits
        if logits is None or not np.isfinite(logits[at]).all():
            raise TraceError("logit_infinite")
        return torch.from_numpy(logits[at])
