"""What leaves the app says by what chance its text was drawn, and that it was a message."""

from dataclasses import replace

import pytest

from core.trace import AttentionTrace
from tests.viz.inspector.made import trace
from viz.export.numbers import conditions_told
from viz.export.paper.said import said_of
from viz.inspector.conditions import sampled
from viz.text.browser import inspector_words
from viz.text.language import LANGUAGES, Language
from viz.text.paper import figure_words

CHANCE = {"seed": 7, "temperature": 1.5, "top_p": 0.9}


def made(**meta: str | int | float) -> AttentionTrace:
    plain = trace()
    return replace(plain, meta={**plain.meta, **meta})


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_and_numbers_name_the_seed(language: Language) -> None:
    words = inspector_words(language)
    said = words["sampled"].format(seed="7", temperature="1.5", top_p="0.9")
    assert said_of(made(**CHANCE), words).endswith(said)
    assert said not in said_of(made(), words)
    assert conditions_told(made(**CHANCE)) == CHANCE
    assert conditions_told(made()) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_and_numbers_say_that_it_was_a_message(language: Language) -> None:
    words = figure_words(language)
    assert said_of(made(message=True), words).endswith(words["message"])
    forced = made(free_running=False, lift_mask=True)
    assert said_of(forced, words).endswith(f"{words['not_free']} · {words['mask_lifted']}")
    assert conditions_told(forced) == {"lift_mask": True, "free_running": False}
    assert conditions_told(made(free_running=True, lift_mask=False)) == {}
    assert conditions_told(made(message=True)) == {"message": True}


@pytest.mark.parametrize("seed", [0, 999_999, 12_345_678, 2**64 - 1, -3])
def test_a_seed_is_named_to_its_last_digit(seed: int) -> None:
    assert sampled(made(**{**CHANCE, "seed": seed}))["seed"] == str(seed)


@pytest.mark.parametrize("foreign", [{"seed": "x"}, {"seed": 7}, {**CHANCE, "top_p": "all"}])
def test_what_a_foreign_file_says_of_chance_is_taken_whole_or_not(
    foreign: dict[str, str | int | float],
) -> None:
    assert sampled(made(**foreign)) == {}
