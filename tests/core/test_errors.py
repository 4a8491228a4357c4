"""The core words the errors that it raises, and no others."""

import pytest

from core.errors import SENTENCES, HeadlightError
from tests.raised import raised


def test_the_core_raises_every_error_that_it_words() -> None:
    assert SENTENCES.keys() == raised("core", "HeadlightError").keys()


def test_an_error_that_nobody_words_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        HeadlightError("gremlins")
