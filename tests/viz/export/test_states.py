"""States exported: numbers are the trace's, figures are printed, what is not there is said."""

import base64
import csv
import gzip
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
from core.cli.app import run as run_command
from core.errors import HeadlightError
from core.model import TraceRequest
from core.trace import AttentionTrace, load_trace, save_trace
from tests.small import WORDS, learnt
from tests.viz.asgi import get
from tests.viz.export.paper.drawn import svg_lines
from tests.viz.inspector.hostile import TEXTS, hostile_trace
from viz import __main__ as command
from viz.export.request import MEDIA, Format
from viz.export.states import StatesChoice, states_exported, states_file_name
from viz.inspector.pack import pack
from viz.inspector.states import answers, described, shapes, states_bytes
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.text.film import TEXT as FILM
from viz.text.language import LANGUAGES, Language

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> AttentionTrace:
    folder = tmp_path_factory.mktemp("states") / "small"
    sizes = {"cell": "lstm", "attention": "none", "d_model": 40, "layers": 2}
    learnt(folder, "seq2seq", sizes, steps=60)
    return registry.load(folder, torch.device("cpu")).trace(TraceRequest(WORDS[0][0], "카페"))


PLACED = ("stack", "layer", "position", "token", "unit", "piece")


def made(
    trace: AttentionTrace, choice: StatesChoice, form: Format, language: Language = "en"
) -> bytes:
    return states_exported(pack(trace, trace_id="t"), choice, form, language=language)


def test_a_body_has_every_name_behind_the_other(trace: AttentionTrace) -> None:
    parts = trace.states["decoder"]
    body = np.frombuffer(states_bytes(trace, "decoder", 1), "<f4")
    wanted = np.concatenate([part[1].ravel() for part in parts.values()])
    np.testing.assert_array_equal(body, wanted)
    with pytest.raises(IndexError):
        states_bytes(trace, "decoder", 2)


def test_numbers_are_all_of_a_layer(trace: AttentionTrace) -> None:
    choice = StatesChoice("decoder", 2)
    told = json.loads(made(trace, choice, "json"))
    assert told["tokens"] == [token.text for token in trace.target]
    for name, part in trace.states["decoder"].items():
        np.testing.assert_allclose(told["states"][name], part[1], rtol=1e-6)
    text = made(trace, choice, "csv").decode("utf-8-sig")
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
    body = made(trace, choice, form, "ko")
    assert body.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])
    if form == "svg":
        assert "인코더" in body.decode()
        assert ">40<" in body.decode() or units == "most"
    assert body == made(trace, choice, form, "ko")


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        ({"stack": "sideways"}, "stack"),
        ({"stack_layer": "3"}, "stack_layer"),
        ({"stack_layer": "x"}, "stack_layer"),
        ({"state": "reset"}, "state"),
        ({"units": "none"}, "units"),
        ({"position": "99"}, "position"),
        ({"unit": "41"}, "unit"),
    ],
)
def test_what_is_not_there_is_refused_by_name(
    trace: AttentionTrace, texts: dict[str, str], name: str
) -> None:
    with pytest.raises(HeadlightError) as raised:
        made(trace, StatesChoice.read(texts), "csv")
    assert raised.value.parameters["name"] == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_milestone_is_called_by_its_updates(trace: AttentionTrace, language: Language) -> None:
    drawn = made(replace(trace, model_id="mine@1592"), StatesChoice(), "svg", language)
    said = " ".join(svg_lines(drawn))  # a long note has several lines
    assert f"mine, {FILM[language].after_updates.format(step='1,592')}" in said


def test_a_trace_without_states_is_refused(tiny_snapshot: Snapshot) -> None:
    with pytest.raises(HeadlightError, match="no states"):
        states_exported(tiny_snapshot.packed, StatesChoice(), "csv", language="en")


def test_files_are_served(trace: AttentionTrace, tmp_path: Path) -> None:
    name = "0" * 24
    packed = pack(trace, trace_id=name)
    SNAPSHOTS.put(Snapshot(name, TraceRequest("cafe"), trace, packed))
    forms: tuple[Format, ...] = ("svg", "csv", "json", "npz")
    for form in forms:
        reply = get(APP, f"/export/{name}/states.{form}?stack=decoder&state=cell")
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"] == MEDIA[form]
        choice = StatesChoice("decoder", state="cell").fitted(shapes(trace))
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
        choice = StatesChoice(state=name).fitted(shapes(trace))
        assert states_file_name(trace, choice, "svg").encode("ascii").isascii()
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", states_file_name(trace, choice, "svg"))
    for form in forms:
        body = made(trace, StatesChoice(state=one["names"][4]), form)
        assert body
    text = made(trace, StatesChoice(), "csv").decode("utf-8-sig")
    header = next(csv.reader(io.StringIO(text)))
    assert {"token", "state_token", "unit", "state_unit"} <= set(header)
    assert [name for name in header if name.startswith(("=", "+", "-", "@"))] == []
    ElementTree.fromstring(made(trace, StatesChoice(state=one["names"][2]), "svg"))


@pytest.mark.parametrize(
    "names",
    [
        ("unit", "state_unit", "hidden"),
        ("state_unit", "unit"),
        ("unit", "state_unit", "state_state_unit", "state_token"),
    ],
)
def test_every_state_has_a_column_of_its_own(names: tuple[str, ...]) -> None:
    plain = hostile_trace()
    states = {
        name: np.full((1, len(plain.target), 1), at, np.float32) for at, name in enumerate(names)
    }
    text = made(replace(plain, states={"decoder": states}), StatesChoice(), "csv")
    row = next(csv.DictReader(io.StringIO(text.decode("utf-8-sig"))))
    assert sorted(float(row[name]) for name in row if name not in PLACED) == [*range(len(names))]
    assert [float(row[name]) for name in names if name not in PLACED] == [
        at for at, name in enumerate(names) if name not in PLACED
    ]
    assert row["unit"] == "1"


def test_a_page_holds_every_layer_of_every_stack(
    trace: AttentionTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    choice = StatesChoice("decoder", 2, "cell", position=2, unit=7)
    text = made(trace, choice, "html", "ko").decode()
    held = json.loads(text.partition('id="held">')[2].partition("</script>")[0])
    layers = {f"states/{stack}/{layer}" for stack in ("encoder", "decoder") for layer in (0, 1)}
    assert held["bytes"]["t"].keys() == layers
    body = gzip.decompress(base64.b64decode(held["bytes"]["t"]["states/decoder/1"]))
    assert body == states_bytes(trace, "decoder", 1)
    assert held["data"]["meta"]["ui"]["selection"] == {
        "stack": "decoder", "stack_layer": 2, "state": "cell", "position": 2, "unit": 7,
        "units": "most",
    }  # fmt: skip
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    assert states_file_name(trace, choice, "html").endswith(".html")
    monkeypatch.setattr("viz.export.states.MOST_PAGE", 1000)
    with pytest.raises(HeadlightError, match="npz holds them"):
        made(trace, choice, "html")


def test_what_a_labeller_says_after_each_token_is_beneath_its_units(tmp_path: Path) -> None:
    sizes = {"answers": "label", "labels": ["short", "long"], "cell": "gru", "d_model": 12}
    pairs = [(word, "long" if len(word) > 4 else "short") for word, _ in WORDS]
    learnt(tmp_path / "label", "recurrent", sizes, pairs)
    labelled = registry.load(tmp_path / "label", torch.device("cpu")).trace(TraceRequest("카페"))
    assert labelled.logits is not None
    told = json.loads(made(labelled, StatesChoice(), "json"))["answers"]
    shares = np.array([told["short"], told["long"]]).T
    wanted = torch.tensor(labelled.logits).softmax(-1).numpy()
    np.testing.assert_allclose(shares, wanted, atol=1e-6)
    figure = made(labelled, StatesChoice(), "svg").decode()
    assert ">short<" in figure
    assert ">long<" in figure
    assert answers(pack(trace_of_a_writer(tmp_path), trace_id="w")) is None


def trace_of_a_writer(folder: Path) -> AttentionTrace:
    learnt(folder / "writer", "seq2seq", {"cell": "gru", "attention": "none", "d_model": 8})
    return registry.load(folder / "writer", torch.device("cpu")).trace(TraceRequest("카페"))


def test_the_command_writes_what_the_page_does(
    trace: AttentionTrace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save_trace(tmp_path / "t.npz", trace)
    monkeypatch.chdir(tmp_path)

    def run(*asked: str) -> int:
        with pytest.raises(SystemExit) as stopped:
            run_command(command.app, ["states", "t.npz", *asked])
        return int(stopped.value.code or 0)

    asked = ("--stack", "decoder", "--layer", "2", "--state", "cell", "--out", "cell.svg")
    assert run(*asked, "--language", "ko") == 0
    choice = StatesChoice("decoder", 2, "cell")
    assert (tmp_path / "cell.svg").read_bytes() == made(trace, choice, "svg", "ko")
    assert run("--layer", "9", "--out", "cell.svg") != 0
    assert "--layer" in capsys.readouterr().err, "an option is called as it was typed"
    assert run("--same-units", "--out", "cell.svg") != 0
    assert "--same-units" in capsys.readouterr().err
    for option, value, name in (
        ("--position", "2", "cell.svg"),
        ("--unit", "2", "cell.npz"),
        ("--units", "model", "cell.csv"),
        ("--state", "cell", "cell.json"),
    ):
        assert run(option, value, "--out", name) != 0
        assert f"{option} cannot be" in capsys.readouterr().err, "nothing would be seen of it"
