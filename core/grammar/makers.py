"""What is drawn, and how often: every maker of sentences with its weight."""

from __future__ import annotations

from core.grammar import (
    amounts,
    asides,
    chains,
    chat,
    chatter,
    choices,
    comparisons,
    compounds,
    conditions,
    embedded,
    everyday,
    exchanges,
    existence,
    favourites,
    fragments,
    honorifics,
    introductions,
    juxtaposed,
    lines,
    looks,
    midst,
    nested,
    openers,
    opinions,
    patterns,
    questions,
    reasons,
    remarks,
    retyped,
    sentences,
    series,
    shorthand,
    states,
    strays,
)
from core.grammar.sentences import Maker

Makers = tuple[tuple[Maker, float], ...]

_PLAIN: Makers = (
    (sentences.act_sentence, 44),
    (sentences.feel_sentence, 5),
    (sentences.describe_sentence, 9),
    (sentences.copula_sentence, 4),
    (existence.exist_sentence, 6),
    (existence.have_sentence, 4),
    (existence.spot_sentence, 3),
    (questions.wh_sentence, 16),
    (questions.where_is_sentence, 4),
    (amounts.price_sentence, 2),
    (amounts.order_sentence, 3),
    (amounts.day_sentence, 0.6),
    (comparisons.compare_sentence, 4),
    (comparisons.ache_sentence, 1),
    (juxtaposed.visit_sentence, 6),
    (juxtaposed.impression_sentence, 3),
    (compounds.cause_sentence, 7),
    (compounds.contrast_sentence, 3),
    (series.series_sentence, 4),
    (series.errand_sentence, 4),
    (series.both_sentence, 3),
    (series.thing_sentence, 2.5),
    (reasons.reason_sentence, 7),
    (opinions.think_sentence, 4),
    (opinions.quote_sentence, 2),
    (opinions.relative_sentence, 7),
    (everyday.journey_sentence, 2),
    (everyday.weather_sentence, 0.7),
    (everyday.identity_sentence, 2),
    (everyday.too_sentence, 2),
    *(
        (maker, 0.75 * weight)  # what stands above is to be six rows in ten
        for module in (
            asides,
            chains,
            choices,
            conditions,
            embedded,
            exchanges,
            favourites,
            honorifics,
            looks,
            midst,
            nested,
            remarks,
            states,
        )
        for maker, weight in module.MAKERS
    ),
)
VALUED: Makers = (
    (patterns.pattern_sentence, 48),
    (introductions.introduction_sentence, 6.5),
)
_DAILY: Makers = (
    (patterns.daily_sentence, 30),
    (patterns.brief_sentence, 30),
    (patterns.brand_sentence, 12),
)
_SINGLE = _PLAIN + VALUED + _DAILY
_ORDINARY = (*_SINGLE, (openers.opened_maker(*zip(*_SINGLE, strict=True)), 10))
ALL: Makers = (
    *_ORDINARY,
    (chat.chat_maker(*zip(*_ORDINARY, strict=True)), 12),
    (chat.slip_maker(*zip(*_ORDINARY, strict=True)), 8),
    (shorthand.chat_maker(*zip(*_ORDINARY, strict=True)), 9),
    (shorthand.slip_maker(*zip(*_ORDINARY, strict=True)), 8),
    (chatter.chatter_maker(*zip(*_SINGLE, strict=True), into="en"), 5),
    (chatter.chatter_maker(*zip(*_SINGLE, strict=True), into="ko"), 5),
    (chatter.space_maker(*zip(*_ORDINARY, strict=True)), 12),
    *strays.MAKERS,
    *fragments.MAKERS,
    *lines.MAKERS,
    *retyped.MAKERS,
)
# Copies more often, for one in ten of them is held out as well.
HELD: Makers = (*VALUED, (strays.stray_sentence, 25))
# Of a table that is cut with BPE-dropout: what has to be spelled rather than known.
SPELLED: Makers = (
    (patterns.pattern_sentence, 40),
    (introductions.introduction_sentence, 20),
    (strays.stray_sentence, 16),
)
