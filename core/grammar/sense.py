"""What can sensibly be said of what: verbs in constructions, times with verbs."""

from __future__ import annotations

from core.grammar.frames import Construction
from core.grammar.lexicon import Adverb, Verb

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
    "throw away {0!}", "use {0}", "walk", "go on {0}",
)  # fmt: skip
_NEEDS = {
    "novelty": _NOVELTIES,
    "harm": _HARMFUL,
    "dream": _DREAMS,
    "skill": _SKILLS,
    "lasting": _LASTING,
    "task": _TASKS,
}


def fits(verb: Verb, construction: Construction, tense: str) -> bool:
    """Whether a verb can be said in a construction and tense."""
    if construction.tail == "together" and "routine" in verb.features:
        return False
    if construction.needs == "daily":
        done = "daily" in verb.features and verb.willed and verb.subject == "human"
        return done and verb.english != "look at {0}"
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
    if construction.needs == "any":
        return not ("once" in verb.features and tense == "present" and construction.name != "seem")
    if verb.subject != "human" and "person" not in verb.features:
        return construction.needs == "any"
    if "bad" in verb.features and construction.name in _FORBIDDING:
        return "once" not in verb.features
    if construction.needs == "deed":
        return not verb.features & {"state", "invol", "negword", "bad", "nowant"}
    return verb.willed


def timely(time: Adverb, verb: Verb, construction: Construction) -> bool:
    """Whether the time suits: no hour for what happens to one, no habit that one has not."""
    if "routine" in verb.features and time.english in _FAR:
        return False
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
