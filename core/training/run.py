"""One training run, from a recipe to a checkpoint folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import torch
from safetensors import SafetensorError

from core import checkpoint
from core.device import best_device
from core.errors import HeadlightError
from core.nn.transformer import Transformer
from core.text.familiarity import Familiarity
from core.text.tokenizer import Tokenizer, load_tokenizer
from core.training.batches import encode_pairs
from core.training.data import Corpora, read_corpora, train_tokenizer, write_held_out
from core.training.events import Event, Finished, Started, append_event
from core.training.loop import adam, train
from core.training.recipe import Recipe, load_recipe
from core.training.state import has_state, load_state

_VALIDATION_PAIRS: Final = 500  # of each held-out part: enough to see a loss move
_LARGEST_HALF: Final = torch.finfo(torch.float16).max
_WORK: Final = "work"  # what only a resumed run needs


def run(recipe_path: Path, out: Path | None = None, *, resume: bool = False) -> Iterator[Event]:
    """Train by a recipe; every event is also appended to `events.jsonl`.

    Args:
        recipe_path: a TOML recipe.
        out: the folder that becomes a checkpoint; `runs/<model_id>` where left out.
        resume: go on after the last saved step, if there is one.

    Raises:
        HeadlightError: file_missing, data_invalid, recipe_invalid (also for data that leaves
            nothing to train on, and for a saved state of another recipe), training_diverged,
            file_unwritable, or parameter_invalid for a folder that already holds a run.
    """
    recipe = load_recipe(recipe_path)
    folder = out or Path("runs") / recipe.model_id
    work = folder / _WORK
    if has_state(work) and not resume:
        raise HeadlightError(
            "parameter_invalid", name="--out", value=str(folder), reason="it holds a run already"
        )
    try:
        work.mkdir(parents=True, exist_ok=True)
        for event in _events(recipe, recipe_path, folder, work):
            append_event(folder / "events.jsonl", event)
            yield event
    except OSError as error:  # what is read has its own errors
        raise _unwritable(error.filename or folder, error.strerror or str(error)) from error
    except SafetensorError as error:  # how it tells of a full disk
        raise _unwritable(folder, str(error)) from error


def _events(recipe: Recipe, recipe_path: Path, folder: Path, work: Path) -> Iterator[Event]:
    corpora = read_corpora(recipe)
    write_held_out(corpora, folder / "held_out")
    if not corpora.train:
        raise _invalid(recipe_path, "corpora: no pair is left to train on")
    tokenizer = _tokenizer(recipe, recipe_path, corpora, work)
    limits = recipe.max_source, recipe.max_target
    examples = encode_pairs(tokenizer, corpora.train, *limits)
    if not examples:
        raise _invalid(recipe_path, "max_source, max_target: every pair is longer")
    held_out = {
        name: encode_pairs(tokenizer, pairs[:_VALIDATION_PAIRS], *limits)
        for name, pairs in corpora.held_out.items()
    }
    torch.manual_seed(recipe.seed)
    device = best_device()
    model = Transformer(recipe.model_config_for(tokenizer.size)).to(device)
    optimizer = adam(model)
    start = _start(recipe_path, work, model, optimizer)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    yield Started(
        start,
        recipe.training.steps,
        parameters,
        tokenizer.size,
        len(examples),
        str(device),
    )
    yield from train(recipe, model, optimizer, examples, held_out, start=start, folder=work)
    checkpoint.save(
        folder,
        checkpoint.CheckpointConfig(
            model=model.config,
            tokenizer=tokenizer.kind,
            source_language=recipe.source_language,
            target_language=recipe.target_language,
            max_source=recipe.max_source,
            max_target=recipe.max_target,
            examples=recipe.examples,
        ),
        model,
        tokenizer,
        step=recipe.training.steps,
        seed=recipe.seed,
        recipe=recipe_path.read_text(encoding="utf-8"),
        # Each sentence once: a word of one phrase shown ten times an epoch is not ten words known.
        familiarity=Familiarity.count(tokenizer, dict.fromkeys(p.source for p in corpora.train)),
        # Half the size; the difference is far below what one step of training moves.
        half=all(p.abs().max() <= _LARGEST_HALF for p in model.parameters()),
    )
    yield Finished(recipe.training.steps, str(folder))


def _start(recipe_path: Path, work: Path, model: Transformer, optimizer: torch.optim.Adam) -> int:
    """The step after which the run goes on; 0 for a new one."""
    if not has_state(work):
        return 0
    try:
        return load_state(work, model, optimizer)
    except OSError as error:
        reason = error.strerror or str(error)
        raise HeadlightError("file_unreadable", path=str(work), reason=reason) from error
    except ValueError as error:
        raise _invalid(recipe_path, f"{work}: {error}") from error


def _tokenizer(recipe: Recipe, recipe_path: Path, corpora: Corpora, work: Path) -> Tokenizer:
    """The tokenizer of this run: trained once, then always the same file."""
    if has_state(work):
        return load_tokenizer(recipe.tokenizer.kind, work)
    try:
        tokenizer = train_tokenizer(recipe, corpora)
    except ValueError as error:
        raise _invalid(recipe_path, f"tokenizer: {error}") from error
    tokenizer.save(work)
    return tokenizer


def _unwritable(path: str | Path, reason: str) -> HeadlightError:
    return HeadlightError("file_unwritable", path=str(path), reason=reason)


def _invalid(recipe_path: Path, reason: str) -> HeadlightError:
    return HeadlightError("recipe_invalid", path=str(recipe_path), reason=reason)
