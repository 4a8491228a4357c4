"""Who and where: names of persons, places and peoples as values of slots."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from core.grammar.coined import stranger
from core.grammar.draw import Draw
from core.grammar.korean import final_consonant
from core.grammar.lexicon import table
from core.grammar.names import (
    Name,
    everyday,
    family_names,
    first_names,
    given_names,
    last_names,
    unlisted_names,
)
from core.grammar.values import Value
from core.text.romanise import syllable

_ASIDE: Final = 0.15
"""How often a Korean name, as a source, is spelled in a way of its owner's."""
_UNLISTED: Final = 0.4
"""How often a given name is any two syllables of names."""
_LATIN: Final = 0.2
"""How often a first name, in Korean, may stand in its own letters: 저는 Anna예요."""


@cache
def _of_gender(names: str, gender: str) -> tuple[Name, ...]:
    pool = {"given": given_names, "unlisted": unlisted_names, "first": first_names}[names]()
    chosen: dict[str, Name] = {}
    for name in pool:
        if gender in ("", name.gender):
            chosen.setdefault(name.korean, name)
    return tuple(chosen.values())


@cache
def _other_spellings() -> dict[str, str]:
    return {row["korean"]: row["also"] for row in table("syllables")}


def _by_owner(draw: Draw, korean: str) -> tuple[str, ...]:
    """A given name as people spell theirs: Ji-young, Hyunwoo."""
    others = _other_spellings()
    loose = [others.get(one, syllable(one)) for one in korean]
    strict = [syllable(one) for one in korean]
    spelled = draw.one_of((strict, loose))
    joined = draw.one_of(("", "-")).join(spelled)
    return (joined[0].upper() + joined[1:],)


def _given(draw: Draw, gender: str = "") -> Value:
    unlisted = draw.chance(_UNLISTED)
    if unlisted:
        name = draw.one_of(_of_gender("unlisted", gender))
    else:
        name = draw.word(_of_gender("given", gender))
    aside = not unlisted and draw.settled and draw.chance(_ASIDE)
    english = _by_owner(draw, name.korean) if aside else (name.english,)
    keys = frozenset() if name.korean in everyday() else frozenset({("name", name.korean)})
    return Value((name.korean,), english, keys, is_called=final_consonant(name.korean))


def _first(draw: Draw, gender: str = "") -> Value:
    name = draw.word(_of_gender("first", gender))
    usual = (name.korean, *name.also)
    latin = (name.english,) if draw.chance(_LATIN) else ()
    return Value((*usual, *latin), (name.english,), read=name.korean)


def _surname(draw: Draw) -> Name:
    return draw.word(family_names()[: 20 if draw.chance(0.7) else None])


def _full(draw: Draw) -> Value:
    """김민수, Kim Minsu; its order is turned in English now and then."""
    family, given = _surname(draw), _given(draw)
    english = (family.english, *family.also)
    last = draw.one_of(english) if draw.settled and draw.chance(_ASIDE) else english[0]
    first = given.english[0]
    turned = draw.settled and draw.chance(_ASIDE)
    return Value(
        (family.korean + given.korean[0],),
        (f"{first} {last}" if turned else f"{last} {first}",),
        given.keys,
    )


def _western(draw: Draw) -> Value:
    first, last = _first(draw), draw.word(last_names())
    return Value(
        tuple(f"{one} {last.korean}" for one in first.korean if one != first.english[0]),
        (f"{first.english[0]} {last.english}",),
    )


def _any(draw: Draw) -> Value:
    fill = draw.weighted((_full, _given, _first, _western, stranger), (5, 4, 4, 1, 0.7))
    return fill(draw)


def _korean(draw: Draw) -> Value:
    return draw.weighted((_full, _given), (3, 2))(draw)


def _foreign(draw: Draw) -> Value:
    return draw.weighted((_first, _western, stranger), (4, 1, 0.5))(draw)


def _person(draw: Draw, gender: str = "") -> Value:
    """Somebody by the name that friends use."""
    return draw.weighted((_given, _first), (3, 2))(draw, gender)


def _family(draw: Draw) -> Value:
    name = _surname(draw)
    return Value((name.korean,), (name.english,))


@cache
def _places(name: str, column: str) -> tuple[Value, ...]:
    return tuple(
        Value((row["korean"],), (row[column], *filter(None, row.get("also", "").split(","))))
        for row in table(name)
    )


@cache
def _peoples() -> tuple[Value, ...]:
    return tuple(
        Value((f"{row['korean']} 사람", f"{row['korean']}인"), (row["people"],))
        for row in table("countries")
        if row["people"] and " " not in row["korean"]
    )


def _country(draw: Draw) -> Value:
    return draw.word(_places("countries", "english"))


@cache
def _cities(*, korean: bool) -> tuple[Value, ...]:
    rows = [row["korean"] for row in table("cities") if (row["country"] == "한국") == korean]
    return tuple(value for value in _places("cities", "english") if value.korean[0] in rows)


def _home(draw: Draw) -> Value:
    """A place in Korea, or Korea."""
    return draw.word((_places("countries", "english")[0], *_cities(korean=True)))


def _abroad(draw: Draw) -> Value:
    pool = draw.one_of((_cities(korean=False), _places("countries", "english")[1:]))
    return draw.word(pool)


def _city(draw: Draw) -> Value:
    return draw.word(_places("cities", "english"))


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {
    "name": _any,
    "korean": _korean,
    "foreign": _foreign,
    "given": _given,
    "first": _first,
    "person": _person,
    "boy": lambda draw: _person(draw, "male"),
    "girl": lambda draw: _person(draw, "female"),
    "family": _family,
    "country": _country,
    "city": _city,
    "home": _home,
    "abroad": _abroad,
    "homecity": lambda draw: draw.word(_cities(korean=True)),
    "farcity": lambda draw: draw.word(_cities(korean=False)),
    "foreigner": lambda draw: draw.word(_peoples()[1:]),
    "compatriot": lambda draw: _peoples()[0],
    "place": lambda draw: draw.one_of((_country, _city))(draw),
    "people": lambda draw: draw.word(_peoples()),
}
