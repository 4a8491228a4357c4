"""The grammar into Korean: each English sentence has one Korean, the one a teacher would say."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import frames, generate, lexicon
from core.grammar.draw import Draw
from core.grammar.english import contracted
from core.grammar.generate import HELDOUT_ROWS, Corpus, stream, unseen
from core.grammar.makers import ALL
from core.grammar.polite.morphs import analysed
from core.grammar.sentences import Sentence, Workshop
from core.grammar.settled import settled_frames, settled_words
from core.text.corpora import text_key
from tests.core.grammar import drawing

_HAEYO = re.compile("(요|죠)$")
# What is said in no other manner: thanks, apologies and greetings. And a cry, which is no talk.
_FORMULA = re.compile(
    "불이야!|.*(감사합니다|명복을 빕니다|죄송합니다|실례합니다|부탁드립니다|뵙겠습니다"
    "|잘 먹겠습니다|잘 먹었습니다|다녀왔습니다|다녀오겠습니다|수고하셨습니다)[.!]"
)


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest) -> Corpus:
    return drawing.small_corpus("ko", request)


@pytest.fixture(scope="module")
def phrases() -> dict[str, str]:
    """The fixed phrases, each English with its Korean."""
    fixed = itertools.takewhile(lambda s: s.frame == "phrase", stream(0, "ko"))
    return {s.english: s.korean for s in fixed}


def held_out(made: Corpus) -> tuple[Sentence, ...]:
    """Three parts that training never sees; for values see test_patterns."""
    return made.heldout_frames + made.heldout_words + made.heldout_random


def ends_in_predicate(korean: str) -> bool:
    """Whether the last of its words has the ending of a verb, an adjective or a copula."""
    words = [morph for morph in analysed(korean) if not morph.sign]
    return bool(words) and words[-1].tag in ("EF", "EC")


def test_an_english_sentence_has_one_korean(made: Corpus) -> None:
    """Whatever its case, its stop or its contractions."""
    said: dict[str, set[str]] = defaultdict(set)
    for s in (*made.phrases, *made.train, *held_out(made)):
        said[text_key(contracted(s.english))].add(s.korean)
    assert [english for english, korean in said.items() if len(korean) > 1] == []


def test_few_sentences_are_dropped_for_it() -> None:
    """Not by leaving out what is ambiguous: the grammar itself says nearly everything one way."""
    draw = Draw(settled_words(lexicon.load()), 1, settled=True)
    shop = Workshop(draw, settled_frames(frames.load()))
    said: dict[str, str] = {}
    others = 0
    for sentence in itertools.islice(generate._drawn(shop, ALL), 8000):
        others += said.setdefault(text_key(sentence.english), sentence.korean) != sentence.korean
    assert others < 0.002 * 8000


def test_nothing_held_out_is_trained_on_in_either_language(made: Corpus) -> None:
    sources = {text_key(contracted(s.english)) for s in made.phrases + made.train}
    targets = {text_key(s.korean) for s in made.phrases + made.train}
    held = held_out(made)
    assert len(held) == 3 * HELDOUT_ROWS
    assert [s for s in held if text_key(contracted(s.english)) in sources] == []
    assert [s for s in held if text_key(s.korean) in targets] == []


def test_heldout_frames_and_word_pairs_are_new_but_their_words_are_not(made: Corpus) -> None:
    seen = {s.frame for s in made.train}
    held = {s.frame for s in made.heldout_frames}
    assert held <= frames.load().heldout
    assert len(held) >= 15
    assert not held & seen
    trained = {pair for s in made.train for pair in s.pairs}
    strange = {pair for s in made.heldout_words for pair in s.pairs if unseen(pair)}
    assert len(strange) > 50
    assert not strange & trained
    assert {word for pair in strange for word in pair} <= {word for p in trained for word in p}


def test_the_stream_is_a_function_of_its_seed() -> None:
    first, again, other = (
        list(itertools.islice(drawing.drawn(seed, "ko"), 600)) for seed in (3, 3, 4)
    )
    assert first == again
    assert first != other


def test_every_sentence_is_polite(made: Corpus) -> None:
    register = re.compile(r"(요|시다)[.?!]")  # let's is 갑시다
    made_up = [s for s in made.train if s.frame != "lines" and not s.frame.endswith(":phrase")]
    told = [s for s in made_up if not s.frame.startswith("bare.")]
    assert [s.korean for s in told if not register.search(s.korean)] == []
    said = " ".join(f" {s.korean}" for s in made_up)  # 빨래를 너는, 너는 것 are of a verb
    assert Counter(re.findall(r"(?<![을를]) (나는|내가|너는(?! 것)|네가) ", said)) == Counter()


def test_one_is_the_topic_of_a_sentence_and_the_subject_of_a_relative_clause(
    made: Corpus,
) -> None:
    """저는 책을 읽어요, but 제가 읽은 책이 재미있어요."""
    relative = ("that:", "favourite:", "nested.", "star.")
    inner = [s.korean for s in made.train if s.frame.startswith(relative)]
    tables = ("if:", "given:", "talk:", "offer.", "this.", "most.", "wish.")  # as it stands there
    more = ("remark:", "idiom.", "known.", "rich.", "lines")  # 제가 도시락을 쌀게요
    best = ("class.favourite", "culture.singer", "brand.member")  # 제가 제일 좋아하는 과목
    said = (*relative, *tables, *more, *best, "chat:", "chatter:", "opened:", "slip:")
    outer = [s.korean for s in made.train if not s.frame.startswith(said)]
    assert sum(" 제가 " in f" {korean}" for korean in inner) > 50
    assert [korean for korean in outer if " 제가 " in f" {korean}"] == []


def test_a_phrase_is_said_politely_where_it_can_be(made: Corpus) -> None:
    said = {s.english: s.korean for s in made.phrases}
    assert said["Thank you."] == "감사합니다."
    assert said["hello"] == "안녕하세요."
    assert said["I am a student."] == said["i'm a student."] == "저는 학생이에요."
    assert said["Don't go."] == said["Please don't go."] == "가지 마세요."


def test_a_phrase_with_a_predicate_is_in_haeyo(phrases: dict[str, str]) -> None:
    """A cry, a greeting or a word of a chat, which has none, is as it is; so is a set formula."""
    polite = {korean for korean in phrases.values() if _HAEYO.search(korean.rstrip(".!?ㅋㅎㅠㅜ "))}
    # Whoever says which has a predicate finds those that are right, or what follows says nothing.
    # Of these a part is enough: a hundred thousand take minutes.
    assert sum(ends_in_predicate(korean) for korean in sorted(polite)[::100]) > len(polite) / 110
    others = {korean for korean in {*phrases.values()} - polite if ends_in_predicate(korean)}
    assert sorted(korean for korean in others if not _FORMULA.fullmatch(korean)) == []


def test_a_phrase_is_of_humble_words(phrases: dict[str, str]) -> None:
    """저, 제가 and 당신 beside -요."""
    word = re.compile(r"(?<![을를]) (나는|내가|나도|나를|내|네가|너는|너를) ")
    said = {korean: found for korean in phrases.values() if (found := word.search(f" {korean}"))}
    familiar = [
        korean
        for korean, found in said.items()
        if not any(m.start == found.start() and m.tag[0] == "V" for m in analysed(korean))
    ]
    assert familiar == []  # 소리가 나는 is of a verb


@pytest.mark.parametrize(
    ("english", "korean"),
    [
        ("Let's go.", "가요."),
        ("Let's go home.", "같이 집에 가요."),
        ("What will you do tomorrow?", "내일 뭐 할 거예요?"),
        ("Can you say that again?", "다시 한번 말해 주시겠어요?"),
        ("It is too late now.", "이제 너무 늦었어요."),
        ("I am running out of time.", "시간이 얼마 안 남았어요."),
    ],
)
def test_an_ordinary_sentence_is_no_idiom_into_korean(
    phrases: dict[str, str], english: str, korean: str
) -> None:
    assert phrases[english] == korean


def test_ordinary_korean_is_no_idiom_in_english() -> None:
    first = dict(reversed(lexicon.load().phrases))
    assert first["엄청 비싸요."] == "It is super expensive."
    assert first["이제 출발해요."] == "Let's leave now."
    assert first["잘 듣고 있어요."] == "I am listening carefully."
    assert "김치!" not in first  # said of a word, it would be "Say cheese!"


def test_leave_is_asked_for_with_may_or_can(made: Corpus) -> None:
    asked = [s for s in made.train if s.frame == "act.may.present.question"]
    assert all(re.search("도 (돼요|될까요)", s.korean) for s in asked)
    assert {s.english.split()[0].lower() for s in asked} == {"may", "can"}


def test_a_bare_lexicon_has_no_two_words_for_one() -> None:
    settled = settled_words(lexicon.load())
    assert [v.korean for v in settled.verbs if v.english == "help {0}"] == ["도와주/VV"]
    assert {v.korean for v in settled.verbs if v.english == "raise {0}"} == {"키우/VV", "기르/VV"}
    assert {n.korean for n in settled.nouns if n.english == "breakfast"} == {"아침"}
    adverbs = [(a.english, a.kind) for a in settled.adverbs]
    assert len(adverbs) == len(set(adverbs))


@pytest.mark.parametrize(
    ("english", "short"),
    [
        ("I am a student.", "I'm a student."),
        ("What is this?", "What's this?"),
        ("it is raining", "it's raining"),
        ("They will come.", "They'll come."),
        ("This is a will.", "This is a will."),
        ("Here it is.", "Here it is."),
        ("Who is it?", "Who is it?"),
        ("I don't know where she is", "I don't know where she is"),
    ],
)
def test_contractions(english: str, short: str) -> None:
    assert contracted(english) == short
