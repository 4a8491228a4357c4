"""What a chat template puts around a message of a user: the two texts that it comes to.

A template is a program that came with a model (Jinja). It runs in a trial alone
(`core.families.hub.trial`); everything else knows these texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from core.reasons import RefusedError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

MOST: Final = 2_000
"""Characters before a message, and behind it."""
_PROBES: Final = ("Zq1 <&'\"> 가  é", "A longer 22 <&'\"> 나  üZ.")
"""What escapes, joins or changes letters shows in one of them; both start and end by a letter."""


@dataclass(frozen=True, slots=True)
class Template:
    """Texts around a message, special tokens spelled out.

    Raises:
        RefusedError: one is too long, or is no text.
    """

    before: str
    after: str

    def __post_init__(self) -> None:
        texts = (self.before, self.after)
        if not all(isinstance(text, str) and len(text) <= MOST for text in texts):
            raise RefusedError("template_other")
        if any("\ud800" <= letter <= "\udfff" for text in texts for letter in text):
            raise RefusedError("template_other")

    def around(self, text: str) -> str:
        """A message as it is read."""
        return f"{self.before}{text}{self.after}"


Chat = Template | Literal["other"] | None
"""What is known of a model's template; "other" where it puts no two texts around a message."""


def rendered(tokenizer: PreTrainedTokenizerBase) -> Chat:
    """What a tokenizer's own template puts around any message. Runs what came with the folder."""
    if not tokenizer.chat_template:
        return None
    try:
        first, second = (_around(tokenizer, probe) for probe in _PROBES)
    except Exception:  # of any kind: it is a program that somebody wrote
        return "other"
    return first if first is not None and first == second else "other"


def _around(tokenizer: PreTrainedTokenizerBase, probe: str) -> Template | None:
    """What stands around a message; None where it does not stand there, once."""
    told = tokenizer.apply_chat_template(
        [{"role": "user", "content": probe}], tokenize=False, add_generation_prompt=True
    )
    before, *after = str(told).split(probe)
    return Template(before, after[0]) if len(after) == 1 else None


def told_of(chat: Chat) -> dict[str, Any]:
    """As a trial tells it."""
    if isinstance(chat, Template):
        return {"before": chat.before, "after": chat.after}
    return {"other": True} if chat else {}


def chat_of(told: dict[str, Any]) -> Chat:
    """What a trial told.

    Raises:
        RefusedError: no such texts.
    """
    if "before" in told:
        return Template(told["before"], told.get("after", ""))
    return "other" if "other" in told else None
