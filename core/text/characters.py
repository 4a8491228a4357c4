"""Characters as tokens, Hangul syllables as the jamo that they are written with.

A syllable's initial and final ㄹ are two entries of the vocabulary. People read the initial
as "ㄹ" and the final, as dictionaries write what closes the syllable before it, as "-ㄹ".
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

from core.reasons import RefusedError
from core.text.jamo import ALONE, TAILS, standing
from core.text.tokenizer import SPECIAL_PIECES, TOKENIZERS, UNKNOWN_ID, Codec, clean, special_token
from core.trace import Token

_LIMIT: Final = 20_000  # characters in a vocabulary; Unicode's Hangul alone has 11,172
_HANGUL: Final = re.compile("[가-힣]+")
# A tail is told from a lead that looks the same.
_LETTERS: Final = {id: f"-{letter}" if id > TAILS else letter for id, letter in ALONE.items()}
# What phones and word processors put in the place of what was typed.
_TYPED: Final = str.maketrans("‘’“”–—", "''\"\"--")
_UNSEEN: Final = re.compile("[\ufe00-\ufe0f]")  # they choose how the character before them is drawn


class CharacterTokenizer(Codec):
    """A fixed list of characters.

    Args:
        characters: each a single character; Hangul as conjoining jamo. Order is the id.

    Raises:
        ValueError: for repeated or longer entries, or too many.
    """

    kind: Literal["characters"] = "characters"

    def __init__(self, characters: Sequence[str]) -> None:
        if len(characters) > _LIMIT or len(set(characters)) != len(characters):
            raise RefusedError("characters_repeat")
        if any(len(character) != 1 for character in characters):
            raise RefusedError("characters_long")
        self._characters = tuple(characters)
        offset = len(SPECIAL_PIECES)
        self._ids = {character: offset + i for i, character in enumerate(self._characters)}

    @classmethod
    def train(cls, texts: Iterable[str]) -> CharacterTokenizer:
        """Every character that occurs, the commonest first."""
        counts = Counter(character for text in texts for character in _letters(text))
        return cls(sorted(counts, key=lambda character: (-counts[character], character)))

    @classmethod
    def load(cls, folder: Path) -> CharacterTokenizer:
        text = (folder / TOKENIZERS[cls.kind]).read_text(encoding="utf-8")
        characters = json.loads(text)["characters"]
        if not isinstance(characters, list) or not all(isinstance(c, str) for c in characters):
            raise RefusedError("characters_none")
        return cls(characters)

    @property
    def size(self) -> int:
        return len(SPECIAL_PIECES) + len(self._characters)

    def encode(self, text: str) -> list[int]:
        """As `Codec.encode`; a character that is none of its own is read as its plain form.

        Full-width and joined letters are (ﬁ), and curved quotation marks; what nobody sees is
        not read.
        """
        read = _letters("".join(map(self._own, clean(text))))
        return [self._ids.get(character, UNKNOWN_ID) for character in read]

    def _own(self, character: str) -> str:
        if all(letter in self._ids for letter in _apart(character)):
            return character
        return _plain(character)

    def decode(self, ids: Sequence[int]) -> str:
        offset = len(SPECIAL_PIECES)
        text = "".join(self._characters[id - offset] for id in ids if id >= offset)
        return standing(text).strip()

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        tokens: list[Token] = []
        word = 0
        for id in ids:
            if id < len(SPECIAL_PIECES):
                tokens.append(special_token(int(id)))
                continue
            character = self._characters[id - len(SPECIAL_PIECES)]
            if character == " ":
                word += 1
            text = "␣" if character == " " else _LETTERS.get(ord(character), character)
            tokens.append(Token(character, text, int(id), word))
        return tuple(tokens)

    def save(self, folder: Path) -> None:
        text = json.dumps({"characters": self._characters}, ensure_ascii=False)
        (folder / TOKENIZERS[self.kind]).write_text(text, encoding="utf-8")


def _letters(text: str) -> str:
    """`text`, cleaned, with Hangul taken apart into jamo; other scripts keep their accents."""
    return _apart(clean(text).strip())


def _apart(text: str) -> str:
    return _HANGUL.sub(lambda run: unicodedata.normalize("NFD", run[0]), text)


def _plain(character: str) -> str:
    """What a person sees of a character in letters that are typed; "" of what nobody sees."""
    if unicodedata.category(character) == "Cf" or _UNSEEN.fullmatch(character):
        return ""
    return unicodedata.normalize("NFKC", character).translate(_TYPED)
