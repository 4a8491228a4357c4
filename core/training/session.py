"""What a training run holds while it runs, made ready from its recipe."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import torch
from pydantic import ValidationError

from core.checkpoint.config import CheckpointConfig
from core.checkpoint.folder import Checkpoint, load, save
from core.checkpoint.manifest import Manifest
from core.errors import HeadlightError
from core.family import find
from core.model import Inspectable
from core.nn.network import Network, begin_with
from core.reasons import Reason, RefusedError, because, reason_of
from core.text.corpora import Pair
from core.text.examples import Example
from core.text.familiarity import Familiarity
from core.text.tokenizer import END_ID, TOKENIZERS, Tokenizer, TokenizerKind, load_tokenizer
from core.training.data import (
    Corpora,
    encode_corpora,
    read_corpora,
    train_tokenizer,
    write_held_out,
)
from core.training.events import Started
from core.training.folder import RunFolder
from core.training.group import Group
from core.training.loop import adam
from core.training.precision import Taken, take
from core.training.recipe import Recipe
from core.training.state import Position, has_state
from core.training.validation import validation_pairs
from core.training.vocabulary import spellings

_LARGEST_HALF: Final = torch.finfo(torch.float16).max


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """One run's parts.

    Attributes:
        recipe_path: as the person named it, for telling what is wrong in it.
        group: the processes that share it.
        examples: the training part in ids.
        valid: pairs that are translated at every validation, by the corpus's name.
    """

    recipe: Recipe
    recipe_path: Path
    folder: RunFolder
    group: Group
    corpora: Corpora
    tokenizer: Tokenizer
    examples: tuple[Example, ...]
    valid: Mapping[str, tuple[Pair, ...]]
    model: Network
    optimizer: torch.optim.Adam

    def precision(self, saved: Position | None) -> Taken:
        """What it computes in: a run that goes on keeps what it took, on whichever machine."""
        wanted = self.recipe.training.precision
        if saved is not None and saved.precision is not None:
            return Taken(saved.precision)
        if saved is not None and wanted == "auto":  # of when float32 was the default
            return Taken("fp32")
        device = next(self.model.parameters()).device
        own = take(wanted, find(self.recipe.family), self.model.config, self.examples, device)
        # All take what the leader does; each of them timed, since they share the machine.
        shared = self.group.led(float(own.precision == "bf16"))
        return Taken("bf16" if shared else "fp32", own.gain)

    def started(self, step: int, taken: Taken) -> Started:
        """How it introduces itself."""
        return Started(
            step,
            self.recipe.training.steps,
            sum(parameter.numel() for parameter in self.model.parameters()),
            self.tokenizer.size,
            len(self.examples),
            next(self.model.parameters()).device.type,
            self.group.size,
            taken.precision,
            taken.gain,
        )

    def data_digest(self) -> str:
        """Identity of the training examples in their order, in hex."""
        digest = hashlib.sha256()
        for example in self.examples:
            source, written = (
                [id for id in ids if id != END_ID] for ids in (example.source, example.written)
            )
            ids = [len(source), *source, *written]
            digest.update(np.array(ids, dtype=np.int32).tobytes())
        return digest.hexdigest()

    @contextmanager
    def opened(self, step: int) -> Iterator[Inspectable]:
        """The network as it stands, as people look into it; in eval mode meanwhile."""
        training = self.model.training
        manifest = Manifest(step=step, seed=self.recipe.seed, files={})
        checkpoint = Checkpoint(
            self.folder.path, self.config, self.model, self.tokenizer, None, None, manifest, ""
        )
        self.model.eval()
        try:
            yield find(self.recipe.family).model(checkpoint)
        finally:
            self.model.train(training)

    @property
    def config(self) -> CheckpointConfig[Any]:
        """What its checkpoints say of themselves."""
        return self.recipe.config_for(self.model.config, self.tokenizer.kind)

    def keep(self, folder: Path, step: int) -> None:
        """Have the leader make a checkpoint folder of the weights as they are, small."""
        if self.group.leads:
            self._save(folder, step, recipe=None, familiarity=None)

    def finish(self, step: int) -> None:
        """Make the run's own folder a checkpoint of the weights as they are."""
        # Each sentence once: a word of one phrase shown ten times an epoch is not ten words known.
        sources = dict.fromkeys(pair.source for pair in self.corpora.train)
        self._save(
            self.folder.path,
            step,
            recipe=self.folder.recipe.read_text(encoding="utf-8-sig"),
            familiarity=Familiarity.count(self.tokenizer, sources),
        )

    def _save(
        self, folder: Path, step: int, *, recipe: str | None, familiarity: Familiarity | None
    ) -> None:
        fits_half = all(p.abs().max() <= _LARGEST_HALF for p in self.model.parameters())
        save(
            folder,
            self.config,
            self.model,
            self.tokenizer,
            step=step,
            seed=self.recipe.seed,
            recipe=recipe,
            familiarity=familiarity,
            # Smaller; the difference is far below what one step of training moves.
            storage=self.recipe.training.storage if fits_half else "float32",
        )


def prepare(
    recipe: Recipe, recipe_path: Path, folder: RunFolder, group: Group, device: torch.device
) -> Session:
    """Read the data and build the model; the leader also writes what the folder must have.

    Raises:
        HeadlightError: as `read_corpora`; recipe_invalid for data that leaves nothing to train
            on, or too little for the vocabulary.
    """
    corpora = read_corpora(recipe)
    if not corpora.train:
        raise invalid(recipe_path, because("corpora_empty"))
    # A run that goes on has all of it in its own folder.
    pretrained = None if has_state(folder.work) else _pretrained(recipe, recipe_path)
    with group.first():
        if group.leads:
            write_held_out(corpora, folder.held_out)
            _make_tokenizer(recipe, recipe_path, folder, corpora, pretrained)
    tokenizer = load_tokenizer(_kind(recipe, folder), folder.work)
    try:
        examples, corpora = encode_corpora(recipe, corpora, tokenizer)
        valid = {
            name: chosen
            for name, pairs in corpora.valid.items()
            if (chosen := validation_pairs(recipe, tokenizer, pairs))
        }
    except RefusedError as error:
        raise invalid(recipe_path, because("at", place="corpora", reason=error.reason)) from error
    if not examples:
        raise invalid(recipe_path, because("pairs_long"))
    torch.manual_seed(recipe.seed)
    try:
        sizes = recipe.model_config_for(tokenizer.size)
    except ValidationError as error:  # what only a vocabulary of this size refuses
        raise invalid(recipe_path, reason_of(error)) from error
    model = find(recipe.family).network(sizes)
    if pretrained is not None and recipe.pretrained is not None and recipe.pretrained.weights:
        _begin_with(model, tokenizer, pretrained, recipe_path)
    model = model.to(device)
    if recipe.training.patience and not valid:
        raise invalid(recipe_path, because("patience_valid"))
    return Session(
        recipe,
        recipe_path,
        folder,
        group,
        corpora,
        tokenizer,
        examples,
        valid,
        model,
        adam(model),
    )


def invalid(recipe_path: Path, reason: Reason) -> HeadlightError:
    """Something that the recipe must say otherwise."""
    return HeadlightError("recipe_invalid", path=str(recipe_path), reason=reason)


def _begin_with(
    model: Network, tokenizer: Tokenizer, pretrained: Checkpoint[Any], recipe_path: Path
) -> None:
    entries = spellings(tokenizer, pretrained.tokenizer)
    same = entries == [[id] for id in range(pretrained.tokenizer.size)]
    try:
        begin_with(model, pretrained.model, None if same else entries)
    except RefusedError as error:
        raise invalid(recipe_path, because("at", place="pretrained", reason=error.reason)) from None


def _pretrained(recipe: Recipe, recipe_path: Path) -> Checkpoint[Any] | None:
    """The checkpoint that the recipe begins with, where it names one.

    Raises:
        HeadlightError: as `load`; recipe_invalid for one of another family.
    """
    if recipe.pretrained is None:
        return None
    found: Checkpoint[Any] = load(Path(recipe.pretrained.path), torch.device("cpu"))
    if found.config.family != recipe.family:
        reason = because("one_of", known=recipe.family)
        place = because("at", place="pretrained.path", reason=reason)
        raise invalid(recipe_path, place)
    return found


def _kind(recipe: Recipe, folder: RunFolder) -> TokenizerKind:
    """Of the tokenizer that the run made, or took."""
    if recipe.learns_tokenizer:
        return recipe.tokenizer.kind
    kinds: tuple[TokenizerKind, ...] = get_args(TokenizerKind)
    return next(kind for kind in kinds if (folder.work / TOKENIZERS[kind]).is_file())


def _make_tokenizer(
    recipe: Recipe,
    recipe_path: Path,
    folder: RunFolder,
    corpora: Corpora,
    pretrained: Checkpoint[Any] | None,
) -> None:
    """Once a run: whoever goes on with it finds the same file."""
    if has_state(folder.work):
        return
    if pretrained is not None and not recipe.learns_tokenizer:
        pretrained.tokenizer.save(folder.work)
        return
    try:
        train_tokenizer(recipe, corpora).save(folder.work)
    except ValueError as error:
        raise invalid(
            recipe_path, because("at", place="tokenizer", reason=reason_of(error))
        ) from error
