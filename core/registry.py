"""Model ids and the folders behind them. Nothing heavy is imported before a model loads."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core import settings
from core.checkpoint.manifest import (
    CONFIG,
    FIRST_TRACE,
    LIMITS,
    MANIFEST,
    MILESTONES,
    RECIPE,
    check_file,
    read_bounded,
    read_manifest,
)
from core.errors import HeadlightError, wrong
from core.families.hub.folder import (
    DISCRIMINATORS,
    FILLING_HEADS,
    READERS,
    called,
    gguf_of,
    is_hub,
    weights_bytes,
)
from core.families.hub.folder import FAMILY as HUB
from core.families.hub.found import with_found
from core.family import DEFAULT as FAMILY
from core.places import remembered
from core.reasons import because
from core.trace import AttentionTrace

if TYPE_CHECKING:
    import torch

    from core.families.hub.template import Chat
    from core.model import Inspectable

RUN_SUFFIX: Final = ".run"
"""What the id of a trained model ends in where a model of `root()` has its name."""
DEFAULT: Final = "ko-en-everyday"
SKIPGRAM: Final = "skipgram"
"""The family of models that tell what stands near a token, and write nothing."""
_LANGUAGE: Final = "language"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")
_LONGEST_ID: Final = 64
_LONGEST_EXAMPLE, _MOST_EXAMPLES = 500, 64  # as in a config.json that can be opened
_FIRST_TRACE_ARRAYS: Final = 4 * LIMITS[FIRST_TRACE]  # bytes once unpacked


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """What a list of models shows before any of them is loaded.

    Attributes:
        source_language, target_language: tags, "" where its config.json is not readable.
        examples: sentences to start from.
        labels: what it answers by, where it writes no text.
        family: how it is built; "" where that is not readable.
        fills: it fills gaps in a text, and writes none of its own.
        silent: it says nothing of what it reads: of a body without a head.
        letters: it writes letter by letter, by its config.json alone.
        foretells: what a model of ours says beside its text: "forward" what comes next, "backward"
            what came before, "masked" what is hidden; "" where it does something else.
        cell, score: of recurrent layers, and how these look at others; "" where it has none.
        bytes: of its weights, where it is a Hugging Face folder or a GGUF file.
    """

    model_id: str
    source_language: str
    target_language: str
    folder: Path
    examples: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    family: str = ""
    fills: bool = False
    silent: bool = False
    letters: bool = False
    foretells: str = ""
    cell: str = ""
    score: str = ""
    bytes: int = 0

    @property
    def writes(self) -> bool:
        """Whether it writes texts, so that one can be forced on it, by its config.json alone."""
        return not (self.labels or self.fills or self.silent or self.family == SKIPGRAM)


def root() -> Path:
    """Where models live: HEADLIGHT_CHECKPOINTS, or `checkpoints/` beside the code."""
    return settings.current().checkpoints


def runs_root() -> Path:
    """Where training runs live: HEADLIGHT_RUNS, or `runs/` beside the code."""
    return settings.current().runs


def model_ids() -> tuple[str, ...]:
    """Ids that can be opened: the models of `root()`, then the finished runs, each by name."""
    return tuple(folders())


def folders(run: str = MANIFEST) -> dict[str, Path]:
    """The same, each with its folder. A run with the name of a shipped model stands beside it.

    Args:
        run: a file that a run's folder must hold; its manifest comes when it has finished.
    """
    shipped, trained = root(), runs_root()  # once: each finds its way through links
    found = {name: shipped / name for name in _holding(CONFIG, shipped)}
    for name in _holding(run, trained):
        free = name if name not in found else name + RUN_SUFFIX
        found.setdefault(free, trained / name)
    if run == MANIFEST:
        places = (*settings.current().models, *remembered(trained))
        return with_found(found, places, trained)
    return found


def run_ids() -> tuple[str, ...]:
    """Folders of `runs_root()` in which a run began, finished or not, sorted by name."""
    return _holding(RECIPE, runs_root())


def known_run(run_id: str) -> Path:
    """The folder of a known run; for ids that come from outside, such as a URL.

    Raises:
        HeadlightError: parameter_invalid for anything else, paths included.
    """
    if run_id not in run_ids():
        raise wrong("run", run_id[:200], because("run_missing"))
    return runs_root() / run_id


def milestone_runs() -> dict[str, Path]:
    """Runs that kept milestones, finished or not, by the id that their model has or will have.

    Shipped models that brought their milestones along come first.
    """
    return {
        run_id: folder
        for run_id, folder in folders(RECIPE).items()
        if any((folder / MILESTONES).glob(f"[0-9]*/{MANIFEST}"))
    }


def entries() -> tuple[ModelEntry, ...]:
    """The models that can be opened with their languages, as their config.json claims them."""
    return tuple(entry_of(model_id, folder) for model_id, folder in folders().items())


def entry_of(model_id: str, folder: Path) -> ModelEntry:
    """What the config.json of a checkpoint folder claims; nothing where it is not readable."""
    if is_hub(folder):
        return _hub_entry(model_id, folder)
    try:
        config = json.loads(read_bounded(folder, CONFIG))
        tags = [str(config[key]) for key in ("source_language", "target_language")]
        examples = tuple(str(example)[:_LONGEST_EXAMPLE] for example in config.get("examples", ()))
        sizes = config["model"]
        labels = tuple(str(label)[:_LONGEST_ID] for label in sizes.get("labels", ()))
        family = str(config.get("family", FAMILY))[:_LONGEST_ID]
        fills = not labels and (family == _LANGUAGE or sizes.get("answers") == "next")
        foretells = str(sizes.get("objective", "forward"))[:_LONGEST_ID] if fills else ""
        cell, score = (str(sizes.get(name, ""))[:_LONGEST_ID] for name in ("cell", "attention"))
    except (HeadlightError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ModelEntry(model_id, "", "", folder)
    return ModelEntry(
        model_id,
        tags[0],
        tags[1],
        folder,
        examples[:_MOST_EXAMPLES],
        labels[:_MOST_EXAMPLES],
        family,
        fills,
        letters=config.get("tokenizer") == "characters",
        foretells=foretells,
        cell=cell,
        score=score,
    )


def _hub_entry(model_id: str, folder: Path) -> ModelEntry:
    """The same of a Hugging Face folder: what it does is told by the name of its architecture.

    A GGUF file goes on with a text, or writes one.
    """
    if gguf_of(folder):
        return ModelEntry(model_id, "", "", folder, family=HUB, bytes=weights_bytes(folder))
    try:
        config = json.loads(read_bounded(folder, CONFIG))
        (architecture, *_) = [*map(str, config.get("architectures") or ()), ""]
        kind = str(config.get("model_type", ""))
        named = config.get("id2label") or {}
        decodes = bool(config.get("is_encoder_decoder"))  # whose labels are not shown
        tells = architecture.endswith("Classification") and not decodes
        causal = bool(config.get("causal") or config.get("is_decoder"))
        encodes = architecture.endswith("EncoderModel")
        labels = tuple(str(label)[:_LONGEST_ID] for label in named.values()) if tells else ()
    except (HeadlightError, ValueError, TypeError, AttributeError, RecursionError):
        architecture, kind, labels, tells, causal, encodes = "", "", (), False, False, False
    pretrained = architecture.endswith("ForPreTraining") and kind not in DISCRIMINATORS
    told = architecture.endswith(("ForCausalLM", "LMHeadModel"))
    fills = pretrained or architecture.endswith("ForMaskedLM")
    if told and kind in READERS and not causal:  # XLM's fills; of others, the body alone opens
        fills, told = fills or kind in FILLING_HEADS, False
    silent = (kind in READERS and not fills and not tells and not told) or encodes
    labels = labels[:_MOST_EXAMPLES]
    weights = weights_bytes(folder)
    return ModelEntry(model_id, "", "", folder, (), labels, HUB, fills, silent, bytes=weights)


def default_model_id() -> str:
    """The model to open when none is named.

    Raises:
        HeadlightError: model_unknown when there is no model at all.
    """
    known = model_ids()
    if not known:
        raise _unknown(DEFAULT, known)
    return DEFAULT if DEFAULT in known else known[0]


def known_folder(model_id: str) -> Path:
    """The folder of a known id; for ids that come from outside, such as a URL.

    Raises:
        HeadlightError: model_unknown for anything else, paths included.
    """
    known = folders()
    if model_id not in known:
        raise _unknown(model_id, tuple(known))
    return known[model_id]


def find_folder(model: str | Path | None) -> Path:
    """The folder of a known id, or else a folder or a GGUF file by its path.

    Args:
        model: None takes `default_model_id()`.

    Raises:
        HeadlightError: model_unknown.
    """
    if model is None:
        model = default_model_id()
    known = folders()
    if str(model) in known:
        return known[str(model)]
    with suppress(OSError, ValueError):  # a name too long for the disk, or with a NUL
        if str(model) and (Path(model).is_dir() or gguf_of(Path(model))):
            return Path(model)
    raise _unknown(str(model), tuple(known))


def load(
    model: str | Path | None = None, device: torch.device | None = None, template: Chat = None
) -> Inspectable:
    """Open a model; nothing is cached here.

    Args:
        model: an id, a folder, ours or a Hugging Face one, or a GGUF file; None takes
            `default_model_id()`.
        device: None takes the best one here.
        template: what a Hugging Face folder puts around a message, as a trial of it found.

    Raises:
        HeadlightError: model_unknown, or as `core.checkpoint.folder.load`.
    """
    wanted = default_model_id() if model is None else model
    folder = find_folder(wanted)
    if is_hub(folder):
        from core.device import best_device
        from core.families.hub import open_folder

        name = str(wanted) if str(wanted) in folders() else called(folder)
        return open_folder(folder, device or best_device(), name, template)
    from core.checkpoint.folder import load as load_checkpoint
    from core.family import find

    opened = load_checkpoint(folder, device)
    return find(opened.config.family).model(opened)


def first_trace(model_id: str) -> AttentionTrace | None:
    """The stored trace of a known model, to paint before the model has loaded.

    Returns:
        None where the folder has none.

    Raises:
        HeadlightError: model_unknown, checkpoint_altered, checkpoint_invalid or trace_invalid.
    """
    from core.trace import load_trace

    folder = known_folder(model_id)
    manifest = read_manifest(folder)
    if FIRST_TRACE not in manifest.files:
        return None
    check_file(folder, manifest, FIRST_TRACE)
    return load_trace(folder / FIRST_TRACE, limit=_FIRST_TRACE_ARRAYS)


def is_id(name: str) -> bool:
    """Whether a model or a run may be called so."""
    return len(name) <= _LONGEST_ID and _ID.fullmatch(name) is not None


def _holding(file: str, root: Path) -> tuple[str, ...]:
    """Names of the folders in `root` that hold such a file, sorted."""
    try:
        names = sorted(path.name for path in root.iterdir())
    except OSError:
        return ()
    return tuple(name for name in names if is_id(name) and (root / name / file).is_file())


def _unknown(model: str, known: tuple[str, ...]) -> HeadlightError:
    return HeadlightError("model_unknown", model=model[:200], known=", ".join(known) or "none")
