"""`config.json` of a checkpoint: what is needed to build the model, bounded before it is built."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Final, Generic, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from core.family import DEFAULT, find
from core.nn.network import Sizes
from core.reasons import RefusedError
from core.text.tokenizer import PAD_ID, TokenizerKind

_POSITIONS: Final = 2**24  # cells of the position table, the one thing no weight vouches for

_TAG: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def _check_tag(text: str) -> str:
    if not _TAG.fullmatch(text):
        raise RefusedError("language_tag", found=text)
    return text


Language = Annotated[str, AfterValidator(_check_tag)]
Example = Annotated[str, Field(min_length=1, max_length=500)]
S = TypeVar("S", bound=Sizes)


class CheckpointConfig(BaseModel, Generic[S]):
    """What a checkpoint folder says of its model.

    Attributes:
        family: by which it is built and looked into (`core.family`).
        model: sizes, as its family has them.
        source_language, target_language: BCP 47 tags.
        max_source, max_target: tokens, end token included.
        examples: sentences to start from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    family: str = DEFAULT
    model: S
    tokenizer: TokenizerKind
    source_language: Language
    target_language: Language
    max_source: Annotated[int, Field(ge=2, le=8192)]
    max_target: Annotated[int, Field(ge=2, le=8192)]
    examples: Annotated[tuple[Example, ...], Field(max_length=64)] = ()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if max(self.max_source, self.max_target) > self.model.max_length:
            raise RefusedError("config_longer")
        if self.model.max_length * self.model.d_model > _POSITIONS:
            raise RefusedError("config_large")
        if self.model.pad_id != PAD_ID:
            raise RefusedError("config_pad", id=PAD_ID)
        return self


def config_of_json(raw: bytes) -> CheckpointConfig[Any]:
    """A configuration as its family has it.

    Raises:
        RefusedError: of a family that is not known.
        ValidationError: by pydantic, for all else.
    """
    try:
        values = json.loads(raw)
        name = values["family"] if isinstance(values, dict) and "family" in values else DEFAULT
    except (ValueError, RecursionError):  # pydantic says what is wrong
        name = DEFAULT
    try:
        family = find(str(name))
    except RefusedError as error:
        raise RefusedError("at", place="family", reason=error.reason) from error
    sizes: Any = family.sizes
    return CheckpointConfig[sizes].model_validate_json(raw)
