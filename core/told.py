"""An error as one process tells another: its code and its parameters, as JSON has them."""

from __future__ import annotations

from typing import Any

from core.errors import HeadlightError
from core.reasons import Reason


def told_of(error: HeadlightError) -> dict[str, Any]:
    """What JSON carries of an error."""
    return {"code": error.code, "parameters": _plain(error.parameters)}


def error_of(told: dict[str, Any]) -> HeadlightError:
    """The error that `told_of` was given.

    Raises:
        KeyError: it was given none.
    """
    parameters = {name: _read(value) for name, value in told["parameters"].items()}
    code: str = told["code"]
    return HeadlightError(code, **parameters)


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return {"reason": value.code, "parameters": _plain(value.parameters)}
    if isinstance(value, dict):
        return {name: _plain(own) for name, own in value.items()}
    return value if isinstance(value, int | float) else str(value)


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    parameters = {name: _read(own) for name, own in value["parameters"].items()}
    return Reason(value["reason"], parameters)
