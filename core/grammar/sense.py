"""What can sensibly be said of what: verbs in constructions.

`suited.tsv` has a row a kind of deed: English verbs of what one learns (``skill``), gets done
(``task``), does for the first time (``novelty``) or once in one's life (``life``), proposes to
others (``company``), means to do and forgets (``forgotten``), asks of others (``request``) or
asks leave for (``leave``), knows of others (``known``), can do anyway (``granted``), and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from core.grammar.frames import Construction
from core.grammar.lexicon import Verb, table
from core.grammar.spheres import spheres, stem_of

FORBIDDING: Final = (
    "may_not", "do_not", "do_not_polite", "should_not", "lets_not", "okay_not_to",
)  # fmt: skip
_NEGATIVE: Final = ("not_an", "not_ji")
# Needs of constructions that are kinds of deeds.
_NEEDS: Final = frozenset({"novelty", "harm", "dream", "skill", "lasting", "task"})
# Constructions that are said of some kinds of deeds alone.
_ONLY: Final = {
    "forget_to": ("forgotten",),
    "hate": ("hated",),
    "like": ("liked",),
    "try": ("novelty", "liked"),
    "begin": ("lasting", "skill", "task", "liked"),
    **dict.fromkeys(("experience", "experience_not"), ("novelty", "life")),
    **dict.fromkeys(("lets", "lets_together", "lets_not", "shall", "shall_together"), ("company",)),
}
# Nobody has to be allowed to do chores, and nobody is forbidden them.
_ALLOWING: Final = (
    "may", "may_of", "may_not", "may_not_of", "may_not_own", "may_not_asked", "okay_to",
    "okay_asked",
)  # fmt: skip
# One is lying or sitting: 누워 있다, and not 눕고 있다.
_POSTURES: Final = ("눕", "앉")
_GOING_ON: Final = ("progressive", "midst")
# What one can do, nobody says of what one does anyway: worrying, thinking of it, choosing.
_ABLE: Final = ("can", "can_not", "mot", "able", "able_not", "think_not_can")
_VOWED: Final = ("promised", "plan_fixed")
# In the present, what one does again and again.
_HABITS: Final = ("plain", "not_an", "not_ji", "mot", "used_to")
# What happens to things, and nobody foretells.
_ACCIDENTS: Final = (
    "깨지", "부러지", "찢어지", "사라지", "고장 나", "꺼지", "끊기", "잠기", "녹", "쌓이",
    "망가지", "긁히", "벗겨지", "새", "썩", "상하", "터지", "방전되", "무너지", "부서지", "닳",
    "지연되", "구겨지", "더러워지", "젖", "줄어들", "늘어나", "넘치", "흔들리", "시들", "중단되",
)  # fmt: skip
_LOOKS: Final = ("look at {0}", "see {0}")


@cache
def suited() -> Mapping[str, frozenset[str]]:
    """``suited.tsv``: English verbs by kind of deed."""
    return {row["suited"]: frozenset(row["verbs"].split(",")) for row in table("suited")}


def is_rare(verb: Verb) -> bool:
    """Whether a verb is of a moment that one seldom tells of: folding, pulling, measuring."""
    return "daily" not in verb.features and stem_of(verb.korean) in spheres()["moment"]


def fits(verb: Verb, construction: Construction, tense: str) -> bool:
    """Whether a verb can be said in a construction and tense."""
    if _is_odd(verb, construction, tense):
        return False
    if construction.needs in ("daily", "request", "own", "leave"):
        return _is_deed_for(verb, construction.needs)
    if construction.name in FORBIDDING and "bad" in verb.features:
        return "once" not in verb.features
    if construction.needs in _NEEDS:
        return verb.english in suited()[construction.needs] and verb.subject == "human"
    if construction.needs == "favor":
        return "favor" in verb.features
    if construction.needs == "mishap":
        return verb.subject == "human" and "mishap" in verb.features
    return _is_told(verb, construction, tense)


def _is_odd(verb: Verb, construction: Construction, tense: str) -> bool:
    """Whether nobody says it, though it could be said."""
    name, stem = construction.name, stem_of(verb.korean)
    again = name in _HABITS and tense == "present"
    only = _ONLY.get(name)
    return (
        (only is not None and not any(verb.english in suited()[kind] for kind in only))
        or (construction.tail == "together" and "routine" in verb.features)
        or (tense == "future" and verb.korean.partition("/")[0] in _ACCIDENTS)
        or (name in _GOING_ON and stem in _POSTURES)
        or (name in _ALLOWING and (verb.english in suited()["chore"] or verb.korean == "하/VV"))
        or (name in _VOWED and "routine" in verb.features)
        or (name in _ABLE and verb.english in suited()["granted"])
        or (name != "plain" and verb.english == "enter {0}")
        # to try is 봐 보다 of no verb that says 보다 already
        or ("어/EC 보/VX" in construction.korean and stem.endswith("보"))
        or (name == "try" and verb.english in _LOOKS)
        or (name in _GOING_ON and verb.english == "see {0}")  # one is watching or looking then
        or (construction.negative and stem == "알")  # 몰라요, and not 알지 않아요
        # that one looks at the sea, one tells of a day
        or (again and (stem in spheres()["moment"] or verb.english in _LOOKS))
    )


def _is_deed_for(verb: Verb, needs: str) -> bool:
    """Whether people do it of their will, every day, for others or with others' leave."""
    if not verb.willed or verb.subject != "human":
        return False
    daily = "daily" in verb.features
    if needs == "daily":
        return daily and verb.english not in _LOOKS
    if needs == "leave":
        return daily or verb.english in suited()["leave"]
    gives = verb.korean.endswith("주/VV")  # 가르쳐 주세요, and not 가르쳐 줘 주세요
    wanted = not gives and ("favor" in verb.features or verb.english in suited()["request"])
    return wanted if needs == "request" else daily and not wanted


def _is_told(verb: Verb, construction: Construction, tense: str) -> bool:
    """Whether the verb's own ways let it be told: in the past alone, as a state, not willed."""
    plain, needs = construction.name == "plain", construction.needs
    if "pastonly" in verb.features:
        return plain and tense == "past"
    if "negword" in verb.features:
        return plain and tense != "future"
    if "invol" in verb.features and tense == "present" and needs == "any":
        return construction.name == "seem"
    if verb.subject == "it":
        return construction.name in ("plain", *_NEGATIVE, "seem", "wonder")
    if "state" in verb.features and tense == "future" and verb.english not in suited()["foreseen"]:
        return False  # that one will dislike something, nobody says
    if verb.english in suited()["wrong"] and tense != "past" and plain:
        return False  # nobody tells it as a habit, or foretells it
    if needs == "any":
        return not ("once" in verb.features and tense == "present" and construction.name != "seem")
    if verb.subject != "human" and "person" not in verb.features:
        return False
    if construction.name.startswith("experience") and "routine" in verb.features:
        return False
    if needs == "deed":
        return not verb.features & {"state", "invol", "negword", "bad", "nowant"}
    return verb.willed


def third_person_may(construction: Construction, mood: str) -> bool:
    """Whether somebody else than the speakers may be the subject."""
    if mood == "command" or construction.default == "you":
        return False
    if mood == "question" and construction.asker not in ("you", "it"):
        return False
    return not construction.who or "he" in construction.who
