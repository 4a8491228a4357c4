"""Datasets of the Hugging Face library: saved in a folder, or named on the Hub.

No remote code is ever run: the library knows data files alone. Nothing is asked of the network
but a dataset that a person named, and what was downloaded once is found again without it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from core.errors import HeadlightError, unreadable
from core.reasons import because
from core.text.formats import Names, Row, record_rows, wanted_columns

_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")
_SAVED: Final = ("dataset_dict.json", "state.json")  # what the library's save_to_disk leaves
_BATCH: Final = 1_000
_PATIENCE: Final = 10.0  # seconds in which the Hub must answer


def is_saved(folder: Path) -> bool:
    """Whether the library's `save_to_disk` wrote this folder."""
    return any((folder / name).is_file() for name in _SAVED)


def is_id(path: str) -> bool:
    """Whether this can be the id of a dataset on the Hub: owner/name."""
    return _ID.fullmatch(path) is not None


def saved_rows(folder: Path, choices: Sequence[Names], split: str | None) -> Iterator[Row]:
    """Rows of a folder that `save_to_disk` wrote.

    Args:
        split: one of its splits; where left out, "train" or the only one.

    Raises:
        HeadlightError: file_unreadable, or data_invalid without columns of pairs.
    """
    path = str(folder)
    library = _library()
    with _worded(path):
        found = library.load_from_disk(path)
    yield from _rows(path, one_split(path, found, split), choices)


def hub_rows(
    id: str, choices: Sequence[Names], subset: str | None, split: str | None
) -> Iterator[Row]:
    """Rows of a dataset on the Hub, from its local copy where the Hub cannot be reached.

    Args:
        subset: which of its configurations, where it has several.
        split: in the library's notation, "train[:10000]" included; as for `saved_rows`.

    Raises:
        HeadlightError: hub_unreachable, dataset_missing, file_unreadable with what the
            library says, or data_invalid without columns of pairs.
    """
    library = _library()
    with _worded(id), _network(library, _answers(id)):
        try:
            found = library.load_dataset(id, subset, split=split)
        except ConnectionError as error:
            raise HeadlightError("hub_unreachable", path=id) from error
    yield from _rows(id, one_split(id, found, None), choices)


def one_split(path: str, found: Any, split: str | None) -> Any:
    """The split that is meant: the one named, or else "train", or the only one.

    Args:
        found: a dataset, or datasets by the names of their splits.

    Raises:
        HeadlightError: file_unreadable, with the names that there are.
    """
    if not isinstance(found, Mapping):
        if split is None:
            return found
        raise unreadable(path, because("splits_none"))
    names = list(found)
    name = split or ("train" if "train" in found or len(names) != 1 else names[0])
    if name not in found:
        raise unreadable(path, because("splits_known", known=", ".join(names)))
    return found[name]


def _library() -> Any:
    # Read when it is imported: nothing is counted or told.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")
    import datasets

    datasets.logging.set_verbosity_error()
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
    return datasets


def _answers(id: str) -> bool:
    """Whether the Hub can be reached: the library itself would try for half a minute.

    Raises:
        HeadlightError: dataset_missing.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        HfApi().dataset_info(id, timeout=_PATIENCE)
    except RepositoryNotFoundError as error:
        raise HeadlightError("dataset_missing", path=id) from error
    except Exception:  # of whichever HTTP library it uses
        return False
    return True


@contextmanager
def _network(library: Any, open: bool) -> Iterator[None]:
    """Keep the library from trying where trying is known to fail."""
    before = library.config.HF_HUB_OFFLINE
    library.config.HF_HUB_OFFLINE = before or not open
    try:
        yield
    finally:
        library.config.HF_HUB_OFFLINE = before


@contextmanager
def _worded(path: str) -> Iterator[None]:
    """What the library says, as an error of ours."""
    try:
        yield
    except HeadlightError:
        raise
    except Exception as error:  # it lets those of all its formats and servers through
        said = " ".join(str(error).split()) or type(error).__name__
        # Its own word for a subset, which is the recipe's key.
        said = said.replace("Config name", "`subset`")[:300].rstrip(".")
        raise unreadable(path, because("library", said=said)) from error


def _rows(path: str, table: Any, choices: Sequence[Names]) -> Iterator[Row]:
    wanted = table.select_columns(wanted_columns(path, table.column_names, choices))
    batches = wanted.with_format("arrow").iter(batch_size=_BATCH)
    with _worded(path):
        yield from record_rows(batches, choices)
