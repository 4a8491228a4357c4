"""The app words what only it refuses; the core knows nothing of it."""

import ast

import pytest

from core import errors, reasons
from core.errors import HeadlightError
from tests.raised import ROOT, raised
from viz.text.errors import worded
from viz.text.refusals import AppError, ErrorText, ReasonText, because
from viz.text.rows import names


def test_the_app_gives_every_reason_that_it_words() -> None:
    assert set(names(ReasonText)) == raised("viz", "because").keys() - reasons.REASONS.keys()


def test_the_app_raises_every_error_that_it_words() -> None:
    assert set(names(ErrorText)) == raised("viz", "AppError").keys() - errors.SENTENCES.keys()


def test_no_code_is_worded_twice() -> None:
    assert not set(names(ReasonText)) & reasons.REASONS.keys()
    assert not set(names(ErrorText)) & errors.SENTENCES.keys()


def test_the_app_raises_no_error_of_its_own_as_one_of_the_core() -> None:
    assert raised("viz", "HeadlightError").keys() <= errors.SENTENCES.keys()


def test_the_app_takes_because_from_the_app() -> None:
    """That of the core knows no reason of the app."""
    takers = [
        path.name
        for path in (ROOT / "viz").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "core.reasons"
        if "because" in [alias.name for alias in node.names]
    ]
    assert takers == []


def test_an_error_of_the_core_says_a_reason_of_the_app() -> None:
    error = HeadlightError("trace_invalid", path="a.npz", reason=because("kinds_none"))
    assert str(error).endswith("can draw: it holds neither attention nor states.")
    assert worded(error, "en") == str(error)
    assert worded(error, "ko").endswith("아니에요: 어텐션도 상태도 들어 있지 않아요.")


def test_the_app_says_errors_and_reasons_of_the_core_too() -> None:
    error = AppError(
        "parameter_invalid", name="view", value="x", reason=because("one_of", known="y")
    )
    assert str(error) == "view cannot be 'x': it is one of y."
    assert worded(error, "ko") == "view에 'x' 값은 쓸 수 없어요: y 가운데 하나여야 해요."


def test_what_nobody_words_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        AppError("gremlins")
    with pytest.raises(KeyError):
        str(because("gremlins"))
