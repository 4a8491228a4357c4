"""The core words the reasons that it gives, and no others."""

import pytest

from core import reasons
from core.reasons import REASONS, because
from tests.raised import raised


def test_the_core_gives_every_reason_that_it_words() -> None:
    given = raised("core", "because", "RefusedError", "NpzError", "TraceError")
    assert REASONS.keys() == given.keys() | set(reasons._SYSTEM.values())


def test_a_reason_that_nobody_words_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        str(because("gremlins"))
