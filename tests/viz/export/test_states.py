"""States exported: numbers are the trace's, figures are printed, what is not there is said."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from starlette.applications import Starlette

from core import registry
from core.errors import HeadlightError
from core.model import TraceRequest
from core.trace import AttentionTrace, load_trace
from tests.small import WORDS, learnt
from tests.viz.asgi import get
from tests.viz.inspector.hostile import TEXTS, hostile_trace
from viz.export.request import MEDIA, Format
from viz.export.states import StatesChoice, states_exported, states_file_name
from viz.inspector.pack import pack
from viz.inspector.states import described, states_bytes
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.server.routes import MIDDLEWARE, ROUTES

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> AttentionTrace:
    folder = tmp_path_factory.mktemp("states") / "small"
    sizes = {"cell": "lstm", "attention": "none", "d_model": 40, "layers": 2}
    learnt(folder, "seq2seq", sizes, steps=60)
    return registry.load(folder, torch.device("cpu")).trace(TraceRequest(WORDS[0][0], "카페"))


def test_a_body_has_every_name_behind_the_other(trace: AttentionTrace) -> None:
    parts = trace.states["decoder"]
    body = np.frombuffer(states_bytes(trace, "decoder", 1), "<f4")
    wanted = np.concatenate([part[1].ravel() for part in parts.values()])
    np.testing.assert_array_equal(body, wanted)
    with pytest.raises(IndexError):
        states_bytes(trace, "decoder", 2)


def test_numbers_are_all_of_a_layer(trace: AttentionTrace) -> None:
    choice = StatesChoice("decoder", 2)
    told = json.loads(states_exported(trace, choice, "json", language="en"))
    assert told["tokens"] == [token.text for token in trace.target]
    for name, part in trace.states["decoder"].items():
        np.testing.assert_allclose(told["states"][name], part[1], rtol=1e-6)
    text = states_exported(trace, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(trace.target) * 40
    for row in rows[:: len(rows) // 7]:
        at, unit = int(row["position"]) - 1, int(row["unit"]) - 1
        assert row["token"] == trace.target[at].text
        wanted = trace.states["decoder"]["forget"][1, at, unit]
        assert float(row["forget"]) == pytest.approx(float(wanted), rel=1e-6)


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("units", ["most", "model"])
def test_a_figure_is_printed(trace: AttentionTrace, form: Format, units: str) -> None:
    choice = StatesChoice.read({"state": "cell", "units": units})
    body = states_exported(trace, choice, form, language="ko")
    assert body.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])
    if form == "svg":
        assert "인코더" in body.decode()
        assert ">40<" in body.decode() or units == "most"
    assert body == states_exported(trace, choice, form, language="ko")


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        ({"stack": "sideways"}, "stack"),
        ({"stack_layer": "3"}, "stack_layer"),
        ({"stack_layer": "x"}, "stack_layer"),
        ({"state": "reset"}, "state"),
        ({"units": "none"}, "units"),
    ],
)
def test_what_is_not_there_is_refused_by_name(
    trace: AttentionTrace, texts: dict[str, str], name: str
) -> None:
    with pytest.raises(HeadlightError) as raised:
        states_exported(trace, StatesChoice.read(texts), "csv", language="en")
    assert raised.value.parameters["name"] == name


def test_a_trace_without_states_and_a_page_are_refused(
    trace: AttentionTrace, tiny_snapshot: Snapshot
) -> None:
    with pytest.raises(HeadlightError, match="no states"):
        states_exported(tiny_snapshot.trace, StatesChoice(), "csv", language="en")
    with pytest.raises(HeadlightError, match="holds attention"):
        states_exported(trace, StatesChoice(), "html", language="en")


def test_files_are_served(trace: AttentionTrace, tmp_path: Path) -> None:
    name = "0" * 24
    packed = pack(trace, trace_id=name)
    SNAPSHOTS.put(Snapshot(name, TraceRequest("cafe"), trace, packed, "", ()))
    forms: tuple[Format, ...] = ("svg", "csv", "json", "npz")
    for form in forms:
        reply = get(APP, f"/export/{name}/states.{form}?stack=decoder&state=cell")
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"] == MEDIA[form]
        choice = StatesChoice("decoder", state="cell").fitted(trace)
        assert states_file_name(trace, choice, form) in reply.headers["content-disposition"]
    (tmp_path / "trace.npz").write_bytes(reply.body)
    assert load_trace(tmp_path / "trace.npz").states["decoder"].keys() == {*trace.states["decoder"]}
    assert get(APP, f"/export/{name}/states.svg?stack=x").status == 400
    assert get(APP, "/export/unknown/states.svg").status == 404
    assert get(APP, f"/trace/{name}/states/encoder/1").status == 200
    for path in ("encoder/2", "sideways/0"):
        assert get(APP, f"/trace/{name}/states/{path}").status == 404


def hostile() -> AttentionTrace:
    """States by names that nobody calls them, two of them as columns of a table are called."""
    made = hostile_trace()
    names = ("token", "unit", *TEXTS)
    values = np.linspace(-3, 3, 2 * len(made.target) * 3, dtype=np.float32)
    parts = {name: values.reshape(2, len(made.target), 3) for name in names[:60]}
    empty = {"hidden": np.zeros((1, len(made.source), 0), np.float32)}
    return replace(made, states={"encoder": empty, "decoder": parts})


def test_names_of_somebody_s_file_are_shown_and_do_nothing() -> None:
    trace = hostile()
    (one,) = described(trace)
    assert one["stack"] == "decoder"
    json.dumps(one["names"], ensure_ascii=False).encode()
    forms: tuple[Format, ...] = ("csv", "json", "svg")
    for name in one["names"]:
        choice = StatesChoice(state=name).fitted(trace)
        assert states_file_name(trace, choice, "svg").encode("ascii").isascii()
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", states_file_name(trace, choice, "svg"))
    for form in forms:
        body = states_exported(trace, StatesChoice(state=one["names"][4]), form, language="en")
        assert body
    text = states_exported(trace, StatesChoice(), "csv", language="en").decode("utf-8-sig")
    header = next(csv.reader(io.StringIO(text)))
    assert {"token", "state_token", "unit", "state_unit"} <= set(header)
    assert [name for name in header if name.startswith(("=", "+", "-", "@"))] == []
    ElementTree.fromstring(
        states_exported(trace, StatesChoice(state=one["names"][2]), "svg", language="en")
    )
