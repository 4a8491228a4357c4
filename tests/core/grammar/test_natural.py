"""What careful readers stumbled over in samples of the corpus is said as English has it."""

import re
from itertools import islice

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import everyday, frames, lexicon, openers, sentences
from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.sentences import Sentence, Workshop
from tests.core.grammar import drawing

_ROWS = 6000


@pytest.fixture(scope="module", params=["en", "ko"])
def rows(request: pytest.FixtureRequest) -> list[Sentence]:
    """Sentences into one language, without the fixed phrases and without misspelt ones."""
    odd = ("slip:", "chat:", "bare.", "coined")
    return [
        s for s in islice(drawing.drawn(17, request.param), _ROWS) if not s.frame.startswith(odd)
    ]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"\bwatch\w* ((?!Coup)\w+ ){0,2}(exhibition|play|musical|concert)s?\b", "one sees them"),
        (r"^(just now|now|soon|later)\b", "at the end, or before the verb"),
        (r"\b(I|we) (will |am going to |have to )?(come|came) over\b", "others come over"),
        (r"\bprepar\w+ (the|a|my) (exam|presentation|interview|wedding|trip)\b", "for it"),
        (r"heard that \w+ said that|thinks that \w+ thinks", "of one report"),
        (
            # "a lot" is how much, no thing
            r"(?<!feel )\b(like|likes|hate|hates|used to) \w+ing an? (?!lot\b)"
            r"|\bused to write an? ",
            "of a kind",
        ),
        (r"\bour (girlfriend|boyfriend|wife|husband)\b", "they are nobody's in common"),
        (r"\bbad weather\b|\bfinish class\b", "the weather is bad; class is over"),
        (r"\bmany \w+ little by little\b|\bat all times\b|\btruly\b", "no words of a dictionary"),
    ],
)
def test_it_is_said_so_nowhere(rows: list[Sentence], pattern: str, why: str) -> None:
    assert [s.english for s in rows if re.search(pattern, s.english, re.IGNORECASE)] == [], why


def test_words_have_their_usual_translation(rows: list[Sentence]) -> None:
    for s in rows:
        assert "매우" not in s.korean or "extremely" not in s.english, s
        assert "chubby" not in s.english or "통통" in s.korean, s
        assert not re.search(r"\b(senior|junior)\b", s.english) or "선배" not in s.korean, s


def _made(maker: sentences.Maker, count: int, *, settled: bool = False) -> list[Sentence]:
    shop = Workshop(Draw(lexicon.load(), 5, settled=settled), frames.load())
    return [s for _ in range(count) if (s := maker(shop))]


@pytest.mark.parametrize("settled", [False, True])
def test_whole_kinds_are_plural_and_topics(settled: bool) -> None:
    made = _made(sentences.describe_sentence, 3000, settled=settled)
    kinds = [s for s in made if re.match(r"(Are )?\w+s (are|aren't|\w+)\b", s.english)]
    kinds = [s for s in kinds if re.search(r"(곰|개|사과|호랑이|고양이)는? |은 ", s.korean)]
    assert kinds
    bears = [s for s in made if s.english.startswith("The tiger is")]
    assert all("호랑이는" not in s.korean for s in bears if "present" in s.frame and settled)


def test_just_now_is_just_before_the_verb() -> None:
    made = [s for s in _made(sentences.act_sentence, 20_000) if "방금" in s.korean]
    plain = [s for s in made if ".plain.past.statement" in s.frame]
    assert len(plain) > 3
    assert [s.english for s in plain if not re.search(r"\bjust \w+", s.english)] == []


@pytest.mark.parametrize("settled", [False, True])
def test_too_is_of_who_does_it(settled: bool) -> None:
    """Behind two words or more it would be said of the last of them."""
    made = _made(everyday.too_sentence, 800, settled=settled)
    also = [s for s in made if s.frame.startswith("also.")]
    assert len(also) > 10
    assert [s.english for s in also if " also " not in s.english] == []
    late = [s for s in made if s.frame.startswith("too.") and not s.english.endswith("too.")]
    assert late == []


def test_openers_fit_what_they_open() -> None:
    told = Sentence("이 책을 읽으세요.", "Please read this book.", "")
    asked = Sentence("이 책 좀 빌려주세요.", "Please lend me this book.", "")
    (favor,) = (r for r in table("openers") if r["english"].startswith("I have a favor"))
    assert not openers.suits(favor["fits"], told)
    assert openers.suits(favor["fits"], asked)
    named = {r["fits"] for name in ("openers", "chatter") for r in table(name)} - {""}
    assert named == {r["fits"] for r in table("fits") if re.compile(r["pattern"])}
