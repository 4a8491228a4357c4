"""How a sentence closes around a clause inside it; ``matrices.toml`` has what it says of it."""

from __future__ import annotations

from collections.abc import Sequence

from core.grammar.clauses import Turn
from core.grammar.frames import Matrix
from core.grammar.predicates import Predicate
from core.grammar.sentences import Workshop


def matrix_ending(form: str, tense: str, base: Predicate) -> str:
    """The ending of an inner clause before what closes the sentence.

    Args:
        form: what the matrix asks for.
        tense: of the inner clause.
        base: its predicate.

    Raises:
        KeyError: a form that there is not.
    """
    verbal = base.like == "verb"
    iss = "iss" in base.features
    now = "+는" if verbal or iss else "+은"
    past = tense == "past"
    if tense == "future":
        future = {"noun": "+을/ETM", "quote": "+을/ETM 거라고", "asking": "+을지/EC"}
        if form in future:
            return future[form]
    return {
        "noun": ("+은/ETM" if verbal else "+었/EP+던/ETM") if past else f"{now}/ETM",
        "quote": "+었/EP+다고/EC" if past else "+ᆫ다고/EC" if verbal else "+다고/EC",
        "hearsay": "+었/EP+대요/EF" if past else "+ᆫ대요/EF" if verbal else "+대요/EF",
        "asking": "+었/EP+는지/EC" if past else f"{now}지/EC",
        "guess": "+었/EP+나/EC" if past else "+나/EC" if verbal or iss else "+은가/EC",
        "might": "+을지/EC",
        "if": "+으면/EC",
        "if_not": "+지/EC 않/VX+으면/EC",
        "if_past": "+었/EP+으면/EC",
        "lest": "+을까/EC 봐",
        "so": "+어서/EC",
        "that_is": "+었/EP+다니/EC",
        "stem": "",
    }[form]


def matrix_closing(
    shop: Workshop, matrix: Matrix, turn: Turn, base: Predicate, form: str, tense: str
) -> str | None:
    """From the inner clause's ending to the end of the sentence; None where a style has no end."""
    start = matrix_ending(form, tense, base)
    if form == "hearsay":
        return start if turn.style == "polite" else (
            start.replace("대요", "대") if turn.style == "casual" else None
        )  # fmt: skip
    if matrix.final:
        ends: Sequence[str] = matrix.final.get(turn.style, [])
        if matrix.name == "exclaimed" and base.like == "verb":
            ends = [end.replace("+", "+는") for end in ends]
    else:
        plain = shop.frames.constructions["plain"]
        kinds = ("both", matrix.stem or "verb")
        ends = shop.frames.finals(plain, matrix.tense, turn.mood, turn.style, kinds)
    if not ends:
        return None
    end = shop.draw.variant(ends)
    if matrix.korean.endswith("/VCP"):
        end = {"+어/EF": "+야/EF", "+어요/EF": "+에요/EF"}.get(end, end)
    return f"{start}{matrix.korean}{end}"
