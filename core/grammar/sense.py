"""What can sensibly be said of what: verbs in constructions, times with verbs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from core.grammar.english import Subject
from core.grammar.frames import Construction
from core.grammar.lexicon import Adverb, Verb, rows
from core.grammar.predicates import Predicate
from core.grammar.spheres import RECENT, spans, spheres, stem_of
from core.grammar.strangers import is_stranger

_FORBIDDING = ("may_not", "do_not", "do_not_polite", "should_not", "lets_not", "okay_not_to")
_NEGATIVE = ("not_an", "not_ji")
# Too far off for what one does every day.
_FAR = (
    "next semester", "next month", "next year", "next vacation", "at the end of this year",
    "last year", "last month", "last summer", "last winter", "the year before last",
    "a month ago", "in the past", "a long time ago", "this year",
)  # fmt: skip


# What one learns to do, goes on doing, and gets done.
_SKILLS = (
    "swim", "drive", "drive {0}", "cook", "cook {0}", "dance", "play {0}", "ride {0}", "speak {0}",
    "make {0}", "fix {0!}", "draw {0}", "sing", "bake {0}", "use {0}", "fish", "translate {0}",
)  # fmt: skip
_LASTING = (
    "cry", "laugh", "sleep", "walk", "run", "talk with {0}", "listen to {0}", "watch {0}",
    "study {0}", "wait for {0!}", "play {0}", "rest", "work", "sing", "drink {0}", "eat {0}",
    "look for {0}",
)  # fmt: skip
_TASKS = (
    "eat {0}", "drink {0}", "read {0}", "write {0}", "make {0}", "do {0}", "clean {0!}",
    "wash {0!}", "organize {0!}", "prepare {0!}", "draw {0}", "do the dishes",
    "do the laundry", "fix {0!}",
    "memorize {0!}", "translate {0}", "watch {0}", "solve {0!}", "clear away {0!}",
)  # fmt: skip
_DREAMS = (
    "go {0}", "travel", "travel {0}", "learn {0}", "meet {0}", "buy {0}", "rest", "sleep", "swim",
    "go on {0}", "eat {0}", "eat out", "live {0}", "go hiking", "camp", "drive {0}", "cook",
    "play {0}", "go {0} for fun", "study abroad {0}", "ride {0}", "learn to play {0}",
)  # fmt: skip
_NOVELTIES = (
    "go {0}", "travel", "eat {0}", "drink {0}", "ride {0}", "play {0}", "learn {0}", "watch {0}",
    "read {0}", "visit {0!}", "cook {0}", "make {0}", "swim", "fish", "go hiking", "draw {0}",
    "learn to play {0}", "bake {0}", "dance", "drive {0}", "taste {0}", "sing {0}", "camp",
)  # fmt: skip
_HARMFUL = (
    "eat {0}", "drink {0}", "buy {0}", "watch {0}", "go out", "run", "swim", "drive", "drive {0}",
    "play {0}", "go {0}", "open {0!}", "take a nap", "go hiking", "ride {0}", "exercise",
    "throw away {0!}", "use {0}", "walk", "go on {0}", "touch {0}", "park {0!}", "take {0}",
    "close {0!}", "turn on {0!}", "turn off {0!}", "sit on {0!}", "go into {0!}", "sell {0}",
    "cry", "call {0}", "wait for {0!}", "worry about {0!}", "sing", "dance", "sleep",
)  # fmt: skip
# What one asks of others, beside favors.
_REQUESTED = (
    "wait for {0!}", "call {0}", "contact {0}", "tell {1!} to {0}", "tell {0!} {1}", "help {0}",
    "send {1} to {0}", "send {0}", "give {1} to {0}", "teach {1} to {0}", "lend {1} to {0}",
    "return {1!} to {0}", "show {1!} to {0}", "read {1} to {0!}", "explain {1!} to {0}",
    "recommend {1?} to {0}", "introduce {1} to {0}", "invite {0}", "buy {1} for {0}",
    "take care of {0!}", "look after {0!}", "wake up {0}", "answer the phone", "check {0!}",
    "deliver {1} to {0}", "leave {1} with {0}", "give {0} a ride", "answer {0!}", "sing {0}",
)  # fmt: skip
# What one asks leave for, though it is no deed of every day.
_PERMITTED = (
    "sit on {0!}", "sit down", "go into {0!}", "park {0!}", "touch {0}", "use {0}",
    "lie down on {0!}", "ask {0} a question", "take {0} along", "go back {0}", "copy {0!}",
)  # fmt: skip
_NEEDS = {
    "novelty": _NOVELTIES,
    "harm": _HARMFUL,
    "dream": _DREAMS,
    "skill": _SKILLS,
    "lasting": _LASTING,
    "task": _TASKS,
}


# What nobody tells as a habit.
_WRONGS = ("deceive {0}", "steal {0}", "make {0!} cry", "tease {0}", "hide {0!}", "break {0!}")
# States that one foresees; that one will dislike something, nobody says.
_FORESEEN = ("live {0}", "attend {0!}", "work for {0}", "remember {0!}", "miss {0!}")


# One is lying or sitting: 누워 있다, and not 눕고 있다.
_POSTURES = ("눕", "앉")
_GOING_ON = ("progressive", "midst")
# What one has done once in one's life, beside novelties; what one gives one's word for.
_LIVED = ("experience", "experience_not")
_LIVES = (
    "meet {0}", "live {0}", "lose {0!}", "fail {0!}", "hurt {0}", "be hospitalized", "be late",
    "teach {0}", "work for {0}", "go on {0}", "study {0}", "break {0!}", "miss {0!}", "oversleep",
    "stay {0}", "fight with {0}", "study abroad {0}", "raise {0}", "smoke", "stay up all night",
    "go {0} for fun", "help {0}", "take part in {0!}", "sell {0}", "lie", "go on a diet",
    "invite {0}", "borrow {0}", "take {0}", "get bitten by {0}", "try on {0}", "camp",
)  # fmt: skip
_HATED = (
    "clean {0!}", "do the dishes", "do the laundry", "exercise", "study {0}", "cook", "wash {0!}",
    "wait for {0!}", "memorize {0!}", "eat {0}", "drink {0}", "take {0}", "walk", "run", "sing",
    "practice {0}", "dance", "write {0}", "read {0}", "drive", "go to work", "swim", "iron {0!}",
    "sweep {0!}", "go shopping", "go hiking", "take a nap", "throw away {0!}", "do {0}", "sleep",
)  # fmt: skip
# What one means to do and forgets; what nobody has to be allowed, and nobody is forbidden.
_FORGOTTEN = (
    "call {0}", "send {1} to {0}", "send {0}", "buy {0}", "turn off {0!}", "turn on {0!}",
    "take {0}", "charge {0!}", "do {0}", "wash {0!}", "prepare {0!}", "check {0!}", "close {0!}",
    "clean {0!}", "reserve {0?}", "print {0!}", "throw away {0!}", "memorize {0!}", "lock {0!}",
    "do the laundry", "do the dishes", "write {0}", "borrow {0}", "brush {0}", "download {0!}",
    "invite {0}", "wake up {0}", "read {0}", "open {0!}", "practice {0}", "iron {0!}",
)  # fmt: skip
_ALLOWING = ("may", "may_of", "may_not", "may_not_of", "may_not_own", "may_not_asked", "okay_to",
             "okay_asked")  # fmt: skip
_CHORES = (
    "throw away {0!}", "clean {0!}", "do the dishes", "do the laundry", "wash {0!}", "brush {0}",
    "study {0}", "wipe {0!}", "iron {0!}", "sweep {0!}", "prepare {0!}", "memorize {0!}",
    "organize {0!}", "clear away {0!}", "shave", "comfort {0}", "help {0}", "hug {0}",
)  # fmt: skip
_IN_COMPANY = ("lets", "lets_together", "lets_not", "shall", "shall_together")
# What one proposes to do together.
_SOCIAL = (
    "eat {0}", "have {0}", "drink {0}", "go {0}", "come {0}", "watch {0}", "read {0}",
    "listen to {0}", "meet {0}", "do {0}", "play {0}", "play", "study {0}", "learn {0}",
    "learn to play {0}", "rest", "exercise", "walk", "run", "swim", "dance", "sing", "sing {0}",
    "buy {0}", "make {0}", "cook {0}", "cook", "grill {0}", "bake {0}", "take {0}", "ride {0}",
    "wait for {0!}", "invite {0}", "help {0}", "look for {0}", "clean {0!}", "organize {0!}",
    "prepare {0!}", "practice {0}", "take a walk", "go hiking", "go shopping", "camp", "fish",
    "go for a drive", "eat out", "go out", "stop by {0!}", "visit {0!}", "look around {0!}",
    "travel", "travel {0}", "go for a walk", "go on a picnic", "order {0}", "reserve {0?}",
    "choose {0}", "share {0}", "call {0}", "memorize {0!}", "go {0} for fun", "draw {0}",
    "go back {0}", "come back {0}", "do the laundry", "do the dishes", "talk about {0!}",
    "wash {0!}", "see off {0}", "take care of {0!}", "start {0!}", "work", "leave work",
)  # fmt: skip
_VOWED = ("promised", "plan_fixed")
# In the present, what one does again and again.
_HABITS = ("plain", "not_an", "not_ji", "mot", "used_to")


# What happens to things, and nobody foretells.
_ACCIDENTS = ("깨지", "부러지", "찢어지", "사라지", "고장 나", "꺼지", "끊기", "잠기", "녹", "쌓이")


def is_rare(verb: Verb) -> bool:
    """Whether a verb is of a moment that one seldom tells of: folding, pulling, measuring."""
    return "daily" not in verb.features and stem_of(verb.korean) in spheres()["moment"]


def fits(verb: Verb, construction: Construction, tense: str) -> bool:
    """Whether a verb can be said in a construction and tense."""
    if construction.tail == "together" and "routine" in verb.features:
        return False
    if tense == "future" and verb.korean.partition("/")[0] in _ACCIDENTS:
        return False
    stem = stem_of(verb.korean)
    if construction.name in _GOING_ON and stem in _POSTURES:
        return False
    if construction.name == "forget_to" and verb.english not in _FORGOTTEN:
        return False
    if construction.name in _ALLOWING and (verb.english in _CHORES or verb.korean == "하/VV"):
        return False
    if verb.english == "look at {0}" and construction.name in _HABITS and tense == "present":
        return False  # that one looks at the sea, one tells of a day
    if construction.name in _IN_COMPANY and verb.english not in _SOCIAL:
        return False
    if construction.name == "hate" and verb.english not in _HATED:
        return False
    if verb.english == "enter {0}" and construction.name != "plain":
        return False
    if construction.name == "try" and verb.english == "look at {0}":
        return False
    if construction.name in _LIVED and verb.english not in (*_NOVELTIES, *_LIVES):
        return False
    if construction.name in _VOWED and "routine" in verb.features:
        return False
    if construction.name in _HABITS and tense == "present" and stem in spheres()["moment"]:
        return False
    if construction.needs == "daily":
        done = "daily" in verb.features and verb.willed and verb.subject == "human"
        return done and verb.english != "look at {0}"
    if construction.needs in ("request", "own"):
        gives = verb.korean.endswith("주/VV")  # 가르쳐 주세요, and not 가르쳐 줘 주세요
        wanted = not gives and ("favor" in verb.features or verb.english in _REQUESTED)
        able = verb.willed and verb.subject == "human"
        able = able and (construction.needs == "request" or "daily" in verb.features)
        return able and wanted == (construction.needs == "request")
    if construction.needs == "leave":
        done = "daily" in verb.features or verb.english in _PERMITTED
        return done and verb.willed and verb.subject == "human"
    if construction.name in _FORBIDDING and "bad" in verb.features:
        return "once" not in verb.features
    if construction.needs in _NEEDS:
        return verb.english in _NEEDS[construction.needs] and verb.subject == "human"
    if construction.needs == "favor":
        return "favor" in verb.features
    if construction.needs == "mishap":
        return verb.subject == "human" and "mishap" in verb.features
    if "pastonly" in verb.features:
        return construction.name == "plain" and tense == "past"
    if "negword" in verb.features:
        return construction.name == "plain" and tense != "future"
    if "invol" in verb.features and tense == "present" and construction.needs == "any":
        return construction.name == "seem"
    if verb.subject == "it":
        return construction.name in ("plain", *_NEGATIVE, "seem", "wonder")
    if "state" in verb.features and tense == "future" and verb.english not in _FORESEEN:
        return False
    if verb.english in _WRONGS and tense == "present" and construction.name == "plain":
        return False
    if construction.needs == "any":
        return not ("once" in verb.features and tense == "present" and construction.name != "seem")
    if verb.subject != "human" and "person" not in verb.features:
        return construction.needs == "any"
    if construction.name.startswith("experience") and "routine" in verb.features:
        return False
    if construction.needs == "deed":
        return not verb.features & {"state", "invol", "negword", "bad", "nowant"}
    return verb.willed


def timely(time: Adverb, verb: Verb, construction: Construction) -> bool:
    """Whether the time suits: no hour for what happens to one, no habit that one has not."""
    if time.kind in ("past", "future", "near", "month"):
        return True
    if verb.subject == "it":
        return time.kind == "now"
    if time.kind == "freq" and (construction.negative or "once" in verb.features):
        return False
    return not verb.features & {"state", "invol"}


def third_person_may(construction: Construction, mood: str) -> bool:
    """Whether somebody else than the speakers may be the subject."""
    if mood == "command" or construction.default == "you":
        return False
    if mood == "question" and construction.asker not in ("you", "it"):
        return False
    return not construction.who or "he" in construction.who


# --- who does what, and when ----------------------------------------------------------------------


@cache
def occasions() -> Mapping[str, frozenset[str]]:
    """``occasions.tsv``: stems of what one does on one occasion, and in a life."""
    return {row["occasion"]: frozenset(row["stems"].split(",")) for row in rows("occasions")}


# Whole stretches of time, which small deeds do not take.
_STRETCH: Final = re.compile(
    r"week|days? (ago|before|after)|day$|Christmas|Chuseok|vacation|holiday"
    r"|summer|winter|spring|fall"
)
_AT_LENGTH: Final = ("rest", "sleep", "get up", "take", "ride", "drive", "go out", "leave work",
                     "go to work", "shave", "put on makeup")  # fmt: skip
_TODAY: Final = ("today", "yesterday", "every day", "each day", "once a day")


def is_far(time: Adverb) -> bool:
    """Whether it is too far off for small things."""
    return time.english in _FAR


_SOON: Final = ("lets", "lets_together", "lets_not", "shall", "shall_together", "how_about",
                "would_like", "for_you", "for_you_asked", "could_you", "had_better")  # fmt: skip


def is_near(base: Predicate, time: Adverb, name: str, mood: str) -> bool:
    """Whether what is asked for or offered is near enough: nobody is to eat out next year."""
    if name in _FORBIDDING and "bad" in base.features:
        return False
    if name in ("must", "must_dwae", "no_choice") and time.english in RECENT:
        return False
    far = is_far(time) or time.kind == "month"
    return not (far and (mood == "command" or name in _SOON))


# What one does from now on: what takes a resolve, and is done again and again.
_RESOLVED: Final = (
    "운동하", "공부하", "연습하", "걷", "요리하", "청소하", "배우", "가르치", "저축하", "모으",
    "일하", "살", "다니", "읽", "쓰", "수영하", "산책하", "돕", "도와주", "일어나", "쉬", "하",
    "기다리", "노력하", "조심하", "지키", "등산하", "외우",
)  # fmt: skip


def is_timely(base: Predicate, time: Adverb) -> bool:
    """Whether a deed is told with this time: of a year what lasts, of a Monday what takes long."""
    if base.kind != "act":
        return True
    stem = stem_of(base.stem)
    if time.english == "from now on" and stem not in _RESOLVED:
        return False
    if not spans(time, stem, base.rest, occasions()["life"]):
        return False
    if (time.english in _FAR or time.kind == "month") and stem not in occasions()["life"]:
        return False  # that one wiped a desk last year, nobody remembers
    small = "routine" in base.features and not f"{base.verb} {base.rest}".startswith(_AT_LENGTH)
    return not (small and _STRETCH.search(time.english) and time.english not in _TODAY)


_CHILD: Final = re.compile(
    r"\b(child|baby|boy|girl|teenager|grandson|granddaughter"
    r"|(elementary|middle|high) school student)$"
)
_KIN: Final = re.compile(
    r"\b(mom|dad|mother|father|grandmother|grandfather|uncle|aunt|husband|wife|parents|boss"
    r"|mother-in-law|team leader|adult|middle-aged (man|woman)|rich person)$"
)
_OF_GROWN: Final = re.compile(
    r"\b((leave|left|leaving|leaves) work"
    r"|(go|goes|going|went|come|comes|came) to (work|the office)|salary|driv\w+|drove"
    r"|soju|beer|wine|alcohol|makgeolli|whiskey|cocktail|smok\w+|quit drinking"
    r"|get (married|engaged|divorced|a job)|business trip|meeting|customers?|colleagues?|rent|tax"
    r"|work part-time|makeup|shav\w+|resume|bar|company|monthly|go on a date|give .* a ride)\b"
)
_OF_PUPILS: Final = re.compile(
    r"\b(homework|scolded|late for (school|class)|go to school|kindergarten"
    r"|(attend|graduate from|enter) the (elementary|middle|high)|for the exam)\b"
)
_PARTNERS: Final = {
    "he": re.compile(r"\b(his|their) (husband|boyfriend)\b"),
    "she": re.compile(r"\b(her|their) (wife|girlfriend)\b"),
}
_YOUNG: Final = re.compile(r"\b(brother|sister|cousin|nephew|son|daughter)$")
_OF_ELDERS: Final = re.compile(r"\b(his|her|their) (son|daughter|grandson|granddaughter)\b")
_OLD: Final = re.compile(r"\bgrand(mother|father)$")
_OF_THE_YOUNG: Final = re.compile(
    r"\b(get (married|engaged|a job)|enter|graduate|go on a date|study abroad|apply|oversleep)\b"
)
_OF_KIN: Final = re.compile(
    r"\b(his|her|their) (mom|dad|mother|father|uncle|aunt|cousin|nephew|wife|husband|son|daughter"
    r"|parents|(older|younger) (brother|sister)|grand\w+|(boy|girl)friend|roommate)\b"
)
_LOVERS: Final = re.compile(r"\bmy (boyfriend|girlfriend|husband|wife)\b")


@cache
def _jobs() -> frozenset[str]:
    return frozenset(row["english"] for row in rows("nouns") if "job" in row["classes"].split(","))


def holds_job(name: str) -> bool:
    """Whether somebody is named by a job: this lawyer, a nice teacher."""
    words = name.split()
    return any(" ".join(words[at:]) in _jobs() for at in range(len(words)))


def is_likely(subject: Subject, base: Predicate) -> bool:
    """Whether such a one does that: children leave no work, and parents have no homework."""
    if subject.person != 3 or base.kind not in ("act", "feel"):
        return True
    name, deed = subject.english, f"{base.verb} {base.rest}"
    if _CHILD.search(name) and (_OF_GROWN.search(deed) or base.verb == "park"):
        return False
    if _OF_PUPILS.search(deed) and not name.endswith(("teacher", "professor")):
        return not (_KIN.search(name) or holds_job(name))
    if subject.pronoun in ("he", "she") and _PARTNERS[subject.pronoun].search(deed):
        return False
    if name.endswith(("son", "daughter")) and re.search(r"\b(his|her) nephew\b", deed):
        return False
    if _OLD.search(name) and _OF_THE_YOUNG.search(deed):
        return False
    if is_stranger(subject) and _OF_KIN.search(deed):
        return False
    if _YOUNG.search(name) and _OF_ELDERS.search(deed):
        return False
    if (subject.pronoun == "he" and "makeup" in deed) or (
        subject.pronoun == "she" and base.verb == "shave"
    ):
        return False
    return not _LOVERS.search(deed)
