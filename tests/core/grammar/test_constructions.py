"""Constructions of daily talk: each is said its way in both languages, by tables that hold."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import (
    chat,
    doers,
    exchanges,
    frames,
    lexicon,
    occasions,
    spheres,
    strangers,
    tables,
)
from core.grammar.draw import Draw
from core.grammar.english import Subject
from core.grammar.favourites import sorts
from core.grammar.predicates import Predicate
from core.grammar.sentences import Sentence
from tests.core.grammar import drawing

ROWS = 24_000


@pytest.fixture(scope="module")
def made() -> list[Sentence]:
    """Sentences into English, phrases left out."""
    return list(islice(drawing.drawn(2), ROWS))


@pytest.mark.parametrize(
    ("frame", "korean", "words"),
    [
        ("act.wish_could.", r"면 좋겠", r"I wish (I|we) could "),
        ("act.ought.", r"야겠", r"\bshould "),
        ("act.ought_have.", r"걸 그랬", r"should have "),
        ("act.plan.", r"(을|ㄹ|[가-힣]) 생각", r"[Pp]lans? to "),
        ("act.surely.", r"꼭 ", r"will definitely "),
        ("act.think_not_can.", r"못 .*것 같", r"I don't think (I|we) can "),
        ("act.okay_to.", r"괜찮", r"It is okay to "),
        ("act.how_about.", r"게 어(때|떻)", r"^How about \w+ing"),
        ("act.lets_together.", r"같이 ", r"^Let's .* together"),
        ("act.for_you.", r"(줄게|드릴게|드리겠)", r" for you"),
        ("act.midst.", r"는 중(이|입|일)", r"in the middle of \w+ing"),
        ("act.done.", r"다 ", r"finish(ed)? \w+ing"),
        ("act.almost.", r"뻔했", r"almost "),
        ("act.never_tried.", r" 본 적이 없", r"never "),
        ("hope:", r"면 좋겠", r"^I hope .* will "),
        ("hope_not:", r"지 않으면 좋겠", r"^I hope .* won't "),
        ("guess:", r"(나|가) (봐|보|봅)", r"^I guess "),
        ("might:", r"지도 (모르|몰|모릅|모른)", r" might "),
        ("probably:", r"걸(요)?[.]?$", r" will probably "),
        ("not_known:", r"줄 몰랐", r"idn't (you )?know that "),
        ("heard:", r"고 들었", r"heard? that "),
        ("glad:", r"서 다행", r"^I am glad that "),
        ("know_not:", r"지 (모르겠|모르)", r"^I don't know (if|wh|how)"),
        ("known:", r"지 (알|안|압|아)", r"[Kk]now (if|wh|how)"),
        ("remember", r"지 기억", r"remember wh"),
        ("and_and:deed", r"(고|서) .*(고|서) ", r", .*, and "),
        ("as_soon_as:", r"자마자 ", r" as soon as "),
        ("right_before:", r"기 전에 ", r" before "),
        ("right_after:", r" 후에 ", r" after "),
        ("or:deed", r"거나 ", r" or "),
        ("during:", r"는 동안 ", r"^While .* (is|was|are|were) \w+ing"),
        ("if:you", r"면 ", r"^If you(r|'re)? "),
        ("given:", r"(는|은|ㄴ|[가-힣])데 ", r", so "),
        ("hindered:", r"데 ", r", but "),
        ("hindered_so:", r"데 .*서 .*못 ", r", but .*, so (I|we) couldn't"),
        ("towards:", r"려면 ", r"^To \w+.*, you "),
        ("in_order:", r"(려고|위해서) ", r" to "),
        ("although:", r"데도 ", r"^Although "),
        ("even_if:", r"[가-힣] .*을? ", r"^Even if "),
        ("favourite:", r"(은|는|이|가) ", r"^(The|What|Who) .*\b(is|are)\b"),
        ("prefer:", r"(보다|중에서) ", r"\b(more|most)\b"),
        ("look:", r" 보(이|여|였|인|입)", r"\blook(s|ed)?\b"),
        ("become:", r"(졌|져|진|집|지[셨세시십])", r"\b(got|getting)\b"),
        ("must_be:", r"겠", r" must (be|taste) "),
        ("alike:as", r"만큼 ", r"as \w.* as "),
        ("state:", r"(아|어|여|려|혀|져|겨|비어) 있", r"\b(is|was|are|were)(n't)?\b"),
        ("sense:", r"(이|가) .*(보|들)", r"\b(can|could)\b|[Cc](an|ould)('t|n't)? "),
        ("only:", r"만 ", r" only "),
        ("nothing_but:", r"밖에 ", r" nothing but "),
        ("elder:", r"께서|[뵈뵀뵐봬]", r"."),
        ("humble:", r"께 .*드[리릴렸립려]", r" (to|for) "),
        ("make_do:", r"게 (했|하|할)", r"\b(made|make|makes)\b"),
        ("then:", r"\. (그래서|하지만|그런데) ", r"\. (So|But) "),
        ("absorbed:act", r"느라고? ", r" because (I|we|he|she|they) (was|were) \w+ing"),
        ("absorbed:feel", r"느라고? (바[빴쁘]|힘[들드])", r"(busy|hard time) \w+ing"),
        ("interrupted:deed", r"다가? ", r" while \w+ing"),
        ("interrupted:way", r"다가? ", r" on the way "),
        ("you_see:", r"거든요?[.]?$", r", you see"),
        ("you_know:", r"잖아요?[.]?$", r", you know"),
        ("elder:own.progressive", r"(드시|주무시)고 계[세셨십시]", r"\b(is|are|was|were)\b.*ing"),
        ("act.progressive_honor", r"고 계(세요|십니까)", r"^(What |Who )?[Aa]re you [\w-]+ing"),
        ("act.may_of", r"도 [돼되됩된]", r"\ballowed to\b"),
        ("act.may_not_of", r"면 안 [돼됩된]", r" must not "),
        ("act.may_not_own", r"^.*(제가|저는|[내우나].*[가는]) .*면 안 ", r"^(I|We) must not "),
    ],
)  # fmt: skip
def test_each_construction_is_said_its_way(
    made: list[Sentence], frame: str, korean: str, words: str
) -> None:
    rows = [s for s in made if s.frame.startswith(frame)]
    assert len(rows) >= 2
    assert [s for s in rows if not re.search(korean, s.korean)] == []
    assert [s for s in rows if not re.search(words, s.english, re.IGNORECASE)] == []


def test_there_are_hundreds_of_kinds(made: list[Sentence]) -> None:
    first = {s.frame for s in made if not s.frame.startswith("chat:")}
    assert len(first) > 900


def test_meeting_somebody_is_no_reason_for_a_deed(made: list[Sentence]) -> None:
    """친구를 만나서 밥을 먹었어요 tells of two deeds; only feelings come of meeting."""
    rows = [s for s in made if "친구를 만나서" in s.korean and s.frame.startswith("so:")]
    assert [s for s in rows if ">act." in s.frame and "신나" not in s.korean and "신났" not in
            s.korean] == []  # fmt: skip


def test_elders_have_words_of_their_own(made: list[Sentence]) -> None:
    elders, bare = "할머니|할아버지|어머니|아버지", "자요|먹어요|마셔요|잤어요|먹었어요"
    plain = re.compile(rf"({elders})(는|가) ({bare})[.?]?$")
    assert [s.korean for s in made if plain.search(s.korean)] == []
    raised = [s for s in made if "께서" in s.korean and not s.frame.startswith("chat:")]
    assert len(raised) > 30
    respect = re.compile(r"[시셔셨신실십세계으]")
    assert [s.korean for s in raised if not respect.search(s.korean.partition("께서")[2])] == []


def test_what_goes_on_with_elders_is_said_with_respect(made: list[Sentence]) -> None:
    """읽고 계세요, and not 읽고 있으세요."""
    assert [s.korean for s in made if re.search(r"고 있으[세시셨십]", s.korean)] == []
    going = [s for s in made if s.frame.startswith("elder:") and ".progressive." in s.frame]
    assert len(going) > 5
    assert [s.korean for s in going if not re.search(r"고 계[세셨십]", s.korean)] == []


def test_a_vowel_needs_no_link_before_respect(made: list[Sentence]) -> None:
    """가십니다, and not 가으십니다."""
    assert [s.korean for s in made if re.search(r"[가내오보계]으십", s.korean)] == []


def test_the_first_of_three_deeds_bends_alone(made: list[Sentence]) -> None:
    """I ate, talked, and took pictures: the comma is no part of the verb."""
    assert [s.english for s in made if re.search(r" ,|,[a-z]", s.english)] == []


# --- sense ----------------------------------------------------------------------------------------


def test_who_knows_or_asks_is_not_who_does(made: list[Sentence]) -> None:
    """소라가 읽었는지 알아요?, since 소라는 would be who is asked."""
    asking = ("know_not:", "known:", "asked_me:", "want_to_know:", "tell_me:", "hope:")
    inner = [s for s in made if s.frame.startswith(asking)]
    assert len(inner) > 50
    named = {noun.korean for noun in lexicon.load().nouns if "name" in noun.classes}
    topics = {f"{name}{particle}" for name in named for particle in ("은", "는")} - named
    assert [s.korean for s in inner if s.korean.split()[0] in topics] == []


def test_of_a_year_one_tells_what_lasts(made: list[Sentence]) -> None:
    small = re.compile(r"\b(wip\w+|wash\w*|lock\w*|turn(ed)? o[nf]+|sat|sit)\b")
    far = re.compile(r"(last|next) (year|month|summer)|a long time ago|in the past|the end of this")
    told = [s for s in made if s.frame.startswith("act.")]
    assert [s.english for s in told if small.search(s.english) and far.search(s.english)] == []


@pytest.mark.parametrize(
    ("who", "deed", "likely"),
    [
        ("the elementary school student", "leave work", False),
        ("that child", "drink soju", False),
        ("my grandmother", "do her homework", False),
        ("this lawyer", "do their homework", False),
        ("the student", "do their homework", True),
        ("my boyfriend", "leave work", True),
        ("my grandmother", "drink soju", True),
    ],
)
def test_who_does_what(who: str, deed: str, likely: bool) -> None:
    verb, _, rest = deed.partition(" ")
    base = Predicate("act", "하/VV", verb, rest)
    assert doers.is_likely(Subject(who, pronoun="they"), base) is likely


def test_nobody_with_a_job_is_of_another(made: list[Sentence]) -> None:
    jobs = "|".join(sorted(doers._jobs()))
    both = re.compile(rf"^(The|This|That) ({jobs}) (is|was) an? ({jobs})\.$")
    assert [s.english for s in made if both.match(s.english)] == []


def test_what_others_do_for_one_is_asked_for_in_its_own_way(made: list[Sentence]) -> None:
    """문을 열어 주세요, but 점심을 드세요 and 쉬세요."""
    asked = [s for s in made if s.frame.startswith("act.please.")]
    own = [s for s in made if s.frame.startswith("act.do_polite.")]
    assert len(asked) > 20
    assert len(own) > 3
    for_oneself = re.compile(r"(\b자|쉬어|먹어|마셔|목욕해) (주세|주십|줘)")
    assert [s.korean for s in asked if for_oneself.search(s.korean)] == []
    assert [s for s in own if re.search(r"(먹|마시)(으세요|세요|으십|십)", s.korean)] == []


# --- tables ---------------------------------------------------------------------------------------


def test_what_follows_a_condition_is_a_construction() -> None:
    names = {name for condition in tables.conditions() for name, _, _ in condition.follows}
    assert names - {"say"} <= set(frames.load().constructions)


def test_what_hinders_names_verbs() -> None:
    known = {verb.english for verb in lexicon.load().verbs}
    assert {verb for obstacle in tables.obstacles() for verb in obstacle.verbs} <= known


def test_every_predicate_of_a_table_can_be_said() -> None:
    draw = Draw(lexicon.load(), 0)
    pairs = [(d.korean, d.english) for d in tables.deeds()]
    pairs += [(o.korean, o.english) for o in tables.obstacles()]
    pairs += [(c.korean, c.english) for c in tables.conditions()]
    for course in (*tables.absorbed(), *tables.interrupted()):
        told = [(words, english) for words, english in course.follows]
        pairs += [(words.removeprefix("!"), english) for words, english in told]
        pairs.append((course.korean, course.english))
    for purpose in tables.purposes():
        pairs += [(purpose.korean, purpose.english), *purpose.means]
    for korean, english in pairs:
        base = tables.predicate(draw, korean, english)
        assert re.search(r"/V[VAX](-[IR])?$", base.stem), korean
        assert not re.search(r"[\[\]{}]", f"{base.before}{base.verb}{base.rest}"), english


def test_sorts_have_members_and_deeds() -> None:
    words = lexicon.load()
    for sort in sorts():
        assert len(words.pool(sort.members)) >= 4
        assert sort.deeds


# --- small talk and chat --------------------------------------------------------------------------


def test_small_talk_has_as_many_sentences_on_both_sides(made: list[Sentence]) -> None:
    rows = [s for s in made if s.frame.startswith("talk:")]
    assert len(rows) > 30
    for s in rows:
        assert len(re.findall(r"[.?!]", s.english)) >= s.frame.count(">") + 1
    roles = {role for turn, _ in exchanges._TURNS for role in turn.split()}
    assert roles <= {role for role, *_ in exchanges._talk()}


def test_chat_keeps_the_letters_and_the_meaning(made: list[Sentence]) -> None:
    rows = [s for s in made if s.frame.startswith("chat:")]
    assert len(rows) > 100
    for s in rows:
        fits = r"([ㅋㅎㅠㅜ]+ )?[가-힣A-Za-zé0-9' ,.?!:%\"-]+[ㅋㅎㅠㅜ~.!? ]*"
        assert re.fullmatch(fits, s.korean), s.korean
    known: dict[str, set[str]] = defaultdict(set)
    for s in made:
        known[s.english].add(s.frame)
    assert any(re.search(r"[ㅋㅎ]", s.korean) for s in rows)
    assert any(" " not in s.korean.strip("ㅋㅎㅠㅜ ~!?.") and len(s.korean) > 12 for s in rows)


def test_chat_leaves_a_plain_sentence_or_none() -> None:
    """Without slips, its letters are those of the sentence, spaces and ends apart."""
    draw = Draw(lexicon.load(), 3)
    sentence = Sentence("민수는 그 책을 읽는다고 말했다.", "Minsu said he was reading it.", "x.y")
    for _ in range(200):
        typed = chat.chatted(draw, sentence)
        if typed is None:
            continue
        bare = re.sub(r"[ㅋㅎㅠㅜ~!?. ]", "", typed.korean)
        assert bare == "민수는그책을읽는다고말했다"
        assert (typed.english, typed.frame) == (sentence.english, "chat:x")


def test_a_held_out_frame_is_not_chatted(made: list[Sentence]) -> None:
    """Without its spaces it would still be taught."""
    maker = chat.chat_maker((lambda shop: Sentence("책 읽어", "", "held.out"),), (1.0,))

    class Shop:
        """All that the maker asks of a workshop."""

        draw = Draw(lexicon.load(), 0)
        frames = type("Frames", (), {"heldout": frozenset({"held.out"})})

    assert [maker(Shop()) for _ in range(50)] == [None] * 50  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("who", "stem", "construction", "told"),
    [
        ("that painter", "굽", "plain", False),
        ("that painter", "그리", "plain", True),
        ("the cook", "굽", "plain", True),
        ("this firefighter", "먹", "wish_of", False),
        ("my mom", "굽", "wish_of", True),
        ("Minsu", "굽", "plain", True),
    ],
)
def test_of_strangers_one_tells_what_one_sees(
    who: str, stem: str, construction: str, told: bool
) -> None:
    subject = Subject(who, pronoun="they")
    assert strangers.suits_stranger(subject, "act", stem, construction) is told


def test_deeds_are_as_long_as_their_times() -> None:
    times = {adverb.english: adverb for adverb in lexicon.load().adverbs}
    life = occasions.occasions()["life"]
    assert not spheres.spans(times["at four o'clock"], "여행하", "", life)
    assert not spheres.spans(times["next week"], "깨우", "my nephew", life)
    assert not spheres.spans(times["an hour ago"], "가", "to Osaka", life)
    assert spheres.spans(times["last week"], "여행하", "", life)
