"""A run's story is read back as it was told, once, however often the run was killed."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.training import events
from core.training.events import append_event, mend_events, read_events

TEXT = st.text(max_size=20)
STEP = st.integers(0, 100)
NUMBER = st.floats(0, 100)
SCORES = st.builds(events.Scores, NUMBER, NUMBER, NUMBER, NUMBER)
EVENTS = st.one_of(
    st.builds(events.DataRead, bad_rows=st.lists(TEXT, max_size=3).map(tuple)),
    st.builds(events.Progress, STEP, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER),
    st.builds(
        events.Validated,
        STEP,
        st.dictionaries(TEXT, SCORES, max_size=2),
        st.lists(st.builds(events.Sample), max_size=2).map(tuple),
    ),
    st.builds(events.Saved, STEP),
    st.builds(events.Finished, STEP),
    st.builds(events.Failed, STEP, TEXT, st.dictionaries(TEXT, NUMBER)),
)


def started(step: int) -> events.Started:
    return events.Started(step, 100, 1, 1, 1, "cpu", 1)


@given(st.lists(EVENTS, max_size=8), st.binary(max_size=40))
def test_what_is_told_is_read_back(told: list[events.Event], half: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        for event in told:
            append_event(path, event)
        assert read_events(path) == tuple(told)
        with path.open("ab") as file:  # a run that was killed while it wrote
            file.write(half.replace(b"\n", b""))
        assert read_events(path) == tuple(told)
        mend_events(path)
        append_event(path, events.Saved(1))
        assert read_events(path) == (*told, events.Saved(1))


def test_a_run_that_goes_on_tells_its_story_once(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    told: list[events.Event] = [
        started(0),
        events.Saved(10),
        events.Milestone(12, "m"),
        events.Stopped(12),
        started(10),
        events.Milestone(12, "m"),
        events.Saved(20),
    ]
    for event in told:
        append_event(path, event)
    assert read_events(path) == (
        started(0),
        events.Saved(10),
        started(10),
        events.Milestone(12, "m"),
        events.Saved(20),
    )


def test_what_is_no_event_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    assert read_events(path) == ()
    mend_events(path)
    lines = ["[]", "7", '{"event": "later"}', '{"event": "saved"}', "{" * 50, '{"event": []}']
    path.write_text("\n".join([*lines, '{"event": "saved", "step": 3}', ""]), encoding="utf-8")
    assert read_events(path) == (events.Saved(3),)
