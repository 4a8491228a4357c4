"""The commands that made what is kept of studies, whole: they are there to be copied."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.cli.drawn import DRAWN

_DATA: Final[Mapping[str, str]] = {
    "alignment": "data/alignment",
    "bottleneck": "data/everyday",
    "exposure": "data/everyday",
    "extrapolation": "data/passages",
    "transfer": "data/sentiment",
}
"""Where docs/studies.md has the grammar write what each reads; a study tells names of files."""
_TRAINED_FOR: Final = ("bottleneck", "extrapolation")
"""Studies whose models were all trained for them."""
_OWN: Final = "study-"
"""What names of other models begin with that were."""


def commands(study: str, made: Sequence[Mapping[str, Any]]) -> str:
    """What to type for it, a run a line.

    Args:
        made: what is kept of the study. Where that is nothing, models are ID and files FILE.tsv.
    """
    begin, end = f"python -m core study {study}", "--json"
    return "\n".join(shlex.join([*begin.split(), *run, end]) for run in _runs(study, made))


def _runs(study: str, made: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """The options of each."""
    told = [one for one in made if one.get("options", {}).get("data")]
    if study not in _DATA:
        yield []
    elif not told:
        unknown = ["--test", "FILE.tsv"] if study == "transfer" else ["--model", "ID"]
        yield [*unknown, "--data", "FILE.tsv"]
    else:
        yield from (_options(study, one) for one in told)


def _options(study: str, made: Mapping[str, Any]) -> list[str]:
    told = made["options"]
    if study == "transfer":  # of the model that it takes by itself
        named = [("updates", str(told["updates"]))]
    else:
        models = made.get("curves") or made.get("models") or [told]
        named = [("model", _model(study, one["model"])) for one in models]
    files = [told["data"]] if isinstance(told["data"], str) else told["data"]
    found = [("data", file) for file in files if file != DRAWN]
    found += [("test", told["test"])] if "test" in told else []
    named += [(option, f"{_DATA[study]}/{file}") for option, file in found]
    return [part for option, value in named for part in (f"--{option}", value)]


def _model(study: str, name: str) -> str:
    """An id, or the folder of one that was trained for a study, as docs/studies.md names it."""
    return f"runs/{name}" if study in _TRAINED_FOR or name.startswith(_OWN) else name
