"""What the server answers about runs: bounded, read-only, and nothing of the machine in it."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import struct
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from starlette.applications import Starlette

from core import registry
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.reasons import because
from core.text.corpora import Pair, write_pairs
from core.training.events import (
    Best,
    DataRead,
    Failed,
    Finished,
    Milestone,
    Progress,
    Sample,
    Scores,
    Started,
    Validated,
    append_event,
)
from core.training.folder import RunFolder
from tests.viz.asgi import Reply, get
from viz.inspector.pack import pack
from viz.jobs import owners, run_events, runs, services
from viz.jobs.snapshots import SNAPSHOTS
from viz.jobs.visitor import COOKIE, Visitor
from viz.server import run_routes
from viz.server.routes import MIDDLEWARE, ROUTES

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
STARTED = Started(0, 10, 1000, 30, 9, "cpu", 1)
SOURCE = "나는 물을 마신다"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_checkpoint: Path) -> RunFolder:
    """A run called "mine" that told that it began, with an untrained and one other milestone."""
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path))
    SNAPSHOTS.clear()
    folder = RunFolder(tmp_path / "mine")
    folder.work.mkdir(parents=True)
    folder.recipe.touch()
    append_event(folder.events, STARTED)
    shutil.copytree(tiny_checkpoint, folder.milestone(3))
    return folder


def asked(address: str) -> Any:
    reply = get(APP, address)
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-store"
    return json.loads(reply.body)


def test_the_list_tells_every_run(folder: RunFolder) -> None:
    with folder.claim():
        (run,) = asked("/runs")["runs"]
    assert (run["id"], run["state"]) == ("mine", "running")


def test_no_runs_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path / "none"))
    assert asked("/runs") == {"runs": [], "limit": runs.limit()}


def test_who_asks_again_from_where_it_was_gets_what_is_new(folder: RunFolder) -> None:
    first = asked("/runs/mine/events")
    assert [event["event"] for event in first["events"]] == ["started"]
    assert (first["from"], first["next"]) == (0, folder.events.stat().st_size)
    with folder.events.open("ab") as file:
        file.write(b'{"event": "saved", ')  # half a line
        file.flush()
        again = asked(f"/runs/mine/events?from={first['next']}")
        assert (again["events"], again["next"]) == ([], first["next"])
        file.write(b'"step": 5}\nno json at all\n')
    last = asked(f"/runs/mine/events?from={again['next']}")
    assert last["events"] == [{"event": "saved", "step": 5}]
    assert asked(f"/runs/mine/events?from={last['next']}")["events"] == []


def test_a_run_that_began_anew_is_told_from_its_beginning(folder: RunFolder) -> None:
    beyond = asked("/runs/mine/events?from=999999")
    assert beyond["from"] == 0
    assert len(beyond["events"]) == 1


def test_a_long_story_comes_in_parts(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_events, "MOST", 400)
    for step in range(40):
        append_event(folder.events, Progress(step, 1.0, 2.0, 3.0, 4.0, 5.0))
    with folder.events.open("ab") as file:
        file.write(b"x" * 1000 + b"\n")
    append_event(folder.events, Finished(39, "x"))
    at, told = 0, []
    for _ in range(100):
        part = asked(f"/runs/mine/events?from={at}")
        told += part["events"]
        if part["next"] == at:
            break
        at = part["next"]
    assert [event["event"] for event in told] == ["started", *["progress"] * 40, "finished"]


def test_nothing_of_the_machine_is_told(folder: RunFolder) -> None:
    place = str(folder.path)
    within = because("system", said=f"{place}/work is busy")
    fault = because("line_at", number=7, fault=because("cells_one"))
    for event in (
        DataRead("pairs", f"{place}/pairs.tsv", 9, 1, (), 0, 0, 0, 6, 1, 1, faults=(fault,)),
        Milestone(3, f"{place}/milestones/3"),
        Best(3, 0.5, f"{place}/best"),
        Finished(9, place),
        Failed(9, "file_unwritable", {"path": f"{place}/work", "reason": within}),
    ):
        append_event(folder.events, event)
    reply = get(APP, "/runs/mine/events")
    assert str(registry.runs_root()).encode() not in reply.body
    _, data, *_, failed = json.loads(reply.body)["events"]
    assert data["bad_rows"] == {"en": ["line 7: one column"], "ko": ["7번째 줄: 열이 하나뿐"]}
    assert "runs/mine/work" in failed["said"]["en"]
    assert "runs/mine/work" in failed["said"]["ko"]
    assert "parameters" not in failed


def test_an_error_of_a_newer_version_is_told_without_a_sentence(folder: RunFolder) -> None:
    append_event(folder.events, Failed(9, "gremlins", {}))
    append_event(folder.events, Failed(9, "memory_full", {"other": 3}))
    assert [event["said"] for event in asked("/runs/mine/events")["events"][1:]] == [{}, {}]


def test_a_number_that_is_none_is_left_open(folder: RunFolder) -> None:
    append_event(folder.events, Progress(1, 1.0, 2.0, 3.0, math.inf, 5.0))
    scores = {"pairs": Scores(math.nan, 1.0, 2.0, 0.0, 9)}
    append_event(folder.events, Validated(1, scores, (Sample("a", "b", "c"),)))
    _, progress, validated = asked("/runs/mine/events")["events"]
    assert progress["gradient_norm"] is None
    assert validated["scores"]["pairs"]["loss"] is None
    assert validated["samples"] == [{"source": "a", "reference": "b", "output": "c"}]


def test_a_lone_surrogate_is_told_by_its_name(folder: RunFolder) -> None:
    """JSON may spell one, of which UTF-8 has none."""
    sample = {"source": "\ud800", "reference": "b", "output": "c"}
    line = {"event": "validated", "step": 1, "scores": {}, "samples": [sample]}
    failed = {"event": "failed", "step": 1, "code": "file_unwritable"}
    failed["parameters"] = {"path": "\udfff", "reason": "x"}
    with folder.events.open("a", encoding="ascii") as file:
        file.writelines(json.dumps(one) + "\n" for one in (line, failed))
    _, validated, ended = asked("/runs/mine/events")["events"]
    assert validated["samples"][0]["source"] == "⟨U+D800⟩"
    assert "⟨U+DFFF⟩" in ended["said"]["en"]


def test_with_its_start_come_pairs_to_look_at(folder: RunFolder) -> None:
    assert asked("/runs/mine/events")["pairs"] == []
    folder.held_out.mkdir()
    kept = [Pair(f"{n}" * (60 if n == 2 else 2), "말") for n in range(1, 9)]
    write_pairs(folder.held_out / "pairs.valid.tsv", kept)
    write_pairs(folder.held_out / "pairs.test.tsv", [Pair("secret", "test")])
    told = asked("/runs/mine/events")
    assert told["pairs"] == [[f"{n}{n}", "말"] for n in (1, 3, 4, 5, 6)]
    assert asked(f"/runs/mine/events?from={told['next']}")["pairs"] == []


@pytest.mark.parametrize(
    "path",
    [
        "/runs/none/snapshots/3",
        "/runs/mine/snapshots/4",
        "/runs/mine/snapshots/-1",
        "/runs/mine/snapshots/x",
        "/runs/mine",
        "/runs/mine/pairs.tsv",
        "/runs/mine/work/lock",
    ],
)
def test_what_is_not_there_is_a_404_without_detail(folder: RunFolder, path: str) -> None:
    reply = get(APP, path)
    assert reply.status == 404
    assert reply.body in (b"", b"Not Found")


@pytest.mark.parametrize("start", ["-1", "x", "1e3", "٣", "9" * 400, "0x10"])
def test_an_odd_place_is_refused(folder: RunFolder, start: str) -> None:
    assert get(APP, f"/runs/mine/events?from={start}").status == 400


@pytest.mark.parametrize("run_id", ["none", "..", "..%2f..%2fetc", "mine%00", "x" * 5000, ".mine"])
def test_a_run_that_is_not_there_is_null(folder: RunFolder, run_id: str) -> None:
    assert asked(f"/runs/{run_id}/events") is None


def unframed(reply: Reply) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack_from("<I", reply.body)
    return json.loads(reply.body[4 : 4 + length]), reply.body[4 + length :]


@pytest.mark.parametrize("target", [None, "I drink water"])
def test_a_milestone_is_looked_into(
    folder: RunFolder, tiny_model: TransformerModel, target: str | None
) -> None:
    query = urlencode({"source": SOURCE} | ({} if target is None else {"target": target}))
    reply = get(APP, f"/runs/mine/snapshots/3?{query}")
    assert reply.status == 200
    head, array = unframed(reply)
    trace = tiny_model.trace(TraceRequest(SOURCE, target))
    expected = pack(trace, trace_id="x")
    np.testing.assert_array_equal(np.frombuffer(array, np.uint8), expected.whole()[1])
    assert head["translation"] == "I drink water"
    assert set(head["focus"]) == set(trace.sites)
    exact = get(APP, f"/trace/{head['meta']['trace_id']}/cross/0/0")
    assert exact.status == 200


@pytest.mark.parametrize(("source", "code"), [("", "text_empty"), ("a" * 20_000, "text_too_large")])
def test_a_sentence_that_cannot_be_looked_at_gets_a_sentence_back(
    folder: RunFolder, source: str, code: str
) -> None:
    reply = get(APP, f"/runs/mine/snapshots/3?source={source}")
    assert reply.status == 200
    said = json.loads(reply.body)
    assert said["code"] == code
    assert said["said"]["en"] != said["said"]["ko"]


def test_so_many_may_wait_for_a_look_and_no_more(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/runs/mine/snapshots/3?" + urlencode({"source": SOURCE})
    snapshot = services.snapshot_of
    meanwhile: list[int] = []

    def slow(*asked: Any) -> Any:
        meanwhile.append(get(APP, address).status)
        return snapshot(*asked)

    monkeypatch.setattr(run_routes, "_COMPUTING", threading.BoundedSemaphore(1))
    monkeypatch.setattr(services, "snapshot_of", slow)
    assert get(APP, address).status == 200
    assert meanwhile == [202]
    monkeypatch.setattr(services, "snapshot_of", snapshot)
    assert get(APP, address).status == 200
    assert "text_empty" in asked("/runs/mine/snapshots/3").values()  # gives its place back, too
    assert get(APP, address).status == 200


# Whose it is

MINE, YOURS = ({"cookie": f"{COOKIE}={letter * 43}"} for letter in "MY")
SECRET = "비밀 문장"


@pytest.fixture
def private(folder: RunFolder) -> RunFolder:
    """The run "mine", which learns from somebody's own texts, all of which say `SECRET`."""
    me = Visitor(hashlib.sha256(("M" * 43).encode()).hexdigest())
    (folder.path / owners.LOG).touch()
    (folder.path / owners.OWNER).write_bytes(owners.file_of(owners.Owner(me.id, private=True)))
    folder.recipe.write_text(f'examples = ["{SECRET}"]\n', encoding="utf-8")
    folder.held_out.mkdir()
    write_pairs(folder.held_out / "pairs.valid.tsv", [Pair(SECRET, SECRET)])
    scores = {"pairs": Scores(0.5, 1.0, 2.0, 0.0, 9)}
    reason = because("system", said=SECRET)
    for event in (
        DataRead("pairs", "pairs.tsv", 9, 1, (f"line 7: {SECRET}",), 0, 0, 0, 6, 1, 1),
        Validated(1, scores, (Sample(SECRET, SECRET, SECRET),)),
        Failed(9, "data_invalid", {"path": SECRET, "line": 3, "reason": reason}),
    ):
        append_event(folder.events, event)
    return folder


def _told_to(who: dict[str, str], address: str) -> tuple[int, str]:
    reply = get(APP, address, **who)
    return reply.status, reply.body.decode("utf-8", "replace")


@pytest.mark.parametrize("who", [YOURS, {}], ids=["another", "nobody"])
def test_others_see_how_it_learns_and_not_what(private: RunFolder, who: dict[str, str]) -> None:
    status, body = _told_to(who, "/runs/mine/events")
    assert status == 200
    told = json.loads(body)
    assert SECRET not in json.dumps(told, ensure_ascii=False)
    assert told["pairs"] == []
    assert (told["command"], told["read"]) == (False, False)
    assert (told["resumable"], told["removable"], told["model"]) == (False, False, None)
    assert [one["event"] for one in told["events"]] == [
        "started",
        "dataread",
        "validated",
        "failed",
    ]
    assert told["events"][2]["scores"]["pairs"]["loss"] == 0.5
    (listed,) = json.loads(_told_to(who, "/runs")[1])["runs"]
    assert (listed["id"], listed["resumable"], listed["removable"]) == ("mine", False, False)
    status, body = _told_to(who, "/runs/mine/snapshots/3?" + urlencode({"source": SOURCE}))
    assert status == 403
    said = json.loads(body)["said"]
    assert said["en"] != said["ko"]
    assert _told_to(who, "/runs/mine/snapshots/999")[0] == 403  # not even which there are


def test_the_owner_sees_all(private: RunFolder) -> None:
    told = json.loads(_told_to(MINE, "/runs/mine/events")[1])
    assert told["pairs"] == [[SECRET, SECRET]]
    assert (told["command"], told["read"], told["removable"]) == (True, True, True)
    assert told["events"][1]["bad_rows"]["en"] == [f"line 7: {SECRET}"]
    assert told["events"][2]["samples"][0]["source"] == SECRET
    assert SECRET in told["events"][3]["said"]["ko"]
    assert get(APP, "/runs/mine/snapshots/3?" + urlencode({"source": SOURCE}), **MINE).status == 200


def test_an_example_of_ours_is_shown_to_all(private: RunFolder) -> None:
    owner = owners.owner_of(private.path)
    (private.path / owners.OWNER).write_bytes(owners.file_of(replace(owner, private=False)))
    told = json.loads(_told_to(YOURS, "/runs/mine/events")[1])
    assert told["pairs"] == [[SECRET, SECRET]]
    assert (told["command"], told["read"], told["removable"]) == (False, True, False)
    assert (
        get(APP, "/runs/mine/snapshots/3?" + urlencode({"source": SOURCE}), **YOURS).status == 200
    )


def test_a_row_that_was_wrong_is_quoted_to_its_owner_alone(private: RunFolder) -> None:
    """It may name a column of theirs, in the words of every language."""
    fault = because("line_at", number=7, fault=because("cell_empty", column=SECRET))
    append_event(
        private.events, DataRead("more", "m.tsv", 9, 1, (), 0, 0, 0, 6, 1, 1, faults=(fault,))
    )
    assert SECRET not in _told_to(YOURS, "/runs/mine/events")[1]
    *_, read = json.loads(_told_to(MINE, "/runs/mine/events")[1])["events"]
    assert all(SECRET in read["bad_rows"][language][0] for language in ("en", "ko"))
