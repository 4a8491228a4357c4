"""The pages as Streamlit runs them, in both languages, with good and bad input."""

import json
import threading
from dataclasses import replace
from typing import Any

import pytest
import streamlit
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.state.session_state_proxy import SessionStateProxy
from streamlit.testing.v1 import AppTest

from core import registry
from core.families.transformer import TransformerModel
from core.model import Inspectable, ModelCard, TraceRequest
from core.studies.informative import most_informative
from viz.inspector.options import OPTIONS
from viz.jobs import services
from viz.jobs.models import Loading, Models
from viz.jobs.snapshots import Snapshot
from viz.jobs.typed import Typed
from viz.screens import obtain
from viz.screens import step as step_page
from viz.screens.header import ENTRIES, describe
from viz.session.address import PAGES
from viz.text import frame, inspect, step
from viz.text.errors import TEXT as ERRORS
from viz.text.language import LANGUAGES, Language
from viz.text.numbers import percent
from viz.text.plain import plain

TIMEOUT = 60


def _app(page: str = "inspect", **query: str) -> AppTest:
    """A page whose model is open already."""
    services.MODELS.wait(query.get("model", "tiny"), TIMEOUT)
    app = AppTest.from_string(f"from viz.main import run\nrun({page!r})", default_timeout=TIMEOUT)
    app.query_params.update(query)
    return app.run()


def _whole(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def _drawn(app: AppTest) -> list[dict[str, Any]]:
    """What the inspectors of a page were sent."""
    return [json.loads(node.proto.json)["meta"] for node in app.get("bidi_component")]


def _texts(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error)
    return "\n".join(element.value for kind in kinds for element in kind)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_in_every_language(fresh: Models, page: str, language: Language) -> None:
    app = _whole(_app(page, lang=language))
    words = frame.TEXT[language]
    entries = [words.inspect, words.step, words.compare, words.learn, words.train, words.model]
    within = {
        "inspect": [words.of_inspect, words.bertviz],
        "model": [words.of_model, words.add],
        "learn": [words.positions, words.gaps, words.neighbours, words.studies],
        "train": [words.of_train, words.milestones],
    }
    entry = next(entry for entry, pages in ENTRIES.items() if page in pages)
    labels = [link.proto.label for link in app.get("page_link")]
    assert labels == entries + within.get(entry, [])
    assert app.query_params["lang"] == language


def test_a_sentence_is_drawn_with_its_translation(fresh: Models) -> None:
    app = _whole(_app())
    app.text_input(key="widget.source").set_value("어제 비가 왔어").run()
    (meta,) = _drawn(_whole(app))
    assert "".join(meta["source"]["text"]).startswith("␣어제")
    assert "it rained yesterday" in _texts(app)
    assert app.query_params["source"] == "어제 비가 왔어"


@pytest.mark.parametrize("page", ["inspect", "step"])
def test_a_run_gives_way_to_the_picture_of_what_was_typed(
    fresh: Models, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """By the id of the look that the page then draws, and by none where nothing was typed."""
    given: list[str] = []
    monkeypatch.setattr(Typed, "give_way", lambda _, snapshot_id: given.append(snapshot_id))
    app = _whole(_app(page, target="I"))
    assert given == []
    app.text_input(key="widget.source").set_value("어제 비가 왔어").run()
    (meta,) = _drawn(_whole(app))
    assert given == [meta["trace_id"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_asked_for_ahead_where_its_page_draws_it_alone(
    fresh: Models, language: Language
) -> None:
    plainly = [_drawn(_app(page, lang=language))[0]["ui"]["asks"] for page in ("inspect", "step")]
    assert plainly == [{"model": "tiny"}] * 2
    assert _drawn(_app("step", lang=language, mask="off"))[0]["ui"]["asks"] == {}
    by_chance = [_drawn(_app(page, seed="7"))[0]["ui"]["asks"] for page in ("inspect", "step")]
    chance = {"model": "tiny", "seed": "7", "sample_temperature": "1", "sample_top_p": "0.9"}
    assert by_chance == [chance, {}]  # on Step it is compared with what is greedy


def test_a_run_copies_what_streamlit_keeps_a_few_times(
    fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each copy is of all widgets and costs half a millisecond: a run asked 48 times once."""
    copies: list[None] = []
    copy = SessionStateProxy.to_dict

    def counted(proxy: SessionStateProxy) -> dict[str, Any]:
        copies.append(None)
        return copy(proxy)

    app = _whole(_app())
    monkeypatch.setattr(SessionStateProxy, "to_dict", counted)
    _whole(app.run())
    assert 0 < len(copies) <= 12


def test_the_first_run_shows_the_models_first_example(fresh: Models) -> None:
    app = _app()
    assert app.text_input(key="widget.source").value == "나는 물을 마신다"
    assert _drawn(app)[0]["model_id"] == "tiny"


def test_the_first_head_in_view_is_the_most_informative_one_and_stays(
    fresh: Models, tiny_model: TransformerModel
) -> None:
    trace = tiny_model.trace(TraceRequest("나는 물을 마신다"))
    layer, head = most_informative(trace.sites["cross"], trace.keys("cross"))
    opened = {"kind": "cross", "layer": layer + 1, "head": head + 1, **dict.fromkeys(OPTIONS)}
    opened["turn"] = 0  # no address leads
    assert (layer, head) != (0, 0), "else this test shows nothing"
    app = _whole(_app())
    assert _drawn(app)[0]["ui"]["selection"] == opened
    app.text_input(key="widget.source").set_value("어제 비가 왔어").run()
    assert _drawn(_whole(app))[0]["ui"]["selection"] == opened


def test_a_head_that_the_address_names_is_the_one_in_view(fresh: Models) -> None:
    selection = _drawn(_whole(_app(head="1")))[0]["ui"]["selection"]
    assert (selection["layer"], selection["head"]) == (1, 1)


def test_a_stored_look_is_drawn_while_the_model_is_opened(
    fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "model", lambda _: Loading(3.0))
    monkeypatch.setattr(services, "pause", lambda _: streamlit.stop())
    app = AppTest.from_string("from viz.main import run\nrun()", default_timeout=TIMEOUT).run()
    (meta,) = _drawn(_whole(app))
    assert meta["facts"]["source_text"] == "나는 물을 마신다"
    assert "3 s" in _texts(app)
    app.text_input(key="widget.source").set_value("나는 집에 갔어").run()
    assert not _drawn(_whole(app))
    assert app.text_input(key="widget.source").value == "나는 집에 갔어"


def test_a_page_waits_for_its_model_and_then_draws(
    fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        services.MODELS.wait("tiny", TIMEOUT)

    monkeypatch.setattr(services, "pause", pause)
    app = AppTest.from_string("from viz.main import run\nrun()", default_timeout=TIMEOUT)
    app.query_params["source"] = "어제 비가 왔어"
    (meta,) = _drawn(_whole(app.run()))
    assert len(pauses) <= 1
    assert meta["facts"]["source_text"] == "어제 비가 왔어"


def test_a_click_on_a_link_just_before_a_model_is_open_goes_there(
    fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited_for = threading.Event()

    def load(model_id: str) -> Inspectable:
        assert waited_for.wait(TIMEOUT)
        return registry.load(model_id)

    def pause(seconds: float) -> None:
        waited_for.set()
        services.MODELS.wait("tiny", TIMEOUT)
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        pages = context.pages_manager.get_pages().values()
        (there,) = (one["page_script_hash"] for one in pages if one["url_pathname"] == "model")
        context.script_requests.request_rerun(RerunData(page_script_hash=there))

    monkeypatch.setattr(services, "MODELS", Models(load))
    monkeypatch.setattr(services, "pause", pause)
    app = AppTest.from_string("from viz.main import run\nrun()", default_timeout=TIMEOUT).run()
    assert not _drawn(_whole(app)), "the page that was left has an inspector"
    assert app.get("plotly_chart")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "text_empty"),
        ("  \t ", "text_empty"),
        ("\u200f\u200b", "text_empty"),
        ("a" * 1_000_000, "text_too_large"),
        ("나는 물을 마신다 " * 40, "source_too_long"),
    ],
)
def test_bad_sentences_get_a_sentence_back(
    fresh: Models, typed: str, code: str, language: Language
) -> None:
    app = _app(lang=language)
    app.text_input(key="widget.source").set_value(typed).run()
    assert not _drawn(_whole(app))
    beginning = ERRORS[language][code].split("{")[0].strip()
    assert beginning in _texts(app).replace("\\", "")
    kept = app.text_input(key="widget.source").value
    assert kept is not None
    assert kept.strip() == typed.strip()


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>",
        "물 🙂 마신다",
        "شكرا",
        "물\x00을\u202e마신다",
        "**물** :red[물] $물$",
        "q" * 40,
    ],
)
def test_odd_text_is_only_text(fresh: Models, typed: str) -> None:
    app = _app()
    app.text_input(key="widget.source").set_value(typed).run()
    (meta,) = _drawn(_whole(app))
    assert meta["source"]["text"]
    # in what Streamlit takes for Markdown, nothing of it can start a tag or a directive
    assert "<" not in _texts(app).replace("\\<", "")
    assert ":red[" not in _texts(app)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "query",
    [
        {"layer": "99"},
        {"head": "0"},
        {"kind": "self"},
        {"step": "-3"},
        {"model": "gpt-17"},
        {"mask": "perhaps"},
    ],
)
def test_a_wrong_address_gets_one_quiet_notice(
    fresh: Models, query: dict[str, str], language: Language
) -> None:
    app = _whole(_app(lang=language, **({"model": "tiny"} | query)))
    (name,) = query
    notice = frame.TEXT[language].refused.format(names=name)
    assert notice in _texts(app).replace("\\", "")
    assert app.query_params.get(name) != query[name]
    assert len(_drawn(app)) == 1
    app.text_input(key="widget.source").set_value("사람이 많더라").run()
    assert notice not in _texts(app).replace("\\", "")


def test_the_address_brings_everything_back(fresh: Models) -> None:
    query = {
        "lang": "ko",
        "model": "tiny",
        "source": "어제 비가 왔어",
        "target": "it rained",
        "kind": "decoder_self",
        "layer": "2",
        "head": "3",
        "step": "2",
        "mask": "off",
        "pinned": "2.1",
        "trim": "0.15",
        "kept": "1.2 3.1",
        "order": "entropy",
    }
    app = _whole(_app("step", **query))
    assert dict(app.query_params) == query
    (meta,) = _drawn(app)
    chosen = {"turn": 1, "kind": "decoder_self", "layer": 2, "head": 3, "step": 2}
    options = {"pinned": [2, 1], "trim": "0.15", "kept": "1.2 3.1", "order": "entropy"}
    assert meta["ui"]["selection"] == dict.fromkeys(OPTIONS) | chosen | options
    assert meta["ui"]["language"] == "ko"
    assert meta["facts"]["lift_mask"] is True
    assert meta["compare"]["role"] == "causal"
    assert app.text_input(key="widget.target").value == "it rained"
    assert app.toggle(key="widget.mask").value is True


def test_switching_the_language_keeps_what_was_chosen(fresh: Models) -> None:
    app = _app(source="사람이 많더라", head="2")
    (before,) = _drawn(app)
    app.button_group(key="widget.lang").set_value("ko").run()
    (after,) = _drawn(_whole(app))
    assert after["trace_id"] == before["trace_id"]
    assert after["ui"]["selection"] == before["ui"]["selection"]
    assert app.text_input(key="widget.source").placeholder == inspect.KO.placeholder
    assert app.text_input(key="widget.source").value == "사람이 많더라"


def test_switching_the_model_switches_the_example_but_not_what_was_typed(fresh: Models) -> None:
    services.MODELS.wait("tiny-spelling", TIMEOUT)
    app = _app()
    app.radio(key="widget.model.tiny").set_value("tiny-spelling").run()
    assert _drawn(_whole(app))[0]["model_id"] == "tiny-spelling"
    assert app.text_input(key="widget.source").value == "cafe"
    app.text_input(key="widget.source").set_value("radio").run()
    app.radio(key="widget.model.tiny-spelling").set_value("tiny").run()
    assert app.text_input(key="widget.source").value == "radio"


def test_an_example_can_be_chosen(fresh: Models) -> None:
    app = _app()
    app.button(key="example-1").click().run()
    assert app.text_input(key="widget.source").value == "나는 어제 카페에 갔어"
    assert "cafe yesterday" in _texts(_whole(app))


def test_a_forced_target_stands_beside_the_free_translation(fresh: Models) -> None:
    app = _app("step", source="어제 비가 왔어")
    app.text_input(key="widget.target").set_value("I drink water").run()
    (meta,) = _drawn(_whole(app))
    assert meta["facts"]["target_text"] == "I drink water"
    assert meta["compare"]["role"] == "free"
    assert (meta["compare"]["label"], meta["compare"]["base_label"]) == (
        step.EN.free,
        step.EN.forced,
    )
    app.text_input(key="widget.target").set_value("  ").run()
    assert "compare" not in _drawn(_whole(app))[0]


def test_the_lifted_mask_says_what_leaks(fresh: Models) -> None:
    app = _app("step", source="어제 비가 왔어")
    app.toggle(key="widget.mask").set_value(True).run()
    (meta,) = _drawn(_whole(app))
    assert meta["facts"]["lift_mask"] is True
    assert meta["compare"]["role"] == "causal"
    assert meta["ui"]["selection"]["kind"] == "decoder_self"
    steps = len(meta["written"]["text"])
    assert f"mean over {steps} steps" in _texts(app)
    table = app.table[0].value
    assert list(table[step.EN.column_step]) == [str(number + 1) for number in range(steps)]
    measured = [d["p"][d["chosen"]] for d in meta["compare"]["next"]]
    assert list(table[step.EN.column_masked]) == [percent(p) for p in measured]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_there_is_not_is_told_in_the_same_way(
    fresh: Models, language: Language
) -> None:
    services.MODELS.wait("tiny", TIMEOUT)
    app = AppTest.from_string("from viz.main import run\nrun()", default_timeout=TIMEOUT)
    app.query_params.update({"lang": language, "page": "unknown"})
    notice = frame.TEXT[language].refused.format(names="page")
    assert notice in _texts(_whole(app.run())).replace("\\", "")
    assert "page" not in app.query_params


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_spells_is_not_called_what_a_translator_is(fresh: Models, language: Language) -> None:
    app = _whole(_app("positions", lang=language))
    text = frame.TEXT[language]
    menu = next(one for one in app.radio if one.key == "widget.model.tiny")
    captions = dict(zip(menu.options, menu.proto.captions, strict=True))
    assert captions["tiny"] == f"{text.korean} → {text.english} · {text.transformer}"
    spelling = text.spells.format(languages=f"{text.english} → {text.korean}")
    assert captions["tiny-spelling"] == plain(f"{spelling} · {text.transformer}")


def test_the_header_describes_a_model_that_had_to_make_room(fresh: Models) -> None:
    app = _whole(_app("positions"))
    card = services.card("tiny")
    assert card is not None
    described = plain(describe("tiny", card, "en"))
    assert described in [one.proto.popover.label for one in app.get("popover")]
    fresh._entries.clear()
    assert described in [one.proto.popover.label for one in _whole(app.run()).get("popover")]


@pytest.mark.parametrize(
    ("change", "said"),
    [(0.0, "0.0"), (0.0002, "0.0"), (-0.0002, "0.0"), (0.123, "+12.3"), (-0.5, "\u221250.0")],
)
def test_a_change_that_shows_as_nothing_has_no_sign(change: float, said: str) -> None:
    assert step_page._points(0.5, 0.5 + change, step.EN) == f"{said} points"


def test_both_pages_say_what_was_written_and_what_is_a_guess(fresh: Models) -> None:
    for page in ("inspect", "step"):
        app = _whole(_app(page, source="나는 핵융합 마신다"))
        (meta,) = _drawn(app)
        assert meta["facts"]["target_text"] in _texts(app)
        assert inspect.EN.strange.format(words="핵융합") in _texts(app).replace("\\", "")
    app.text_input(key="widget.target").set_value("I drink soup").run()
    assert "I drink soup" not in _texts(_whole(app))  # it stands in its own field
    assert inspect.EN.strange.format(words="핵융합") in _texts(app).replace("\\", "")


@pytest.mark.parametrize(("sure_from", "guess"), [(-1e-9, True), (-99.0, False)])
def test_what_is_below_a_measured_certainty_is_told_to_be_a_guess(
    fresh: Models, monkeypatch: pytest.MonkeyPatch, sure_from: float, guess: bool
) -> None:
    """And rare words tell why, no more than three; of a sure output nothing is told."""
    card_of = obtain.card_of

    def calibrated(model: str | None = None) -> ModelCard | None:
        card = card_of(model)
        return None if card is None else replace(card, sure_from=sure_from)

    monkeypatch.setattr(obtain, "card_of", calibrated)
    for source, words in (
        ("나는 핵융합 마신다", "핵융합"),
        ("가나다 라마바 사아자 차카타", "가나다, 라마바, 사아자…"),
    ):
        said = _texts(_whole(_app("inspect", source=source))).replace("\\", "")
        assert (inspect.EN.guess_words.format(words=words) in said) is guess
        assert inspect.EN.strange[:20] not in said


def test_guesses_of_both_sentences_are_told(fresh: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by its own model; what B was made to write is no guess of its own."""
    card_of, asked = obtain.card_of, set()

    def calibrated(model: str | None = None) -> ModelCard | None:
        asked.add(model)
        card = card_of(model)
        return None if card is None else replace(card, sure_from=-1e-9)

    monkeypatch.setattr(obtain, "card_of", calibrated)
    beside = {"source": "나는 핵융합 마신다", "beside": "나는 반도체 마신다"}
    said = _texts(_whole(_app("compare", **beside))).replace("\\", "")
    assert inspect.EN.guess_words.format(words="핵융합") in said
    assert inspect.EN.guess_words.format(words="반도체") in said
    assert "tiny" in asked
    forced = _texts(_whole(_app("compare", **beside, beside_forced="on"))).replace("\\", "")
    assert inspect.EN.guess_words.format(words="핵융합") in forced
    assert inspect.EN.guess_words.format(words="반도체") not in forced


def test_an_output_of_no_letters_is_said_to_be_none(
    fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A blank line would say nothing."""
    assert inspect.EN.unreadable not in _texts(_whole(_app("inspect"))).replace("\\", "")
    monkeypatch.setattr(Snapshot, "translation", property(lambda _: " "))
    assert inspect.EN.unreadable in _texts(_whole(_app("inspect"))).replace("\\", "")


def test_a_model_of_letters_is_no_stranger_to_words_that_it_never_saw(fresh: Models) -> None:
    """Of one that nobody measured: nothing is known of what it makes of them."""
    services.MODELS.wait("tiny-spelling", TIMEOUT)
    app = _whole(_app("inspect", model="tiny-spelling", source="tomabus"))
    assert _drawn(app)[0]["model_id"] == "tiny-spelling"
    assert not {inspect.EN.strange[:20], inspect.EN.guess_words[:10]} & {
        one.value[:20] for one in app.caption
    }
    assert "tomabus" not in "".join(one.value for one in app.caption)


def test_a_word_that_training_never_showed_makes_a_guess(
    fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output to one that it did show is none, by the same measure."""
    card_of = obtain.card_of

    def calibrated(model: str | None = None) -> ModelCard | None:
        card = card_of(model)
        return None if card is None else replace(card, sure_from=0.0, frequency_weight=50.0)

    monkeypatch.setattr(obtain, "card_of", calibrated)
    for source, guess in (("나는 물을 마신다", False), ("나는 핵융합 마신다", True)):
        app = _whole(_app("inspect", source=source))
        said = inspect.EN.guess_words.format(words="핵융합") in _texts(app).replace("\\", "")
        assert said is guess
        told = [one.help for one in app.caption if one.help]
        assert any(inspect.EN.guess_rare in one for one in told) is guess


@pytest.mark.parametrize("page", ["inspect", "step"])
def test_both_pages_say_when_the_end_is_missing(
    fresh: Models, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setattr("core.families.writer.output_limit", lambda *_: 2)
    assert inspect.EN.cut_off in _texts(_whole(_app(page))).replace("\\", "")


def test_a_target_that_is_too_long_keeps_what_was_typed(fresh: Models) -> None:
    app = _app("step")
    app.text_input(key="widget.target").set_value("water " * 80).run()
    assert not _drawn(_whole(app))
    assert "target is" in _texts(app)
    assert app.text_input(key="widget.target").value == ("water " * 80).strip()


def test_another_sentence_lets_the_old_target_go(fresh: Models) -> None:
    app = _app("step", target="I drink water", step="2")
    app.text_input(key="widget.source").set_value("사람이 많더라").run()
    assert app.text_input(key="widget.target").value == ""
    assert "step" not in app.query_params


def test_no_model_at_all_is_said(
    fresh: Models, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    app = AppTest.from_string("from viz.main import run\nrun()", default_timeout=TIMEOUT).run()
    assert not _drawn(_whole(app))
    assert frame.EN.no_model in _texts(app).replace("\\", "")


@pytest.mark.parametrize(
    ("name", "text"), [("pinned", "9999.1"), ("held", "query.99"), ("kept", "99.99")]
)
def test_looks_that_do_not_fit_are_said_and_leave_the_address(
    fresh: Models, name: str, text: str
) -> None:
    app = _whole(_app(**{name: text, "trim": "0.2"}))
    assert name not in app.query_params
    assert app.query_params["trim"] == "0.2"
    said = " ".join(caption.value for caption in app.caption)
    assert plain(frame.EN.refused.format(names=name)) in said


@pytest.mark.parametrize(
    ("page", "name", "text"),
    [("compare", "beside_forced", "maybe"), ("studies", "made", "here"), ("studies", "made", "xx")],
)
def test_a_choice_that_there_is_not_is_said_and_leaves_the_address(
    fresh: Models, page: str, name: str, text: str
) -> None:
    app = _whole(_app(page, lang="en", study="gradients", **{name: text}))
    assert name not in app.query_params
    said = " ".join(caption.value for caption in app.caption)
    assert plain(frame.EN.refused.format(names=name)) in said


@pytest.mark.parametrize("other", ["9.9", "x", "0.0"])
def test_another_head_of_b_that_there_is_not_is_said(fresh: Models, other: str) -> None:
    app = _whole(_app("compare", other=other))
    assert app.query_params["other"] == "same"
    said = " ".join(caption.value for caption in app.caption)
    assert plain(frame.EN.refused.format(names="other")) in said
