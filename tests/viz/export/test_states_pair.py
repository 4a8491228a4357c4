"""States of two traces exported together: what differs, what has nothing to do with each other."""

import base64
import csv
import gzip
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from starlette.applications import Starlette

from core import registry
from core.cli.app import run as run_command
from core.errors import HeadlightError
from core.model import TraceRequest
from core.trace import AttentionTrace, save_trace
from tests.small import WORDS, learnt
from tests.viz.asgi import get
from viz import __main__ as command
from viz.export.request import MEDIA, Format
from viz.export.states_pair import states_pair_exported, states_pair_file_name
from viz.inspector.pack import pack
from viz.inspector.states import places, states_bytes
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.text.language import Language
from viz.text.refusals import because

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
Traces = tuple[AttentionTrace, AttentionTrace]
LONG, SHORT = WORDS[0][0], WORDS[0][0][:-1]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pairs")
    sizes = {"attention": "none", "d_model": 40, "layers": 2}
    learnt(root / "lstm", "seq2seq", {"cell": "lstm", **sizes}, steps=20)
    learnt(root / "gru", "seq2seq", {"cell": "gru", **sizes}, steps=20)
    return root


@pytest.fixture(scope="module")
def traces(models: Path) -> Traces:
    """Of one model, two sentences of which one has a letter more."""
    model = registry.load(models / "lstm", torch.device("cpu"))
    return model.trace(TraceRequest(LONG)), model.trace(TraceRequest(SHORT))


def made(
    traces: Traces, form: Format, texts: Mapping[str, str] = {}, language: Language = "en"
) -> bytes:
    packs = (pack(traces[0], trace_id="a"), pack(traces[1], trace_id="b"))
    return states_pair_exported(packs, {"same_units": "on", **texts}, form, language=language)


def test_numbers_are_of_both_and_what_differs(traces: Traces) -> None:
    asked = {"stack": "encoder", "stack_layer": "2", "state": "forget"}
    told = json.loads(made(traces, "json", asked))
    a, b = (trace.states["encoder"]["forget"][1] for trace in traces)
    np.testing.assert_allclose(told["first"]["values"], a, rtol=1e-6)
    np.testing.assert_allclose(told["second"]["values"], b, rtol=1e-6)
    together = places(*traces)["encoder"]
    assert any(min(pair) < 0 for pair in together)
    for pair, changed in zip(together, told["difference"], strict=True):
        if min(pair) < 0:
            assert set(changed) == {None}
        else:
            np.testing.assert_allclose(changed, b[pair[1]] - a[pair[0]], atol=1e-6)
    rows = list(csv.DictReader(io.StringIO(made(traces, "csv", asked).decode("utf-8-sig"))))
    assert len(rows) == 40 * len(together)
    for row, (place, unit) in zip(rows, np.ndindex(len(together), 40), strict=True):
        one, other = together[place]
        assert row["first_value"] == ("" if one < 0 else str(float(a[one, unit])))
        assert row["second_token"] == ("" if other < 0 else traces[1].source[other].text)
        assert (row["difference"] == "") == (min(one, other) < 0)


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_figure_is_printed(traces: Traces, form: Format, language: Language) -> None:
    for units in ("most", "varying", "model"):
        assert len(made(traces, form, {"units": units}, language)) > 4000


def test_a_figure_shows_the_units_that_differ_most(traces: Traces) -> None:
    figure = made(traces, "svg", {"stack": "encoder"}).decode()
    changed = np.array(
        [
            traces[1].states["encoder"]["hidden"][0, other]
            - traces[0].states["encoder"]["hidden"][0, one]
            for one, other in places(*traces)["encoder"]
            if min(one, other) >= 0
        ]
    )
    order = np.argsort(-(changed**2).sum(0))
    numbers = [int(n) for n in re.findall(r">(\d+)<", figure)]
    assert numbers[:32] == (order[:32] + 1).tolist()
    assert numbers[32:64] == numbers[64:96] == numbers[:32]


def test_units_of_two_models_are_not_subtracted(models: Path, traces: Traces) -> None:
    other = registry.load(models / "gru", torch.device("cpu")).trace(TraceRequest(LONG))
    unlike = (traces[0], other)
    for switch, named, reason in (("on", "on", "two_recorded"), ("", "off", "two_units")):
        with pytest.raises(HeadlightError) as refused:
            made(unlike, "svg", {"same_units": switch})
        assert refused.value.code == "parameter_invalid"
        assert refused.value.parameters["value"] == named
        assert refused.value.parameters["reason"] == because(reason)
    with pytest.raises(HeadlightError):
        made(traces, "npz")
    with pytest.raises(HeadlightError):
        made(traces, "svg", {"stack_layer": "9"})
    page = made(unlike, "html", {"same_units": "", "state": "cell"}).decode()
    assert '"same_units": false' in page


def test_a_page_holds_every_layer_of_both(traces: Traces) -> None:
    page = made(traces, "html", {"position": "2", "unit": "5"}, "ko").decode()
    found = re.search(r'<script type="application/json" id="held">(.*?)</script>', page, re.DOTALL)
    assert found
    held = json.loads(found[1])
    for name, trace in zip("ab", traces, strict=True):
        for stack in ("encoder", "decoder"):
            for layer in (0, 1):
                body = gzip.decompress(
                    base64.b64decode(held["bytes"][name][f"states/{stack}/{layer}"])
                )
                assert body == states_bytes(trace, stack, layer)
    assert held["data"]["meta"]["ui"]["selection"]["position"] == 2


def test_the_server_answers(traces: Traces) -> None:
    for name, trace in zip("pq", traces, strict=True):
        request = TraceRequest(str(trace.meta["source_text"]))
        packed = pack(trace, trace_id=f"states-{name}")
        SNAPSHOTS.put(Snapshot(f"states-{name}", request, trace, packed))
    path = "/export/states-p/beside/states-q/states"
    query = "same_units=on&stack=encoder&state=cell"
    for form in ("svg", "csv", "html"):
        answer = get(APP, f"{path}.{form}?{query}")
        assert answer.status == 200
        assert answer.headers["content-type"] == MEDIA[form]
    assert get(APP, f"{path}.svg?stack=sideways").status == 400
    assert get(APP, "/export/states-p/beside/gone/states.svg").status == 404


def test_files_are_called_by_what_they_hold(traces: Traces) -> None:
    asked = {"stack": "encoder", "stack_layer": "2", "state": "cell"}
    assert states_pair_file_name(traces, asked, "csv") == (
        "headlight-states-pair-encoder-layer2-cell.csv"
    )
    assert states_pair_file_name(traces, asked, "svg") == (
        "headlight-states-pair-encoder-layer2-cell.svg"
    )
    assert states_pair_file_name(traces, {}, "html").startswith("headlight-states-pair-lstm")


@pytest.mark.parametrize("beside", [[], ["--beside", "a.npz"]])
def test_a_trace_without_attention_is_refused_by_the_command_that_has_another(
    traces: Traces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    beside: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    save_trace(Path("a.npz"), traces[0])
    with pytest.raises(SystemExit) as stopped:
        run_command(command.app, ["export", "a.npz", "--out", "a.html", *beside])
    assert stopped.value.code
    refused = " ".join(capsys.readouterr().err.split())
    assert "python -m viz states" in refused
    assert "--kind" not in refused


def test_the_command_writes_what_the_page_does(
    traces: Traces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, trace in zip("ab", traces, strict=True):
        save_trace(tmp_path / f"{name}.npz", trace)

    def run(*asked: str) -> int:
        with pytest.raises(SystemExit) as stopped:
            run_command(command.app, ["states", "a.npz", *asked])
        return int(stopped.value.code or 0)

    asked = ("--stack", "decoder", "--layer", "2", "--state", "cell")
    assert run(*asked, "--beside", "b.npz", "--out", "cell.svg", "--language", "ko") == 0
    texts = {"stack": "decoder", "stack_layer": "2", "state": "cell"}
    assert (tmp_path / "cell.svg").read_bytes() == made(traces, "svg", texts, "ko")
    save_trace(tmp_path / "c.npz", replace(traces[1], model_id="00000100"))
    assert run("--beside", "c.npz", "--out", "cell.csv") != 0
    assert run("--beside", "c.npz", "--out", "cell.csv", "--same-units") == 0
    assert run("--same-units", "--out", "cell.csv") != 0
