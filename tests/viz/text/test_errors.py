"""Every error is worded in every language, with the same data in it."""

import string
from typing import Any

import pytest

from core.errors import SENTENCES, HeadlightError
from core.reasons import because
from viz.text.errors import KO, TEXT, worded
from viz.text.language import LANGUAGES
from viz.text.reasons import TEXT as REASONS
from viz.text.refusals import AppError

VALUES: dict[str, str | int] = {
    "step": 7,
    "size": 1_000_000,
    "limit": 96,
    "length": 120,
    "line": 7,
    "now": 4096,
}


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_code_of_the_core_has_a_sentence() -> None:
    assert KO.keys() == SENTENCES.keys()


def test_languages_say_the_same_facts() -> None:
    for code, english in TEXT["en"].items():
        fields = _fields(english)
        values: dict[str, Any] = {name: VALUES.get(name, f"<{name}>") for name in fields}
        error = AppError(code, **values)
        for language in LANGUAGES:
            said = worded(error, language)
            assert _fields(TEXT[language][code]) == fields, code
            for value in values.values():
                assert (f"{value:,}" if isinstance(value, int) else value) in said, code


def test_data_is_never_taken_for_a_template() -> None:
    error = HeadlightError("file_missing", path="{limit} {0} %s")
    assert "{limit} {0} %s" in worded(error, "ko")


@pytest.mark.parametrize(
    "code", [code for code in SENTENCES if "reason" in _fields(SENTENCES[code])]
)
def test_a_reason_is_said_in_the_language_of_its_sentence(code: str) -> None:
    values: dict[str, Any] = {n: VALUES.get(n, "a") for n in _fields(SENTENCES[code]) - {"reason"}}
    error = HeadlightError(code, **values, reason=because("disk_full"))
    assert worded(error, "en").endswith(f": {REASONS['en']['disk_full']}.")
    assert worded(error, "ko").endswith(f": {REASONS['ko']['disk_full']}.")
