"""Labels of the grammar are told by the parts of a sentence; where they are not, there are none."""

from collections import Counter
from itertools import islice

import pytest

from core.grammar import lexicon
from core.grammar.labels import LABELLED, TAGS, TOPICS, labelled, sentiment, tags, topic
from core.grammar.sentences import Sentence
from tests.core.grammar import drawing


@pytest.mark.parametrize(
    ("korean", "frame", "words", "said"),
    [
        ("영화가 재미있어요.", "describe.plain", ["재미있/VA"], "positive"),
        ("영화가 재미있지 않아요.", "describe.not_ji", ["재미있/VA"], "negative"),
        ("날씨가 안 나빠요.", "describe.not_an", ["나쁘/VA"], "positive"),
        ("영화가 재미있어요?", "describe.plain", ["재미있/VA"], "neutral"),
        ("나는 커피를 싫어해요.", "act.plain", ["싫어하:dislike {0*}"], "negative"),
        ("저는 학교에 가요.", "act.plain", ["가:go {0}"], "neutral"),
        # Who did not fight has not made it up; what is wished is not so; two may not agree.
        ("친구와 싸우지 않아요.", "act.not_ji", ["싸우:fight with {0}"], None),
        ("이기고 싶어요.", "act.wish", ["이기:win {0!}"], None),
        ("비싸지만 맛있어요.", "but:describe>describe.plain", ["비싸/VA", "맛있/VA"], None),
        ("청소하는 것을 좋아해요.", "act.like", ["청소하:clean {0}"], None),
        ("방이 커요.", "describe.plain", ["크/VA"], None),
    ],
)
def test_a_sentence_is_good_or_bad_as_its_predicate_is(
    korean: str, frame: str, words: list[str], said: str | None
) -> None:
    mood = "question" if korean.endswith("?") else "statement"
    pairs = frozenset((word, "") for word in words)
    found = sentiment(Sentence(korean, "", f"{frame}.present.{mood}", pairs))
    assert found == (None if said is None else (korean, said))


@pytest.mark.parametrize(
    ("korean", "said"),
    [
        ("어제 민수가 카페에서 커피를 마셨어요.", "TIME WHO WHERE WHAT DOES"),
        ("저는 친구와 공원에 갔어요", "WHO WITH WHERE DOES"),
        ("오늘 날씨가 아주 좋아요.", "TIME WHO HOW DOES"),
        ("책을 읽고 싶어요.", "WHAT DOES DOES"),
        ("커피 마셨어요.", None),  # a noun without its particle
        ("버스로 갔어요.", None),
        ("커피를 친구와", None),  # without what is done
        ("저는 여섯 시에 커피를 마셔요.", "WHO TIME TIME WHAT DOES"),
        ("서점에 책이 여섯 권 있어요.", None),  # a number of books is no time
    ],
)
def test_words_are_known_by_their_particles(korean: str, said: str | None) -> None:
    found = tags(Sentence(korean, "", "act.plain.past.statement"))
    assert found == (None if said is None else (korean, said))


@pytest.mark.parametrize(("adjective", "said"), [("피곤하/VA", "기분"), ("정직하/VA", None)])
def test_what_one_is_like_is_no_mood(adjective: str, said: str | None) -> None:
    pairs = frozenset({(adjective, "I")})
    found = topic(Sentence("저는 그래요", "", "feel.plain.present.statement", pairs))
    assert found == (None if said is None else (said, "저는 그래요"))


def test_every_word_that_is_tagged_has_one_label() -> None:
    sentences = islice(drawing.drawn(3), 4000)
    told = [pair for pair in map(tags, sentences) if pair is not None]
    assert len(told) > 300
    for korean, labels in told:
        assert len(korean.split()) == len(labels.split())
        assert set(labels.split()) <= set(TAGS)


def test_predicates_of_the_list_are_in_the_lexicon() -> None:
    words = lexicon.load()
    known = {adjective.korean for adjective in words.adjectives}
    known |= {f"{verb.name} ".split(" {")[0].strip() for verb in words.verbs}
    listed = [
        line.split("\t") for line in (lexicon.DATA / "polarity.tsv").read_text("utf-8").splitlines()
    ]
    assert listed[0] == ["predicate", "value"]
    for predicate, value in listed[1:]:
        assert value in "+-"
        assert any(name == predicate or name.startswith(f"{predicate} ") for name in known), (
            predicate
        )
    assert len({predicate for predicate, _ in listed}) == len(listed)


@pytest.mark.parametrize("name", LABELLED)
def test_a_corpus_is_as_large_as_asked_and_always_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.grammar.labels.HELDOUT_ROWS", 6)
    train, held = labelled(name, 60, seed=2)
    assert (train, held) == labelled(name, 60, seed=2)
    assert len(train) == 60
    assert len(held) == (0 if name == "topic" else 6)
    assert not set(train) & set(held)
    if name == "sentiment":
        assert set(Counter(label for _, label in train).values()) == {20}
    if name == "topic":
        assert {source for source, _ in train} <= set(TOPICS.values())
