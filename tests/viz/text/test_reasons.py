"""Every reason why something is refused is said in every language, and Korean ones in Korean."""

import re
import string

import pytest

from core.reasons import REASONS, Reason
from viz.text.language import LANGUAGES
from viz.text.reasons import KO, TEXT, reason_text
from viz.text.refusals import because

SAID = "said"
"""What a library said, in English."""


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_reason_of_the_core_has_a_sentence() -> None:
    assert KO.keys() == REASONS.keys()


def test_languages_say_the_same_facts() -> None:
    for code, english in TEXT["en"].items():
        assert _fields(TEXT["ko"][code]) == _fields(english) - {SAID}, code


def test_a_korean_reason_is_korean() -> None:
    for code, english in TEXT["en"].items():
        words = " ".join(text for text, *_ in string.Formatter().parse(TEXT["ko"][code]))
        assert re.search("[가-힣]", words) or not words.strip(" :"), code
        # What stays as it is spelled, the English sentence names as well.
        literal = set(re.findall(r"[A-Za-z_][A-Za-z_.]+", words))
        known = set(re.findall(r"[A-Za-z_][A-Za-z_.]+", english)) | _LITERAL.get(code, set())
        assert literal <= known, code


# Names of options and formats that the English sentence says in other words.
_LITERAL = {
    "part_shape": {"weights"},
    "patience_valid": {"valid"},
    "splits_none": {"split"},
}


def test_reasons_within_a_reason_are_in_its_language() -> None:
    reason = because("cells_many", room=2, size=3, instead=because("instead_whole"))
    assert str(reason).endswith("this is of 3; npz and html hold it whole")
    assert reason_text(reason, "en") == str(reason)
    assert reason_text(reason, "ko").endswith("3개예요. npz와 html에는 모두 담겨요")


@pytest.mark.parametrize("code", [code for code in REASONS if SAID in _fields(REASONS[code])])
def test_what_a_library_says_is_left_to_english(code: str) -> None:
    reason = because(code, said="gremlins within")
    assert "gremlins" in reason_text(reason, "en")
    assert "gremlins" not in reason_text(reason, "ko")


def test_data_in_a_reason_is_never_taken_for_a_template() -> None:
    reason = because("array_missing", array="{limit} {0} %s")
    for language in LANGUAGES:
        assert "{limit} {0} %s" in reason_text(reason, language)


def test_rows_and_columns_of_somebodys_data_are_worded_too() -> None:
    bad = because("rows_bad", fault=because("cells_one"), bad=2, rows=3)
    assert reason_text(bad, "ko") == "열이 하나뿐 (3행 가운데 2행이 쌍이 아님)"
    both = [because("columns_both", first=f'"{a}"', second=f'"{b}"') for a, b in ("ab", "cd")]
    either = because("columns_either", one=both[0], other=both[1])
    other: Reason = because("columns_other", columns=either, found='"x"')
    assert reason_text(other, "ko").startswith('"a" 및 "b" 또는 "c" 및 "d" 열이 없고')
