"""BertViz's views as pages of their own: offline, escaped, bounded, one kind at a time."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette

from core.trace import KINDS, AttentionTrace, Kind
from tests.viz.asgi import get
from tests.viz.inspector.made import long_trace, site, trace
from viz.bertviz import neuron as bertviz_neuron
from viz.bertviz import views as bertviz
from viz.bertviz.views import COLOURS, LAYERS, LONGEST, POLICY, VIEWS, View, _text, page
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.text.bertviz import TEXT
from viz.text.frame import TEXT as FRAME
from viz.text.language import LANGUAGES, Language

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
HOSTILE = (
    "</script>",
    "<img src=x onerror=window.hacked=1>",
    "{{}}",
    "<!--<script>",
    "\u2028",
    "\x00",
)


def parameters(text: str) -> dict[str, Any]:
    """What BertViz's script is told."""
    found = re.search(r"const params = (\{.*?\})(?:; // HACK|\s+const config)", text)
    assert found
    told: dict[str, Any] = json.loads(found[1])
    return told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", ["head", "model"])
def test_the_weights_and_tokens_are_those_of_the_look(
    view: View, kind: Kind, language: Language
) -> None:
    snapshot = trace()
    told = parameters(page(snapshot, view, kind, 2, language=language))
    (drawn,) = told["attention"]
    made = snapshot.sites[kind]
    assert [len(drawn["attn"]), len(drawn["attn"][0])] == [made.layers, made.heads]
    assert drawn["attn"][1][4][3] == pytest.approx(made.weights[1, 4, 3].tolist(), abs=1e-6)
    assert len(drawn["left_text"]) == made.allowed.shape[0]
    assert len(drawn["right_text"]) == made.allowed.shape[1]
    # A decoder row is named by what it writes.
    assert (
        drawn["left_text"][0]
        == (snapshot.source if kind == "encoder_self" else snapshot.written)[0].text
    )


def test_layers_and_heads_of_each_kind_are_its_own() -> None:
    """BertViz drops layers where encoder and decoder differ; one kind a page cannot."""
    full = trace()
    sites = dict(full.sites)
    sites["encoder_self"] = site("encoder_self", full.sites["encoder_self"].allowed,
                                 layers=5, heads=2, seed=1)  # fmt: skip
    uneven = AttentionTrace("u", full.source, full.target, full.written, sites)
    for kind, size in (("encoder_self", (5, 2)), ("cross", (3, 8))):
        (drawn,) = parameters(page(uneven, "model", kind, 1, language="en"))["attention"]  # type: ignore[arg-type]
        assert (len(drawn["attn"]), len(drawn["attn"][0])) == size


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_fetched_and_nothing_escapes(view: View) -> None:
    words = tuple(range(len(HOSTILE)))
    text = page(trace(HOSTILE, words, HOSTILE, words), view, "cross", 1, language="en")
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", text)
    assert "cdnjs" not in text
    assert text.count("</script>") == 5  # jQuery, d3, the shim, the view, keys and fingers
    assert "connect-src" not in POLICY
    assert POLICY.startswith("default-src 'none'")
    assert "sandbox allow-scripts" in POLICY
    assert "allow-same-origin" not in POLICY
    (drawn,) = parameters(text)["attention"]
    assert drawn["left_text"][0] == "</script>"
    assert drawn["left_text"][5] == "⟨U+0000⟩"


def test_what_is_too_much_is_refused_with_a_reason() -> None:
    words = TEXT["en"]
    long = page(long_trace(LONGEST + 1, layers=2, heads=2), "head", "cross", 1, language="en")
    assert "const params" not in long
    assert f"{(LONGEST + 1) ** 2 * 2:,} lines a layer" in long
    fits = page(long_trace(LONGEST, layers=2, heads=2), "head", "cross", 1, language="en")
    assert "const params" in fits
    deep = page(long_trace(4, layers=LAYERS + 8, heads=COLOURS + 1), "model", "cross", 15,
                language="en")  # fmt: skip
    assert parameters(deep)["include_layers"] == list(range(9, 21))
    assert words.layers_cut.format(first=9, last=20, layers=20) in deep
    assert "ten colours" in deep


def test_a_model_without_attention_says_so() -> None:
    text = page(AttentionTrace("n", (), (), (), {}), "head", None, 1, language="ko")
    assert TEXT["ko"].nothing in text


@pytest.fixture
def snapshot(tiny_snapshot: Snapshot) -> Iterator[Snapshot]:
    SNAPSHOTS.put(tiny_snapshot)
    yield tiny_snapshot
    SNAPSHOTS.clear()


def test_the_page_is_served_with_its_own_policy(snapshot: Snapshot) -> None:
    reply = get(APP, f"/bertviz/{snapshot.id}/model?kind=decoder_self&layer=1&lang=ko")
    assert reply.status == 200
    assert reply.headers["content-security-policy"] == POLICY
    assert parameters(reply.body.decode())["display_mode"] == "light"
    assert '<html lang="ko" data-theme="light">' in reply.body.decode()


@pytest.mark.parametrize("view", VIEWS)
def test_a_dark_page_is_dark(snapshot: Snapshot, view: View) -> None:
    text = get(APP, f"/bertviz/{snapshot.id}/{view}?kind=cross&theme=dark").body.decode()
    assert parameters(text)["display_mode"] == "dark"
    assert 'data-theme="dark"' in text
    missing = get(APP, f"/bertviz/{'0' * 64}/{view}?theme=dark").body.decode()
    assert 'data-theme="dark"' in missing


@pytest.mark.parametrize("query", ["", "?layer=99", "?layer=x", "?kind=sideways", "?lang=xx"])
def test_a_wrong_address_shows_the_nearest(snapshot: Snapshot, query: str) -> None:
    assert get(APP, f"/bertviz/{snapshot.id}/head{query}").status == 200


def test_a_look_that_left_is_said(snapshot: Snapshot) -> None:
    reply = get(APP, f"/bertviz/{'0' * 64}/head?lang=ko")
    assert reply.status == 404
    assert TEXT["ko"].missing in reply.body.decode()


def test_a_side_is_as_wide_as_its_longest_token() -> None:
    """BertViz cuts off what is longer than its 110 pixels; a browser measures its own letters."""
    text = page(trace(), "head", "cross", 1, language="en")
    assert "const BOXWIDTH = 110;" not in text
    assert "pen.measureText(token)" in text
    assert "min-width" in text.partition("const params")[2]


def test_a_token_that_reads_like_the_script_stays_a_token() -> None:
    words = (
        "const BOXWIDTH = 110;",
        "PYTHON_PARAMS",
        '.attr("width", "100%")',
        "window.bertviz_params",
        "function showCollapsed() {",
    )
    for view in VIEWS:
        text = page(trace(words, tuple(range(5))), view, "cross", 1, language="en")
        (drawn,) = parameters(text)["attention"]
        assert drawn["right_text"][:5] == list(words)


@pytest.mark.parametrize("view", VIEWS)
def test_the_weights_travel_once(view: View) -> None:
    text = page(trace(), view, "cross", 1, language="en")
    assert text.count('"left_text"') == 1


def test_many_heads_are_as_much_as_many_tokens() -> None:
    """64 heads of 12 layers would be a page of 8 MB."""
    many = page(long_trace(LONGEST, layers=2, heads=64), "model", "cross", 1, language="en")
    assert "const params" not in many
    assert "65,536 lines a layer" in many
    assert "up to 16 tokens a side" in many
    few = page(long_trace(16, layers=2, heads=64), "model", "cross", 1, language="en")
    assert "const params" in few
    plain = page(long_trace(LONGEST, layers=2, heads=16), "model", "cross", 1, language="en")
    assert "const params" in plain


def test_pages_are_called_by_their_names() -> None:
    for language in LANGUAGES:
        own, pages = TEXT[language], FRAME[language]
        assert pages.step in own.neuron_scored
        assert pages.inspect in own.too_long
        assert pages.inspect in own.neuron_too_large


@pytest.mark.parametrize("kind", KINDS)
def test_the_neuron_view_has_the_vectors_of_one_head(kind: Kind) -> None:
    """Queries are of the left side, which in cross-attention is the decoder's."""
    snapshot = trace()
    made = snapshot.sites[kind]
    told = parameters(page(snapshot, "neuron", kind, 2, 5, language="en"))
    assert [told["layer"], told["head"], told["display_mode"]] == [0, 0, "light"]
    (drawn,) = told["attention"]
    (((asks,),), ((holds,),), ((weights,),)) = (drawn[n] for n in ("queries", "keys", "attn"))
    assert made.scores is not None
    assert [len(asks), len(holds)] == list(made.allowed.shape)
    assert [len(drawn["left_text"]), len(drawn["right_text"])] == list(made.allowed.shape)
    scores = np.array(asks) @ np.array(holds).T / np.sqrt(8)
    np.testing.assert_allclose(scores, made.scores[1, 4], atol=1e-4)
    np.testing.assert_array_equal(np.float32(weights), made.weights[1, 4])


def test_only_a_causal_decoder_hides_what_comes_later() -> None:
    for lifted in (False, True):
        snapshot = trace(lifted=lifted)
        for kind in KINDS:
            told = parameters(page(snapshot, "neuron", kind, 1, language="en"))
            assert told["bidirectional"] == (lifted or kind != "decoder_self")


def test_the_nearest_layer_and_head_are_drawn() -> None:
    snapshot = trace()
    last = page(snapshot, "neuron", "cross", 3, 8, language="en")
    assert page(snapshot, "neuron", "cross", 99, 99, language="en") == last
    assert page(snapshot, "neuron", "cross", 3, 7, language="en") != last


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_how_the_neuron_view_is_used(language: Language) -> None:
    text = page(trace(), "neuron", "cross", 1, language=language)
    assert TEXT[language].neuron.format(width=8) in text
    assert TEXT[language].sides in text
    assert TEXT[language].sides not in page(trace(), "neuron", "encoder_self", 1, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_added_to_the_scores_is_said(language: Language) -> None:
    made = trace()
    own = made.sites["encoder_self"]
    assert own.queries is not None
    assert own.keys is not None
    products = own.queries @ np.swapaxes(own.keys, 2, 3) / np.sqrt(own.queries.shape[3])
    for added in (0.0, 0.5):
        biased = replace(own, scores=(products + added).astype(np.float32))
        told = replace(made, sites={**made.sites, "encoder_self": biased})
        text = page(told, "neuron", "encoder_self", 1, language=language)
        assert (TEXT[language].neuron_added in text) == (added > 0)
    assert own.scores is not None
    scores = np.copy(own.scores)
    scores[1] += 0.5
    edited = replace(made, sites={**made.sites, "encoder_self": replace(own, scores=scores)})
    for layer in (1, 2, 3):
        text = page(edited, "neuron", "encoder_self", layer, language=language)
        assert (TEXT[language].neuron_added in text) == (layer == 2)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("score", ["unscaled", "scaled", "capped", None])
def test_queries_that_are_not_the_models_own_are_called_so(
    score: str | None, language: Language
) -> None:
    made = replace(trace(), meta={} if score is None else {"score": score})
    text = page(made, "neuron", "cross", 1, language=language)
    assert (TEXT[language].neuron_rescaled in text) == (score in ("unscaled", "scaled"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_look_without_vectors_has_no_neuron_view(language: Language) -> None:
    """Nor is Step said to have numbers where there are no scores, either."""
    for scores in (True, False):
        made = trace(vectors=False, scores=scores)
        text = page(made, "neuron", "cross", 1, language=language)
        assert TEXT[language].neuron_missing in text
        assert (TEXT[language].neuron_scored in text) == scores
        assert "const params" not in text


@pytest.mark.parametrize(
    ("tokens", "width", "limit"),
    [(LONGEST, 64, 0), (LONGEST + 1, 8, 32), (LONGEST, 128, 28), (28, 128, 0), (6, 1024, 5),
     (5, 1024, 0)],
)  # fmt: skip
def test_the_neuron_view_is_bounded_by_what_it_draws(tokens: int, width: int, limit: int) -> None:
    snapshot = long_trace(tokens, layers=1, heads=1)
    vectors = np.zeros((1, 1, tokens, width), np.float32)
    made = replace(snapshot.sites["cross"], queries=vectors, keys=vectors)
    text = page(replace(snapshot, sites={"cross": made}), "neuron", "cross", 1, language="en")
    assert ("const params" in text) == (limit == 0)
    if limit:
        elements = 7 * tokens**2 + 3 * tokens * width
        assert f"{elements:,} boxes and lines" in text
        assert f"up to {limit} tokens a side" in text


def test_what_is_mended_is_there_to_be_mended() -> None:
    """Another BertViz may have other lines; then what they drew wrong is wrong again."""
    script = _text("bertviz", "bertviz/neuron_view.js")
    for text, _ in bertviz_neuron.PATCHES:
        assert script.count(text) == 1, text
    for text, _ in bertviz._HEAD:
        sides = 2 if "dy" in text else 1  # where its tokens stand is said of the left and the right
        assert _text("bertviz", "bertviz/head_view.js").count(text) == sides, text
    for text, _ in bertviz._MODEL:
        assert _text("bertviz", "bertviz/model_view.js").count(text) == 1, text
    everything = [_text("bertviz", f"bertviz/{view}_view.js") for view in VIEWS]
    for text, _ in bertviz._DARK:
        assert any(text in one for one in everything), text
    assert script.count("window.bertviz_params") == 1
    assert "PYTHON_PARAMS" not in script
