"""One family of errors for people: a code and its parameters.

The core raises them, the command line prints the English sentence below, and the app
words the same code in the reader's language. A sentence says what happened and what to
do; parameters are data, never templates, so untrusted text in them stays text. Where the
sentence says why, that is a parameter with a code of its own (`core.reasons`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import ClassVar, Final

from core.reasons import Reason, of_system

SENTENCES: Final[dict[str, str]] = {
    # what a person typed
    "text_empty": "There is no text yet: type a sentence.",
    "text_too_large": (
        "The text is {size:,} characters long; this model reads at most {limit:,}. Shorten it."
    ),
    "source_too_long": (
        "The sentence is {length} tokens long; this model reads at most {limit}. Shorten it."
    ),
    "target_too_long": (
        "The target is {length} tokens long; this model writes at most {limit}. Shorten it."
    ),
    "parameter_invalid": "{name} cannot be {value!r}: {reason}.",
    # models and their folders
    "model_unknown": "There is no model called {model!r}. Known models: {known}.",
    "checkpoint_missing": "{path} has no {file}: it is not a whole checkpoint folder.",
    "checkpoint_altered": (
        "{file} in {path} is not what its manifest says (it was altered or cut short). "
        "Copy the checkpoint again."
    ),
    "checkpoint_invalid": "{file} in {path} cannot be used: {reason}.",
    "model_undelivered": "{name} cannot be fetched from the Hugging Face Hub: {reason}.",
    # files that a person names
    "file_missing": "There is no file {path}.",
    "file_unreadable": "{path} cannot be read: {reason}.",
    "file_unwritable": "{path} cannot be written: {reason}.",
    "trace_invalid": "{path} is not a trace that Headlight can draw: {reason}.",
    "data_invalid": "{path} line {line}: {reason}.",
    "dataset_missing": (
        "There is no file or folder {path}, and no dataset of that name on the Hugging Face Hub "
        "that can be read without asking its owner. Check the path."
    ),
    "hub_unreachable": (
        "There is no file or folder {path}, and the Hugging Face Hub cannot be reached for a "
        "dataset of that name. Check the path, or connect to the network."
    ),
    "recipe_invalid": "{path}: {reason}.",
    "training_diverged": (
        "Training diverged: at update {step:,} {what} was no longer finite. "
        "Lower the learning rate or clip the gradient in the recipe, and start anew."
    ),
    "run_exists": (
        "{path} holds a run already. Go on with it by --resume, or name another folder by --out."
    ),
    "run_ended": (
        "{path} holds a model, and no state that a run could go on from. Name another folder by "
        "--out."
    ),
    "folder_foreign": (
        "{path} holds a recipe.toml or an events.jsonl that no run made, and a run would write "
        "over it. Name another folder by --out."
    ),
    "run_busy": "Another process trains in {path}. Stop it first, or name another folder by --out.",
    "run_damaged": (
        "No saved state in {path} is whole. Start the training anew, in another folder."
    ),
    "state_damaged": (
        "{path} is damaged, and the run is to end with a mean that it is part of. Delete it and "
        "go on with --resume: the mean is of the other states then."
    ),
    "memory_full": (
        "Memory ran out after update {step:,}. Lower tokens_per_batch (now {now:,}) in the recipe "
        "and raise accumulate by as much; what was saved before stays."
    ),
    "process_lost": (
        "A process of this training is gone, so all of them end after update {step:,}. "
        "Start it again with --resume."
    ),
    "package_missing": "{feature} needs a package that is not here: pip install {package}.",
    "device_unknown": "There is no device {device!r} here. Known: {known}.",
    "setting_unknown": "{name} is no setting of Headlight. Unset it, or name a known one: {known}.",
    "setting_invalid": "{name} cannot be {value!r}: {reason}.",
    "unsupported": "{model} has no {feature}.",
}


class HeadlightError(Exception):
    """Something that a person can put right.

    Args:
        code: a key of `sentences`.
        reason: why, where the sentence says so.
        parameters: what else the sentence names: strings and numbers, or parts of a sentence.
    """

    sentences: ClassVar[Mapping[str, str]] = SENTENCES
    """English by code. Whoever refuses by codes of their own derives a class with more."""

    def __init__(
        self, code: str, *, reason: Reason | None = None, **parameters: str | int | float | Reason
    ) -> None:
        if code not in self.sentences:
            raise KeyError(code)
        self.code = code
        self.parameters = parameters if reason is None else {**parameters, "reason": reason}
        super().__init__(self.sentences[code].format(**self.parameters))


def wrong(name: str, value: str | int, reason: Reason) -> HeadlightError:
    """The refusal of a parameter's value."""
    return HeadlightError("parameter_invalid", name=name, value=value, reason=reason)


def unusable(folder: PathLike[str], file: str, reason: Reason) -> HeadlightError:
    """The refusal of a file of a checkpoint folder."""
    return HeadlightError("checkpoint_invalid", path=str(folder), file=file, reason=reason)


def unreadable(path: str | PathLike[str], reason: Reason) -> HeadlightError:
    """The refusal of a file that cannot be read."""
    return HeadlightError("file_unreadable", path=str(path), reason=reason)


def invalid_line(path: str, line: int, reason: Reason) -> HeadlightError:
    """The refusal of a line of data."""
    return HeadlightError("data_invalid", path=path, line=line, reason=reason)


def unwritable(path: str | PathLike[str], error: OSError) -> HeadlightError:
    """The refusal of a file that cannot be written: what the operating system says of it."""
    return HeadlightError("file_unwritable", path=str(path), reason=of_system(error))


@contextmanager
def reading(path: str | PathLike[str]) -> Iterator[None]:
    """What the operating system says within is of this file.

    Raises:
        HeadlightError: file_missing or file_unreadable.
    """
    try:
        yield
    except FileNotFoundError as error:
        raise HeadlightError("file_missing", path=str(path)) from error
    except OSError as error:
        raise unreadable(path, of_system(error)) from error
