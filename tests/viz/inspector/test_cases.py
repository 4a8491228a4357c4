"""What Python says of the cases that it shares with the browser."""

from typing import Any

import pytest

from tests.viz.inspector.cases import CASES, RULES, flat


@pytest.mark.parametrize(("name", "given", "wanted"), CASES)
def test_python_says_what_is_written(name: str, given: tuple[Any, ...], wanted: Any) -> None:
    got = RULES[name].python(*given)
    if isinstance(wanted, list):
        assert flat(got) == pytest.approx(flat(wanted), abs=1e-12)
    else:
        assert got == wanted
