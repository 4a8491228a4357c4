"""What a training run is made of: typed, bounded, read from TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from core.checkpoint.config import CheckpointConfig, Example, Language
from core.errors import HeadlightError
from core.family import DEFAULT, find
from core.nn.network import Sizes
from core.reasons import RefusedError, because, reason_of
from core.text.tasks import Task
from core.text.tokenizer import TokenizerKind
from core.training.precision import Wanted

_ANY_VOCABULARY: Final = 1_000_000  # the largest, before it is known

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CorpusRecipe(_Table):
    """One source of pairs.

    Attributes:
        name: what its held-out parts and their scores are called.
        path: a TSV, JSONL or Parquet file, a folder, or the id of a Hugging Face dataset;
            relative to the folder in which the run starts.
        columns: names of the source's and the target's column, where the file has names.
        subset, split: of a Hugging Face dataset; of a folder, split picks the files named by it.
        reverse: the second column is the source; columns named by language need none.
        valid, test: shares of the sources that training never sees, 0 to 1.
        kept: the pairs are taught whatever others hold out (greetings, say); held-out pairs
            that say the same are left out instead.
        repeat: how often an epoch shows each pair; 0: none of them is taught.
        bpe_dropout: share of the merges of two pieces that are left out when its pairs are cut for
            training (Provilkov et al., 2020), 0 to 1: it teaches how rare words are spelled.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")]
    path: Annotated[str, Field(min_length=1, max_length=4096)]
    columns: tuple[str, str] | None = None
    subset: Annotated[str, Field(max_length=200)] | None = None
    split: Annotated[str, Field(max_length=200)] | None = None
    reverse: bool = False
    valid: Share = 0.0
    test: Share = 0.0
    kept: bool = False
    repeat: Annotated[int, Field(ge=0, le=100)] = 1
    bpe_dropout: Share = 0.0

    @model_validator(mode="after")
    def _shares_fit(self) -> Self:
        if self.valid + self.test > 1.0:
            raise RefusedError("parts_whole")
        if self.kept and self.valid + self.test > 0.0:
            raise RefusedError("parts_kept")
        return self

    @property
    def shown(self) -> bool:
        """Whether anything of it is taught."""
        return self.repeat > 0


class TokenizerRecipe(_Table):
    """How text becomes ids; vocab_size is for SentencePiece alone."""

    kind: TokenizerKind = "sentencepiece"
    vocab_size: Annotated[int, Field(ge=300, le=100_000)] = 6000


class PretrainedRecipe(_Table):
    """A checkpoint of the same family that a run begins with.

    Attributes:
        path: its folder, relative to the one in which the run starts.
        weights: its weights are where the run's begin; what it has none of, as a head of labels,
            begins afresh. False: its tokenizer alone is taken.
        tokenizer: taken too. False: the run learns its own, and each entry begins with the weights
            of those that spell it there.
    """

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    weights: bool = True
    tokenizer: bool = True

    @model_validator(mode="after")
    def _takes_something(self) -> Self:
        if not (self.weights or self.tokenizer):
            raise RefusedError("pretrained_nothing")
        return self


class Schedule(_Table):
    """Learning rate over the steps.

    Attributes:
        kind: "paper" is equation 3. The others warm up linearly to `peak`; then "linear" and
            "cosine" fall to 0 at the end, which serves short runs better, and "constant" stays.
        warmup: steps of linear warm-up.
        scale: factor on the paper's rate.
        peak: highest rate of the other schedules.
    """

    kind: Literal["paper", "linear", "cosine", "constant"] = "paper"
    warmup: Annotated[int, Field(ge=1, le=1_000_000)] = 4000
    scale: Annotated[float, Field(gt=0.0, le=100.0)] = 1.0
    peak: Annotated[float, Field(gt=0.0, le=1.0)] = 1e-3


class TrainingRecipe(_Table):
    """The loop's own numbers.

    Attributes:
        steps: updates of the weights.
        tokens_per_batch: source plus target positions of one batch, padding included.
        accumulate: batches whose gradients make one update.
        label_smoothing: epsilon_ls of Section 5.4.
        clip: largest norm of the gradient; 0 for none.
        precision: "bf16" runs matrix products under autocast; "auto" takes it where it is faster
            than float32 on the machine that the run begins on.
        report_every, validate_every, save_every: in steps.
        patience: validations in a row without a lower loss after which the run stops; it then
            ends with its best weights. 0: never.
        average: otherwise the weights that a run ends with are the mean of those of its last saved
            states, this many (Section 6.1); 1: the last alone.
        scheduled_sampling: share of the tokens read that are the model's own at the end of the run,
            rising from 0 (`core.training.sampled`); of models that write alone.
        milestones: about how many whole checkpoints are kept, spaced by the logarithm of
            the step; 0: none.
        storage: of weights in checkpoints, where float16 can hold them; "int8" is half as large.
    """

    steps: Annotated[int, Field(ge=1, le=10_000_000)]
    tokens_per_batch: Annotated[int, Field(ge=64, le=1_000_000)] = 4096
    accumulate: Annotated[int, Field(ge=1, le=1024)] = 1
    label_smoothing: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    clip: Annotated[float, Field(ge=0.0)] = 1.0
    precision: Wanted = "auto"
    report_every: Annotated[int, Field(ge=1)] = 100
    validate_every: Annotated[int, Field(ge=1)] = 1000
    save_every: Annotated[int, Field(ge=1)] = 1000
    patience: Annotated[int, Field(ge=0, le=1000)] = 0
    average: Annotated[int, Field(ge=1, le=100)] = 1
    milestones: Annotated[int, Field(ge=0, le=100)] = 20
    scheduled_sampling: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    storage: Literal["float16", "int8"] = "float16"

    @model_validator(mode="after")
    def _ends_one_way(self) -> Self:
        if self.patience and self.average > 1:
            raise RefusedError("patience_average")
        return self


class Recipe(_Table):
    """One run, whole.

    Attributes:
        family: of the model (`core.family`).
        model: sizes as its family has them, such as `TransformerConfig`, without vocab_size.
        max_source, max_target: tokens that the finished model accepts.
        tokenizer: what it learns, where it is not that of `pretrained`.
    """

    model_id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
    source_language: Language
    target_language: Language
    examples: Annotated[tuple[Example, ...], Field(max_length=64)] = ()
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    max_source: Annotated[int, Field(ge=2, le=4096)] = 128
    max_target: Annotated[int, Field(ge=2, le=4096)] = 128
    corpora: Annotated[tuple[CorpusRecipe, ...], Field(min_length=1)]
    tokenizer: TokenizerRecipe = TokenizerRecipe()
    family: str = DEFAULT
    pretrained: PretrainedRecipe | None = None
    model: dict[str, Any] = {}
    schedule: Schedule = Schedule()
    training: TrainingRecipe

    @field_validator("family")
    @classmethod
    def _is_known(cls, name: str) -> str:
        return find(name).name

    @model_validator(mode="after")
    def _fits(self) -> Self:
        known = find(self.family).tokenizers
        if self.tokenizer.kind not in known:
            reason = because("one_of", known=", ".join(known))
            raise RefusedError("at", place="tokenizer.kind", reason=reason)
        if self.training.scheduled_sampling and not self.task.writes:
            place = "training.scheduled_sampling"
            raise RefusedError("at", place=place, reason=because("own_words"))
        if len({corpus.name for corpus in self.corpora}) < len(self.corpora):
            raise RefusedError("corpora_named")
        return self

    @property
    def learns_tokenizer(self) -> bool:
        """Whether a run makes its own, rather than taking that of `pretrained`."""
        return self.pretrained is None or not self.pretrained.tokenizer

    def model_config_for(self, vocab_size: int) -> Sizes:
        """The model's sizes once the vocabulary is known."""
        longest = max(self.max_source, self.max_target)
        return find(self.family).sizes.model_validate(
            {"max_length": longest, **self.model, "vocab_size": vocab_size}
        )

    def config_for(self, model: Sizes, tokenizer: TokenizerKind) -> CheckpointConfig[Any]:
        """What its checkpoints say of themselves."""
        return CheckpointConfig(
            family=self.family,
            model=model,
            tokenizer=tokenizer,
            source_language=self.source_language,
            target_language=self.target_language,
            max_source=self.max_source,
            max_target=self.max_target,
            examples=self.examples,
        )

    @property
    def task(self) -> Task:
        """What its model is trained to do."""
        return self.model_config_for(_ANY_VOCABULARY).task


def load_recipe(path: Path) -> Recipe:
    """Read and check a recipe.

    Raises:
        HeadlightError: file_missing, or recipe_invalid naming the key and what is wrong.
    """
    try:
        recipe = Recipe.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
        recipe.config_for(recipe.model_config_for(_ANY_VOCABULARY), recipe.tokenizer.kind)
    except FileNotFoundError as error:
        raise HeadlightError("file_missing", path=str(path)) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise HeadlightError("recipe_invalid", path=str(path), reason=reason_of(error)) from error
    return recipe


def difference(one: Recipe, other: Recipe) -> str | None:
    """The first key, dotted, that has another value in the other recipe; None where none has."""
    ours, theirs = _flat(one.model_dump(mode="json")), _flat(other.model_dump(mode="json"))
    return next((key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)), None)


def _flat(values: Any, prefix: str = "") -> dict[str, Any]:
    items = enumerate(values) if isinstance(values, list) else values.items()
    flat: dict[str, Any] = {}
    for key, value in items:
        if isinstance(value, dict | list):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
