"""The Train page as Streamlit runs it: what may be started, what is refused and in which words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.training.events import Failed, Started, Stopped, append_event
from core.training.folder import RunFolder
from core.training.networks import NETWORKS
from core.training.ready import digits
from core.training.recipe import load_recipe
from viz.jobs import owners, runs, services, visitor
from viz.jobs.files import FILES, Files
from viz.jobs.models import Models
from viz.jobs.visitor import STRANGER, Visitor
from viz.screens import train_file, train_new, train_start
from viz.text import film, model, studies, train, training
from viz.text.errors import TEXT as ERRORS
from viz.text.language import LANGUAGES, Language
from viz.text.rows import by_name
from viz.text.train import TEXT

TIMEOUT = 60
Asked = list[tuple[str, dict[str, bytes]]]
TYPED = "\n".join(f"{source} | {target}" for source, target in digits(300))


@pytest.fixture
def root(fresh: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No runs yet; no time is measured."""
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path))
    monkeypatch.delenv("HEADLIGHT_TRAININGS", raising=False)
    monkeypatch.setattr(runs, "_PROCESSES", {})
    monkeypatch.setattr(train_start, "seconds_per_update", lambda *_: 0.05)
    train_start._seconds.cache_clear()
    yield tmp_path
    train_start._seconds.cache_clear()


@pytest.fixture
def started(root: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What would have been started, instead of starting it."""
    found: Asked = []

    def start(name: str, files: Mapping[str, bytes]) -> None:
        found.append((name, dict(files)))
        _make(root, name, Started(0, 400, 9, 9, 9, "cpu", 1))

    monkeypatch.setattr(runs, "start", start)
    return found


@pytest.fixture
def stranger(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is looked at from elsewhere, by a browser without a cookie."""
    monkeypatch.setattr(visitor, "current", lambda: STRANGER)


def _make(root: Path, name: str, *told: Any) -> RunFolder:
    folder = RunFolder(root / name)
    folder.work.mkdir(parents=True)
    folder.recipe.write_text("# a test's own\n")
    (folder.path / owners.LOG).touch()
    for event in told:
        append_event(folder.events, event)
    return folder


def _app(**query: str) -> AppTest:
    services.MODELS.wait("tiny", TIMEOUT)
    app = AppTest.from_string("from viz.main import run\nrun('train')", default_timeout=TIMEOUT)
    app.query_params.update(query)
    return _whole(app.run())


def _whole(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def _texts(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.subheader)
    said = "\n".join(element.value for kind in kinds for element in kind)
    return said.replace("\\", "")


def _sent(app: AppTest) -> dict[str, Any]:
    """What the browser's part of the page was sent."""
    (node,) = app.get("bidi_component")
    found: dict[str, Any] = json.loads(node.proto.json)
    return found


def _html(app: AppTest) -> str:
    return "\n".join(node.proto.body for node in app.get("html"))


def _start(app: AppTest) -> Any:
    return app.button(key="train-start-button")


def _own(app: AppTest, typed: str) -> AppTest:
    app.button_group(key="widget.train_what").set_value("pairs").run()
    app.text_area(key="widget.train_pairs").set_value(typed).run()
    return _whole(app)


def _command(app: AppTest, **command: Any) -> AppTest:
    """As the browser's part sends it: the value of a trigger, then a run of its callback."""
    code = (
        "from viz.session import fields, state, widgets\nfrom viz.screens import train\n"
        "from viz.main import run\n"
        f"command = {command!r}\n"
        "widgets.sent = lambda key, name: command if name == 'command' else None\n"
        "import streamlit as st\n"
        "if not st.session_state.get('obeyed'):\n"
        "    st.session_state['obeyed'] = True\n"
        "    state.begin(('tiny',))\n    fields.own('run', 'trace')\n    train._obey()\n"
        "run('train')"
    )
    told = AppTest.from_string(code, default_timeout=TIMEOUT)
    told.query_params.update(dict(app.query_params))
    return _whole(told.run())


# First visit


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_newcomer_can_start_at_once(root: Path, language: Language) -> None:
    app = _app(lang=language)
    words = TEXT[language]
    assert words.example_title in _texts(app)
    assert not _start(app).disabled
    assert words.time.format(time=words.seconds.format(count=20)) in _texts(app)
    assert "f</bdi>" in _html(app)
    assert _sent(app)["chosen"] == ""


def test_one_click_starts_the_example_and_shows_it(root: Path, started: Asked) -> None:
    app = _start(_app()).click().run()
    ((name, files),) = started
    assert name == "numbers"
    assert set(files) == {"recipe.toml", "pairs.tsv", owners.OWNER}
    assert files["pairs.tsv"].decode().count("\n") == len(digits())
    assert app.query_params["run"] == "numbers"
    assert _sent(_whole(app))["chosen"] == "numbers"


def test_a_second_example_gets_a_name_of_its_own(root: Path, started: Asked) -> None:
    _make(root, "numbers", Started(0, 9, 9, 9, 9, "cpu", 1), Stopped(3))
    _start(_app(run="")).click().run()
    assert started[0][0] == "numbers-2"


# Pairs of one's own


def test_what_is_typed_is_split_named_and_started(root: Path, started: Asked) -> None:
    app = _own(_app(), "no pair\n" + TYPED.replace(" | ", "\t"))
    assert "line 1: one column" in _texts(app)
    assert "to learn from" in _html(app)
    assert not _start(app).disabled
    _start(app).click().run()
    ((name, files),) = started
    path = root / "written.toml"
    path.write_bytes(files["recipe.toml"])
    recipe = load_recipe(path)
    assert (name, recipe.model_id, recipe.training.steps) == ("my-pairs", "my-pairs", 1000)
    assert recipe.corpora[0].path == runs.path_of("my-pairs", "pairs.tsv")
    assert files["pairs.tsv"].decode().startswith("no pair\n")


@pytest.mark.parametrize(
    ("network", "family"),
    [
        (None, "recurrent"),
        ("bottleneck", "seq2seq"),
        ("next", "recurrent"),
        ("masked", "language"),
        ("skipgram", "skipgram"),
    ],
)
def test_any_kind_of_model_is_trained_on_them(
    root: Path, started: Asked, network: str | None, family: str
) -> None:
    geese = "\n".join(f"{n} geese\t{'even' if n % 2 == 0 else 'odd'}" for n in range(60))
    app = _own(_app(), geese)
    field = app.selectbox(key="widget.train_network.en")
    assert field.value == "label"  # a few words again and again
    if network is not None:
        field.set_value(network).run()
    assert not _start(_whole(app)).disabled
    _start(app).click().run()
    ((_, files),) = started
    path = root / "written.toml"
    path.write_bytes(files["recipe.toml"])
    recipe = load_recipe(path)
    assert recipe.family == family
    if network is None:
        assert recipe.model["labels"] == ["even", "odd"]


def test_labels_are_offered_where_there_are_some(root: Path) -> None:
    app = _own(_app(), TYPED)
    field = app.selectbox(key="widget.train_network.en")
    assert field.value == "transformer"
    assert len(field.options) == len(NETWORKS) - 3  # nor a label a word, nor by another model


def test_pairs_typed_without_tabs_are_understood(root: Path, started: Asked) -> None:
    app = _own(_app(), TYPED)
    _start(app).click().run()
    assert b" | " not in started[0][1]["pairs.tsv"]


def test_one_line_without_the_mark_is_the_one_that_is_left_out(root: Path, started: Asked) -> None:
    app = _own(_app(), "고양이 | cat\n개 | dog\n물고기\n말 | horse")
    assert TEXT["en"].bad.format(count=1, rows=4) in _texts(app)
    assert "line 3: one column" in _texts(app)
    _start(app).click().run()
    assert "개\tdog" in started[0][1]["pairs.tsv"].decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "empty"),
        ("  \n \t \n", "empty"),
        ("one column\nand no more", "data_invalid"),
        ("\x00\x01\x02 | \x00", "data_invalid"),
        ("a\t" + "x" * 190_000, "data_invalid"),
        ("nothing\na\tb\nno\nnone", "data_invalid"),
    ],
)
def test_what_is_no_data_cannot_be_started_and_says_why(
    root: Path, typed: str, said: str, language: Language
) -> None:
    app = _own(_app(lang=language), typed)
    words = TEXT[language]
    if said == "data_invalid":
        start = words.typed_invalid.split("{reason}")[0]
        assert start.format(line=1) in _texts(app)
        assert "pairs.tsv" not in _texts(app), "nobody chose such a file"
        assert words.hint in _texts(app)
    else:
        assert getattr(words, said) in _texts(app)
    assert _start(app).disabled
    assert str(root) not in _texts(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", ["cat | 고양이", "cat | 고양이\n" * 3, "물 | water"])
def test_a_single_pair_may_be_trained_on_and_is_said_to_prove_nothing(
    root: Path, started: Asked, typed: str, language: Language
) -> None:
    app = _own(_app(lang=language), typed)
    words = TEXT[language]
    assert words.single in [warning.value.replace("\\", "") for warning in app.warning]
    assert words.little not in _texts(app)
    assert words.train.format(count=1) in _html(app)
    _start(app).click().run()
    assert [name for name, _ in started] == ["my-pairs"]


def test_of_two_pairs_nothing_is_said_of_one(root: Path) -> None:
    app = _own(_app(), "cat | 고양이\ndog | 개")
    assert TEXT["en"].single not in _texts(app)
    assert TEXT["en"].little in _texts(app)


def _upload(app: AppTest, name: str, content: bytes) -> AppTest:
    app.button_group(key="widget.train_what").set_value("pairs").run()
    app.file_uploader(key="widget.train_upload").upload(name, content).run()
    return _whole(app)


def test_a_file_is_read_instead_of_what_was_typed(root: Path, started: Asked) -> None:
    lines = [json.dumps({"source": source, "target": target}) for source, target in digits(300)]
    app = _upload(_app(), "mine <b>.jsonl", "\n".join(lines).encode())
    assert "mine <b>.jsonl is used" in _texts(app)
    _start(app).click().run()
    ((_, files),) = started
    assert set(files) == {"recipe.toml", "pairs.jsonl", owners.OWNER}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.tsv", b"", "empty"),
        (
            "picture.tsv",
            b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
            "picture.tsv line 1: not UTF-8",
        ),
        ("utf16.txt", "a\tb\n".encode("utf-16"), "utf16.txt cannot be read"),
        ("wide.csv", b"x" * 1_000_000, "wide.csv line 1: longer"),
        ("list.jsonl", b"[1, 2, 3]\n" * 9, "list.jsonl line 1: not a JSON object"),
    ],
)
def test_a_file_that_holds_no_pairs_is_refused_in_words(
    root: Path, name: str, content: bytes, said: str
) -> None:
    app = _upload(_app(), name, content)
    assert (TEXT["en"].empty if said == "empty" else said) in _texts(app)
    assert _start(app).disabled


def test_a_file_that_is_too_large_is_neither_kept_nor_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the browser let pass: it may have come by another page's field."""
    monkeypatch.setattr(train_new, "_read_pairs", lambda *_: pytest.fail("read"))
    before = FILES.nbytes
    app = _upload(_app(), "large.tsv", b"a\tb\n" * (train_file.MOST_MEGABYTES * 262_144 + 1))
    assert "large.tsv is not here" in _texts(app)
    assert _start(app).disabled
    assert FILES.nbytes == before


def test_a_file_that_made_room_for_others_is_asked_for_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = _upload(_app(), "mine.tsv", TYPED.replace(" | ", "\t").encode())
    assert not _start(app).disabled
    monkeypatch.setattr(train_file, "FILES", Files())
    monkeypatch.setattr(train_file, "_keep", lambda _: None)
    assert "mine.tsv is not here" in _texts(_whole(app.run()))
    assert _start(app).disabled


@pytest.mark.parametrize("name", ["", "Größe", "../up", "a b", "-a", "UPPER", "a/b", "tiny"])
def test_a_name_that_cannot_be_is_said(root: Path, name: str) -> None:
    app = _own(_app(), TYPED)
    app.text_input(key="widget.train_name").set_value(name).run()
    expected = "tiny is taken" if name == "tiny" else TEXT["en"].name_invalid
    assert expected in _texts(_whole(app))
    assert _start(app).disabled


def test_what_was_typed_survives_another_page_and_language(root: Path) -> None:
    app = _own(_app(), TYPED)
    app.text_input(key="widget.train_name").set_value("kept-name").run()
    app.button_group(key="widget.lang").set_value("ko").run()
    assert app.text_area(key="widget.train_pairs").value == TYPED
    assert app.text_input(key="widget.train_name").value == "kept-name"


def test_languages_and_the_cut_follow_the_text_until_they_are_chosen(root: Path) -> None:
    words = "\n".join(f"낱말{n}가\tword {n} of many {n}" for n in range(30))
    app = _own(_app(), words)
    assert app.selectbox(key="widget.train_reads.en").value == "ko"
    assert app.selectbox(key="widget.train_writes.en").value == "en"
    app.selectbox(key="widget.train_reads.en").set_value("ja").run()
    app.text_area(key="widget.train_pairs").set_value(TYPED).run()
    assert app.selectbox(key="widget.train_reads.en").value == "ja"
    assert not _start(_whole(app)).disabled


def test_an_unknown_device_is_said_before_anything_starts(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = _app()
    monkeypatch.setenv("HEADLIGHT_DEVICE", "mps")
    monkeypatch.setattr("core.device.available_devices", lambda: ("cpu",))
    app.run()
    assert "mps" in _texts(_whole(app))
    assert _start(app).disabled


@pytest.mark.parametrize("what", ["pairs", "again"])
def test_what_shall_be_learnt_stands_in_the_address(
    root: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(train_start, "shipped", dict)
    app = _app()
    app.button_group(key="widget.train_what").set_value(what).run()
    assert _whole(app).query_params["learns"] in (what, [what])
    opened = _app(learns=what)
    assert opened.button_group(key="widget.train_what").value == what
    assert _app(learns="magic").button_group(key="widget.train_what").value == "example"


# A shipped model again


def test_the_recipes_that_models_brought_can_be_chosen(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[3] / "checkpoints" / "en-hangul" / "recipe.toml").read_text()
    missing = re.sub(r'"data/[^"]+"', '"data/not-here.tsv"', text, count=1)
    monkeypatch.setattr(train_start, "shipped", lambda: {"ours": missing})
    app = _app()
    app.button_group(key="widget.train_what").set_value("again").run()
    assert "data/not-here.tsv" in _texts(_whole(app))
    assert f"data/not-here.tsv | **{TEXT['en'].again_missing}**" in _texts(app)
    assert _texts(app).count("model card") == 1, "beside the button, not with every file"
    assert _start(app).disabled


@pytest.mark.parametrize(
    ("others", "first"), [(("another", "tiny"), "tiny"), (("another",), "another")]
)
def test_the_recipe_that_is_offered_first_is_of_the_model_at_work(
    root: Path, monkeypatch: pytest.MonkeyPatch, others: tuple[str, ...], first: str
) -> None:
    text = (Path(__file__).parents[3] / "checkpoints" / "en-hangul" / "recipe.toml").read_text()
    monkeypatch.setattr(train_start, "shipped", lambda: dict.fromkeys(others, text))
    app = _app(model="tiny")
    app.button_group(key="widget.train_what").set_value("again").run()
    assert _whole(app).selectbox(key="widget.train_again.en").value == first
    app.selectbox(key="widget.train_again.en").set_value("another").run()  # what is chosen stays
    assert _whole(app).selectbox(key="widget.train_again.en").value == "another"


def test_where_no_model_brought_a_recipe_the_page_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_start, "shipped", dict)
    app = _app()
    app.button_group(key="widget.train_what").set_value("again").run()
    assert TEXT["en"].again_none in _texts(_whole(app))


# Others train


def test_while_one_trains_no_other_can_be_started(root: Path) -> None:
    with _make(root, "theirs", Started(0, 9, 9, 9, 9, "cpu", 1)).claim():
        app = _app(run="")
        assert _start(app).disabled
        assert "theirs" in _texts(app)
        assert _sent(_app())["chosen"] == "theirs", "a first visit shows what trains"
    assert not _start(_app(run="")).disabled


def test_a_server_may_close_training(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_TRAININGS", "0")
    app = _app()
    assert TEXT["en"].closed in _texts(app)
    assert not app.button


def test_who_cannot_stop_what_trains_is_not_told_to(root: Path, stranger: None) -> None:
    with _make(root, "theirs", Started(0, 9, 9, 9, 9, "cpu", 1)).claim():
        app = _app(run="")
    assert TEXT["en"].busy_others.format(runs="theirs") in _texts(app)


# Commands of the browser


def test_commands_reach_the_run_that_they_name(root: Path) -> None:
    folder = _make(root, "mine", Started(0, 9, 9, 9, 9, "cpu", 1))
    with folder.claim():
        _command(_app(run="mine"), name="stop", run="mine")
        assert folder.asked_to_stop()
    app = _command(_app(run="mine"), name="remove", run="mine")
    assert not folder.path.exists()
    assert _sent(app)["chosen"] == ""


@pytest.mark.parametrize("name", ["stop", "go_on", "remove", "inspect", "film"])
def test_what_is_somebody_elses_is_left_alone(root: Path, stranger: None, name: str) -> None:
    """A command may be sent by anybody, whatever the page offers."""
    folder = _make(root, "mine", Started(0, 9, 9, 9, 9, "cpu", 1))
    if name != "stop":
        append_event(folder.events, Stopped(3))
    with folder.claim() if name == "stop" else nullcontext():
        app = _command(_app(run="mine"), name=name, run="mine")
        assert not folder.asked_to_stop()
    assert folder.path.exists()
    assert _sent(app)["chosen"] == "mine"
    assert ERRORS["en"]["run_foreign"].format(run="mine") in _texts(app)


def test_an_owner_from_elsewhere_may_do_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "current", lambda: Visitor("me"))
    folder = _make(root, "mine", Started(0, 9, 9, 9, 9, "cpu", 1), Stopped(3))
    (folder.path / owners.OWNER).write_bytes(owners.file_of(owners.Owner("me", True)))
    _command(_app(run="mine"), name="remove", run="mine")
    assert not folder.path.exists()


@pytest.mark.parametrize("own", [True, False])
def test_who_starts_a_run_owns_it(
    root: Path, started: Asked, monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    monkeypatch.setattr(visitor, "current", lambda: Visitor("me"))
    _start(_own(_app(), TYPED) if own else _app()).click().run()
    ((_, files),) = started
    assert json.loads(files[owners.OWNER]) == {"id": "me", "private": own}


def test_who_keeps_no_cookie_starts_nothing(root: Path, started: Asked, stranger: None) -> None:
    app = _start(_app()).click().run()
    assert started == []
    assert ERRORS["en"]["visitor_unknown"] in _texts(app)


def test_choosing_a_run_is_in_the_address(root: Path) -> None:
    _make(root, "mine", Started(0, 9, 9, 9, 9, "cpu", 1), Stopped(3))
    app = _command(_app(run=""), name="choose", run="mine")
    assert _sent(app)["chosen"] == "mine"
    assert app.query_params["run"] == "mine"


@pytest.mark.parametrize(
    "command",
    [
        {"name": "stop", "run": "../../etc"},
        {"name": "remove", "run": ""},
        {"name": "go_on", "run": "mine"},
        {"name": "choose", "run": "x" * 100_000},
        {"name": "choose", "run": {"no": "text"}},
        {"name": "inspect", "run": "mine", "source": "\x00" * 9},
        {"name": "film", "run": "mine"},
        {"name": "gremlins"},
        {"no": "name"},
    ],
)
def test_a_command_that_makes_no_sense_breaks_nothing(root: Path, command: dict[str, Any]) -> None:
    diverged = Failed(3, "training_diverged", {"step": 3, "what": "the loss"})
    _make(root, "mine", Started(0, 9, 9, 9, 9, "cpu", 1), diverged)
    app = _command(_app(run="mine"), **command)
    assert _sent(app)["chosen"] == "mine"
    assert (root / "mine").exists()


def test_a_trained_model_is_opened_afresh(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a file, a branch, a head or a hypothesis that were in view before."""
    monkeypatch.setattr(runs, "run", lambda _: SimpleNamespace(model="tiny"))
    code = (
        "from viz.session import callbacks, fields, page, state, visit\n"
        "from viz.screens import train\n"
        "state.begin(('tiny',))\n"
        "fields.own(callbacks.SAVED, callbacks.HYPOTHESIS)\n"
        "fields.change({callbacks.SAVED: 'f' * 64, callbacks.HYPOTHESIS: '3'})\n"
        "state.change('branch', '4.5')\nstate.change('head', '3')\n"
        "visit.current().opened = True\n"
        "train._do('inspect', 'mine', 'a b')\n"
        "ui = state.current()\n"
        "assert (ui.model, ui.source, ui.prefix) == ('tiny', 'a b', ()), ui\n"
        "assert ui.fields == {}, ui.fields\n"
        "assert not visit.current().opened\n"
        "assert page.instead_of('train') == 'inspect'\n"
    )
    _whole(AppTest.from_string(code, default_timeout=TIMEOUT).run())


def test_an_address_with_a_run_that_is_none_is_said(root: Path) -> None:
    app = _app(run="../../etc")
    assert "run" in _texts(app)
    assert _sent(app)["chosen"] == ""


def test_free_names_are_found_among_many(root: Path) -> None:
    assert train_new.free_name("tiny") == "tiny-2"
    _make(root, "tiny-2")
    assert train_new.free_name("tiny") == "tiny-3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_training_goes_by_updates_and_a_decoder_by_steps(language: Language) -> None:
    for table in (train.TEXT[language], training.TEXT[language], film.TEXT[language]):
        for name, said in by_name(table).items():
            shown = re.sub(r"\{\w+\}", "", str(said)).lower()
            assert not re.search(r"\bsteps?\b|단계", shown), name


def test_a_label_has_one_name_in_korean() -> None:
    for table in (train.KO, training.KO, model.KO, studies.KO):
        assert "이름표" not in str(by_name(table))
    assert "레이블" in train.KO.networks["label"]
