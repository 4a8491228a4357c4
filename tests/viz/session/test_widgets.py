"""Widgets that own nothing: when a browser is told their value, and when it is left alone."""

from typing import Any

from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st

    from viz.session import state, widgets

    state.begin(["tiny"])
    says = st.session_state.get("says", "first")
    st.text_input("sentence", says, key=widgets.seed("sentence", says))
    with st.popover("more", key=widgets.menu("more")):
        st.button("choose", on_click=widgets.close, args=("more",))


def ran(**told: Any) -> AppTest:
    return again(AppTest.from_function(_script), **told)


def again(app: AppTest, **told: Any) -> AppTest:
    for name, value in told.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app


def is_told(app: AppTest) -> bool:
    return bool(app.text_input[0].proto.set_value)


def test_a_widget_is_told_its_value_once_and_then_left_alone() -> None:
    app = ran()
    assert is_told(app)
    assert app.text_input[0].value == "first"
    assert not is_told(again(app))
    assert is_told(again(app, says="second"))
    assert app.text_input[0].value == "second"
    assert not is_told(again(app))


def test_a_browser_that_hears_of_a_widget_late_starts_it_with_its_value() -> None:
    """A run that is broken off may never reach it: it would start empty, and report that."""
    app = again(ran())
    assert not is_told(app)
    assert app.text_input[0].proto.default == "first"
    assert again(app, says="second").text_input[0].proto.default == "second"


def popover(app: AppTest) -> str:
    """What the browser knows a popover by: of another name, it is one that nobody has opened."""
    return str(app.main.children[1].proto.id)


def test_a_popover_closes_once_something_is_chosen_in_it() -> None:
    app = ran()
    opened = popover(app)
    assert popover(again(app, says="second")) == opened
    app.button[0].click()
    closed = popover(again(app))
    assert closed != opened
    assert popover(again(app)) == closed
