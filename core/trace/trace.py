"""What one pass of a model computed: every head of every layer, and its tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.trace.axes import AXES, STACKS, Axis, Bools, Floats, Kind, Stack, Token, TraceError
from core.trace.site import AttentionSite

Meta = Mapping[str, str | int | float | bool]


@dataclass(frozen=True, slots=True, eq=False)
class AttentionTrace:
    """One pass of one model, checked on construction.

    A decoder row has two names: the token that it *reads* (`target[t]`) and the token
    that it *writes* (`written[t]`), which is the label of the decoder's queries. The keys
    of `decoder_self` are tokens read.

    Attributes:
        model_id: whose attention this is.
        source: what the encoder read; empty for a decoder-only model.
        target: what the decoder read, starting with its start token; empty for an encoder.
        written: what each decoder position wrote; as long as `target`.
        sites: the kinds of attention that the model has.
        logits: (position, vocabulary), where the model exposes them: over the target, or over
            the source of a model without a decoder.
        meta: further facts (free-running or teacher-forced, what was edited, ...).
        vocabulary: what people read for each row of the vocabulary, where that is known.
        residuals: of a stack, (layer + 1, position, d_model): the residual stream that its first
            layer reads, then as each layer leaves it; where it was recorded.
        states: of a recurrent stack, by the names of its formulas ("hidden", "forget", ...),
            each (layer, position, unit); where the model has such.

    Raises:
        TraceError: when an axis does not fit its tokens, or the vocabulary its logits.
    """

    model_id: str
    source: tuple[Token, ...]
    target: tuple[Token, ...]
    written: tuple[Token, ...]
    sites: Mapping[Kind, AttentionSite]
    logits: Floats | None = None
    meta: Meta = field(default_factory=dict)
    vocabulary: tuple[str, ...] | None = None
    residuals: Mapping[Stack, Floats] = field(default_factory=dict)
    states: Mapping[Stack, Mapping[str, Floats]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.written) != len(self.target):
            raise TraceError("tokens_written")
        for kind, site in self.sites.items():
            if kind != site.kind:
                raise TraceError("kind_misfiled", kind=site.kind, name=kind)
            expected = (len(self.queries(kind)), len(self.keys(kind)))
            if site.shape != expected:
                raise TraceError(
                    "kind_axes", kind=kind, found=str(site.shape), wanted=str(expected)
                )
        self._check_logits()
        for stack, stream in self.residuals.items():
            self._check_stack(stack, "residual", stream)
        for stack, parts in self.states.items():
            for name, values in parts.items():
                self._check_stack(stack, name, values)
                if values.shape != next(iter(parts.values())).shape:
                    raise TraceError("stack_axes", stack=stack, part=name)

    def _check_logits(self) -> None:
        if self.logits is None:
            return
        rows = (len(self.target), len(self.tokens(self.logits_axis)))
        if self.logits.ndim != 2 or len(self.logits) not in rows:
            raise TraceError("logits_target")
        if not np.isfinite(self.logits).all():
            raise TraceError("logit_infinite")
        if self.vocabulary is not None and len(self.vocabulary) != self.logits.shape[1]:
            raise TraceError("vocabulary_uneven")

    def _check_stack(self, stack: Stack, part: str, values: Floats) -> None:
        if values.ndim != 3 or values.shape[1] != len(self.tokens(STACKS[stack])):
            raise TraceError("stack_axes", stack=stack, part=part)
        if not np.isfinite(values).all():
            raise TraceError("stack_infinite", stack=stack, part=part)

    def tokens(self, axis: Axis) -> tuple[Token, ...]:
        """The tokens of an axis."""
        return {"source": self.source, "read": self.target, "written": self.written}[axis]

    @property
    def logits_axis(self) -> Axis:
        """What the rows of the logits are: decoder rows, or the source where there are none."""
        return "written" if self.target else "source"

    @property
    def tells_next(self) -> bool:
        """Whether its logits say what each decoder row was about to write."""
        return self.logits is not None and self.logits.size > 0 and self.logits_axis == "written"

    @property
    def given(self) -> int:
        """How many of `written` come first and are the text that a model goes on from."""
        count = self.meta.get("given", 0)  # a file that was brought may say anything
        return min(max(count, 0), len(self.written)) if isinstance(count, int) else 0

    def queries(self, kind: Kind) -> tuple[Token, ...]:
        """Labels of the query axis: what a decoder row writes, what an encoder row reads."""
        return self.tokens(AXES[kind].query)

    def keys(self, kind: Kind) -> tuple[Token, ...]:
        """Labels of the key axis: always tokens that were read."""
        return self.tokens(AXES[kind].key)

    def arrays(self) -> Iterator[Floats | Bools]:
        """All that it holds."""
        for site in self.sites.values():
            yield site.weights
            yield site.allowed
            yield from site.parts().values()
        if self.logits is not None:
            yield self.logits
        yield from self.residuals.values()
        for parts_of in self.states.values():
            yield from parts_of.values()
