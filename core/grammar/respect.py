"""Words and endings for those whom one honours: 드시다, 주무시다, 계시다."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.frames import Construction
from core.grammar.nominals import Actor
from core.grammar.predicates import Predicate

# Verbs that have another word for honoured subjects, or none.
_NO_HONOR = ("먹/", "마시/", "자/", "있/", "없/", "죽/", "말하/", "배고프/", "아프/")
# Those words, without their -시-.
_HONORED = {
    "먹/VV": "드/VV", "마시/VV": "드/VV", "자/VV": "주무/VV", "있/VV": "계/VV",
    "죽/VV": "돌아가/VV", "말하/VV": "말씀하/VV", "아프/VA": "편찮/VA",
}  # fmt: skip
_NOT = "+지/EC 않/VX"
_GOING_ON = "+고/EC 있/VX"
# Its word for honoured subjects, which does without -시- on the verb: 읽고 계세요.
_IS_HONORED = "+고/EC 계/VX"
# Wishing bears the -시- itself: 팔고 싶어하세요.
_WISHING = "+고/EC 싶어하/VV"
# Looking and becoming bear it, too: 피곤해 보이세요, 불안해지셨어요.
_SEEMING = ("+어/EC 보이/VV", "+어/EC~지/VX")
_SEEN = ("describe", "exist", "weather")


def honored(
    predicate: Predicate,
    actor: Actor,
    construction: Construction,
    style: str,
    linked: bool,
    *,
    surely: bool = False,
) -> tuple[Predicate, Construction, tuple[str, ...]]:
    """Predicate and construction in the words for one's elders, and their kinds of ending.

    Args:
        predicate: what is said.
        actor: of whom.
        construction: how.
        style: the speech style.
        linked: whether another clause follows.
        surely: whether an elder is told of in -시- even where nothing else raises them.
    """
    kinds = _kinds(predicate, actor, construction)
    head, _, last = predicate.stem.rpartition(" ")
    raised = actor.korean.endswith(("께서", "께서는"))
    raised = raised or (surely and actor.honored and style in ("polite", "formal"))
    asked = construction.korean == _IS_HONORED or (
        construction.name == "do_polite" and last in ("먹/VV", "마시/VV")
    )
    due = last in _HONORED and (actor.honored or asked) and style in ("polite", "formal")
    if not (raised or due) or predicate.kind not in ("act", "feel"):
        return predicate, construction, kinds
    stem = f"{head} {_HONORED.get(last, last)}".strip()
    own = replace(predicate, stem=f"{stem}+으시/EP")
    if construction.name == "do_polite":
        return replace(predicate, stem=stem), construction, kinds
    if linked or construction.final:
        return own, construction, kinds
    if not construction.korean:
        return replace(predicate, stem=stem), construction, ("respect",)
    if construction.korean == _GOING_ON:
        construction = replace(construction, korean=_IS_HONORED)
    if construction.korean.startswith(_SEEMING):
        return replace(predicate, stem=stem), construction, ("respect",)
    if construction.korean in (_NOT, _IS_HONORED, _WISHING):
        return (own if due else predicate), construction, ("respect",)
    return own, construction, kinds


def _kinds(predicate: Predicate, actor: Actor, construction: Construction) -> tuple[str, ...]:
    like = construction.stem or predicate.like
    kinds = ["both", like]
    if predicate.kind in _SEEN and not construction.korean:
        kinds.append("seen")
    honor = actor.subject.person == 2 and not actor.korean
    if honor and not construction.korean and not predicate.stem.split()[-1].startswith(_NO_HONOR):
        kinds.append("honor")
    human = predicate.kind in ("act", "feel") and not construction.korean
    if actor.honored and human and not predicate.stem.split()[-1].startswith(_NO_HONOR):
        kinds.append("respect")
    return tuple(kinds)
