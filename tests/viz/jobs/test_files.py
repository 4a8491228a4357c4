"""Files of pairs that are kept: bounded by bytes."""

from hypothesis import given
from hypothesis import strategies as st

from viz.jobs.files import Files


@given(st.lists(st.binary(max_size=20), max_size=30))
def test_they_never_take_more_than_their_budget(contents: list[bytes]) -> None:
    files = Files(budget=32)
    for content in contents:
        name = files.put(content)
        assert files.get(name) == content
        assert files.nbytes <= 32


def test_what_was_used_last_stays() -> None:
    files = Files(budget=2)
    first, second = files.put(b"a"), files.put(b"b")
    files.get(first)
    files.put(b"c")
    assert files.get(first) == b"a"
    assert files.get(second) is None


def test_one_file_larger_than_the_budget_can_still_be_used() -> None:
    files = Files(budget=2)
    files.put(b"a")
    assert files.get(files.put(b"large")) == b"large"
    assert files.nbytes == 5
