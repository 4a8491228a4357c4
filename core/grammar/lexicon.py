"""The words: readable tables under ``lexicon/``, loaded into frozen values.

Nouns carry semantic classes; verbs and adjectives name the classes (or the groups of
``groups.tsv``) that they go with, so that sentences make sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

DATA = Path(__file__).with_name("lexicon")


@dataclass(frozen=True)
class Noun:
    """One concept: a Korean noun, its English noun, its classes and its English behaviour."""

    korean: str
    english: str
    classes: frozenset[str]
    features: frozenset[str]


@dataclass(frozen=True)
class Verb:
    """A verb with its argument frame: ``(role, selected classes)`` in Korean order."""

    korean: str
    english: str
    arguments: tuple[tuple[str, str], ...]
    subject: str
    places: str
    features: frozenset[str]

    @property
    def name(self) -> str:
        """The dictionary stem with the English beside it, which tells homographs apart."""
        return f"{self.korean.split('/')[0]}:{self.english}"

    @property
    def willed(self) -> bool:
        """Whether one does it on purpose, and can do it again."""
        return self.subject != "it" and not self.features & {
            "state",
            "invol",
            "once",
            "negword",
            "bad",
            "nowant",
        }


@dataclass(frozen=True)
class Adjective:
    """A Korean descriptive verb and its English adjective, with what it describes.

    ``value`` is +, - or 0 (as one likes it or not) on a ``scale``; "but" joins unlike values.
    """

    korean: str
    english: str
    subject: str
    features: frozenset[str]
    value: str = "0"
    scale: str = ""


@dataclass(frozen=True)
class Adverb:
    """An adverbial and its kind: past, future, near, now, clock, freq, mid, manner, degree."""

    korean: str
    english: str
    kind: str
    verbs: str = ""


@dataclass(frozen=True)
class Link:
    """A state of affairs, its kind, and the verbs for what one does then."""

    korean: str
    english: str
    kind: str
    effects: frozenset[str]


@dataclass(frozen=True)
class Reason:
    """What happened, why something else did; ``noun`` names it in a word: because of the rain.

    The English has a subject of its own before a colon; each effect is a Korean predicate and its
    English, after "!" where it is what could not be done.
    """

    korean: str
    english: str
    effects: tuple[tuple[str, str], ...]
    noun: tuple[str, str] | None


@dataclass(frozen=True)
class Spot:
    """A place beside, in or on a thing, and what one finds there."""

    korean: str
    english: str
    things: str


@dataclass(frozen=True)
class Counter:
    """A counter, its English unit ("" or "cup of") and the nouns that it counts."""

    korean: str
    english: str
    members: str


@cache
def table(name: str) -> tuple[Mapping[str, str], ...]:
    """A table's rows, each by the names of its columns; read once.

    Raises:
        OSError: it is missing.
        ValueError: a row has not as many cells as there are columns.
    """
    return tuple(_read(name))


def _read(name: str) -> Iterator[dict[str, str]]:
    text = (DATA / f"{name}.tsv").read_text(encoding="utf-8")
    header, *lines = text.removesuffix("\n").split("\n")
    columns = header.split("\t")
    return (dict(zip(columns, line.split("\t"), strict=True)) for line in lines)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


@dataclass(frozen=True)
class Lexicon:
    """All tables, and the pools of nouns that their class names select."""

    nouns: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    adverbs: tuple[Adverb, ...]
    counters: tuple[Counter, ...]
    groups: dict[str, str]
    scenes: tuple[tuple[str, str], ...]
    spots: tuple[Spot, ...]
    links: tuple[Link, ...]
    reasons: tuple[Reason, ...]
    phrases: tuple[tuple[str, str], ...]
    _pools: dict[str, tuple[Noun, ...]] = field(default_factory=dict, compare=False)
    _verbs: dict[str, tuple[Verb, ...]] = field(default_factory=dict, compare=False)
    _sets: dict[str, frozenset[Noun]] = field(default_factory=dict, compare=False)

    def pool(self, selection: str) -> tuple[Noun, ...]:
        """Nouns that a selection names, commonest first.

        Args:
            selection: comma-separated classes, groups, ``=korean`` or ``=korean:english`` words;
                a leading ``-`` takes away.

        Returns:
            The selected nouns, each once.

        Raises:
            KeyError: a name that no class, group or noun bears.
        """
        if selection not in self._pools:
            chosen: dict[Noun, None] = {}
            for item in filter(None, selection.split(",")):
                if item.startswith("-"):
                    for noun in self._members(item[1:]):
                        chosen.pop(noun, None)
                else:
                    chosen.update(dict.fromkeys(self._members(item)))
            self._pools[selection] = tuple(chosen)
        return self._pools[selection]

    def members(self, selection: str) -> frozenset[Noun]:
        """The nouns of a pool, for asking whether one is among them."""
        if selection not in self._sets:
            self._sets[selection] = frozenset(self.pool(selection))
        return self._sets[selection]

    def verbs_with(self, feature: str) -> tuple[Verb, ...]:
        """Verbs that bear a feature; all, where it is empty."""
        if feature not in self._verbs:
            self._verbs[feature] = tuple(
                v for v in self.verbs if not feature or feature in v.features
            )
        return self._verbs[feature]

    def adjectives_for(self, subject: str) -> tuple[Adjective, ...]:
        """Adjectives said of one class of subject alone."""
        return tuple(a for a in self.adjectives if a.subject == subject)

    def adjectives_of(self, noun: Noun) -> tuple[Adjective, ...]:
        """Adjectives that one may put before a noun."""
        return self._fitting[0].get(noun, ())

    def counters_of(self, noun: Noun) -> tuple[Counter, ...]:
        """Counters that count a noun."""
        return self._fitting[1].get(noun, ())

    @cached_property
    def _fitting(self) -> tuple[dict[Noun, tuple[Adjective, ...]], dict[Noun, tuple[Counter, ...]]]:
        adjectives: dict[Noun, tuple[Adjective, ...]] = {}
        counters: dict[Noun, tuple[Counter, ...]] = {}
        for adjective in self.adjectives:
            for noun in self.pool(adjective.subject):
                if "feel" not in adjective.features:
                    adjectives[noun] = (*adjectives.get(noun, ()), adjective)
        for counter in self.counters:
            for noun in self.pool(counter.members):
                if counter.english or not noun.features & {"mass", "plural", "bare", "the", "own"}:
                    counters[noun] = (*counters.get(noun, ()), counter)
        return adjectives, counters

    def noun(self, korean: str, english: str = "") -> Noun:
        """The first noun with this Korean form (and English form, where given)."""
        for noun in self._by_korean[korean]:
            if not english or noun.english == english:
                return noun
        raise KeyError(f"{korean}:{english}")

    def adverbs_of(self, *kinds: str) -> tuple[Adverb, ...]:
        """Adverbs of the given kinds, in table order."""
        return tuple(adverb for adverb in self.adverbs if adverb.kind in kinds)

    @cached_property
    def _by_korean(self) -> dict[str, list[Noun]]:
        table: dict[str, list[Noun]] = {}
        for noun in self.nouns:
            table.setdefault(noun.korean, []).append(noun)
        return table

    @cached_property
    def _by_class(self) -> dict[str, list[Noun]]:
        table: dict[str, list[Noun]] = {}
        for noun in self.nouns:
            for name in sorted(noun.classes):
                table.setdefault(name, []).append(noun)
        return table

    def _members(self, item: str) -> tuple[Noun, ...]:
        if item.startswith("="):
            korean, _, english = item[1:].partition(":")
            return (self.noun(korean, english),)
        if item in self.groups:
            return self.pool(self.groups[item])
        return tuple(self._by_class[item])


@cache
def load() -> Lexicon:
    """The lexicon, read once.

    Raises:
        OSError: a table is missing.
        KeyError: a table lacks a column.
    """
    return Lexicon(
        nouns=tuple(
            Noun(r["korean"], r["english"], _names(r["classes"]), _names(r["features"]))
            for r in table("nouns")
        ),
        verbs=tuple(_verb(r) for r in table("verbs")),
        adjectives=tuple(
            Adjective(
                r["korean"],
                r["english"],
                r["subject"],
                _names(r["features"]),
                r["value"],
                r["scale"],
            )
            for r in table("adjectives")
        ),
        adverbs=tuple(
            Adverb(r["korean"], r["english"], r["kind"], r["verbs"]) for r in table("adverbs")
        ),
        counters=tuple(Counter(r["korean"], r["english"], r["members"]) for r in table("counters")),
        groups={r["group"]: r["members"] for r in table("groups")},
        scenes=tuple((r["place"], r["things"]) for r in table("scenes")),
        spots=tuple(Spot(r["korean"], r["english"], r["things"]) for r in table("spots")),
        links=tuple(
            Link(
                r["cause"],
                r["english"],
                r["kind"],
                frozenset(filter(None, r["effects"].split(";"))),
            )
            for r in table("links")
        ),
        reasons=tuple(_reason(r) for r in table("reasons")),
        phrases=tuple(_phrases()),
    )


def _phrases() -> Iterator[tuple[str, str]]:
    """Fixed lines of all topics, first the common ones: each Korean way with its English."""
    topics = sorted((path.stem for path in (DATA / "phrases").glob("*.tsv")), key=_is_special)
    for topic in topics:
        for row in _read(f"phrases/{topic}"):
            for korean in row["korean"].split(" / "):
                yield korean, row["english"]


def _is_special(topic: str) -> tuple[bool, str]:
    return topic != "common", topic


def _verb(row: Mapping[str, str]) -> Verb:
    arguments = [argument.partition("=") for argument in row["arguments"].split()]
    return Verb(
        korean=row["korean"],
        english=row["english"],
        arguments=tuple((role, selection) for role, _, selection in arguments),
        subject=row["subject"],
        places=row["places"],
        features=_names(row["features"]),
    )


def _reason(row: Mapping[str, str]) -> Reason:
    return Reason(
        row["cause"],
        row["english"],
        tuple(_twins(effect) for effect in row["effects"].split(";")),
        _twins(row["noun"]) if row["noun"] else None,
    )


def _twins(text: str) -> tuple[str, str]:
    korean, _, english = text.partition("=")
    return korean, english
