"""What takes its time beside a run."""

from threading import Event

import pytest

from core.errors import HeadlightError
from viz.session import visit


class BrokenOff(BaseException):
    """As Streamlit ends a run."""


def test_what_is_done_beside_a_run_is_its_result() -> None:
    assert visit.beside(lambda: 7) == 7


def test_what_goes_wrong_beside_a_run_goes_wrong_in_it() -> None:
    def work() -> None:
        raise HeadlightError("text_empty")

    with pytest.raises(HeadlightError):
        visit.beside(work)


def test_another_event_ends_the_wait_and_not_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end, ended = Event(), Event()

    def work() -> None:
        may_end.wait(60)
        ended.set()

    def another_event() -> None:
        raise BrokenOff

    monkeypatch.setattr(visit, "_give_way", another_event)
    with pytest.raises(BrokenOff):
        visit.beside(work)
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(60)
