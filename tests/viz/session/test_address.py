"""The address: whatever it holds, a valid state comes out and goes back in."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import MOST_SEED
from core.studies.heads import head_traits
from core.trace import KINDS, Kind
from tests.viz.inspector.made import trace
from viz.export.one import Choice
from viz.inspector.options import MOST_KEPT, OPTIONS, Mode, Options, Order, spell, within
from viz.inspector.spelling import MOST
from viz.session.address import (
    CHANCE,
    LEFT_OUT,
    MAX_ADDRESS_TEXT,
    SELECTION,
    Extent,
    UiState,
    chance,
    change,
    clean_text,
    fit,
    message,
    read,
    renamed,
    whole,
    write,
)
from viz.text.language import LANGUAGES, from_locale

MODELS = ("ko-en-everyday", "en-hangul")
NAMES = (
    "lang",
    "model",
    "source",
    "target",
    "mask",
    "branch",
    "message",
    *CHANCE,
    *SELECTION,
    *OPTIONS,
)
# Everything, lone surrogates too: a session or a test may hold what a browser never sends.
ANY_TEXT = st.text(st.characters(), max_size=40)
INDEX = st.integers(0, MOST - 1)

PLACE = st.integers(0, MOST - 1)
PAIR = st.tuples(PLACE, PLACE)
RANGE = PAIR.map(lambda ends: (min(ends), max(ends) + 1))


def tenths(low: int, high: int, of: int) -> st.SearchStrategy[float]:
    return st.integers(low, high).map(lambda number: number / of)


EVERY_OPTION = st.builds(
    Options,
    pinned=st.none() | PAIR,
    held=st.none() | st.tuples(st.sampled_from(("query", "key")), PLACE),
    zoom=st.none() | st.tuples(RANGE, RANGE),
    mode=st.sampled_from(get_args(Mode)),
    words=st.booleans(),
    order=st.sampled_from(get_args(Order)),
    top=st.none() | st.integers(1, MOST),
    kept=st.lists(PAIR, max_size=MOST_KEPT, unique=True).map(tuple),
    trim=tenths(0, 50, 100),
    stretch=st.booleans(),
    threshold=tenths(0, 50, 100),
    temperature=tenths(1, 30, 10),
    top_k=st.integers(0, MOST),
    top_p=tenths(5, 100, 100),
    shaping=st.booleans(),
    stages=st.booleans(),
)
STATES = st.builds(
    UiState,
    language=st.sampled_from(LANGUAGES),
    model=st.sampled_from(MODELS),
    source=st.none() | ANY_TEXT.map(clean_text),
    target=st.none() | ANY_TEXT.map(lambda text: clean_text(text).strip() or None),
    kind=st.sampled_from(KINDS),
    layer=INDEX,
    head=INDEX,
    step=st.none() | INDEX,
    lift_mask=st.booleans(),
    prefix=st.lists(st.integers(0, 9_999_999), max_size=60).map(tuple),
    seed=st.none() | st.integers(0, MOST_SEED),
    temperature=st.integers(0, 200).map(lambda hundredths: hundredths / 100),
    top_p=st.integers(1, 100).map(lambda hundredths: hundredths / 100),
    message=st.booleans(),
    options=EVERY_OPTION,
)


@given(STATES)
def test_an_address_gives_back_the_state_that_wrote_it(ui: UiState) -> None:
    again, refused = read(write(ui), UiState(), MODELS)
    assert again == ui
    assert refused == ()


@given(STATES)
def test_chance_and_messages_are_spelled_for_the_server_as_in_an_address(ui: UiState) -> None:
    assert read(chance(ui), UiState(), ())[0].sampling == ui.sampling
    spelled = {"sample_temperature": "1", "sample_top_p": "0.9", **write(ui)}
    assert read(message(ui), UiState(), ())[0].message == ui.message
    assert chance(ui) == ({name: spelled[name] for name in CHANCE} if "seed" in spelled else {})


@given(st.dictionaries(st.sampled_from(NAMES) | ANY_TEXT, ANY_TEXT, max_size=12), STATES)
def test_junk_never_breaks_and_never_gets_in(query: dict[str, str], base: UiState) -> None:
    ui, refused = read(query, base, MODELS)
    assert ui.language in LANGUAGES
    assert ui.model in MODELS
    assert ui.kind in KINDS
    assert 0 <= ui.layer < MOST
    assert 0 <= ui.head < MOST
    assert ui.step is None or 0 <= ui.step < MOST
    for text in (ui.source or "", ui.target or ""):
        text.encode("utf-8")
        assert not set("\x00\n\r") & set(text)
    assert set(refused) <= set(query)
    assert len(ui.fields) <= 24
    "&".join(write(ui, sorted(ui.fields)).values()).encode("utf-8")


@given(st.dictionaries(st.sampled_from(NAMES), ANY_TEXT), STATES)
def test_what_is_refused_leaves_the_state_alone(query: dict[str, str], base: UiState) -> None:
    _, refused = read(query, base, MODELS)
    only_bad = {name: query[name] for name in refused}
    assert read(only_bad, base, MODELS)[0] == base


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("layer", "0"),
        ("layer", "-1"),
        ("head", "1.5"),
        ("head", "１"),
        ("step", "99999999999999999999"),
        ("step", ""),
        ("kind", "self"),
        ("lang", "de"),
        ("model", "../../etc"),
        ("mask", "maybe"),
        ("trim", "1e999"),
        ("trim", "nan"),
        ("trim", "0.51"),
        ("trim", "-0.1"),
        ("trim", "0.125"),
        ("threshold", "Infinity"),
        ("threshold", "٠.1"),
        ("temperature", "0"),
        ("temperature", "0.0"),
        ("temperature", "31"),
        ("top_k", "0"),
        ("top_k", "5.0"),
        ("top_p", "0"),
        ("top", "10000"),
        ("kept", "99.99,x"),
        ("kept", "0.1"),
        ("kept", "1.1,,2.2"),
        ("kept", " ".join(f"1.{head}" for head in range(1, 9))),
        ("kept", "1.1 " * 100_000),
        ("pinned", "7"),
        ("pinned", "0.4"),
        ("pinned", "7.4.1"),
        ("pinned", "NaN.1"),
        ("held", "row.3"),
        ("held", "query.0"),
        ("held", "query"),
        ("zoom", "1-2"),
        ("zoom", "2-1.1-2"),
        ("zoom", "0-1.1-2"),
        ("zoom", "1-2.1-2.1-2"),
        ("mode", "pie"),
        ("words", "true"),
        ("order", "alphabet"),
        ("shaping", "1"),
    ],
)
def test_unusable_values_are_named(name: str, text: str) -> None:
    ui, refused = read({name: text}, UiState(model=MODELS[0]), MODELS)
    assert refused == (name,)
    assert ui == UiState(model=MODELS[0])
    with pytest.raises(ValueError, match=r"^"):
        change(ui, name, text, MODELS)


def test_people_count_from_one() -> None:
    ui, _ = read({"layer": "2", "head": "5", "step": "1"}, UiState(), MODELS)
    assert (ui.layer, ui.head, ui.step) == (1, 4, 0)
    assert write(ui)["layer"] == "2"


def test_the_spelling_of_looks() -> None:
    options = Options(
        pinned=(6, 3), held=("key", 3), zoom=((100, 160), (32, 92)), mode="lines",
        words=True, order="entropy", top=5, kept=((2, 4), (1, 0)), trim=0.15, stretch=True,
        threshold=0.1, temperature=1.3, top_k=20, top_p=0.9, shaping=True, stages=True,
    )  # fmt: skip
    spelled = {
        "pinned": "7.4", "held": "key.4", "zoom": "101-160.33-92", "mode": "lines",
        "words": "on", "order": "entropy",
        "top": "5", "kept": "3.5 2.1", "trim": "0.15", "stretch": "on", "threshold": "0.1",
        "temperature": "1.3", "top_k": "20", "top_p": "0.9", "shaping": "on",
        "stages": "on",
    }  # fmt: skip
    assert spell(options) == spelled
    assert {name: write(UiState(options=options))[name] for name in OPTIONS} == spelled
    by_hand, _ = read({"kept": "3.5,2.1,3.5"}, UiState(), MODELS)
    assert by_hand.options.kept == options.kept


def test_a_look_at_its_default_is_not_in_the_address() -> None:
    assert spell(Options()) == {}
    assert not set(write(UiState())) & set(OPTIONS)


@given(STATES, STATES)
def test_what_a_written_address_leaves_out_is_at_its_default(one: UiState, other: UiState) -> None:
    there, refused = read(whole(write(one)), other, MODELS)
    assert there.options == one.options
    assert refused == ()


def test_what_a_typed_address_leaves_out_stays_as_it_is() -> None:
    assert whole({"source": "a", "head": "2"}) == {"source": "a", "head": "2"}


def test_the_orders_are_what_is_measured_of_heads() -> None:
    traced = trace()
    measured = {n for kind in KINDS for n in head_traits(traced.sites[kind], traced.keys(kind))}
    assert {"layer", *measured} == set(get_args(Order))


def test_a_long_sentence_stays_out_of_the_address() -> None:
    ui = UiState(source="가" * (MAX_ADDRESS_TEXT + 1), target="나" * MAX_ADDRESS_TEXT)
    query = write(ui)
    assert "source" not in query
    assert query["target"] == ui.target
    assert query[LEFT_OUT] == "source"
    opened, refused = read(query, UiState(), [])
    assert refused == (LEFT_OUT,)
    assert not opened.fields
    assert LEFT_OUT not in write(opened)


def test_a_page_s_own_sentence_is_carried_as_far_as_the_first_one_is() -> None:
    long = {"other": "가" * MAX_ADDRESS_TEXT, "longer": "나" * (MAX_ADDRESS_TEXT + 1)}
    read_back, _ = read(long, UiState(), [])
    assert dict(read_back.fields) == {"other": long["other"]}
    written = write(UiState(fields=long), ["other", "longer", "none"])
    assert written.keys() & {"other", "longer", "none"} == {"other"}
    assert written[LEFT_OUT] == "longer"


def test_text_is_one_line_of_unicode() -> None:
    assert clean_text("a\x00b\r\nc\ud800") == "a b c\ufffd"
    assert clean_text("شكرا 🙂 <script>") == "شكرا 🙂 <script>"


SITES = st.dictionaries(
    st.sampled_from(KINDS),
    st.builds(Extent, *(st.integers(1, 8),) * 2, *(st.integers(1, 40),) * 2),
    min_size=1,
)


@given(STATES, SITES, st.integers(0, 20))
def test_fitted_states_exist_in_the_look(
    ui: UiState, sites: dict[Kind, Extent], steps: int
) -> None:
    fitted, moved = fit(ui, sites, steps)
    site = sites[fitted.kind]
    assert fitted.layer < site.layers
    assert fitted.head < site.heads
    assert fitted.step is None or fitted.step == 0 or fitted.step < steps
    assert fit(fitted, sites, steps) == (fitted, ())
    unchanged = {name: getattr(ui, name) for name in SELECTION if name not in moved}
    assert replace(fitted, **unchanged) == fitted
    pinned, held = fitted.options.pinned, fitted.options.held
    assert pinned is None or (pinned[0] < site.rows and pinned[1] < site.columns)
    assert held is None or held[1] < (site.rows if held[0] == "query" else site.columns)
    for layer, head in fitted.options.kept:
        assert any(layer < other.layers and head < other.heads for other in sites.values())
    for name in OPTIONS:
        same = getattr(ui.options, name) == getattr(fitted.options, name)
        assert same == (name not in moved)


def test_a_look_without_attention_changes_nothing() -> None:
    ui = UiState(layer=7)
    assert fit(ui, {}, 0) == (ui, ())


@pytest.mark.parametrize(
    ("locale", "language"),
    [("ko", "ko"), ("ko-KR", "ko"), ("KO_kr", "ko"), ("kok", "en"), ("en-US", "en"), (None, "en")],
)
def test_the_browsers_locale_chooses_the_language(locale: str | None, language: str) -> None:
    assert from_locale(locale) == language


FEW = st.integers(0, 4)
NEAR = st.tuples(FEW, st.integers(1, 4)).map(lambda two: (two[0], two[0] + two[1]))
EDGES = st.builds(
    Options,
    pinned=st.none() | st.tuples(FEW, FEW),
    held=st.none() | st.tuples(st.sampled_from(("query", "key")), FEW),
    zoom=st.none() | st.tuples(NEAR, NEAR),
    kept=st.lists(st.tuples(FEW, FEW), max_size=MOST_KEPT, unique=True).map(tuple),
)
SIZE = st.tuples(st.integers(1, 5), st.integers(1, 5))


@given(EDGES, SIZE, st.lists(SIZE, min_size=1, max_size=2))
def test_what_there_is_stays_as_it_is_to_the_last_row_and_head(
    options: Options, shape: tuple[int, int], stacks: list[tuple[int, int]]
) -> None:
    found = within(options, shape, stacks)
    if options.pinned is not None:
        inside = options.pinned in np.ndindex(shape)
        assert found.pinned == (options.pinned if inside else None)
    if options.held is not None:
        axis, place = options.held
        length = shape[("query", "key").index(axis)]
        assert found.held == (options.held if place in range(length) else None)
    if options.zoom is not None:
        sides = zip(options.zoom, shape, strict=True)
        met = [[at for at in range(*part) if at < size] for part, size in sides]
        parts = tuple((one[0], one[-1] + 1) for one in met if one)
        assert found.zoom == (parts if all(met) else None)
    heads = {head for stack in stacks for head in np.ndindex(stack)}
    assert found.kept == tuple(head for head in options.kept if head in heads)


@given(st.dictionaries(st.sampled_from(NAMES) | ANY_TEXT, ANY_TEXT, max_size=6), ANY_TEXT, ANY_TEXT)
def test_an_older_address_says_the_same_and_todays_name_holds_where_it_has_both(
    query: dict[str, str], older: str, newer: str
) -> None:
    today = {name: text for name, text in query.items() if name != "look"}
    assert renamed(today) == today
    assert renamed({**today, "look": older}) == {"trace": older, **today}
    for both in ({"look": older, "trace": newer}, {"trace": newer, "look": older}):
        assert renamed(both) == {"trace": newer}


@pytest.mark.parametrize(
    "left", [("encoder_self", "decoder_self"), ("decoder_self",), ("encoder_self", "cross")]
)
def test_a_kind_that_is_not_there_gives_way_to_the_one_that_files_show(
    left: tuple[Kind, ...],
) -> None:
    traced = trace()
    some = replace(traced, sites={kind: traced.sites[kind] for kind in left})
    there = {
        kind: Extent(site.layers, site.heads, *site.shape) for kind, site in some.sites.items()
    }
    missing = next(kind for kind in ("cross", *KINDS) if kind not in left)
    fitted, _ = fit(UiState(kind=missing), there, len(some.written))
    assert fitted.kind == Choice().fitted(some).kind
