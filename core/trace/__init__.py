"""What one pass of a model computed, as arrays that check themselves, and its file."""

from core.trace.axes import (
    AXES,
    KINDS,
    STACKS,
    Axes,
    Axis,
    Bools,
    Floats,
    Kind,
    Stack,
    Token,
    TraceError,
    labels_as_tokens,
)
from core.trace.file import load_trace, read_trace, save_trace
from core.trace.overruled import overruled_as_meta, overruled_in
from core.trace.site import ROW_SUM_TOLERANCE, AttentionSite, check_sums
from core.trace.trace import AttentionTrace

__all__ = [
    "AXES",
    "KINDS",
    "ROW_SUM_TOLERANCE",
    "STACKS",
    "AttentionSite",
    "AttentionTrace",
    "Axes",
    "Axis",
    "Bools",
    "Floats",
    "Kind",
    "Stack",
    "Token",
    "TraceError",
    "check_sums",
    "labels_as_tokens",
    "load_trace",
    "overruled_as_meta",
    "overruled_in",
    "read_trace",
    "save_trace",
]
