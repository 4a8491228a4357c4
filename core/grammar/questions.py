"""Questions with a question word, and short exchanges about price, hour, place and number."""

from __future__ import annotations

from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, actor_for, tell, time_for
from core.grammar.english import Subject, VerbGroup
from core.grammar.korean import is_noun, with_particle
from core.grammar.lexicon import Verb
from core.grammar.nominals import Actor, counted
from core.grammar.predicates import act
from core.grammar.sense import fits, is_rare
from core.grammar.sentences import Sentence, Workshop, finish
from core.grammar.things import thing_actor

WHO = Subject("who", 3, False, "their", "they")
# Question word -> (the argument it replaces, English, Korean forms by style).
_SOMEWHERE = ("어디서", "어디에서")
_WORDS: dict[str, tuple[str, str, dict[str, tuple[str, ...]]]] = {
    "what": ("obj", "what", {"casual": ("뭘", "뭐"), "polite": ("뭘", "뭐"), "": ("무엇을",)}),
    "whom": ("obj", "who", {"casual": ("누구", "누구를"), "": ("누구를",)}),
    "where_to": ("goal", "where", {"casual": ("어디", "어디에"), "": ("어디에",)}),
    "where_in": ("loc", "where", {"": ("어디에",)}),
    "where": ("", "where", {"casual": _SOMEWHERE, "polite": _SOMEWHERE, "": ("어디에서",)}),
    "when": ("", "when", {"": ("언제",)}),
    "why": ("", "why", {"": ("왜",)}),
    "how": ("", "how", {"": ("어떻게",)}),
    "hour": ("", "what time", {"": ("몇 시에",)}),
    "with_whom": ("", "who", {"casual": ("누구랑", "누구하고"), "": ("누구와", "누구하고")}),
    "who": ("", "who", {"": ("누가",)}),
    "how_many": ("obj", "", {}),
}  # fmt: skip
_WEIGHTS = (6, 2, 3, 1, 3, 3, 3, 1, 2, 2, 3, 2)
_HOW = tuple(
    f"{stem}/VV"
    for stem in ["가", "오", "만들", "알", "배우", "공부하", "요리하", "돌아오", "고치"]
)


def wh_sentence(shop: Workshop) -> Sentence | None:
    """What did you eat? Where are you going? Who came?"""
    draw = shop.draw
    word = draw.weighted(tuple(_WORDS), _WEIGHTS)
    role, wh, forms = _WORDS[word]
    names = ("plain",) * 6 + ("wish", "intend", "progressive", "can", "must", "shall", "would_like")
    construction = shop.construction(tuple(dict.fromkeys(names)))
    style = shop.style()
    tense = draw.one_of(construction.tenses)
    if draw.settled and construction.name == "progressive" and tense == "present":
        return None  # "What are you eating?" is 뭐 먹어요? there
    verb = draw.word(draw.lexicon.verbs)
    if is_rare(verb) and draw.chance(0.6):
        return None
    if word == "what" and draw.chance(0.25):
        verb = next(v for v in draw.lexicon.verbs if v.english == "do {0}")
    if verb.subject != "human" or not fits(verb, construction, tense) or not asks(verb, word, role):
        return None
    if word == "why" and construction.name in ("shall", "would_like"):
        return None
    if word in ("hour", "when") and "state" in verb.features and tense == "present":
        return None  # when one loves somebody, nobody asks
    if word in ("hour", "when") and construction.name == "progressive":
        return None  # what goes on, goes on now
    if word in ("hour", "when") and construction.name == "can" and tense == "past":
        return None  # when one could have breakfast, nobody asks
    if word == "who":
        if construction.name in ("shall", "would_like"):
            return None
        actor = Actor("누가", WHO)
    else:
        actor = actor_for(draw, construction, "question", style)
    base = act(draw, verb, actor.subject, style, asked=role)
    if word == "how_many":
        made = _how_many(shop, verb, style)
        if made is None:
            return None
        korean, wh = made
    else:
        ways = forms.get(style, forms[""])
        if word == "what" and verb.english == "do {0}":
            ways = ways[::-1]  # 뭐 해요, but 뭘 먹어요
        korean = draw.variant(ways) if word != "who" else ""
    base = replace(
        base,
        before=tuple(filter(None, (*base.before, korean) if role else (korean, *base.before))),
        rest=f"{base.rest} with".strip() if word == "with_whom" else base.rest,
    )
    if base.willed and word not in ("when", "hour", "how", "how_many"):
        base = replace(base, features=base.features | {"now"})
    time = time_for(draw, construction, tense)
    if word in ("when", "hour") or (time and time.kind in ("freq", "clock", "now")):
        time = None
    if word == "why" and time and time.kind == "hour":
        time = None
    turn = Turn(style, tense, "question", time)
    spoken = tell(draw, shop.frames, base, actor, construction, turn, wh=wh)
    if spoken is None:
        return None
    frame = f"{word}.act.{construction.name}.{tense}"
    return finish(draw, spoken, frame, "question", base.pairs)


_NOT_ASKED = (
    "lock {0!}", "know {0!}", "not know {0!}", "go on {0}", "have {0}", "graduate from {0}",
    "enter {0}", "attend {0!}", "earn {0}", "see {0}",
)  # fmt: skip


def asks(verb: Verb, word: str, role: str) -> bool:
    """Whether one asks so about what a verb says."""
    if word == "who":
        return verb.willed and "own" not in verb.english
    if "invol" in verb.features and word not in ("when", "why", "where"):
        return False
    roles = dict(verb.arguments)
    if word == "what" and verb.english in _NOT_ASKED:
        return False
    if word == "what" and verb.korean == "하/VV" and verb.english != "do {0}":
        return False  # 뭐 했어? asks what one did
    if word == "how_many" and "count" not in verb.features:
        return False
    if role:
        human = roles.get(role) in ("human", "lovers", "kin", "child", "patient", "marry")
        return role in roles and (role != "obj" or human == (word == "whom"))
    if word == "where":
        return bool(verb.places)
    if word == "how":
        return verb.korean in _HOW
    social = verb.willed and "solo" not in verb.features
    if word == "hour":
        return "daily" in verb.features
    if word == "with_whom":
        return bool(verb.places or "move" in verb.features) and "with" not in roles and social
    return verb.willed or word in ("when", "why")


def _how_many(shop: Workshop, verb: Verb, style: str) -> tuple[str, str] | None:
    noun = shop.draw.noun(dict(verb.arguments)["obj"])
    counter = shop.draw.counter(noun)
    if counter is None:
        return None
    base = counted(noun, counter, ("몇", "how many"))
    loose = style in ("casual", "polite")
    return base.korean if loose else with_particle(base.korean, "object"), base.english


def where_is_sentence(shop: Workshop) -> Sentence | None:
    """Where is the restroom? How was this movie? When is the wedding? How much is this bag?"""
    draw = shop.draw
    style = shop.style()
    kind = draw.weighted(("where", "how", "when", "price", "what", "who"), (6, 3, 2, 4, 1, 1))
    selection = {
        "where": "place,-home,-city,-country,findable,room,=엄마,=아빠,name",
        "how": "dish,watch,book,weather1,eatery,shoe,wear,drink,work1",
        "when": "event,exam,meeting,=생일,=휴가,=방학",
        "price": "goods,fruit,fee",
        "what": "info,-=생일,=음식,=선물,=책,=영화,=문제,=이유",
        "who": "job,people,-kin",
    }[kind]
    actor, noun = thing_actor(shop, selection, style)
    subject = actor.subject
    past = kind in ("how", "when") and draw.chance(0.35)
    korean_word = {
        "where": "어디",
        "when": "언제",
        "price": "얼마",
        "what": "뭐",
        "who": "누구",
    }.get(kind, "")
    wh = {"price": "how much"}.get(kind, kind)
    if kind == "how":
        last = _how_is(style, past, draw.loose(0.3))
    elif kind == "where" and not draw.loose(0.5):
        last = {
            "plain": "어디에 있니",
            "casual": "어디 있어",
            "polite": "어디에 있어요",
            "formal": "어디에 있습니까",
        }[style]
    else:
        if style == "formal" and kind == "what":
            korean_word = "무엇"
        last = is_noun(korean_word, style, past=past, question=True)
    group = VerbGroup("{verb}", "past" if past else "present")
    text = english.clause(subject, group, "be", "", asked=True, wh=wh)
    tense = "past" if past else "present"
    pairs = frozenset({(f"{kind}?", noun)})
    joint = Spoken(f"{actor.korean} {last}", text, clear=True)
    return finish(draw, joint, f"{kind}.be.{tense}", "question", pairs)


def _how_is(style: str, past: bool, kind: bool) -> str:
    if past:
        return {
            "plain": "어땠니",
            "casual": "어땠어",
            "polite": "어땠어요",
            "formal": "어땠습니까",
        }[style]
    polite = "어떠세요" if kind else "어때요"
    return {"plain": "어떠니", "casual": "어때", "polite": polite, "formal": "어떻습니까"}[style]
