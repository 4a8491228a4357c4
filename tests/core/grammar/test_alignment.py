"""Links between words are told where nothing else could be meant, and nowhere else."""

from itertools import islice

import pytest

from core.grammar.alignment import alignment
from core.grammar.sentences import Sentence
from tests.core.grammar import drawing


def links(korean: str, english: str, *pairs: tuple[str, str]) -> set[str]:
    """What belongs together, as "카페=cafe"."""
    found = alignment(Sentence(korean, english, "act.plain.past.statement", frozenset(pairs)))
    if found is None:
        return set()
    source, target = found[0].split(), found[1].split()
    ends = [link.split("-") for link in found[2].split()]
    return {f"{source[int(i)]}={target[int(j)]}" for i, j in ends}


@pytest.mark.parametrize(
    ("korean", "english", "pairs", "expected"),
    [
        (
            "어제 커피를 마셨어요.",
            "Yesterday I drank coffee.",
            [("마시:drink {0}", "커피:coffee")],
            {"어제=Yesterday", "커피를=coffee.", "마셨어요.=drank"},
        ),
        (  # words of two, and the longest of what fits
            "아이스 커피를 커피숍에서 샀다",
            "I bought iced coffee at the coffee shop.",
            [("사:buy {0}", "아이스 커피:iced coffee")],
            {"아이스=iced", "아이스=coffee", "커피를=iced", "커피를=coffee",
             "커피숍에서=coffee", "커피숍에서=shop.", "샀다=bought"},
        ),
        (  # an irregular stem, a question
            "친구가 음악을 들어요?",
            "Does my friend listen to music?",
            [("듣:listen to {0}", "음악:music")],
            {"친구가=friend", "음악을=music?", "들어요?=listen"},
        ),
        (  # twice the same word: nobody knows which
            "친구는 친구를 만나요.",
            "My friend meets a friend.",
            [("만나:meet {0}", "친구:friend")],
            set(),
        ),
        ("영화가 좋아요.", "The movie is good.", [("좋/VA", "영화")],
         {"영화가=movie", "좋아요.=good."}),
        ("안녕하세요.", "Hello.", [], set()),
    ],
)  # fmt: skip
def test_words_that_say_the_same_are_linked(
    korean: str, english: str, pairs: list[tuple[str, str]], expected: set[str]
) -> None:
    assert links(korean, english, *pairs) == expected


def test_links_are_of_words_that_are_there_and_spans_are_whole() -> None:
    told = 0
    for sentence in islice(drawing.drawn(4), 1200):
        found = alignment(sentence)
        if found is None:
            continue
        told += 1
        source, target, written = found
        assert (source, target) == (sentence.korean, sentence.english)
        ends = [(int(i), int(j)) for i, j in (link.split("-") for link in written.split())]
        assert len(set(ends)) == len(ends)
        assert max(i for i, _ in ends) < len(source.split())
        assert max(j for _, j in ends) < len(target.split())
        says = {i: {b for a, b in ends if a == i} for i, _ in ends}
        for one in says.values():  # what one word of a span says, all of them do
            assert all(other == one or not other & one for other in says.values())
    assert told > 500
