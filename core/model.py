"""The one Protocol that every model family satisfies, and the card that it shows.

Pages never ask which model it is; they branch on what the card says it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, Protocol

from core.outputs import (
    Embedding,
    Gaps,
    Generation,
    Likelihood,
    SearchTree,
    WordFamiliarity,
    rarest,
    weighed,
)
from core.probe import LIFTED_MASK, Edit, Place, Record
from core.reasons import Reason, RefusedError
from core.trace import AttentionTrace, Kind, Token

Answers = Literal["text", "labels", "tokens"]
Context = Literal["before", "after", "both"]
"""What a language model looks at to foretell a token: those before it, those after it, or both."""
Done = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""


def untold(finished: int, all: int) -> None:
    """The `Done` of who does not ask."""


def of_part(done: Done, part: int, parts: int) -> Done:
    """The `Done` of one of several parts, from 0, all of which have as many steps."""
    return lambda finished, all: done(part * all + finished, parts * all)


@dataclass(frozen=True, slots=True)
class Heads:
    """How much attention of one kind a model has."""

    layers: int
    heads: int


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What can be asked of a model, beside a trace of it. Pages offer no more than that.

    Attributes:
        search: beam search with every hypothesis.
        forcing: a target that it reads in the place of its own output.
        branching: tokens that it is made to write first.
        sampling: tokens drawn by their probability, in the place of the likeliest.
        message: a text read as a user's message, within its own chat template.
        familiarity: how often training showed a word.
        gaps: what it looks at to fill a gap in a text; None for a model that fills none.
        edits: places that can be changed during a pass.
        records: what can be recorded of a pass.
    """

    search: bool = False
    forcing: bool = False
    branching: bool = False
    sampling: bool = False
    message: bool = False
    familiarity: bool = False
    gaps: Context | None = None
    edits: frozenset[Place] = frozenset()
    records: frozenset[Record] = frozenset()


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a model says of itself.

    Attributes:
        model_id: its name in the registry.
        family: how it is built ("transformer").
        kinds: layers and heads of each kind of attention that it has.
        capabilities: what else can be asked of it.
        source_language, target_language: BCP 47 tags ("ko", "en"), "" where it has none.
        sizes: the numbers of its configuration, in the paper's names.
        parameters: parameter count by part; the values add up to the whole.
        vocabulary: number of entries.
        max_source, max_target: tokens, end token included.
        device: where it runs ("cpu", "cuda", "mps").
        examples: sentences to start from.
        text: the checkpoint's own README.md.
        folder: where it was loaded from.
        answers: what it makes of a source: a text; labels; or tokens, at each of its places one.
        labels: what it answers by, where it does by labels: one a source, or one a word of it.
        notes: what is to be known of what is shown of it, where it came from elsewhere.
        sure_from: what it writes is a guess where the `certainty` of a generation (a log
            probability, natural logarithm) is below this, once it is `weighed` by how often
            training showed its source's words; None where that was not measured.
        frequency_weight: by what it is weighed.
    """

    model_id: str
    family: str
    kinds: Mapping[Kind, Heads]
    capabilities: Capabilities
    source_language: str
    target_language: str
    sizes: Mapping[str, str | int | float]
    parameters: Mapping[str, int]
    vocabulary: int
    max_source: int
    max_target: int
    device: str
    examples: tuple[str, ...]
    text: str
    folder: Path
    answers: Answers = "text"
    labels: tuple[str, ...] = ()
    notes: tuple[Reason, ...] = ()
    sure_from: float | None = None
    frequency_weight: float = 0.0

    @property
    def total_parameters(self) -> int:
        return sum(self.parameters.values())

    def sure_of(self, words: Sequence[WordFamiliarity]) -> float | None:
        """The `certainty` below which an output is a guess, of a source of these words.

        Returns:
            A log probability, natural logarithm; None where that was not measured, or it is not
            known which words those are.
        """
        if self.sure_from is None or (self.frequency_weight and not words):
            return None
        return min(0.0, self.sure_from - weighed(0.0, rarest(words), self.frequency_weight))

    def guesses(self, certainty: float | None, words: Sequence[WordFamiliarity]) -> bool:
        """Whether an output with this `certainty` to a source of these words is a guess of its."""
        usual = self.sure_of(words)
        return usual is not None and certainty is not None and certainty < usual

    @property
    def lifts_mask(self) -> bool:
        """Whether it has a decoder that can be let look ahead."""
        return "decoder_self" in self.kinds and "mask" in self.capabilities.edits


MOST_SEED: Final = 999_999
TEMPERATURE: Final = 1.0
MOST_TEMPERATURE: Final = 2.0
TOP_P: Final = 0.9
"""Labels are smoothed by a tenth in training: what lies beyond may be any token at all."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Chance in what a model writes: tokens are drawn, not the likeliest taken (greedy).

    Attributes:
        seed: 0 to 999,999; the same seed draws the same text.
        temperature: what logits are divided by, 0 to 2; at 0 nothing but the likeliest is drawn.
        top_p: the share of the probability, above 0 to 1, that the likeliest tokens hold which
            are drawn from (the nucleus: Holtzman et al., 2020).

    Raises:
        RefusedError: a number out of its range.
    """

    seed: int
    temperature: float = TEMPERATURE
    top_p: float = TOP_P

    def __post_init__(self) -> None:
        fits = 0 <= self.temperature <= MOST_TEMPERATURE and 0 < self.top_p <= 1
        if not (fits and 0 <= self.seed <= MOST_SEED):
            raise RefusedError("sampling_range", seeds=MOST_SEED, temperatures=MOST_TEMPERATURE)


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """What one trace is asked for.

    Attributes:
        source: the sentence.
        target: teacher-forced on this text; None runs free.
        edits: made during the pass, and, running free, while it writes. What lets a token look
            at those behind it (a mask that is lifted, weights on later columns) is no use there:
            at each step there is nothing behind it yet. The pass has it, so that its rows and
            probabilities are not those by which it was written. Of what goes on behind its
            source, or before it, the first token has the place of the end token, or the start.
        prefix: vocabulary rows that the decoder is made to write first; it runs on freely from
            there. Not together with a target.
        sampling: how chance chooses where it runs freely; None takes the likeliest tokens
            (greedy). Not together with a target.
        record: beside what every trace of attention holds.
        hidden: places among the tokens that are read of the source, counted from 0, of which the
            model is not shown what stands there.
        message: the source is a user's message, which is read within the model's chat template.
    """

    source: str
    target: str | None = None
    edits: tuple[Edit, ...] = ()
    prefix: tuple[int, ...] = ()
    record: tuple[Record, ...] = ()
    hidden: tuple[int, ...] = ()
    sampling: Sampling | None = None
    message: bool = False

    @property
    def lifts_mask(self) -> bool:
        """Whether the decoder may look at tokens that it has not written yet."""
        return LIFTED_MASK in self.edits

    def with_mask(self) -> TraceRequest:
        """The same with the decoder's mask as it is."""
        return replace(self, edits=tuple(edit for edit in self.edits if edit != LIFTED_MASK))


class Inspectable(Protocol):
    """A model that can be looked into. Implementations hold no per-call state."""

    @property
    def card(self) -> ModelCard: ...

    @property
    def digest(self) -> str:
        """What tells it from any model that computes other numbers: hex, or another plain id."""
        ...

    def trace(self, request: TraceRequest) -> AttentionTrace:
        """One forward pass with everything captured.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, target_too_long, and
                parameter_invalid for a prefix that this model cannot write.
        """
        ...

    def generate(
        self,
        source: str,
        *,
        beam: int = 1,
        sampling: Sampling | None = None,
        message: bool = False,
    ) -> Generation:
        """Best output for `source`, or for a message: greedy for beam 1; or one that is drawn.

        Raises:
            HeadlightError: as `trace`, and parameter_invalid for a beam outside 1 to 16, or above 1
                where the output is drawn.
        """
        ...

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done = untold
    ) -> list[str]:
        """The best output for each source; "" for one that is empty or too long to be read.

        Args:
            done: called with (finished, all) sources as outputs are written.

        Raises:
            HeadlightError: unsupported or parameter_invalid, of the beam.
        """
        ...

    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> tuple[Likelihood | None, ...]:
        """How likely it finds the second text of each pair, forced on it after the first.

        None where it cannot read the one or write the other.
        """
        ...

    def search(self, source: str, *, beam: int, message: bool = False) -> SearchTree:
        """Beam search for `source`, every hypothesis of it; `generate` answers the same.

        Raises:
            HeadlightError: as `generate`.
        """
        ...

    def gaps(self, source: str) -> Gaps:
        """What it would write in the place of each token of `source`, one gap at a time.

        Raises:
            HeadlightError: text_empty, text_too_large, source_too_long, and unsupported where
                its capabilities name no gaps.
        """
        ...

    def embedding(self, source: str) -> Embedding:
        """What the tokens of `source` are read as, among all that there are.

        Raises:
            HeadlightError: text_empty, text_too_large or source_too_long.
        """
        ...

    def familiarity(self, source: str) -> tuple[WordFamiliarity, ...]:
        """How well training covered each word of `source`; empty where unknown."""
        ...

    def vocabulary_tokens(self, ids: list[int]) -> list[Token]:
        """What columns of its logits stand for, for next-token distributions."""
        ...

    def goes_on(self, before: int, ids: list[int]) -> list[bool]:
        """Which rows of its vocabulary, right after one of them, go on with its word."""
        ...
