"""Names are romanised by rule, each in one way, and no two of them are one in English."""

from collections import defaultdict

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import korean, lexicon, names, people
from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.values import attached, is_held_out
from core.text.romanise import romanised, syllable


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        # The notice's own examples of names, given ones without sound changes.
        ("용하", "Yongha"), ("나리", "Nari"), ("복남", "Boknam"), ("빛나", "Bitna"),
        ("지영", "Jiyeong"), ("현우", "Hyeonu"), ("희진", "Huijin"), ("설리", "Seolli"),
        ("옥", "Ok"),
    ],
)  # fmt: skip
def test_the_revised_romanization_of_names(hangul: str, latin: str) -> None:
    assert romanised(hangul) == latin


@pytest.mark.parametrize("text", ["A", "ㅏ", "1"])
def test_what_is_no_syllable_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="syllable"):
        syllable(text)


def test_korean_names_of_the_lexicon_follow_the_rule() -> None:
    others = {name.korean: name.english for name in names.first_names()}
    for noun in lexicon.load().nouns:
        if "name" in noun.classes:
            assert noun.english == others.get(noun.korean, romanised(noun.korean))


def test_a_name_is_one_in_both_languages() -> None:
    """Whatever a source calls somebody, it is nobody else."""
    given = (*names.given_names(), *names.unlisted_names())
    known = (*given, *names.first_names(), *names.of_people())
    for both in (("korean", "english"), ("english", "korean")):
        of: dict[str, set[str]] = defaultdict(set)
        for name in known:
            of[getattr(name, both[0])].add(getattr(name, both[1]))
        assert {one: other for one, other in of.items() if len(other) > 1} == {}


def test_a_name_as_its_owner_spells_it_is_nobody_elses() -> None:
    draw = Draw(lexicon.load(), 0, settled=True)
    of = {name.english: name.korean for name in names.first_names()}
    for name in names.given_names():
        for _ in range(8):
            (spelled,) = people._by_owner(draw, name.korean)
            assert of.setdefault(spelled, name.korean) == name.korean, spelled


def test_a_family_name_is_spelled_as_no_other_is() -> None:
    of: dict[str, str] = {}
    for name in names.family_names():
        for spelling in (name.english, *name.also):
            assert of.setdefault(spelling, name.korean) == name.korean, spelling
    usual = {name.korean: name.english for name in names.family_names()}
    assert [usual[one] for one in "김이박최정"] == ["Kim", "Lee", "Park", "Choi", "Jung"]


def test_there_are_many_names_and_a_tenth_is_held_out() -> None:
    given = {name.korean for name in names.given_names()}
    held = {name.korean for name in names.given_names() if not names.is_kept(name)}
    assert len(given) > 700
    assert 0.07 < len(held) / len(given) < 0.14
    assert not held & {noun.korean for noun in names.of_people()}
    syllables = {one for name in given - held for one in name}
    assert {one for name in held for one in name} <= syllables, "each syllable is seen elsewhere"


def test_any_two_syllables_of_names_are_a_name_unless_it_is_held_out() -> None:
    unlisted = {name.korean for name in names.unlisted_names()}
    given = {name.korean for name in names.given_names()}
    assert len(unlisted) > 4000
    assert not unlisted & given
    assert not any(is_held_out(("name", name)) for name in unlisted)
    held = [name.korean for name in names.given_names() if not names.is_kept(name)]
    both = [[any(other[at] == name[at] for other in unlisted) for at in (0, 1)] for name in held]
    assert all(map(all, both)), "each of its syllables is seen in its place"


def test_nobody_is_called_by_another_word() -> None:
    """우리가 게을러요 is of us, and of no Uri."""
    called = {name.korean for name in (*names.given_names(), *names.unlisted_names())}
    assert not called & {"우리", "하나", "이해", "병신"}
    assert not called & {adverb.korean for adverb in lexicon.load().adverbs}


@pytest.mark.parametrize(
    ("word", "particle", "said"),
    [
        ("지영", "이에요", "지영이에요"), ("안나", "이에요", "안나예요"),
        ("톰", "이라고", "톰이라고"), ("10", "이에요", "10이에요"),
        ("민수", "아", "민수야"), ("지영", "아", "지영아"), ("서울", "으로", "서울로"),
        ("부산", "으로", "부산으로"), ("3", "은", "3은"), ("2", "은", "2는"),
        ("2018", "으로", "2018로"), ("7:35", "이에요", "7:35이에요"), ("민수", "에게", "민수에게"),
    ],
)  # fmt: skip
def test_particles_know_what_they_follow(word: str, particle: str, said: str) -> None:
    assert attached(word, particle) == said


def test_particles_of_names_are_those_of_the_morphology() -> None:
    for name in names.of_people()[::7]:
        for role, form in names.with_particles(name.korean).items():
            assert form == korean.with_particle(name.korean, role)


def test_places_and_peoples_are_named_once() -> None:
    for rows in (table("countries"), table("cities"), table("first_names"), table("last_names")):
        for column in ("korean", "english"):
            assert len({row[column] for row in rows}) == len(rows)
    countries = {row["korean"] for row in table("countries")}
    assert {row["country"] for row in table("cities")} <= countries | {""}


def test_holding_out_does_not_depend_on_the_run() -> None:
    """What one run holds out, the next must not teach: these have been held out from the first."""
    held = [n for n in range(100, 200) if is_held_out(("number", str(n)))]
    assert held == [102, 125, 126, 135, 138, 143, 163, 166, 172, 182, 188, 189, 191, 198]
