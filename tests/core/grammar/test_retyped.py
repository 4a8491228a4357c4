"""Fixed phrases as people type them who do not look."""

from collections import Counter

import pytest

from core.grammar import frames, lexicon
from core.grammar.draw import Draw
from core.grammar.retyped import phrase_sentence
from core.grammar.sentences import Sentence, Workshop
from core.grammar.settled import settled_words


def drawn(count: int, *, settled: bool) -> tuple[set[tuple[str, str]], list[Sentence]]:
    """The phrases, and what they were retyped to."""
    words = settled_words(lexicon.load()) if settled else lexicon.load()
    shop = Workshop(Draw(words, 3, settled=settled), frames.load())
    made = [found for _ in range(count) if (found := phrase_sentence(shop))]
    return set(words.phrases), made


def tight(text: str) -> str:
    return text.replace(" ", "")


@pytest.mark.parametrize("settled", [False, True])
def test_only_what_is_read_is_retyped(settled: bool) -> None:
    phrases, made = drawn(2000, settled=settled)
    assert len(made) > 900
    kept = {korean if settled else english for korean, english in phrases}
    assert {s.korean if settled else s.english for s in made} <= kept
    as_they_are = {(korean.rstrip("."), english.rstrip(".")) for korean, english in phrases}
    retyped = {(s.korean.rstrip("."), s.english.rstrip(".")) for s in made}
    # A few are phrases themselves: both 잘 자 and 잘자 are.
    assert len(retyped & as_they_are) < 0.03 * len(retyped)
    assert all(s.korean.endswith("?") for s in made if settled and s.english.endswith("?"))


def test_every_way_of_typing_is_met() -> None:
    met = Counter(s.frame for s in drawn(2000, settled=False)[1])
    assert set(met) == {"slip:phrase", "space:phrase", "chat:phrase"}
    assert min(met.values()) > 100
    into_korean = {s.frame for s in drawn(500, settled=True)[1]}
    assert into_korean == {"slip:phrase", "chat:phrase"}


def test_what_lost_its_spaces_kept_its_letters() -> None:
    phrases, made = drawn(1500, settled=False)
    letters = {(tight(korean), english) for korean, english in phrases}
    spaced = [s for s in made if s.frame == "space:phrase"]
    assert spaced
    assert {(tight(s.korean), s.english) for s in spaced} <= letters


def test_some_of_the_misspelt_ones_keep_their_stop() -> None:
    slipped = [s for s in drawn(4000, settled=False)[1] if s.frame == "slip:phrase"]
    told = [s.korean.endswith(".") for s in slipped if not s.korean.endswith(("?", "!"))]
    assert 0.1 < sum(told) / len(told) < 0.6
