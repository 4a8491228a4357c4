"""A clause inside another: that Minsu is busy, if it will rain, where my friend went."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.clauses import Spoken, Turn, tell
from core.grammar.draw import Draw
from core.grammar.frames import Construction, Matrix
from core.grammar.lexicon import Verb
from core.grammar.matrices import matrix_closing
from core.grammar.nominals import YOU, Actor, I, somebody
from core.grammar.opinions import as_subject, opinion
from core.grammar.predicates import Predicate, act
from core.grammar.questions import WHO, asks
from core.grammar.sense import suited
from core.grammar.sentences import Maker, Sentence, Workshop, finish, verb_for

# Question word -> the role that it asks for, Korean and English, and its weight.
_WORDS: dict[str, tuple[str, str, str, float]] = {
    "what": ("obj", "뭘", "what", 4),
    "whom": ("obj", "누구를", "who", 2),
    "where_to": ("goal", "어디에", "where", 3),
    "where_in": ("loc", "어디에", "where", 1.5),
    "where": ("", "어디에서", "where", 2),
    "when": ("", "언제", "when", 3),
    "why": ("", "왜", "why", 3),
    "who": ("", "", "who", 2),
}


# Where one may tell of a topic, who is not taken for who knows, hears or hopes it.
_OF_TOPICS = ("hearsay", "guess", "might", "stem")


def _inner(matrix: Matrix, base: Predicate, tense: str, plain: Construction) -> tuple[
    Construction, Predicate, str
]:  # fmt: skip
    """How the inner clause is told in English: its construction, predicate and tense."""
    ongoing = base.kind == "act" and not base.features & {"state", "once", "invol"}
    if matrix.inner:
        return replace(plain, english=matrix.inner), base, "present"
    if matrix.shift and tense == "future":
        return replace(plain, english="would {base}"), base, "present"
    if matrix.shift:
        group = replace(plain, english="be {ing}") if ongoing and tense == "present" else plain
        return group, base, "past"
    if tense == "present" and ongoing:
        base = replace(base, features=base.features | {"now"})
    return plain, base, tense


def _mood(draw: Draw, matrix: Matrix) -> str:
    return "question" if matrix.asked and draw.chance(0.4) else "statement"


def that_sentence(shop: Workshop) -> Sentence | None:
    """I heard that Minsu is busy; I hope it will not rain; I guess the movie is boring."""
    draw = shop.draw
    style = shop.style()
    matrix = draw.weighted(shop.frames.that, [m.weight for m in shop.frames.that])
    tense, mood = draw.one_of(matrix.tenses), _mood(draw, matrix)
    told_news = matrix.name in ("glad", "unbelievable") and draw.chance(0.8)
    made = _news(shop, matrix.name, style) if told_news else opinion(shop, style, tense)
    if made is None:
        return None
    base, actor, pair = made
    verbal = base.kind in ("act", "weather")
    if base.kind not in matrix.kinds and not (verbal and "act" in matrix.kinds):
        return None
    if verbal and actor.subject.english == "it" and matrix.name in ("wish", "exclaimed"):
        return None
    if matrix.name == "glad":
        # What was done is over, how somebody is lasts: 와서 다행이에요, 건강해서 다행이에요.
        tense = "past" if verbal else "present"
    if not _said_so(draw, matrix.name, base, pair[0]):
        return None
    lasting, sudden = "state" in base.features, "once" in base.features
    if verbal and ((tense == "present" and sudden) or (tense == "future" and lasting)):
        return None
    plain = shop.frames.constructions["plain"]
    construction, told, english_tense = _inner(matrix, base, tense, plain)
    construction = replace(construction, negative=matrix.name == "hope_not")
    if matrix.form not in _OF_TOPICS:
        actor = replace(actor, korean=as_subject(shop, actor, always=True))
    ending = matrix_closing(shop, matrix, Turn(style, tense, mood), base, matrix.form, tense)
    if ending is None:
        return None
    turn = Turn(style, english_tense, "statement")
    spoken = tell(draw, shop.frames, told, actor, construction, turn, ending=ending, front=False)
    if spoken is None:
        return None
    frame = matrix.asked if mood == "question" else matrix.english
    spoken = Spoken(spoken.korean, frame.format(spoken.english))
    name = f"{matrix.name}:{base.kind}.{tense}.{mood}"
    return finish(draw, spoken, name, mood, frozenset({pair}))


def _values(draw: Draw, base: Predicate) -> list[str]:
    return [a.value for a in draw.lexicon.adjectives if a.korean == base.stem]


_BLEAK = ("sad", "lonely", "depressed", "anxious", "ashamed", "upset", "sick", "tired", "angry",
          "frustrated", "nervous", "lazy", "bored", "hungry", "thirsty", "sleepy")  # fmt: skip

_BRIGHT = ("happy", "glad", "healthy", "free", "kind", "good-natured", "smart", "hardworking",
           "diligent", "brave", "honest", "polite", "comfortable")  # fmt: skip


def _said_so(draw: Draw, name: str, base: Predicate, verb: str) -> bool:
    """Whether one hopes, fears or is glad of such a thing."""
    verbal = base.kind == "act"
    if base.kind != "act" and base.before and name in (*_PLAIN, "not_think", "might"):
        return False
    if name in ("glad", "unbelievable") and verbal:
        return verb.partition(":")[2] in (_GOOD if name == "glad" else (*_GOOD, *_NEWS))
    if name not in _PLAIN or base.kind == "weather":
        return True
    if verbal and name in ("worried", "hope_not"):
        return bool(base.features & {"invol", "bad"})
    if verbal:
        return base.willed and verb.partition(":")[2] in (*_GOOD, *_HOPED)
    if base.kind == "describe":
        return ("-" if name in ("worried", "hope_not") else "+") in _values(draw, base)
    return base.rest in (_BLEAK if name in ("worried", "hope_not") else _BRIGHT)


# What is hoped, feared or welcomed is said without "very", and is good or bad.
_PLAIN = ("hope", "hope_not", "wish", "worried", "glad")
_GOOD = (
    "pass {0!}", "succeed", "get better", "come over", "help {0}", "get a job {0}", "get married",
    "leave the hospital", "make up with {0}", "quit smoking", "quit drinking", "solve {0!}",
    "graduate from {0}", "arrive {0}",
)  # fmt: skip
_HOPED = (
    "come {0}", "come back {0}", "go {0}", "call {0}", "contact {0}", "meet {0}", "rest", "sleep",
    "learn {0}", "study {0}", "exercise", "visit {0!}", "travel", "travel {0}", "read {0}",
    "eat {0}", "invite {0}", "wait for {0!}", "buy {0}", "clean {0!}", "cook {0}", "sing {0}",
    "go on {0}", "teach {0}", "win {0!}", "quit {0!}", "forgive {0}", "write {0}", "help {0}",
)  # fmt: skip
_NEWS = (
    "quit {0!}", "get divorced", "fail {0!}", "leave {0}", "break up with {0}", "get engaged",
    "lose {0!}", "be late", "lie", "die", "move to {0!}", "give up {0}", "sell {0}",
)  # fmt: skip


def _news(shop: Workshop, name: str, style: str) -> tuple[Predicate, Actor, tuple[str, str]] | None:
    """Somebody's news: what one is glad of, or cannot believe."""
    draw = shop.draw
    names = _GOOD if name == "glad" else (*_GOOD, *_NEWS)
    pool = [v for v in draw.lexicon.verbs if v.english in names and v.subject == "human"]
    verb, actor = draw.word(pool), somebody(draw, style)
    actor = replace(actor, korean=as_subject(shop, actor, always=True))
    return act(draw, verb, actor.subject, style), actor, (verb.name, "news")


def whether_sentence(shop: Workshop) -> Sentence | None:
    """I don't know if Minsu is busy; I wonder if it will rain."""
    draw = shop.draw
    style = shop.style()
    matrices = [m for m in shop.frames.asking if not m.name.startswith(("remember", "forgot"))]
    matrix = draw.weighted(matrices, [m.weight for m in matrices])
    tense, mood = draw.one_of(matrix.tenses), _mood(draw, matrix)
    if mood == "statement" and matrix.name == "known":
        return None
    made = opinion(shop, style, tense)
    if made is None:
        return None
    base, actor, pair = made
    if base.kind != "act" and base.before:
        return None
    name = f"{matrix.name}:if_{base.kind}.{tense}.{mood}"
    spoken = _asked(shop, matrix, base, actor, Turn(style, tense, mood), "", "if")
    return None if spoken is None else finish(draw, spoken, name, mood, frozenset({pair}))


def _asked(
    shop: Workshop,
    matrix: Matrix,
    base: Predicate,
    actor: Actor,
    turn: Turn,
    word: str,
    wh: str,
) -> Spoken | None:
    """An inner question and what is told of it."""
    draw = shop.draw
    plain = shop.frames.constructions["plain"]
    actor = replace(actor, korean=as_subject(shop, actor, always=True))
    construction, told, english_tense = _inner(matrix, base, turn.tense, plain)
    ending = matrix_closing(shop, matrix, turn, base, "asking", turn.tense)
    if ending is None:
        return None
    state = Turn(turn.style, english_tense, "statement")
    spoken = tell(
        draw, shop.frames, told, actor, construction, state, ending=ending, front=False
    )  # fmt: skip
    if spoken is None:
        return None
    inner = spoken.english if word == "who" else f"{wh} {spoken.english}"
    frame = matrix.asked if turn.mood == "question" else matrix.english
    return Spoken(spoken.korean, frame.format(inner))


def inner_question_sentence(shop: Workshop) -> Sentence | None:
    """Do you know where Minsu went? I don't remember what I ate."""
    draw = shop.draw
    style = shop.style()
    matrix = draw.weighted(shop.frames.asking, [m.weight for m in shop.frames.asking])
    tense, mood = draw.one_of(matrix.tenses), _mood(draw, matrix)
    word = draw.weighted(tuple(_WORDS), [weight for *_, weight in _WORDS.values()])
    role, korean, wh, _ = _WORDS[word]
    plain, feature = shop.frames.constructions["plain"], "" if role == "loc" else "daily"
    verb = verb_for(shop, plain, tense, feature)
    if verb is None or not _inner_verb(verb, word, role, tense):
        return None
    own = matrix.own and word not in ("who", "why") and draw.chance(0.4)
    if own and tense == "present":
        return None
    if word == "who":
        actor = Actor("누가", WHO)
    elif own:
        actor = Actor("", YOU if mood == "question" else I)
    else:
        actor = somebody(draw, style)
    base = act(draw, verb, actor.subject, style, asked=role)
    before = (*base.before, korean) if role else (korean, *base.before)
    base = replace(base, before=tuple(filter(None, before)))
    spoken = _asked(shop, matrix, base, actor, Turn(style, tense, mood), word, wh)
    if spoken is None:
        return None
    if own and tense == "future":
        # What to eat, and not what I will eat.
        spoken = Spoken(spoken.korean, spoken.english.replace(f"{wh} I will ", f"{wh} to "))
    name = f"{matrix.name}:{word}.{'own' if own else 'other'}.{tense}.{mood}"
    return finish(draw, spoken, name, mood, base.pairs)


# What they take goes without saying, or is a place.
_NOTHING_ELSE = (
    "do {0}", "have {0}", "take {0}", "go on {0}", "visit {0!}", "look around {0!}", "brush {0}",
    "comb {0!}", "dry {0!}", "change {0!}", "manage {0!}", "enter {0}", "put on {0}",
    "learn to play {0}",
)  # fmt: skip


def _inner_verb(verb: Verb, word: str, role: str, tense: str) -> bool:
    if verb.subject != "human" or not asks(verb, word, role):
        return False
    if verb.english not in suited()[{"why": "known_why", "who": "known_who"}.get(word, "known")]:
        return False
    if word in ("why", "who") and tense == "future":
        return False  # who will call, nobody remembers
    if role == "goal" and verb.korean.endswith(("오/VV", "가/VV")) and verb.korean != "가/VV":
        return False  # where one came is here
    if (verb.english in _NOTHING_ELSE or verb.korean == "감/VV") and role:
        return False
    return not (tense == "present" and word == "when")


MAKERS: tuple[tuple[Maker, float], ...] = (
    (that_sentence, 14),
    (whether_sentence, 4),
    (inner_question_sentence, 12),
)
