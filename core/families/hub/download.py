"""A model of the Hugging Face Hub, brought to this machine: what it takes is told before.

What is fetched is what is read of a folder, and no more: no pickle, no code. It lies in the Hub's
own cache then, where other programs find it, too.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from core.errors import HeadlightError
from core.families.hub.folder import (
    CONFIG,
    CONFIGS,
    INDEX,
    PICKLED,
    SMALL,
    TEXTS,
    WEIGHTS,
    configured,
)
from core.families.hub.found import hub_cache
from core.reasons import Reason, RefusedError, because, of_system, reason_of

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}(/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?")
_SHARD: Final = re.compile(r"[A-Za-z0-9._-]{1,99}-[0-9]{5}-of-[0-9]{5}\.safetensors")
_WITHIN: Final = ("tree", "blob", "resolve", "commits", "discussions")
_OTHERS: Final = ("datasets", "spaces", "collections", "docs", "papers")
_CONVERTER: Final = "SFconvertbot"
"""Who offers the weights of others' models as safetensors, beside the pickles that they come in."""
_PATIENCE: Final = 10.0  # seconds for one answer
_TELLING: Final = 0.2  # seconds between two words of how far it is
_SPARE: Final = 2**28  # bytes of a disk that stay free


@dataclass(frozen=True, slots=True)
class Offer:
    """What the Hub has of a model.

    Attributes:
        name: owner/name.
        revision: the very version, so that what is fetched is what was told.
        files: that would be fetched, with their bytes.
        parameters: numbers that its weights hold; 0 where the Hub does not say.
    """

    name: str
    revision: str
    files: Mapping[str, int]
    parameters: int

    @property
    def bytes(self) -> int:
        """Of all its files."""
        return sum(self.files.values())


def named(text: str) -> str | None:
    """The name of a model of the Hub, owner/name or a link to its page; None where it is none."""
    text = text.strip()
    if text.startswith(("https://", "http://")):
        try:
            parts = urlsplit(text).path.strip("/").split("/")[:2]
        except ValueError:
            return None
        if parts[0] in _OTHERS:
            return None
        text = "/".join(parts[:1] if parts[-1] in _WITHIN else parts)
    fits = _NAME.fullmatch(text) and ".." not in text and "--" not in text
    return text if fits else None


def cached(name: str) -> Path:
    """The folder of a model of the Hub in the cache, there or not."""
    return hub_cache() / f"models--{name.replace('/', '--')}"


def offered(name: str, revision: str | None = None) -> Offer:
    """Asks the Hub for a model's files and their sizes; reads what they say of it, keeps none.

    Args:
        revision: a version that was offered before; the present one, where left out.

    Raises:
        HeadlightError: model_undelivered, with the reason.
    """
    with _worded(name):
        api = _api()
        found = api.model_info(name, revision=revision, files_metadata=True, timeout=_PATIENCE)
        files = _files(found)
        if not any(one.endswith(".safetensors") for one in files):
            converted = _converted(api, name)
            if converted is None:
                if any(one.rfilename in PICKLED for one in found.siblings or ()):
                    raise RefusedError("hub_pickled")
                raise RefusedError("hub_weightless")
            found = converted
            files = _files(found)
        if CONFIG not in files:
            raise RefusedError("hub_none")
        _check_config(name, str(found.sha), files)
        told = getattr(found.safetensors, "total", 0) or 0
        return Offer(name, str(found.sha), files, int(told))


def fetch(offer: Offer, told: Callable[[int], None]) -> Path:
    """Fetches a model; what was fetched before is not fetched again.

    Args:
        told: hears how many bytes are here, now and then.

    Returns:
        its folder in the hub's cache.

    Raises:
        HeadlightError: model_undelivered, with the reason.
    """
    with _worded(offer.name):
        _check_disk(offer)
        from huggingface_hub import snapshot_download

        folder = snapshot_download(
            offer.name,
            revision=offer.revision,
            allow_patterns=list(offer.files),
            tqdm_class=_telling(told),
            cache_dir=hub_cache(),
            etag_timeout=_PATIENCE,
        )
        _name_main(offer)
        told(offer.bytes)
        return Path(folder)


def _api() -> Any:
    # Read when it is imported: nothing is counted or told.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import HfApi

    return HfApi()


def _files(found: Any) -> dict[str, int]:
    """What would be fetched of all that a model's version has."""
    sizes = {one.rfilename: int(one.size or 0) for one in found.siblings or ()}
    weights = [WEIGHTS] if WEIGHTS in sizes else [one for one in sizes if _SHARD.fullmatch(one)]
    wanted = {*TEXTS, *weights} - ({INDEX} if weights == [WEIGHTS] else set())
    return {name: sizes[name] for name in sorted(wanted & sizes.keys())}


def _converted(api: Any, name: str) -> Any:
    """The version of a model that its converter offers; None where there is none."""
    for one in api.get_repo_discussions(name, author=_CONVERTER, discussion_type="pull_request"):
        if one.author == _CONVERTER and one.status in ("open", "draft"):
            found = api.model_info(
                name, revision=one.git_reference, files_metadata=True, timeout=_PATIENCE
            )
            if any(path.endswith(".safetensors") for path in _files(found)):
                return found
    return None


def _check_config(name: str, revision: str, files: Mapping[str, int]) -> None:
    """That a model is of a kind that is opened, as far as its configuration tells."""
    from huggingface_hub import hf_hub_download

    with tempfile.TemporaryDirectory() as folder:
        for one in CONFIGS:
            if files.get(one, SMALL) < SMALL:
                hf_hub_download(
                    name, one, revision=revision, local_dir=folder, etag_timeout=_PATIENCE
                )
        try:
            configured(Path(folder))
        except HeadlightError as error:
            reason = error.parameters.get("reason")
            reason = reason if isinstance(reason, Reason) else because("hub_none")
            raise HeadlightError("model_undelivered", name=name, reason=reason) from error


def _check_disk(offer: Offer) -> None:
    cache = hub_cache()
    there = next(path for path in (cache, *cache.parents) if path.exists())
    free = shutil.disk_usage(there).free - _SPARE
    missing = offer.bytes - _fetched(offer)
    if missing > free:
        needed, left = (max(size, 0) / 2**30 for size in (missing, free))
        raise RefusedError("disk_short", needed=f"{needed:.1f}", free=f"{left:.1f}")


def _fetched(offer: Offer) -> int:
    """Bytes that lie in the cache already."""
    try:
        there = (path.stat().st_size for path in (cached(offer.name) / "blobs").iterdir())
        return min(sum(there), offer.bytes)
    except OSError:
        return 0


def _name_main(offer: Offer) -> None:
    """Has the cache name this version as the main one, which others look for by name alone."""
    refs = cached(offer.name) / "refs"
    refs.mkdir(exist_ok=True)
    (refs / "main").write_text(offer.revision, encoding="ascii")


def _telling(told: Callable[[int], None]) -> type:
    """What the library counts bytes with, and tells us."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    class Telling(tqdm):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            self._counts = options.get("unit") == "B" and "transfer" not in str(options.get("name"))
            options.pop("name", None)
            self._told = 0.0
            super().__init__(*args, **(options | {"disable": False, "file": _NOWHERE}))

        def update(self, n: float | None = 1) -> Any:
            shown = super().update(n)
            now = time.monotonic()
            if self._counts and now - self._told > _TELLING:
                self._told = now
                told(int(self.n))
            return shown

    return Telling


class _Nowhere:
    def write(self, _: str) -> None: ...

    def flush(self) -> None: ...


_NOWHERE: Final = _Nowhere()


@contextmanager
def _worded(name: str) -> Iterator[None]:
    """What goes wrong between here and the Hub, as an error of ours."""
    try:
        yield
    except HeadlightError:
        raise
    except Exception as error:  # of whichever HTTP library it uses
        reason = error.reason if isinstance(error, RefusedError) else _reason(error)
        raise HeadlightError("model_undelivered", name=name, reason=reason) from error


def _reason(error: Exception) -> Reason:
    from huggingface_hub import errors

    match error:
        case errors.GatedRepoError():
            return because("hub_gated")
        case errors.RepositoryNotFoundError() | errors.HFValidationError():
            return because("hub_absent")
        case errors.OfflineModeIsEnabled() | ConnectionError() | TimeoutError():
            return because("hub_offline")
        case errors.HfHubHTTPError():
            return reason_of(error)
        case OSError() if error.errno is not None:
            return of_system(error)
        case _ if type(error).__module__.startswith(("httpx", "httpcore")):
            return because("hub_offline")
        case _:
            return reason_of(error)
