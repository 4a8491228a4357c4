"""Clauses within clauses, of one report each: I think that Minsu said he was busy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from core.grammar.clauses import Spoken, Turn, tell
from core.grammar.frames import Construction
from core.grammar.matrices import matrix_ending
from core.grammar.nominals import Actor, pronoun, somebody
from core.grammar.opinions import as_subject, opinion
from core.grammar.predicates import Predicate, feel
from core.grammar.sentences import Maker, Sentence, Workshop, finish


@dataclass(frozen=True)
class Chain:
    """What stands around the innermost clause: its two outer verbs, in both languages.

    ``{who}`` is who said or thinks it; Korean starts after the quoted clause, its end by style.
    ``shift``: the innermost English is as past as what was said.
    """

    name: str
    lead: str
    korean: str
    ends: tuple[str, str]
    english: str
    shift: bool = True
    asked: bool = False
    weight: float = 1


_CHAINS: Final = (
    Chain("think_said", "{who:subject}", "한 것", ("같아", "같아요"),
          "I think that {who} said that {0}", weight=2),
    Chain("think_said", "{who:subject}", "말한 것", ("같아", "같아요"),
          "I think {who} said {0}", weight=1.5),
    Chain("remember_said", "{who:subject}", "한 것을", ("기억해", "기억해요"),
          "I remember that {who} said that {0}"),
    Chain("unbelievable_said", "{who:subject}", "한 것을", ("믿을 수 없어", "믿을 수 없어요"),
          "I can't believe that {who} said that {0}"),
    Chain("why_said", "{who:subject} 왜", "했는지", ("모르겠어", "모르겠어요"),
          "I don't know why {who} said that {0}"),
    Chain("who_said", "누가", "했는지", ("알아", "알아요"),
          "do you know who said that {0}", asked=True),
    Chain("when_said", "{who:subject} 언제", "했는지", ("기억나", "기억나요"),
          "do you remember when {who} said that {0}", asked=True),
    Chain("know_thinks", "{who:subject}", "생각하는 것을", ("알아", "알아요"),
          "I know that {who} thinks that {0}", shift=False),
    Chain("heard_thinks", "{who:subject}", "생각한다고", ("들었어", "들었어요"),
          "I heard that {who} thinks that {0}", shift=False),
    Chain("said_thought", "{who:topic}", "생각한다고", ("했어", "했어요"),
          "{who} said that {he} thought that {0}", weight=1.5),
)  # fmt: skip
# What an elder says and thinks.
_RAISED: Final = {
    "한 것": "하신 것", "한 것을": "하신 것을", "했는지": "하셨는지",
    "생각하는 것을": "생각하시는 것을", "생각한다고": "생각하신다고",
}  # fmt: skip
# What who said of oneself needs no subject: 민수가 바쁘다고 한 것 같아요.
_OWN: Final = ("think_said", "remember_said", "why_said", "when_said")


def nested_sentence(shop: Workshop) -> Sentence | None:
    """민수가 바쁘다고 한 것 같아요: I think that Minsu said that he was busy."""
    draw = shop.draw
    style = shop.style((0, 1, 1.5, 0))
    chain = draw.weighted(_CHAINS, [chain.weight for chain in _CHAINS])
    who = somebody(draw, style)
    if who.honored and "말한" in chain.korean:
        return None  # of an elder one says 말씀하신
    if who.subject.person != 3 or who.subject.pronoun not in ("he", "she"):
        return None
    tense = draw.weighted(("present", "past", "future"), (4, 2, 2))
    if chain.name in _OWN and draw.chance(0.5):
        base, actor = feel(draw), Actor("", pronoun(who.subject), who.honored)
        pair, tense = (base.stem, actor.subject.english), "present"
        if base.like == "verb":
            return None
    else:
        made = opinion(shop, style, tense)
        if made is None:
            return None
        base, actor, pair = made
        actor = replace(actor, korean=as_subject(shop, actor, always=True))
        if actor.subject.english in (who.subject.english, "he", "she") or (
            actor.subject.person != 3
        ):
            return None
    if base.kind == "act" and (
        ("state" in base.features and tense == "future")
        or ("once" in base.features and tense == "present")
    ):
        return None
    inner = _innermost(shop, chain, base, actor, Turn(style, tense, "statement"))
    if inner is None:
        return None
    lead = chain.lead.replace("{who:topic}", who.korean)
    lead = lead.replace("{who:subject}", as_subject(shop, who, always=True))
    said, end = chain.korean, chain.ends[style == "polite"]
    if who.honored and style == "polite" and "{who" in chain.lead:
        said, end = _RAISED[said], end.replace("했", "하셨")
    korean = f"{lead} {inner.korean} {said} {end}"
    words = chain.english.replace("{who}", who.subject.english)
    words = words.replace("{he}", who.subject.pronoun).replace("{0}", inner.english)
    words = words.replace("that that ", "that ")
    mood = "question" if chain.asked else "statement"
    name = f"nested:{chain.name}.{base.kind}.{tense}.{mood}"
    return finish(draw, Spoken(korean, words), name, mood, frozenset({pair}))


def _innermost(
    shop: Workshop, chain: Chain, base: Predicate, actor: Actor, turn: Turn
) -> Spoken | None:
    """The quoted clause, its English as past as the verb around it."""
    plain = shop.frames.constructions["plain"]
    construction, told, tense = _shifted(chain, base, turn.tense, plain)
    ending = matrix_ending("quote", turn.tense, base)
    return tell(
        shop.draw, shop.frames, told, actor, construction, Turn(turn.style, tense, "statement"),
        ending=ending, front=False,
    )  # fmt: skip


def _shifted(
    chain: Chain, base: Predicate, tense: str, plain: Construction
) -> tuple[Construction, Predicate, str]:
    ongoing = base.kind == "act" and not base.features & {"state", "once", "invol"}
    if not chain.shift or tense == "past":
        if ongoing and tense == "present":
            base = replace(base, features=base.features | {"now"})
        return plain, base, tense
    if tense == "future":
        return replace(plain, english="would {base}"), base, "present"
    return (replace(plain, english="be {ing}") if ongoing else plain), base, "past"


MAKERS: Final[tuple[tuple[Maker, float], ...]] = ((nested_sentence, 4),)
