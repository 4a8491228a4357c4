"""The session and the address: who leads when both have something to say."""

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from viz.inspector.options import PLAIN, Options
from viz.session import page, visit
from viz.session.address import UiState, write


def _script() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from viz.session import fields, state

    context = get_script_run_ctx()
    assert context is not None
    context.is_history_navigation = st.session_state.pop("went back", False)
    if "heard" in st.session_state:  # as a callback does, before the run
        state.adopt(st.session_state["heard"])
        del st.session_state["heard"]
    if "changed" in st.session_state:
        state.change(*st.session_state["changed"])
        del st.session_state["changed"]
    if st.session_state.pop("opened", False):
        state.heard()
    st.session_state["ui"] = state.begin(["tiny"])
    st.session_state["links"] = state.links("inspect")  # as the header does, before the page
    fields.own("beam", "width")
    if st.session_state.get("breaks"):  # as the next event breaks off a run
        st.stop()
    if "informative" in st.session_state:  # as a page that draws a snapshot picks a head
        state.open_with(lambda kind: st.session_state["informative"])
    if st.session_state.get("draws", True):
        st.session_state["start"] = state.start("inspect/a")
    state.write_back()


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(_script)


def ran(app: AppTest, query: dict[str, str] | None = None) -> Options:
    """Looks after a run; with another address, or the one that Python knows."""
    if query is not None:
        app.query_params.clear()
        for name, text in query.items():
            app.query_params[name] = text
    app.run()
    assert not app.exception
    ui: UiState = app.session_state["ui"]
    return ui.options


def address(app: AppTest) -> dict[str, str]:
    return {name: str(text) for name, text in app.query_params.items()}


def test_what_was_reported_is_not_undone_by_an_older_address(app: AppTest) -> None:
    ran(app, {"head": "2"})
    written = address(app)
    app.session_state["heard"] = {"trim": "0.2", "pinned": "3.4", "head": "5"}
    assert ran(app) == Options(trim=0.2, pinned=(2, 3))
    assert address(app) == written  # the browser wrote the rest by itself, and may be further on
    assert ran(app) == Options(trim=0.2, pinned=(2, 3))
    app.session_state["heard"] = {"trim": "", "pinned": ""}
    assert ran(app) == PLAIN


def test_a_head_that_nobody_chose_is_the_one_in_the_address(app: AppTest) -> None:
    app.session_state["draws"] = False  # another page, whose links tell of the first head
    ran(app, {})
    followed = dict(app.session_state["links"])
    app.session_state["draws"], app.session_state["informative"] = True, (2, 6)
    ran(app, followed)
    assert {"layer": "3", "head": "7"}.items() <= address(app).items()
    ui: UiState = app.session_state["ui"]
    ran(app)
    assert {"layer": "3", "head": "7"}.items() <= address(app).items()
    assert write(ui, ["beam", "width"]).keys() == address(app).keys()


def test_a_run_that_ends_at_its_first_look_at_the_address_loses_no_report(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the next event waits already: Streamlit ends a run there."""
    ran(app, {"head": "2"})
    app.session_state["heard"] = {"trim": "0.2"}
    app.query_params["trim"] = "0.1"  # as the browser wrote it on the way to 0.2
    with monkeypatch.context() as waiting:
        waiting.setattr(QueryParamsProxy, "to_dict", lambda _: streamlit.stop())
        app.run()
    assert ran(app) == Options(trim=0.2)


def test_an_address_from_before_our_last_one_is_not_followed_by_a_report(app: AppTest) -> None:
    ran(app, {"head": "2"})
    older = address(app)
    ran(app, {**older, "source": "물", "trim": "0.2"})
    newest = address(app)
    app.session_state["heard"] = {"trim": "0.3"}
    assert ran(app, older) == Options(trim=0.3)
    assert app.session_state["ui"].source == "물"
    assert address(app) == {**newest, "trim": "0.3"}
    assert ran(app, older) == PLAIN  # and nobody touched anything: the way back was taken


def test_nor_by_the_opening_of_a_menu(app: AppTest) -> None:
    ran(app, {"trace": "a"})
    older = address(app)
    ran(app, {**older, "source": "물"})
    newest = address(app)
    app.session_state["opened"] = True  # clicked before the newest address had arrived
    ran(app, older)
    assert app.session_state["ui"].source == "물"
    assert address(app) == newest


def test_back_is_followed_where_a_report_came_with_it(app: AppTest) -> None:
    ran(app, {"head": "2"})
    older = address(app)
    ran(app, {**older, "source": "물"})
    app.session_state["heard"] = {"trim": "0.3"}
    app.session_state["went back"] = True
    assert ran(app, older) == PLAIN
    assert app.session_state["ui"].source is None
    assert address(app) == older


def test_back_is_followed_where_streamlit_made_one_run_of_it_and_a_report(app: AppTest) -> None:
    """It forgets then that the run is Back's; the browser's count stays in the address."""
    ran(app, {"head": "2"})
    older = address(app)
    ran(app, {**older, "source": "물"})
    app.session_state["heard"] = {"trim": "0.3"}
    assert ran(app, {**older, "went": "1"}) == PLAIN
    assert app.session_state["ui"].source is None
    assert address(app) == older


def test_after_back_a_browser_that_has_not_heard_of_it_changes_nothing_but_what_it_reports(
    app: AppTest,
) -> None:
    """Its widgets hold what they held before; Streamlit calls that a change."""
    ran(app, {"head": "2"})
    older = address(app)
    ran(app, {**older, "source": "물"})
    ran(app, {**older, "went": "1"})
    app.session_state["changed"] = ("source", "물")
    app.session_state["heard"] = {"trim": "0.3"}
    assert ran(app, {**older, "went": "1"}) == Options(trim=0.3)
    assert app.session_state["ui"].source is None
    assert "went" not in address(app)
    app.session_state["changed"] = ("source", "물")
    assert ran(app) == Options(trim=0.3)
    assert app.session_state["ui"].source == "물"
    assert ran(app, {**older, "went": "2"}) == PLAIN
    assert app.session_state["ui"].source is None


def test_back_is_followed_where_it_breaks_off_the_run_of_a_report(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(app, {"head": "2"})
    older = address(app)
    app.session_state["heard"] = {"source": "물"}
    ran(app)
    app.session_state["heard"] = {"step": "2"}
    with monkeypatch.context() as waiting:
        waiting.setattr(QueryParamsProxy, "to_dict", lambda _: streamlit.stop())
        app.run()
    app.session_state["went back"] = True
    ran(app, older)
    assert app.session_state["ui"].source is None
    assert address(app) == older


def test_after_back_the_address_is_written_over_what_a_late_run_wrote(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a report broke off the run that Back began."""
    ran(app, {"head": "2"})
    older = address(app)
    app.session_state["heard"] = {"source": "물"}
    ran(app)
    written: list[Any] = []
    write_all = QueryParamsProxy.from_dict

    def noted(proxy: QueryParamsProxy, query: Any) -> None:
        written.append(query)
        write_all(proxy, query)

    monkeypatch.setattr(QueryParamsProxy, "from_dict", noted)
    app.session_state["went back"] = app.session_state["breaks"] = True
    ran(app, older)
    assert not written
    app.session_state["breaks"] = False
    app.session_state["heard"] = {"trim": "0.3"}
    ran(app, older)
    ran(app)
    assert written == [{**older, "trim": "0.3"}]


def test_another_address_is_followed_in_all_that_it_says(app: AppTest) -> None:
    ran(app, {"trim": "0.2", "kept": "1.1"})
    other = write(UiState(model="tiny", options=Options(words=True)))
    assert ran(app, other) == Options(words=True)
    assert ran(app, {"threshold": "0.3"}) == Options(words=True, threshold=0.3)


def test_a_page_without_an_address_gets_everything_back(app: AppTest) -> None:
    ran(app, {"trim": "0.2", "mode": "lines", "lang": "ko"})
    before = address(app)
    assert ran(app, {}) == Options(trim=0.2, mode="lines")
    assert address(app) == before


def test_what_cannot_be_used_leaves_the_address(app: AppTest) -> None:
    assert ran(app, {"trim": "1e999", "kept": "99.99,x", "words": "on"}) == Options(words=True)
    assert not {"trim", "kept"} & set(address(app))
    assert address(app)["words"] == "on"


def test_the_component_starts_once_and_anew_when_it_was_gone(app: AppTest) -> None:
    def start() -> dict[str, Any]:
        started: dict[str, Any] = app.session_state["start"]
        return started

    ran(app, {"trim": "0.2"})
    assert start()["trim"] == "0.2"
    app.session_state["heard"] = {"trim": "0.3"}
    ran(app)
    assert start()["trim"] == "0.2"  # the browser is where it is
    app.session_state["draws"] = False  # another page
    ran(app)
    app.session_state["draws"] = True
    ran(app)
    assert start()["trim"] == "0.3"


def test_going_back_undoes_all_that_was_not_in_the_address_before(app: AppTest) -> None:
    ran(app, {"lang": "en"})
    before, first = address(app), app.session_state["ui"]
    said = {"source": "물", "target": "water", "branch": "4.5", "mask": "off", "step": "2"}
    ran(app, {**before, **said, "beam": "3"})
    ui = app.session_state["ui"]
    assert (ui.source, ui.target, ui.prefix, ui.lift_mask, ui.step) == (
        "물", "water", (4, 5), True, 1,
    )  # fmt: skip
    assert ui.fields == {"beam": "3"}
    ran(app, before)
    assert app.session_state["ui"] == first
    assert address(app) == before


def test_the_component_is_told_when_an_address_leads(app: AppTest) -> None:
    ran(app, {"head": "2"})
    before, turn = address(app), app.session_state["start"]["turn"]
    app.session_state["heard"] = {"head": "5"}
    ran(app)
    assert app.session_state["start"]["turn"] == turn  # it knows that by itself
    ran(app, {**before, "source": "물", "head": "5"})
    ran(app, before)
    assert app.session_state["start"]["turn"] > turn
    assert app.session_state["start"]["head"] == 2


def test_links_of_the_first_run_carry_fields_that_no_page_has_claimed_yet(app: AppTest) -> None:
    ran(app, {"width": "8"})
    assert app.session_state["links"]["width"] == "8"
    ran(app, app.session_state["links"])
    assert app.session_state["ui"].fields == {"width": "8"}


def test_what_was_chosen_in_a_run_that_was_broken_off_is_not_undone(app: AppTest) -> None:
    ran(app, {"lang": "en"})
    written = address(app)
    app.session_state["heard"] = {"source": "물", "beam": "3"}
    app.session_state["breaks"] = True
    ran(app)
    app.session_state["breaks"] = False
    ran(app, {**written, "head": "3"})  # the inspector wrote that meanwhile
    ui = app.session_state["ui"]
    assert (ui.source, ui.fields, ui.head) == ("물", {"beam": "3"}, 2)
    assert address(app)["source"] == "물"


def test_going_back_brings_back_a_head_that_was_left_in_a_later_entry(app: AppTest) -> None:
    ran(app, {"head": "2", "lang": "en"})
    before = address(app)
    korean = {**before, "lang": "ko"}
    ran(app, korean)
    app.session_state["heard"] = {"head": "5"}
    ran(app, korean)  # it has also written it to an address that we have not read
    ran(app, before)
    ui = app.session_state["ui"]
    assert (ui.language, ui.head) == ("en", 1)


def _page_of_its_own() -> None:
    import streamlit as st

    from viz.session import fields, state

    if "heard" in st.session_state:
        state.adopt(st.session_state["heard"])
        del st.session_state["heard"]
    st.session_state["ui"] = state.begin(["tiny"])
    asked = fields.own("width", "cell")
    if asked.get("width") == "9":
        fields.refuse(["width"])
    state.start("page/a")
    fields.live({"cell": None})
    fields.live({"cell": asked.get("cell")})
    st.session_state["refused"] = state.refused()
    state.write_back()


def test_what_a_page_cannot_use_leaves_the_address() -> None:
    app = AppTest.from_function(_page_of_its_own)
    app.query_params["width"] = "9"
    app.run()
    assert app.session_state["refused"] == ("width",)
    assert "width" not in address(app)


def test_what_a_component_leaves_out_of_the_address_is_not_written_back() -> None:
    app = AppTest.from_function(_page_of_its_own)
    app.query_params["cell"] = "3.4"
    app.run()
    written = address(app)
    assert written["cell"] == "3.4"
    app.session_state["heard"] = {"cell": None}
    app.run()
    assert app.session_state["ui"].fields == {}
    assert address(app) == written  # the browser has left it out by itself, without a new entry


def _fits() -> None:
    import streamlit as st

    from core.trace import Kind
    from viz.session import state
    from viz.session.address import Extent

    if "heard" in st.session_state:
        state.adopt(st.session_state["heard"])
        del st.session_state["heard"]
    state.begin(["tiny"])
    small: dict[Kind, Extent] = {"cross": Extent(2, 4, 5, 5)}
    large: dict[Kind, Extent] = {"cross": Extent(3, 8, 9, 9), "decoder_self": Extent(3, 8, 9, 9)}
    at = st.session_state.get("at", "large")
    st.session_state["ui"] = state.fit(small if at == "small" else large, 5 if at == "small" else 9)
    state.start(at)
    state.write_back()


@pytest.mark.parametrize(
    ("heard", "there", "back"),
    [
        ({}, (1, 3, 4), (2, 7, 8)),
        ({"layer": "2", "head": "4"}, (1, 3, 4), (2, 7, 8)),  # as its component reports
        ({"layer": "1", "head": "2"}, (0, 1, 4), (0, 1, 4)),  # chosen there
        ({"source": "b"}, (1, 3, 4), (1, 3, 4)),  # of another sentence
    ],
)
def test_what_one_look_could_not_show_is_there_again_at_the_next(
    heard: dict[str, str], there: tuple[int, int, int], back: tuple[int, int, int]
) -> None:
    app = AppTest.from_function(_fits)

    def place() -> tuple[int, int, int | None]:
        ui: UiState = app.session_state["ui"]
        return ui.layer, ui.head, ui.step

    before = ran(app, {"layer": "3", "head": "8", "step": "9", "kept": "3.5", "pinned": "7.2"})
    app.session_state["at"] = "small"
    assert ran(app) == PLAIN
    app.session_state["heard"] = heard
    ran(app)
    assert place() == there
    app.session_state["at"] = "large"
    after = ran(app)
    assert place() == back
    assert after == (before if back == (2, 7, 8) else PLAIN)
    if back == (2, 7, 8):  # what a person chose is written by the browser
        assert {"layer": "3", "head": "8", "step": "9", "kept": "3.5"}.items() <= address(
            app
        ).items()


@pytest.mark.parametrize(
    ("runs", "shown"),
    [
        # A report of the page that is left, twice, and then the browser is there and leaves it.
        (["train on train", "inspect on train", "train on train", "inspect on train",
          "inspect on inspect", "train on inspect", "train on train"],
         "inspect inspect inspect inspect inspect train train"),
        # A link is followed before the browser has heard of the other page.
        (["train on train", "inspect on train", "step on train", "train on step", "train on train"],
         "inspect inspect step train train"),
        # Nobody knows where the browser is: once, as it was asked for.
        (["train on ?", "inspect on ?", "train on ?"], "inspect inspect train"),
        # It is there already.
        (["inspect on inspect", "train on inspect", "train on train"], "inspect train train"),
    ],
)  # fmt: skip
def test_another_page_is_shown_until_the_browser_is_there(
    monkeypatch: pytest.MonkeyPatch, runs: list[str], shown: str
) -> None:
    session = visit.Visit(UiState(), ())
    monkeypatch.setattr(visit, "current", lambda: session)
    page.go("inspect")
    found = []
    for asked, stands in (run.split(" on ") for run in runs):
        monkeypatch.setattr(page, "_stands_on", lambda at=stands: None if at == "?" else at)
        found.append(page.instead_of(asked) or asked)  # type: ignore[arg-type]
    assert " ".join(found) == shown


@pytest.mark.parametrize(
    ("url", "stands"),
    [
        ("http://localhost:8501/train?run=a", "train"),
        ("http://localhost:8501/?lang=ko", "inspect"),
        ("http://a.test/below/step", "step"),
        ("http://[", None),
        ("", "inspect"),
    ],
)
def test_where_the_browser_stands_is_read_off_its_address(
    monkeypatch: pytest.MonkeyPatch, url: str, stands: str | None
) -> None:
    context = SimpleNamespace(context_info=SimpleNamespace(url=url))
    monkeypatch.setattr(page, "get_script_run_ctx", lambda: context)
    assert page._stands_on() == stands


def _one_of_two_pages() -> None:
    import streamlit as st

    from viz.session import fields, state

    state.begin(["tiny"])
    owner = st.session_state.get("owner", "one")
    fields.apart("place", owner)
    if "chosen" in st.session_state:
        fields.change({"place": st.session_state["chosen"]})
        del st.session_state["chosen"]
    if "lets" in st.session_state:
        fields.let_go("place", st.session_state["lets"])
        del st.session_state["lets"]
    st.session_state["place"] = fields.own("place").get("place")
    state.start("page/a")
    state.write_back()


def test_two_pages_may_choose_under_one_name() -> None:
    """Each finds its own again, and lets go of no other's."""
    app = AppTest.from_function(_one_of_two_pages)

    def on(owner: str, **given: str) -> str | None:
        for name, text in {"owner": owner, **given}.items():
            app.session_state[name] = text
        app.run()
        assert not app.exception
        found: str | None = app.session_state["place"]
        assert app.query_params.get("place") == found
        return found

    app.query_params["place"] = "7"
    assert on("one") == "7", "an address is of the page that it opens"
    assert on("two") is None
    assert on("two", chosen="3") == "3"
    assert on("one") == "7"
    assert on("one", chosen="8") == "8"
    assert on("two") == "3"
    assert on("one", lets="two") == "8"
    assert on("two") is None
    assert on("two", chosen="4") == "4"
    assert on("two", lets="two") is None
    assert on("one") == "8"
