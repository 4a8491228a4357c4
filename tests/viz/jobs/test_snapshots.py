"""The store of looks: bounded, shared by threads, filed by content."""

import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Sampling, TraceRequest
from core.probe import RECORDS, Edit
from core.trace import AttentionTrace, Token
from viz.inspector.pack import pack
from viz.jobs.snapshots import Snapshot, SnapshotStore, gaps_id, search_id, snapshot_id

REQUEST = TraceRequest("x")
TRACE = AttentionTrace("made", (), (), (), {}, np.zeros((0, 0), np.float32))
PACKED = pack(TRACE, trace_id="x")


def _snapshot(name: str, kilobytes: int) -> Snapshot:
    packed = replace(PACKED, meta={"sites": [{"bytes": kilobytes * 1024}]})
    return Snapshot(name, REQUEST, TRACE, packed)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 9)), max_size=40))
def test_it_never_grows_beyond_its_budget(puts: list[tuple[str, int]]) -> None:
    store = SnapshotStore(16 * 1024)
    for name, kilobytes in puts:
        store.put(_snapshot(name, kilobytes))
        newest = store.get(name)
        assert newest is not None
        assert newest.nbytes == kilobytes * 1024
        assert store.nbytes <= 16 * 1024
        kept = [store.get(letter) for letter in "abcdefgh"]
        assert store.nbytes == sum(snapshot.nbytes for snapshot in kept if snapshot)
        assert len(store) == sum(snapshot is not None for snapshot in kept)


def test_what_was_used_last_stays() -> None:
    store = SnapshotStore(3 * 1024)
    for name in "abc":
        store.put(_snapshot(name, 1))
    store.get("a")
    store.put(_snapshot("d", 1))
    assert store.get("b") is None
    assert store.get("a") is not None


def test_one_look_larger_than_the_budget_can_still_be_shown() -> None:
    store = SnapshotStore(1024)
    store.put(_snapshot("a", 1))
    store.put(_snapshot("huge", 100))
    assert store.get("huge") is not None
    assert len(store) == 1


@given(
    st.lists(
        st.tuples(st.sampled_from("PQRS"), st.sampled_from("abcde"), st.integers(0, 20)),
        max_size=40,
    )
)
def test_who_holds_no_more_than_a_share_loses_nothing_to_others(
    puts: list[tuple[str, str, int]],
) -> None:
    """Whatever others bring: one visitor's large file, or a hundred small ones."""
    budget = 16 * 1024
    store = SnapshotStore(0, budget)
    store.put(_snapshot("computed", 99))
    held: dict[str, dict[str, int]] = {}
    for holder, name, kilobytes in puts:
        own, size = held.setdefault(holder, {}), kilobytes * 1024
        store.put(_snapshot(holder + name, kilobytes), holder)
        others = [one for one in held if one != holder and held[one]]
        share = min(budget / (len(others) + 1), (budget - size) / max(len(others), 1))
        own[name] = size
        for one, snapshots in held.items():
            kept = {n: s for n, s in snapshots.items() if store.get(one + n) is not None}
            if one != holder and sum(snapshots.values()) <= share:
                assert kept == snapshots, f"{holder} took from {one}"
            held[one] = kept
        assert name in held[holder], "the newest stays"
        total = sum(sum(snapshots.values()) for snapshots in held.values())
        assert total <= max(budget, size)
        assert store.nbytes == total + 99 * 1024
    assert store.get("computed") is not None


def test_files_that_visitors_bring_push_out_nothing_that_was_computed() -> None:
    store = SnapshotStore(4 * 1024, 4 * 1024)
    for name in "abcd":
        store.put(_snapshot(name, 1))
    for number in range(9):
        store.put(_snapshot(f"brought {number}", 4), "somebody")
    assert all(store.get(name) for name in "abcd")


def test_a_look_is_measured_while_nobody_waits() -> None:
    """A file may name a million tokens, and to sum their sizes takes long."""
    store = SnapshotStore(4 * 1024)
    free: list[bool] = []

    class Slow(Snapshot):
        @property
        def nbytes(self) -> int:
            free.append(not store._lock.locked())
            return 1024

    for name in ("a", "b", "a", *map(str, range(5))):
        store.put(Slow(name, REQUEST, TRACE, PACKED))
    assert free
    assert all(free)
    assert (len(store), store.nbytes) == (4, 4 * 1024)


def test_many_threads_leave_it_whole() -> None:
    store = SnapshotStore(8 * 1024)

    def work(seed: int) -> None:
        for turn in range(300):
            name = f"{(seed * 7 + turn) % 20}"
            store.put(_snapshot(name, turn % 3))
            store.get(name)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    kept = [store.get(f"{name}") for name in range(20)]
    assert store.nbytes == sum(snapshot.nbytes for snapshot in kept if snapshot) <= 8 * 1024


EDITS = st.builds(
    Edit,
    st.sampled_from(["scores", "outputs"]),
    st.sampled_from(["encoder_self", "cross"]),
    st.sampled_from(["set", "scale", "add"]),
    st.integers(-9, 9).map(float),
    layer=st.none() | st.integers(0, 2),
    head=st.none() | st.integers(0, 2),
    rows=st.none() | st.lists(st.integers(0, 9), max_size=2).map(tuple),
    columns=st.none() | st.lists(st.integers(0, 9), max_size=2).map(tuple),
)
ASKED = {
    "source": st.text(),
    "target": st.none() | st.text(),
    "edits": st.lists(EDITS, max_size=2).map(tuple),
    "prefix": st.lists(st.integers(0, 99)).map(tuple),
    "record": st.sets(st.sampled_from(sorted(RECORDS))).map(sorted).map(tuple),
    "hidden": st.lists(st.integers(0, 99)).map(tuple),
    "sampling": st.none() | st.builds(Sampling, st.integers(0, 9), st.sampled_from([0.5, 1.0])),
    "message": st.booleans(),
}
"""What each field of a request may hold."""
REQUESTS = st.builds(TraceRequest, **ASKED)


@pytest.mark.parametrize("field", [field.name for field in fields(TraceRequest)])
@given(st.data())
def test_an_id_tells_every_field_of_a_request_apart(field: str, data: st.DataObject) -> None:
    request, value = data.draw(REQUESTS), data.draw(ASKED[field])
    changed: dict[str, Any] = {field: value}
    other = replace(request, **changed)
    assert (snapshot_id("w", "cpu", request) == snapshot_id("w", "cpu", other)) == (
        request == other
    )


@given(REQUESTS, REQUESTS)
def test_an_id_tells_requests_weights_and_devices_apart(
    request: TraceRequest, another: TraceRequest
) -> None:
    name = snapshot_id("w", "cpu", request)
    assert len(name) == 64
    assert (name == snapshot_id("w", "cpu", another)) == (request == another)
    assert name not in (snapshot_id("v", "cpu", request), snapshot_id("w", "cuda", request))


@given(REQUESTS, st.integers(1, 16))
def test_a_search_is_no_look(request: TraceRequest, beam: int) -> None:
    found = search_id("w", "cpu", request.source, beam)
    assert found != snapshot_id("w", "cpu", request)
    assert found != search_id("w", "cpu", request.source, beam + 1)


def test_an_id_forgets_no_field_that_comes() -> None:
    @dataclass(frozen=True, slots=True)
    class Later(TraceRequest):
        later: tuple[int, ...] = ()

    assert snapshot_id("w", "cpu", Later("a")) != snapshot_id("w", "cpu", Later("a", later=(1,)))


def test_another_format_is_another_id(monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot_id("w", "cpu", REQUEST)
    monkeypatch.setattr("viz.jobs.snapshots.CACHE_FORMAT", -1)
    assert snapshot_id("w", "cpu", REQUEST) != before


@pytest.mark.parametrize("field", ["weights", "scores", "allowed", "queries", "keys", "logits"])
def test_every_array_counts(tiny_snapshot: Snapshot, field: str) -> None:
    """Leaving any array out would make the bound a lie."""
    trace = tiny_snapshot.trace
    assert trace.logits is not None
    parts = {
        "logits": trace.logits.nbytes,
        **{
            name: sum(getattr(site, name).nbytes for site in trace.sites.values())
            for name in ("weights", "scores", "allowed", "queries", "keys")
        },
    }
    assert parts[field] > 0
    tokens = len(trace.source) + len(trace.target) + len(trace.written)
    texts = tiny_snapshot.nbytes - sum(parts.values()) - tiny_snapshot.packed.nbytes
    assert 300 * tokens < texts < 600 * tokens


def test_texts_count_as_arrays_do() -> None:
    """A file may hold little but tokens, and names of a vocabulary that no model shares."""
    token = Token("▁token", "token")
    bare = _snapshot("x", 0)
    assert bare.nbytes == 0
    long = replace(bare, trace=replace(TRACE, source=(token,) * 1000))
    tracemalloc.start()
    made = [Token(f"▁token{at}", f"token{at}", at, at) for at in range(1000)]
    told = json.dumps([[token.piece, token.text] for token in made])
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert told
    assert long.nbytes > size
    names = tuple(f"name {at}" for at in range(1000))
    named = replace(bare, trace=replace(TRACE, logits=None, vocabulary=names))
    assert named.nbytes == 0, "a model's own, shared by its looks"
    assert replace(named, stored=True).nbytes > 50_000


@given(st.text(), st.integers(1, 16))
def test_an_id_tells_all_that_a_search_and_gaps_depend_on_apart(source: str, beam: int) -> None:
    asked = [
        search_id(weights, device, text, beam, message=message)
        for weights in "wv"
        for device in ("cpu", "cuda")
        for text in (source, source + ".")
        for message in (False, True)
    ]
    asked += [
        gaps_id(weights, device, text)
        for weights in "wv"
        for device in ("cpu", "cuda")
        for text in (source, source + ".")
    ]
    assert len(set(asked)) == len(asked)
