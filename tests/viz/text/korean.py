"""What is left of English in a Korean sentence."""

import re
from collections.abc import Iterable

from viz.export.request import FORMATS, VIEWS
from viz.inspector.options import OPTIONS

_WORD = re.compile("[A-Za-z]{2,}")
# Names of a format, of arrays and of options stay as they are spelled.
_NAMES = (
    *FORMATS,
    *VIEWS,
    *OPTIONS,
    *("Headlight", "JSON", "dtype", "float", "int", "bool", "object", "complex"),
    *("meta", "model_id", "format", "vocabulary", "logits", "on", "off", "beside"),
    *("encoder_self", "decoder_self", "cross", "weights", "scores", "allowed", "queries", "keys"),
    *("source", "target", "written", "tokens", "texts", "ids", "words", "query", "key"),
)


def english_in(said: str, names: Iterable[str] = ()) -> set[str]:
    """Words of Latin letters that are no name.

    Args:
        names: of files, and what else a person wrote.
    """
    known = {word for name in (*_NAMES, *names) for word in _WORD.findall(name)}
    return set(_WORD.findall(said)) - known
