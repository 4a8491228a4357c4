"""One target for all milestones of a run."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.studies.milestones import SharedTarget, shared_target
from core.trace import AttentionTrace, Token

SOURCE = "나는 물을 마신다"


class Spelling:
    """A model that writes `text` in as many tokens as the letters of it count."""

    def __init__(self, text: str, limit: int, *, finished: bool = True) -> None:
        self.text, self.limit, self.finished = text, limit, finished
        self.asked: list[TraceRequest] = []

    def __getattr__(self, name: str) -> object:
        raise AssertionError(name)

    def trace(self, request: TraceRequest) -> AttentionTrace:
        self.asked.append(request)
        free = request.target is None
        text = self.text if request.target is None else request.target
        ends = self.finished or not free
        length = sum(3 if letter == "w" else 1 for letter in text) + ends
        if length > self.limit:
            raise HeadlightError("target_too_long", length=length, limit=self.limit)
        tokens: Sequence[Token] = [Token("x", "x", 4, 0)] * length
        meta: dict[str, str | int | float | bool] = {"target_text": text, "finished": ends}
        return AttentionTrace("made", (), tuple(tokens), tuple(tokens), {}, None, meta)


def shared(model: Spelling, longest: int) -> SharedTarget:
    return shared_target(model, SOURCE, longest)  # type: ignore[arg-type]


def test_it_is_what_the_last_milestone_writes(tiny_model: TransformerModel) -> None:
    target = shared_target(tiny_model, SOURCE, 40)
    assert target == ("I drink water", False)
    forced = tiny_model.trace(TraceRequest(SOURCE, target.text))
    free = tiny_model.trace(TraceRequest(SOURCE))
    assert forced.written == free.written
    for kind, site in free.sites.items():
        np.testing.assert_allclose(forced.sites[kind].weights, site.weights, atol=1e-6)


@pytest.mark.parametrize("text", ["a" * 40, "aaaa" + "w" * 12, "w" * 12 + "aaaa", "w" * 14])
@pytest.mark.parametrize("longest", [8, 11, 20])
def test_a_long_one_is_cut_to_what_fits(text: str, longest: int) -> None:
    target = shared(Spelling(text, 45), longest)
    assert target.cut
    assert text.startswith(target.text)
    assert sum(3 if letter == "w" else 1 for letter in target.text) + 1 <= longest
    assert len(target.text) >= 1


def test_one_that_never_ended_still_leaves_room_for_the_end() -> None:
    assert shared(Spelling("a" * 20, 20, finished=False), 20) == ("a" * 18, True)
    assert shared(Spelling("a" * 19, 20), 20) == ("a" * 19, False)


def test_a_model_that_says_nothing_has_no_target() -> None:
    model = Spelling("", 45)
    assert shared(model, 20) == ("", False)
    assert len(model.asked) == 1
