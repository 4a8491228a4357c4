"""The bilingual grammar: its splits, its sentences, and its Korean checked by other means."""

from __future__ import annotations

import dataclasses
import itertools
import random
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import english, frames, korean, lexicon
from core.grammar.common import common
from core.grammar.english import Subject, VerbGroup
from core.grammar.generate import HELDOUT_ROWS, Corpus, corpus, stream, unseen
from core.grammar.sentences import Sentence
from core.text.corpora import text_key
from tests.core.grammar import drawing

FIRST = "어제 카페 갔었어 거기 사람 많더라"


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Corpus:
    return drawing.small_corpus("en", request)


@pytest.fixture(scope="module")
def sample(made: Corpus) -> list[Sentence]:
    """Sentences of every part."""
    held = tuple(itertools.chain(*parts(made)[2:]))
    return random.Random(0).sample(made.train, 6000) + list(held)


def parts(made: Corpus) -> list[tuple[Sentence, ...]]:
    """Every part, those to train on first."""
    return [getattr(made, field.name) for field in dataclasses.fields(made)]


# --- splits ---------------------------------------------------------------------------------------


def test_parts_have_the_promised_sizes(made: Corpus) -> None:
    held = parts(made)[2:]
    assert [len(part) for part in held] == [HELDOUT_ROWS] * 7
    twins = drawing.PAIRS["en"] - sum(map(len, parts(made)[1:5]))  # are left out
    assert 0 <= twins < 0.1 * HELDOUT_ROWS
    assert {s.frame for s in made.phrases} == {"phrase"}


def test_common_phrases_are_those_of_their_table(made: Corpus) -> None:
    first = common(made.phrases)
    # Each row is spelled in more than three ways, and they are a small part of all phrases.
    assert 3 * len(lexicon.table("phrases/common")) < len(first) < len(made.phrases) / 8
    assert {"안녕하세요.", "감사합니다."} <= {s.korean for s in first}
    others = {row["english"] for row in lexicon.table("phrases/vocabulary")}
    assert not others & {s.english for s in first}
    spelled_otherwise = [Sentence("저는 학생이에요.", "i'm a student", "phrase")]
    assert list(common(spelled_otherwise)) == spelled_otherwise


def test_no_korean_sentence_occurs_twice(made: Corpus) -> None:
    counts = Counter(s.korean for part in parts(made) for s in part)
    assert counts.most_common(1)[0][1] == 1


def test_no_held_out_sentence_is_trained_on_with_other_punctuation(made: Corpus) -> None:
    trained = {text_key(s.korean) for s in made.phrases + made.train}
    held = [s.korean for part in parts(made)[2:] for s in part]
    assert [korean for korean in held if text_key(korean) in trained] == []


def test_one_korean_sentence_has_one_english(made: Corpus) -> None:
    """Also where only the full stop differs."""
    meanings: dict[str, set[str]] = {}
    for part in parts(made):
        for s in part:
            meanings.setdefault(s.korean.rstrip("."), set()).add(s.english)
    assert [k for k, v in meanings.items() if len(v) > 1] == []


def test_heldout_frames_are_new_but_their_parts_are_not(made: Corpus) -> None:
    seen = {s.frame for s in made.train}
    held = {s.frame for s in made.heldout_frames}
    known = frames.load().heldout
    assert held <= known
    # which so few pairs need not have, 300,000 do
    rare = {"where.act.intend.present", "after:act>act.wish.present.statement"}
    assert known - held <= rare, "every held-out frame occurs"
    assert not held & seen

    def pieces(names: Iterable[str]) -> set[str]:
        return {piece for name in names for piece in re.split("[.:>]", name)}

    assert pieces(held) <= pieces(seen)


def test_heldout_word_pairs_are_new_but_their_words_are_not(made: Corpus) -> None:
    trained = {pair for s in made.train for pair in s.pairs}
    held = {pair for s in made.heldout_words for pair in s.pairs if unseen(pair)}
    assert len(held) > 50
    assert not held & trained
    firsts, seconds = {a for a, _ in trained}, {b for _, b in trained}
    known = [a in firsts and b in seconds for a, b in held]
    assert all(known)
    for s in made.heldout_words:
        assert any(unseen(pair) for pair in s.pairs)


def test_the_corpus_is_a_function_of_its_seed() -> None:
    first, again, other = (list(itertools.islice(drawing.drawn(seed), 600)) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_determinism_does_not_rest_on_the_hash_seed() -> None:
    program = (
        "import itertools, hashlib; from core.grammar.generate import stream;"
        "made = itertools.dropwhile(lambda s: s.frame == 'phrase', stream(1));"
        "text = repr([(s.korean, s.english, s.frame) for s in itertools.islice(made, 600)]);"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path.cwd())},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


# --- words ----------------------------------------------------------------------------------------


def test_the_lexicon_is_wide() -> None:
    words = lexicon.load()
    tables = (words.nouns, words.verbs, words.adjectives, words.adverbs)
    distinct = {entry.korean.split("/")[0] for table in tables for entry in table}
    assert len(distinct) >= 1500
    assert len(words.phrases) >= 200


def test_every_selection_names_words() -> None:
    words = lexicon.load()
    selections = [s for v in words.verbs for _, s in v.arguments]
    selections += [v.places for v in words.verbs if v.places]
    selections += [a.subject for a in words.adjectives]
    selections += [things for _, things in words.scenes] + [s.things for s in words.spots]
    empty = [s for s in selections if not words.pool(s)]
    assert empty == []


def test_causes_name_verbs() -> None:
    words = lexicon.load()
    names = {verb.name for verb in words.verbs}
    assert {e for link in words.links for e in link.effects} <= names


def test_an_unknown_selection_is_an_error() -> None:
    with pytest.raises(KeyError):
        lexicon.load().pool("no-such-class")


# --- sentences ------------------------------------------------------------------------------------


def test_the_first_sentence_is_in_training(made: Corpus) -> None:
    found = {s.korean: s.english for s in made.train}
    assert found[FIRST] == "Yesterday I went to the cafe, there were many people there."


def test_the_first_sentence_has_relatives(made: Corpus) -> None:
    frame = next(s.frame for s in made.train if s.korean == FIRST)
    relatives = [s for s in made.train if s.frame == frame]
    assert len(relatives) > 250
    assert sum("갔었어" in s.korean and s.korean.endswith("더라") for s in relatives) > 10


def test_what_was_not_there_is_said_too(made: Corpus) -> None:
    relatives = [s for s in made.train if s.frame == "juxtaposed:act>exist.not.past.statement"]
    assert len(relatives) > 30
    assert all("없" in s.korean and "n't any " in s.english for s in relatives)
    assert any(s.korean.rstrip(".").endswith("없더라") for s in relatives)


def test_what_people_type_is_known() -> None:
    fixed = itertools.takewhile(lambda s: s.frame == "phrase", stream(0))
    known = {s.korean: s.english for s in fixed}
    assert known["안녕하세요"] == "Hello."
    assert known["감사합니다"] == "Thank you."
    assert known["배고파"] == "I am hungry."
    assert known["사랑해"] == "I love you."
    assert known["이거 얼마예요?"] == "How much is this?"
    assert known["화장실이 어디예요?"] == "Where is the restroom?"


def test_english_is_a_sentence(sample: list[Sentence]) -> None:
    wrong = [
        s.english
        for s in sample
        if not re.fullmatch(r"[A-Z0-9][^{}<>/*_+|]*[.?!]", s.english)
        and not s.frame.startswith("bare.")
    ]
    assert wrong == []
    assert [s.english for s in sample if "  " in s.english or " ." in s.english] == []


def test_questions_are_questions(sample: list[Sentence]) -> None:
    marked = [s for s in sample if s.korean.endswith("?") and s.frame != "phrase"]
    assert len(marked) > 500
    told = [s for s in marked if not s.english.endswith("?")]
    # A greeting has the form of a question, as a chat spells it, too.
    assert [s for s in told if not re.search(r"안녕하세(요\?|여\?+)$", s.korean)] == []


def test_korean_is_hangul_in_nfc(sample: list[Sentence]) -> None:
    # What people type there has a test of its own.
    kinds = ("chat:", "chatter:", "brand", "slip:", "coined", "bare.copy", "bare.sigh", "word")
    typed = (*kinds, "lines")  # two phrases, of which some are words of a chat
    for s in sample:
        assert unicodedata.is_normalized("NFC", s.korean)
        frame = re.sub(r"^(opened:\w+\.\w+\.|space:)", "", s.frame)
        if not frame.startswith((*typed, "room.seat", "opened:")):
            fits = r"[가-힣0-9 ]+([.,:%?!-] ?[가-힣0-9 ]+)*%?[.?!]?"
            names = sorted(re.findall(r"[A-Z]\w*", s.english), key=len, reverse=True)  # as they are
            korean = re.sub("|".join(names), "가", s.korean)
            assert re.fullmatch(fits, korean), s.korean
        assert len(s.korean.split()) <= 14


def test_articles_fit_the_next_sound(sample: list[Sentence]) -> None:
    pattern = re.compile(r"\b(a [aeio]\w*|an [^aeiouAEIOU\sh]\w*)", re.IGNORECASE)
    found = {m[0] for s in sample for m in pattern.finditer(s.english)}
    spoken = re.compile("(?i:a (uni|eu|one))|[Aa]n ([A-Z]{2}|Xbox)")
    assert {f for f in found if not spoken.match(f)} == set()


def test_short_sentences_prevail(made: Corpus) -> None:
    lengths = sorted(len(s.korean.split()) for s in made.train)
    assert 3 <= lengths[len(lengths) // 2] <= 5


# --- constructions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "korean", "words"),
    [
        ("so:event", r"서 ", r", so "),
        ("because_of:event", r" 때문에 ", r"^Because of .+, "),
        ("think:", r"고 생각", r"^(I think|Do you think) "),
        ("seem:", r" 것 같", r"^I think "),
        ("said:", r"고 (했|하셨)(다|어|어요|습니다)\.?$", r" said (he|she) (was|would) "),
        ("that:act", r"[가-힣]", r" that "),
        ("journey.", r" 걸[리려렸립린]", r"(takes?|took)\b"),
        ("comparative.weather", r"보다 ", r" than "),
        ("identity.", r"[가-힣]", r"\b(is|am|[Aa]re)\b"),
        ("too.", r"도 ", r" too\b"),
        ("and_seo:act>it", r"서 ", r" and .* (it|them)\b"),
    ],
)
def test_each_kind_of_sentence_is_said_its_way(
    made: Corpus, frame: str, korean: str, words: str
) -> None:
    rows = [s for s in made.train if s.frame.startswith(frame)]
    assert len(rows) > 10
    assert [s for s in rows if not re.search(korean, s.korean)] == []
    assert [s for s in rows if not re.search(words, s.english)] == []


def test_what_could_not_be_is_denied_in_both_languages(made: Corpus) -> None:
    rows = [
        s for s in made.train if ":event>act.mot." in s.frame or ":event>act.can_not." in s.frame
    ]
    assert len(rows) > 50
    assert [s for s in rows if not re.search(r"못 | 수 없", s.korean)] == []
    assert [s for s in rows if not re.search(r"n't ", s.english)] == []


def test_one_asks_others_for_their_own_wishes(made: Corpus) -> None:
    """Of somebody else one asks -고 싶어하다; both have "Did ... want to" in English."""
    asked = [s for s in made.train + made.heldout_frames if s.frame.endswith("question")]
    own = [s for s in asked if ".wish." in s.frame]
    of_others = [s for s in asked if ".wish_of." in s.frame]
    assert len(own) > 60
    assert len(of_others) > 4
    assert [
        s for s in own if not re.search(r"\b(do|did) you (really )?want to\b", s.english, re.I)
    ] == []
    assert [s for s in of_others if re.search(r"\byou want to\b", s.english)] == []


# --- particles, by the arithmetic of the Unicode syllable block -----------------------------------


def closed(syllable: str) -> bool:
    """Whether a syllable ends in a consonant: 28 finals to a vowel, the first of them none."""
    return (ord(syllable) - 0xAC00) % 28 != 0


@pytest.fixture(scope="module")
def nouns() -> set[str]:
    """The last words of all nouns."""
    return {noun.korean.split()[-1] for noun in lexicon.load().nouns}


@pytest.mark.parametrize(
    ("after_consonant", "after_vowel"),
    [("을", "를"), ("은", "는"), ("이랑", "랑"), ("과", "와"), ("이에요", "예요")],
)
def test_particles_agree_with_the_final(
    sample: list[Sentence], nouns: set[str], after_consonant: str, after_vowel: str
) -> None:
    checked = 0
    words = {word for s in sample for word in s.korean.rstrip(".?!").split()}
    # Where the whole word is a noun itself (나이, 사과), it says nothing of particles.
    for word in sorted(words - nouns):
        for particle, wants in ((after_consonant, True), (after_vowel, False)):
            stem = word.removesuffix(particle)
            longer = wants is False and word.endswith("이랑")
            if stem != word and len(stem) > 1 and stem in nouns and not longer:
                checked += 1
                assert closed(stem[-1]) is wants, word
    assert checked > 10


def test_direction_particle_knows_its_exception() -> None:
    assert korean.with_particle("서울", "via") == "서울로"
    assert korean.with_particle("부산", "via") == "부산으로"
    assert korean.with_particle("버스", "via") == "버스로"


@pytest.mark.parametrize(
    ("spec", "spoken"),
    [
        ("춥/VA+어요/EF", "추워요"), ("돕/VV-I+었/EP+어요/EF", "도왔어요"),
        ("걷/VV-I+어요/EF", "걸어요"), ("닫/VV-R+어요/EF", "닫아요"),
        ("짓/VV-I+었/EP+다/EF", "지었다"),
        ("웃/VV-R+어요/EF", "웃어요"), ("낫/VV-I+었/EP+어요/EF", "나았어요"),
        ("부르/VV+어요/EF", "불러요"), ("자르/VV+었/EP+어/EF", "잘랐어"),
        ("빨갛/VA+어요/EF", "빨개요"),
        ("하얗/VA+은/ETM", "하얀"), ("살/VV+습니다/EF", "삽니다"),
        ("만들/VV+으세요/EF", "만드세요"),
        ("쓰/VV+어요/EF", "써요"), ("듣/VV-I+으면/EC", "들으면"), ("하/VV+었/EP+어요/EF", "했어요"),
        ("입/VV-R+어요/EF", "입어요"), ("굽/VV-I+어요/EF", "구워요"), ("나/NP+가/JKS", "내가"),
        ("저/NP+가/JKS", "제가"), ("먹/VV+ᆫ다/EF", "먹는다"), ("먹/VV+니/EC", "먹니"),
    ],
)  # fmt: skip
def test_irregular_stems(spec: str, spoken: str) -> None:
    assert korean.speak(spec) == spoken


def test_every_irregular_verb_of_the_lexicon_bends() -> None:
    """A stem in ㄷ or ㅅ is irregular exactly where it is tagged so."""
    for verb in lexicon.load().verbs:
        stem = verb.korean.split()[-1]
        form, _, tag = stem.partition("/")
        if tag == "VV-I":
            assert not korean.speak(f"{stem}+어요/EF").startswith(form), stem
        if tag == "VV-R":
            assert korean.speak(f"{stem}+어요/EF").startswith(form), stem


# --- English --------------------------------------------------------------------------------------

HE = Subject("he")
I = Subject("I", 1)  # noqa: E741 - the English word


@pytest.mark.parametrize(
    ("subject", "group", "verb", "rest", "asked", "words"),
    [
        (HE, VerbGroup(), "go", "home", False, "he goes home"),
        (HE, VerbGroup(tense="past"), "go", "home", False, "he went home"),
        (HE, VerbGroup(negative=True), "go", "home", False, "he doesn't go home"),
        (HE, VerbGroup(tense="past"), "go", "home", True, "did he go home"),
        (I, VerbGroup("be {ing}"), "lie", "down", False, "I am lying down"),
        (I, VerbGroup("be {ing}", negative=True), "run", "", False, "I am not running"),
        (HE, VerbGroup("want to {base}"), "eat", "", True, "does he want to eat"),
        (HE, VerbGroup("can {base}", "past", negative=True), "swim", "", False, "he couldn't swim"),
        (HE, VerbGroup("have {pp}", mid="ever"), "eat", "kimchi", True, "has he ever eaten kimchi"),
        (Subject("they", 3, True), VerbGroup(tense="past"), "be", "busy", False, "they were busy"),
        (HE, VerbGroup(mid="often"), "go", "home", False, "he often goes home"),
    ],
)
def test_verb_groups(
    subject: Subject, group: VerbGroup, verb: str, rest: str, asked: bool, words: str
) -> None:
    assert english.clause(subject, group, verb, rest, asked=asked) == words


def test_every_verb_has_its_forms() -> None:
    """Regular spelling, unless the form is one of the irregulars that we know."""
    forms = {v.english.removeprefix("not ").split()[0] for v in lexicon.load().verbs}
    for verb in forms:
        assert english.inflect(verb, "ing").endswith("ing")
        assert english.inflect(verb, "third").endswith("s")
        assert re.fullmatch(r"[a-z-]+", english.inflect(verb, "past"))


def test_comparatives() -> None:
    assert english.comparative("big") == "bigger"
    assert english.comparative("expensive") == "more expensive"
    assert english.comparative("pretty", "JJS") == "prettiest"


# --- command line ---------------------------------------------------------------------------------


def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="above"):
        corpus(10)


def test_the_command_writes_a_table_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.grammar import __main__ as command

    row = Sentence("안녕", "Hi!", "phrase")
    monkeypatch.setattr(
        command, "corpus", lambda pairs, seed, into: Corpus((row,), (row,), (), (), (row,))
    )
    monkeypatch.setattr(command, "spelled", lambda count, seed, into: (row,) * count)
    expected = {
        "en": ["korean\tenglish\tframe", "안녕\tHi!\tphrase"],
        "ko": ["english\tkorean\tframe", "Hi!\t안녕\tphrase"],
    }
    for into, table in expected.items():
        folder = tmp_path / into
        monkeypatch.setattr(sys, "argv", ["grammar", "--out", str(folder), "--into", into])
        command.main()
        for name in ("train", "common"):  # which "Hi!" is one of
            assert (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines() == table
        assert len(list(folder.glob("*.tsv"))) == 10
        monkeypatch.setattr(sys, "argv", [*sys.argv, "--spelled", "2"])
        command.main()
        own = (folder / "spelled.tsv").read_text(encoding="utf-8").splitlines()
        assert own == [*table, table[-1]]
        assert len(list(folder.glob("*.tsv"))) == 11


def test_contractions_are_those_of_all_patterns_whatever_verb_is_looked_for_first() -> None:
    texts = [text for _, text in lexicon.load().phrases[::5]]
    for text in (*texts, *map(str.upper, texts)):
        plain = text
        for _, pattern, short in english._CONTRACTIONS:
            plain = pattern.sub(short, plain)
        assert english.contracted(text) == plain
