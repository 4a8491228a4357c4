"""Figures show what is seen: words, an order, kept heads, trimming, pins, a step, temperature."""

import csv
import io
import json
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image

from core.errors import HeadlightError
from core.studies.heads import head_traits
from core.trace import KINDS, AttentionSite, AttentionTrace, Kind, Token, save_trace
from tests.twins.words import word_weights
from tests.viz.export.test_one import packed_of, run, svg_texts
from tests.viz.inspector.made import long_trace, trace
from tests.viz.inspector.sampling import shaped as slowly_shaped
from viz.export.one import Choice, exported
from viz.export.paper.next_token import shaped
from viz.export.paper.shown import shown, summed, trimmed
from viz.export.paper.style import SEVERAL, legible, signed
from viz.export.request import VIEWS, Format, View, options_of
from viz.inspector.options import PLAIN, Options
from viz.inspector.pack import Packed
from viz.inspector.words import spelt
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.numbers import whole_percent

WEB = Path(__file__).parents[4] / "viz" / "inspector" / "web"
EN = inspector_words("en")
Pictured = Callable[..., str]


@pytest.fixture(scope="module")
def packed() -> Packed:
    return packed_of(trace())


@pytest.fixture(scope="module")
def pictured(packed: Packed) -> Pictured:
    """All the text of a figure of layer 2, head 5."""

    def of(view: View, options: Options, kind: Kind = "cross", step: int | None = None) -> str:
        choice = Choice(view, kind, 2, 5, step, options)
        return " | ".join(svg_texts(exported(packed, choice, "svg", language="en")))

    return of


WEIGHTS = st.integers(1, 6).flatmap(
    lambda columns: st.lists(
        st.lists(st.sampled_from((0.0, 0.1, 0.125, 0.5)), min_size=columns, max_size=columns),
        min_size=1, max_size=5,
    )
)  # fmt: skip


@given(WEIGHTS, st.sampled_from((0.05, 0.25, 0.5)))
def test_trimming_leaves_out_no_more_than_a_share(rows: list[list[float]], share: float) -> None:
    weights = np.array(rows, np.float32)
    kept = trimmed(weights, share)
    for whole, left in zip(weights, kept, strict=True):
        limit = share * float(whole.sum(dtype=np.float64))
        assert float((whole - left).sum()) <= limit + 1e-6
        least = min(left[left > 0], default=np.float32(0))
        assert set(whole[whole > least]) <= set(left[left > 0])
        equal = left[whole == least]  # of equal weights all or none
        assert np.unique(equal).size <= 1
        smallest = float(whole[whole == least].sum()) if least else 0.0
        gone = float(whole[whole < least].sum())
        assert not least or gone + smallest > limit - 1e-6  # no more could have gone


@given(
    st.lists(st.sampled_from((-1.5, 0.0, 0.25, 2.0)), min_size=1, max_size=12),
    st.sampled_from((0.1, 1.0, 2.5)), st.integers(0, 6), st.sampled_from((0.05, 0.5, 0.9, 1.0)),
)  # fmt: skip
def test_the_next_token_is_shaped_as_by_the_slow_twin(
    logits: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    options = Options(temperature=temperature, top_k=top_k, top_p=top_p)
    got, left = shaped(np.array(logits, np.float32), options)
    slow = slowly_shaped(logits, temperature, top_k, top_p)
    assert got == pytest.approx(slow, abs=1e-6)
    assert left == sum(odds > 0 for odds in slow)


def test_colours_of_kept_heads_are_those_of_the_screen() -> None:
    colour = (WEB / "views" / "colour.js").read_text("utf-8")
    light = re.search(r"light: \[(.*?)\]", colour)
    assert light is not None
    assert tuple(json.loads(f"[{light[1]}]")) == SEVERAL


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_summed_as_everywhere(packed: Packed, kind: Kind) -> None:
    traced = packed.trace
    queries = traced.source if kind == "encoder_self" else traced.written
    real = word_weights(traced.sites[kind].weights[1, 4], queries, traced.keys(kind))
    choice = Choice("head", kind, 2, 5, options=Options(words=True))
    told = json.loads(exported(packed, choice, "json", language="en"))
    assert np.array(told["weights"]) == pytest.approx(real)
    assert (len(told["queries"]), len(told["keys"])) == real.shape
    assert (told["words"], told["scores"]) == (True, None)
    body = exported(packed, choice, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body)))
    assert [float(row["weight"]) for row in rows] == pytest.approx(real.ravel())
    assert {row["score"] for row in rows} == {""}


def test_numbers_are_whole_unless_words_are_asked_for(packed: Packed) -> None:
    options = Options(trim=0.5, stretch=True, order="entropy", top=1, threshold=0.5, temperature=2)
    forms: tuple[Format, ...] = ("json", "csv")
    views: tuple[View, ...] = ("head", "grid", "next")
    for form, view in product(forms, views):
        # A temperature changes what a next token's numbers say, and nothing else does.
        base = replace(PLAIN, temperature=2) if view == "next" else PLAIN
        one, other = (Choice(view, step=7, options=own) for own in (options, base))
        plain = exported(packed, other, form, language="en")
        assert exported(packed, one, form, language="en") == plain


AXIS = st.lists(st.booleans(), min_size=1, max_size=7).map(
    lambda starts: [
        Token("p", "p", at, int(word)) for at, word in enumerate(np.cumsum([1, *starts[1:]]))
    ]
)


@given(AXIS, AXIS, st.integers(0, 2**32 - 1), st.integers(-1, 6), st.integers(-1, 6))
def test_words_are_summed_as_by_the_slow_twin(
    queries: list[Token], keys: list[Token], seed: int, empty: int, shut: int
) -> None:
    """Rows without a weight, of which one may look and one may not, and weights that are forced."""
    random = np.random.default_rng(seed)
    odds = random.random((len(queries), len(keys))) + 1e-3
    weights = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    allowed = random.random(weights.shape) < 0.7
    weights[empty : empty + 1] = 0
    allowed[shut : shut + 1] = False
    assert summed(weights, allowed, queries, keys) == pytest.approx(
        word_weights(weights, queries, keys, allowed), abs=1e-6
    )


def test_a_word_half_of_which_looks_at_no_key_looks_half_as_much() -> None:
    """Of a model with sinks, and of weights that were set to 0: both may look."""
    weights = np.array([[[[0, 0, 0], [1, 0, 0], [0.5, 0.25, 0.25]]]], np.float32)
    sinks = (1 - weights.sum(axis=3)).astype(np.float32)
    own = AttentionSite("encoder_self", weights, np.ones((3, 3), np.bool_), sinks=sinks)
    pieces = tuple(Token(text, text, at, at // 2) for at, text in enumerate(("ca", "t", "sat")))
    for site in (own, replace(own, sinks=None, forced=True)):
        traced = AttentionTrace("m", pieces, (), (), {"encoder_self": site})
        words = shown(traced, "encoder_self", words=True).weights(0, 0)
        assert words.tolist() == [[0.5, 0], [0.75, 0.25]]


def test_a_figure_has_no_more_lines_than_the_screen() -> None:
    long = packed_of(long_trace(60, layers=1, heads=1))
    choice = Choice("lines", "encoder_self", options=Options(threshold=0.0))
    body = exported(long, choice, "svg", language="en")
    assert body.count(b"<path") < 1300
    assert "the 1200 largest weights drawn" in " ".join(svg_texts(body))


def test_a_word_half_written_averages_what_is_written() -> None:
    traced = trace()
    site = traced.sites["cross"]
    at_step = shown(traced, "cross", words=True, step=6)
    half = word_weights(site.weights[1, 4, :6], traced.written[:6], traced.source)
    assert at_step.live == len(half)
    assert at_step.weights(1, 4)[: len(half)] == pytest.approx(half)
    assert spelt(traced.written[5:7]) == "café"


def test_a_matrix_says_what_was_chosen(pictured: Pictured) -> None:
    options = Options(words=True, trim=0.2, pinned=(6, 3), held=("key", 3), stretch=True)
    texts = pictured("head", options)
    assert "café" in texts
    assert "갔었어" in texts
    for said in (
        "Pinned: café → 갔었어",
        "Pinned column: 갔었어",
        "up to 20\u00a0%",
        "largest here",
    ):
        assert said in texts, said
    plain = pictured("head", PLAIN)
    assert not any(word in plain for word in ("Pinned", "left out", "largest"))


def test_rows_after_the_step_are_not_drawn(pictured: Pictured) -> None:
    numbers = [len(re.findall(r"\b0\.\d\d\b", pictured("head", PLAIN, step=at))) for at in (3, 14)]
    assert 0 < numbers[0] < numbers[1]
    assert EN["legend_unwritten"] in pictured("head", PLAIN, step=3)
    assert EN["legend_unwritten"] not in pictured("head", PLAIN, step=14)
    assert "people" not in pictured("lines", PLAIN, step=3)


def test_lines_of_kept_heads_have_their_numbers(pictured: Pictured) -> None:
    options = Options(kept=((2, 6), (0, 1)), threshold=0.2)
    texts = pictured("lines", options)
    found = [texts.index(name) for name in ("L3 H7", "L1 H2", "L2 H5")]
    assert found == sorted(found)
    assert "over 0.20" in texts
    assert "each head's share" in texts
    assert "pinned token alone" in pictured("lines", replace(options, held=("query", 3)))
    assert "L2 H5" not in pictured("lines", PLAIN)


def test_the_grid_has_the_order_that_is_seen(pictured: Pictured, packed: Packed) -> None:
    values = np.array(head_traits(packed.trace.sites["cross"], packed.trace.source)["entropy"])
    best = [divmod(int(at), 8) for at in np.argsort(-values.ravel(), kind="stable")[:3]]
    texts = pictured("grid", Options(order="entropy", top=3))
    assert re.findall(r"L\d H\d", texts) == [f"L{a + 1} H{b + 1}" for a, b in best]
    assert f"{values[best[0]]:.2f} bits to {values[best[2]]:.2f} bits" in texts
    with pytest.raises(HeadlightError, match="not measured"):
        pictured("grid", Options(order="previous"))


def test_the_next_token_says_how_it_was_reshaped(pictured: Pictured) -> None:
    texts = pictured("next", Options(temperature=1.5, top_k=3))
    assert "temperature 1.5" in texts
    assert "3 of 60 tokens are left" in texts
    assert texts.count(EN["shape_cut"]) == 5
    assert "temperature" not in pictured("next", PLAIN)


def test_the_page_starts_as_it_was_seen(packed: Packed) -> None:
    options = Options(trim=0.2, kept=((2, 6),), pinned=(1, 2), temperature=1.5)
    page = exported(packed, Choice("lines", options=options), "html", language="en").decode()
    for part in ('"trim": "0.2"', '"kept": "3.7"', '"pinned": [2, 3]', '"mode": "lines"'):
        assert part in page


@pytest.mark.parametrize("form", ["png", "pdf"])
@pytest.mark.parametrize("view", ["head", "lines", "grid", "next"])
def test_everything_at_once_can_be_printed(packed: Packed, view: View, form: Format) -> None:
    options = Options(
        pinned=(5, 3), held=("query", 3), words=True, order="entropy", top=9,
        kept=((0, 1), (2, 6)), trim=0.2, stretch=True, threshold=0.1, temperature=1.5, top_p=0.9,
    )  # fmt: skip
    choice = Choice(view, "cross", 2, 5, 7, options)
    body = exported(packed, choice, form, language="ko")
    assert body != exported(packed, replace(choice, options=PLAIN), form, language="ko")


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
@pytest.mark.parametrize("view", ["head", "grid"])
def test_it_is_printed_as_by_the_slow_twin(
    packed: Packed, view: View, form: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = exported(packed, Choice(view), form, language="ko")
    monkeypatch.setattr("viz.export.one.printed", saved)
    assert body == exported(packed, Choice(view), form, language="ko")


def saved(figure: Figure, form: str) -> bytes:
    """As matplotlib itself saves a figure: it draws it once for its layout, and once more."""
    target = io.BytesIO()
    undated: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    figure.savefig(target, format=form, dpi=300, metadata=undated.get(form))
    return target.getvalue()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (Options(pinned=(14, 0)), "pinned"),
        (Options(pinned=(0, 9)), "pinned"),
        (Options(held=("key", 9)), "held"),
    ],
)
def test_what_is_pinned_has_to_be_there(packed: Packed, options: Options, name: str) -> None:
    with pytest.raises(HeadlightError) as raised:
        exported(packed, Choice(options=options), "svg", language="en")
    assert raised.value.parameters["name"] == name
    with pytest.raises(HeadlightError) as raised:
        exported(packed, Choice("lines", options=Options(kept=((3, 0),))), "svg", language="en")
    assert raised.value.parameters["name"] == "kept"


def test_looks_are_read_as_in_an_address() -> None:
    assert options_of({"trim": "0.2", "lang": "ko"}) == Options(trim=0.2)
    with pytest.raises(HeadlightError, match=r"trim.*0 to 0\.5"):
        options_of({"trim": "1e999"})


def test_the_command_has_the_same_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: Packed
) -> None:
    monkeypatch.chdir(tmp_path)
    save_trace(Path("t.npz"), packed.trace)
    given = ("--words", "--heads", "3.7,1.2", "--threshold", "0.2", "--held", "query.3")
    command = ("export", "t.npz", "--view", "lines", "--layer", "2", "--head", "5", *given)
    assert run(monkeypatch, *command, "--out", "fig.svg") == 0
    options = Options(words=True, kept=((2, 6), (0, 1)), threshold=0.2, held=("query", 2))
    expected = exported(packed, Choice("lines", None, 2, 5, None, options), "svg", language="en")
    assert Path("fig.svg").read_bytes() == expected


def drawn(view: View, traced: AttentionTrace, kind: Kind, **more: Any) -> npt.NDArray[np.uint8]:
    choice = Choice(view, kind, **more)
    body = exported(packed_of(traced), choice, "png", language="ko")
    return np.asarray(Image.open(io.BytesIO(body)).convert("L"))


LABELS = ("W" * 30, "한" * 30, "a\\b", "한\\글")


@pytest.mark.parametrize("kind", ["cross", "encoder_self"])
@pytest.mark.parametrize("view", ["head", "lines", "stages"])
def test_long_labels_stay_on_the_paper(view: View, kind: Kind) -> None:
    words = tuple(range(len(LABELS)))
    ink = drawn(view, trace(LABELS, words, LABELS, words), kind) < 200
    edge = 20  # dots, a fifteenth of an inch
    assert not ink[:, :edge].any()
    assert not ink[:, -edge:].any()
    assert not ink[:edge].any()
    assert not ink[-edge:].any()
    assert ink.any()


def test_long_labels_leave_room_for_the_cells() -> None:
    words = tuple(range(len(LABELS)))
    short = ("a", "b", "c", "d")
    areas = []
    for names in (short, LABELS):
        body = exported(packed_of(trace(names, words)), Choice("head", "encoder_self"), "svg",
                        language="en")  # fmt: skip
        image = re.search(rb'<image [^>]*width="([\d.]+)"', body)
        assert image is not None
        areas.append(float(image[1]))
    assert areas[1] > 0.8 * areas[0]


@pytest.mark.parametrize("view", ["head", "lines", "stages"])
def test_a_backslash_is_no_won_sign(view: View) -> None:
    words = tuple(range(len(LABELS)))
    traced = packed_of(trace(LABELS, words))
    svg = exported(traced, Choice(view, "encoder_self"), "svg", language="en")
    root = ElementTree.fromstring(svg)
    styles = [node.get("style", "") for node in root.iter() if "\\" in (node.text or "")]
    assert styles
    assert all("font-family: 'DejaVu Sans'" in style for style in styles), styles
    texts = [(node.text or "", node.get("style", "")) for node in root.iter()]
    plain = [style for text, style in texts if "한한" in text and "\\" not in text]
    assert plain
    assert not any("font-family: 'DejaVu" in style for style in plain)
    pdf = exported(traced, Choice(view, "encoder_self"), "pdf", language="en")
    assert {b"DejaVuSans", b"NanumGothic"} <= set(re.findall(rb"DejaVuSans|NanumGothic", pdf))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\U0001fae8", "⟨U+1FAE8⟩"),
        ("물\U0001f9ca!", "물⟨U+1F9CA⟩!"),
        ("\U0001f9d1\u200d\U0001f373", "⟨U+1F9D1⟩⟨U+200D⟩⟨U+1F373⟩"),
        ("\u12a0", "⟨U+12A0⟩"),
        ("\U00012000", "⟨U+12000⟩"),
    ],
)
@pytest.mark.parametrize("form", ["png", "pdf", "svg"])
def test_what_no_face_draws_is_named(text: str, shown: str, form: Format) -> None:
    """Nothing that is set lacks a glyph: matplotlib, asked to tell, tells of none."""
    traced = packed_of(trace((text, "물", "é", "Ω"), (0, 1, 2, 3)))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        body = exported(traced, Choice("head", "encoder_self"), form, language="en")
    assert [str(one.message) for one in told] == []
    if form == "svg":
        assert any(shown in found for found in svg_texts(body))
        assert {"물", "é", "Ω"} <= set(svg_texts(body))


@given(st.text(st.sampled_from("가힣ᄀAzé√∞αΩ漢㎏⟨⟩␣∅−…'\\ ")))
def test_what_a_face_draws_stays(text: str) -> None:
    assert legible(text) == text


def test_all_heads_have_a_scale(pictured: Pictured) -> None:
    assert " | 0.0 | 0.5 | 1.0 | " in pictured("grid", PLAIN)
    assert EN["legend_forbidden"] in pictured("grid", PLAIN, "decoder_self")
    stretched = pictured("grid", Options(stretch=True))
    assert "each head's | largest" in stretched
    assert "1.0" not in stretched


def test_a_small_picture_shows_the_largest_weight_beneath_each_dot() -> None:
    """What is finer than the dots of the printer would be left out by chance."""
    traced = long_trace(400, layers=1, heads=12)
    images = []
    for marked in (True, False):
        weights = np.zeros((1, 12, 400, 400), np.float32)
        weights[..., 0] = 1
        if marked:
            weights[:, :, 137] = np.eye(1, 400, 211)
        sites: dict[Kind, AttentionSite] = {
            "cross": replace(
                traced.sites["cross"], weights=weights, scores=None, queries=None, keys=None
            )
        }
        images.append(drawn("grid", replace(traced, sites=sites), "cross").astype(int))
    darker = np.argwhere(images[0] < images[1] - 100)[:, 1]
    groups = np.split(np.unique(darker), np.flatnonzero(np.diff(np.unique(darker)) > 20) + 1)
    assert len(groups) == 12  # the one cell of every head
    body = exported(packed_of(traced), Choice("grid", "cross"), "svg", language="en")
    assert EN["pooled_note"] in " ".join(svg_texts(body))


def test_a_pinned_row_has_its_joint_in_the_note(pictured: Pictured) -> None:
    texts = pictured("head", Options(held=("query", 6), pinned=(6, 3)), "cross", 14)
    assert "Pinned row: -é looks most" in texts
    assert "Pinned: -é → -었어" in texts


@pytest.mark.parametrize(("view", "room"), [("head", 2000), ("lines", 2000), ("stages", 1000)])
def test_what_is_finer_than_print_is_refused(view: View, room: int) -> None:
    size = room + 1
    traced = long_trace(size, layers=1, heads=1)
    site = replace(traced.sites["cross"], scores=np.zeros((1, 1, size, size), np.float32))
    packed = packed_of(replace(traced, sites={"cross": site}))
    with pytest.raises(
        HeadlightError, match=f"room for {room:,} tokens a side, this is of {size:,}"
    ):
        exported(packed, Choice(view), "png", language="en")


def test_a_long_head_is_drawn_by_a_bounded_number_of_marks() -> None:
    """A label that does not fit is left out; a mask is one mark."""
    traced = packed_of(long_trace(400, layers=1, heads=1))
    for view, most in (("head", 300), ("lines", 500), ("stages", 1300)):
        body = exported(traced, Choice(view, "decoder_self"), "svg", language="en")  # type: ignore[arg-type]
        assert len(svg_texts(body)) < most, view
        assert body.count(b"<path") < 1700, view


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.000"), (-0.0004, "0.000"), (-0.0006, "−0.001"), (0.25, "+0.250"), (-1.0, "−1.000")],
)
def test_what_shows_as_zero_has_no_sign(value: float, shown: str) -> None:
    assert signed(value) == shown


@pytest.mark.parametrize("view", ["head", "lines", "grid", "next", "stages"])
def test_a_figure_says_what_it_is_of(view: View) -> None:
    traced = replace(trace(), meta={"source_text": "어제 카페에 갔어" + "어" * 300})
    texts = " ".join(svg_texts(exported(packed_of(traced), Choice(view), "svg", language="ko")))
    assert "어제 카페에" in texts
    assert "(made)" in texts
    assert "어" * 200 not in texts.replace(" ", "")


@pytest.mark.parametrize("letter", ["a", "G", "o", "W", "한", "i", "GGGG "])
@pytest.mark.parametrize("view", VIEWS)
def test_a_long_word_at_the_foot_stays_on_the_paper(view: View, letter: str) -> None:
    traced = replace(trace(), meta={"source_text": (letter * 119)[:119]})
    body = exported(packed_of(traced), Choice(view), "png", language="en")
    drawn = np.asarray(Image.open(io.BytesIO(body)).convert("L")) < 200
    assert not drawn[:, :9].any(), "the left edge, of 0.03 inches"
    assert not drawn[:, -9:].any()


@pytest.mark.parametrize("view", ["head", "lines", "stages"])
def test_a_model_that_spells_letter_by_letter_has_no_joints(view: View) -> None:
    """As on the screen, where a dash before every letter would be noise."""
    letters, words = tuple("bcdabcab"), (0, 0, 0, 1, 1, 2, 2, 2)
    spelling = trace(letters, words, letters, words)
    bare = replace(spelling, source=tuple(replace(t, piece=t.text) for t in spelling.source))
    texts = svg_texts(exported(packed_of(bare), Choice(view, "encoder_self"), "svg", language="en"))
    assert not any(text.startswith("-") for text in texts)
    pieces = ("bc", "da", "a", "b", "ca", "b", "ab", "cd")  # half of them is too few
    traced = packed_of(trace(pieces, words, pieces, words))
    texts = svg_texts(exported(traced, Choice(view, "encoder_self"), "svg", language="en"))
    assert "-da" in texts


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("step", [3, None])
def test_stages_say_of_a_mask_that_forbids_nothing_that_it_does(
    packed: Packed, step: int | None, language: Language
) -> None:
    words = inspector_words(language)
    for kind in KINDS:
        choice = Choice("stages", kind, 2, 5, step)
        texts = svg_texts(exported(packed, choice, "svg", language=language))
        forbids = kind == "decoder_self"
        assert (words["stage_mask_note"] in texts) == forbids, kind
        assert (words["stage_mask_open"] in texts) != forbids, kind


def test_every_weight_over_the_threshold_is_a_line(packed: Packed) -> None:
    weights = packed.trace.sites["cross"].weights[1, 4]
    for threshold in (0.0, 0.02):
        over = weights > threshold
        choice = Choice("lines", "cross", 2, 5, options=Options(threshold=threshold))
        body = exported(packed, choice, "svg", language="en")
        curves = re.findall(r'd="M [\d. ]+\nC [\d. ]+\n"', body.decode())
        assert len(curves) == over.sum()
        hidden = whole_percent(float(weights[~over].sum() / weights.sum()))
        assert f"weights over {threshold:.2f} drawn · {hidden}" in " ".join(svg_texts(body))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_little_that_is_hidden_is_not_said_to_be_nothing(
    packed: Packed, language: Language
) -> None:
    weights = packed.trace.sites["cross"].weights
    smallest = float(np.sort(weights[1, 4][weights[1, 4] > 0])[2])
    assert 0 < weights[1, 4][weights[1, 4] <= smallest].sum() / weights[1, 4].sum() < 0.005
    words = inspector_words(language)
    for threshold, hidden in ((smallest, "< 1\u00a0%"), (0.0, "0\u00a0%")):
        choice = Choice("lines", "cross", 2, 5, options=Options(threshold=threshold))
        note = words["lines_note"].format(
            threshold=f"{threshold:.2f}",
            count=int((weights[1, 4] > threshold).sum()),
            hidden=hidden,
        )
        texts = svg_texts(exported(packed, choice, "svg", language=language))
        assert note in " ".join(texts), texts


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_next_token_is_no_word_of_the_same_spelling(packed: Packed, language: Language) -> None:
    """The end is a candidate at every step, and "end" a word."""
    traced = packed.trace
    assert traced.logits is not None
    logits = traced.logits.copy()
    logits[:, 2] = logits.max() - 1
    likely = packed_of(replace(traced, logits=logits))
    body = exported(likely, Choice("next", step=4), "svg", language=language)
    texts = svg_texts(body)
    end = inspector_words(language)["special_end"]
    assert f"[{end}]" in texts
    assert not {end, "end"} & set(texts)


@pytest.mark.parametrize(
    "options", [PLAIN, Options(temperature=3.0), Options(top_k=20), Options(top_k=8)]
)
def test_the_next_token_s_bars_add_up_to_all(packed: Packed, options: Options) -> None:
    texts = svg_texts(
        exported(packed, Choice("next", step=7, options=options), "svg", language="en")
    )
    shares = [float(text[:-2]) for text in texts if re.fullmatch(r"\d+\.\d\u00a0%", text)]
    assert sum(shares) == pytest.approx(100, abs=0.06 * len(shares))
    most = options.top_k or 60
    rest = [EN["next_rest"].format(count=most - 8)] if most > 8 else []
    assert [text for text in texts if text.endswith("more")] == rest


def test_next_tokens_that_are_left_are_not_cut(packed: Packed) -> None:
    """However little is left for them."""
    assert packed.trace.logits is not None
    logits = packed.trace.logits.copy()
    logits[:, 4] += 30
    cold = packed_of(replace(packed.trace, logits=logits))
    choice = Choice("next", step=7, options=Options(temperature=0.1))
    texts = svg_texts(exported(cold, choice, "svg", language="en"))
    assert EN["next_rest"].format(count=52) in texts
    assert EN["shape_cut"] not in texts


@pytest.mark.parametrize("kind", ["cross", "decoder_self"])
@pytest.mark.parametrize("top", [1, 12, None])
@pytest.mark.parametrize("words", [False, True])
def test_all_heads_stand_in_the_middle(kind: Kind, top: int | None, words: bool) -> None:
    """Notes of any length press no heads together, which would leave room beside them."""
    options = Options(order="entropy", top=top, words=words, stretch=words)
    inked = (drawn("grid", trace(), kind, options=options) < 250).any(axis=0)
    ink = np.flatnonzero(inked)
    assert abs(ink[0] - (inked.size - 1 - ink[-1])) < 60  # dots, a fifth of an inch


@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_order_of_heads_between_words_says_that_pieces_were_measured(
    packed: Packed, language: Language
) -> None:
    said = inspector_words(language)["units_measured"]
    whole = packed_of(trace(("가", "나"), (0, 1), ("a", "b"), (0, 1)))  # no word has two pieces
    for traced, options in product((packed, whole), (Options(), Options(order="entropy", top=9))):
        for words in (False, True):
            choice = Choice("grid", "cross", options=replace(options, words=words))
            texts = " ".join(svg_texts(exported(traced, choice, "svg", language=language)))
            assert (said in texts) == (traced is packed and options.order == "entropy" and words)
