import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.families.transformer.adapter import TransformerModel
from core.model import TraceRequest
from core.probe import Edit, edits_as_json
from core.text.tokenizer import END_ID
from core.trace import AttentionSite, AttentionTrace, Bools, Token
from tests.twins.packed import unpack, whole
from tests.viz.inspector.made import site, trace, vocabulary_tokens
from viz.inspector.conditions import edits_in_short
from viz.inspector.pack import (
    Packed,
    distribution,
    exact_bytes,
    exact_size,
    logits_bytes,
    pack,
)
from viz.inspector.quantise import COARSE_ERROR, WEIGHT_ERROR, coarse, layout, quantised
from viz.text.language import LANGUAGES
from viz.text.paper import figure_words
from viz.text.tokens import visible


def only(made: AttentionSite) -> AttentionTrace:
    """A trace of one kind of attention, cross, with tokens to fit."""
    rows, columns = made.shape
    row = tuple(Token("▁a", "a", 0, at) for at in range(rows))
    column = tuple(Token("▁b", "b", 0, at) for at in range(columns))
    return AttentionTrace("made", column, row, row, {"cross": made})


def packed_weights(made: AttentionSite) -> tuple[Packed, np.ndarray, Bools]:
    packed = pack(only(made), trace_id="x")
    weights, allowed = unpack(*packed.whole())["cross"]
    return packed, weights, allowed


@st.composite
def sites(draw: st.DrawFn) -> AttentionSite:
    """Any shape, any sharpness from flat to one-hot, any mask, empty rows among them."""
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    seed = draw(st.integers(0, 10_000))
    share = draw(st.sampled_from([0.0, 0.3, 0.9, 1.0]))
    layers, heads = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    shape = (layers, heads, rows, columns) if draw(st.booleans()) else (rows, columns)
    allowed = np.random.default_rng(seed).random(shape) < share
    return site(
        "cross",
        allowed,
        layers=layers,
        heads=heads,
        seed=seed,
        sharpness=draw(st.sampled_from([0.0, 0.5, 3.0, 40.0])),
    )


@settings(deadline=None, max_examples=150)
@given(sites())
def test_a_packed_weight_is_near_the_real_one(made: AttentionSite) -> None:
    _, weights, allowed = packed_weights(made)
    assert np.abs(weights - made.weights).max() < WEIGHT_ERROR
    found, real = (np.broadcast_to(m, made.weights.shape) for m in (allowed, made.allowed))
    assert np.array_equal(found, real)
    assert not weights[np.broadcast_to(~made.allowed, weights.shape)].any()


@settings(deadline=None, max_examples=100)
@given(sites(), st.sampled_from([0.0, 0.5, 2.0, 50.0, 1e5, 1e30]), st.booleans())
def test_edited_weights_are_as_near_as_is_told(
    made: AttentionSite, scale: float, added: bool
) -> None:
    """Whatever rows sum to: a page refuses exact numbers that are farther off."""
    weights = made.weights + np.float32(scale) if added else made.weights * np.float32(scale)
    forced = replace(made, weights=weights, forced=True)
    for linear in (False, True):
        meta = layout(forced) | {"linear": linear, "layers": made.layers, "heads": made.heads}
        shown, _ = unpack([meta | {"kind": "cross"}], quantised(forced, linear=linear))["cross"]
        assert np.abs(shown - weights).max() <= meta["error"]
    assert len(str(layout(forced)["error"])) < 9


@settings(deadline=None, max_examples=150)
@given(sites())
def test_the_largest_weight_of_a_row_stays_the_largest(made: AttentionSite) -> None:
    _, weights, _ = packed_weights(made)
    chosen = weights.argmax(axis=3)[..., None]
    lost = made.weights.max(axis=3) - np.take_along_axis(made.weights, chosen, axis=3)[..., 0]
    # Weights closer than one step of the code may tie; farther ones may not change places.
    assert (lost <= made.weights.max(axis=3) * (2 / 255)).all()


def test_of_many_random_rows_nearly_all_keep_their_argmax() -> None:
    made = site("cross", np.ones((64, 64), np.bool_), layers=4, heads=4, seed=3)
    _, weights, _ = packed_weights(made)
    kept = (weights.argmax(axis=3) == made.weights.argmax(axis=3)).mean()
    assert kept > 0.99


def test_a_row_of_equal_weights_stays_equal() -> None:
    made = site("cross", np.ones((3, 7), np.bool_), layers=1, heads=1, seed=0, sharpness=0.0)
    _, weights, _ = packed_weights(made)
    assert np.unique(weights).size == 1


def test_one_byte_a_weight() -> None:
    made = site("cross", np.ones((128, 128), np.bool_), layers=12, heads=12, seed=0)
    packed, weights, _ = packed_weights(made)
    body = packed.body("cross")
    assert weights.shape == made.weights.shape
    assert body.size == 12 * 12 * 128 * (128 + 2) + 128 * 128 // 8
    assert body.size < 2_500_000


@settings(deadline=None, max_examples=40)
@given(st.integers(300, 700), st.integers(1, 700), st.integers(0, 9))
def test_too_many_weights_are_made_coarse(rows: int, columns: int, seed: int) -> None:
    made = site("cross", np.ones((rows, columns), np.bool_), layers=2, heads=12, seed=seed)
    packed, weights, allowed = packed_weights(made)
    tall, wide = weights.shape[2:]
    small = 24 * rows * columns <= 2_400_000
    assert ((tall, wide) == (rows, columns)) == small
    assert packed.nbytes < 2_500_000 + rows * columns // 8 + 4 * 24 * rows
    assert allowed.shape == (rows, columns)
    # Each coarse cell is the largest weight of the real cells that fall on it.
    right = np.zeros((tall, wide), np.float32)
    down, across = np.arange(rows) * tall // rows, np.arange(columns) * wide // columns
    np.maximum.at(right, (down[:, None], across[None, :]), made.weights[1, 7])
    np.testing.assert_array_equal(coarse(made.weights[1, 7], tall, wide), right)
    assert np.abs(weights[1, 7] - right).max() < (WEIGHT_ERROR if small else COARSE_ERROR)


@settings(deadline=None, max_examples=20)
@given(st.integers(330, 600), st.integers(330, 600), st.integers(0, 9))
def test_a_coarse_row_keeps_its_largest_weight(rows: int, columns: int, seed: int) -> None:
    made = site("cross", np.tri(rows, columns, dtype=np.bool_), layers=2, heads=12, seed=seed)
    sites, array = pack(only(made), trace_id="x").whole()
    shown = whole(sites[0], array)
    assert sites[0]["peaks"] is not None
    assert shown.shape == made.weights.shape
    kept = shown.argmax(axis=3) == made.weights.argmax(axis=3)
    assert kept.mean() > 0.999
    largest = made.weights.max(axis=3)
    np.testing.assert_allclose(shown.max(axis=3), largest, rtol=6e-4)
    # What lies around a weight is no less than it, but for the step below the row's largest.
    assert (
        shown >= np.minimum(made.weights, largest[..., None] * (1022 / 1024)) - COARSE_ERROR
    ).all()


def test_bodies_are_made_when_they_are_asked_for() -> None:
    traced = trace()
    packed = pack(traced, trace_id="x")
    assert packed.nbytes == sum(packed.body(kind).size for kind in traced.sites)
    assert packed.body("cross") is packed.body("cross")
    with pytest.raises(KeyError):
        pack(only(traced.sites["cross"]), trace_id="x").body("encoder_self")


def test_every_kind_keeps_its_own_mask() -> None:
    traced = trace()
    masks = unpack(*pack(traced, trace_id="x").whole())
    assert list(masks) == ["encoder_self", "decoder_self", "cross"]
    for kind, (weights, allowed) in masks.items():
        assert np.array_equal(allowed, traced.sites[kind].allowed)
        assert np.abs(weights - traced.sites[kind].weights).max() < WEIGHT_ERROR


def test_exact_bytes_are_the_floats_of_one_head() -> None:
    traced = trace()
    made = traced.sites["decoder_self"]
    assert made.scores is not None
    assert made.shares is not None
    body = np.frombuffer(exact_bytes(traced, "decoder_self", 2, 5), "<f4")
    weights, scores = body[: 2 * 14 * 14].reshape(2, 14, 14)
    assert np.array_equal(weights, made.weights[2, 5])
    assert np.array_equal(scores, made.scores[2, 5])
    assert np.array_equal(body[2 * 14 * 14 :].reshape(8, 14), made.shares[2])
    assert body.nbytes == exact_size(made)


def test_without_scores_and_shares_the_body_is_weights_alone() -> None:
    traced = trace(scores=False)
    assert (
        len(exact_bytes(traced, "cross", 0, 0)) == 14 * 9 * 4 == exact_size(traced.sites["cross"])
    )
    assert not any(made["scores"] for made in pack(traced, trace_id="x").meta["sites"])


@pytest.mark.parametrize(("layer", "head"), [(3, 0), (0, 8), (-1, 0), (0, -1)])
def test_no_such_head(layer: int, head: int) -> None:
    with pytest.raises(IndexError):
        exact_bytes(trace(), "cross", layer, head)


def test_no_such_kind() -> None:
    made = site("cross", np.ones((2, 2), np.bool_), layers=1, heads=1, seed=0)
    with pytest.raises(KeyError):
        exact_bytes(only(made), "decoder_self", 0, 0)


def test_the_distribution_is_the_softmax_of_the_logits() -> None:
    traced = trace()
    assert traced.logits is not None
    steps = pack(traced, trace_id="x", top_k=5, vocabulary_tokens=vocabulary_tokens).meta["next"]
    assert len(steps) == len(traced.written)
    for row, token, step in zip(
        traced.logits.astype(np.float64), traced.written, steps, strict=True
    ):
        odds = np.exp(row - row.max())
        odds /= odds.sum()
        assert step["p"][step["chosen"]] == pytest.approx(odds[token.id], rel=5e-7)
        assert step["texts"][step["chosen"]] == token.text
        top = np.sort(odds)[::-1][:5]
        assert step["p"][:5] == pytest.approx(top.tolist(), rel=5e-7)
        assert step["rank"] == int((odds > odds[token.id]).sum()) + 1
        assert step["others"] + len(step["p"]) == odds.size


def test_special_candidates_are_told_from_words_of_the_same_spelling() -> None:
    traced = trace((), (), ("end", "well"), (0, 1))
    steps = pack(traced, trace_id="x", top_k=64, vocabulary_tokens=vocabulary_tokens).meta["next"]
    end, word = traced.written[-1], traced.written[0]
    assert (end.text, word.text) == ("end", "end")
    for step in steps:
        assert len(step["specials"]) == len(step["texts"])
        found = {piece for piece in step["specials"] if piece}
        assert found == {"<pad>", "<s>", "</s>", "<unk>"}, "those that the trace lacks, too"
    assert steps[0]["specials"][steps[0]["chosen"]] is None
    assert steps[-1]["specials"][steps[-1]["chosen"]] == end.piece


def test_candidates_that_go_on_with_a_word_say_so(tiny_model: TransformerModel) -> None:
    """Behind a token; behind the start, and where nobody knows the vocabulary, there is no word."""
    traced = tiny_model.trace(TraceRequest("어제 카페에 갔어요", target="Yesterday"))
    rows = tiny_model.vocabulary_tokens([*range(tiny_model.card.vocabulary)])
    steps = pack(traced, trace_id="x", top_k=200, goes_on=tiny_model.goes_on).meta["next"]
    assert not any(steps[0]["joins"])
    assert not any(any(step["joins"]) for step in pack(traced, trace_id="x").meta["next"])
    for step in steps[1:]:
        wanted = [row > END_ID and not rows[row].piece.startswith("▁") for row in step["ids"]]
        assert step["joins"] == wanted
    assert {joins for step in steps[1:] for joins in step["joins"]} == {False, True}


def test_a_byte_that_is_written_has_its_letters_name() -> None:
    """Alone it is <0xEB>: what stands beside it tells of which letter it is."""
    raw = "녕".encode()
    names = [f"<0x{byte:02X}>" for byte in raw]
    tokens = [Token(name, f"녕 {at}/3", at, 0) for at, name in enumerate(names, 1)]

    def alone(ids: list[int]) -> list[Token]:
        return [Token(names[row - 1], names[row - 1], row, 0) for row in ids]

    told = distribution(np.array([0, 3, 2, 1], np.float32), tokens[0], 3, alone)
    assert told["texts"] == ["녕 1/3", names[1], names[2]]


def test_the_written_token_is_listed_however_unlikely() -> None:
    traced = trace()
    assert traced.logits is not None
    logits = traced.logits.copy()
    logits[0, traced.written[0].id] = -30.0
    unlikely = AttentionTrace(
        traced.model_id,
        traced.source,
        traced.target,
        traced.written,
        traced.sites,
        logits,
    )
    packed = pack(unlikely, trace_id="x", top_k=3, vocabulary_tokens=vocabulary_tokens)
    step = packed.meta["next"][0]
    assert step["chosen"] == 3
    assert len(step["p"]) == 4
    assert step["rank"] == logits.shape[1]


@pytest.mark.parametrize("rows", [0, 1])
def test_logits_of_nothing_tell_of_no_next_token(rows: int) -> None:
    """Of no step, or of no vocabulary."""
    traced = trace()
    targets = traced.target[:rows]
    bare = AttentionTrace("m", traced.source, targets, traced.written[:rows], {},
                          np.zeros((rows, 0 if rows else 60), np.float32))  # fmt: skip
    meta = pack(bare, trace_id="x").meta
    assert (meta["next"], meta["logits"]) == (None, False)
    with pytest.raises(KeyError):
        logits_bytes(bare, 0)


def test_a_traces_own_names_are_those_of_its_model() -> None:
    traced = trace()
    assert traced.logits is not None
    names = tuple(t.text for t in vocabulary_tokens(list(range(traced.logits.shape[1]))))
    named = replace(traced, vocabulary=names)
    wanted = pack(traced, trace_id="x", vocabulary_tokens=vocabulary_tokens).meta["next"]
    held = {token.piece for token in (*traced.target, *traced.written) if token.special}
    for step in wanted:  # a trace by itself knows of no special token that it does not hold
        step["specials"] = [piece if piece in held else None for piece in step["specials"]]
    assert pack(named, trace_id="x").meta["next"] == wanted
    other = pack(named, trace_id="x", vocabulary_tokens=lambda ids: [Token("", "else")] * len(ids))
    assert other.meta["next"][0]["texts"][0] == "else", "who asks by name is answered by it"


def test_names_and_keys_without_utf8_are_carried() -> None:
    traced = trace()
    assert traced.logits is not None
    odd = replace(
        traced,
        vocabulary=("\ud800",) * traced.logits.shape[1],
        meta={"\udfff": "\ud800", "n": 1},
    )
    meta = pack(odd, trace_id="x").meta
    assert meta["facts"] == {"⟨U+DFFF⟩": "⟨U+D800⟩", "n": 1}
    json.dumps(meta, ensure_ascii=False).encode()
    assert set(meta["next"][0]["texts"]) == {"⟨U+D800⟩"}


def test_a_token_of_unknown_id_is_not_guessed() -> None:
    traced = trace()
    nameless = tuple(Token(t.piece, t.text, -1, t.word) for t in traced.written)
    foreign = AttentionTrace(
        "f", traced.source, traced.target, nameless, traced.sites, traced.logits
    )
    step = pack(foreign, trace_id="x", top_k=4).meta["next"][0]
    assert step["chosen"] == -1
    assert all(text.startswith("#") for text in step["texts"])


def test_no_logits_no_distribution() -> None:
    traced = trace()
    bare = AttentionTrace(
        traced.model_id, traced.source, traced.target, traced.written, traced.sites
    )
    assert pack(bare, trace_id="x").meta["next"] is None


def test_top_k_must_name_something() -> None:
    with pytest.raises(ValueError, match="top_k"):
        pack(trace(), trace_id="x", top_k=0)


@given(st.lists(st.text(st.characters(), max_size=8), min_size=1, max_size=5))
@settings(deadline=None, max_examples=60)
def test_any_text_travels_as_json(texts: list[str]) -> None:
    words = tuple(range(len(texts)))
    traced = trace(tuple(texts), words, tuple(texts), words, layers=1, heads=1)
    meta = pack(traced, trace_id="x").meta
    sent = json.dumps(meta, ensure_ascii=False).encode("utf-8")
    back = json.loads(sent)["source"]["text"][:-1]
    for got, text in zip(back, texts, strict=True):
        spelt = (visible(c) if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
        assert got == "".join(spelt), "a lone surrogate by its name, as figures have it"


def test_an_encoder_alone_has_no_steps() -> None:
    source = trace().source
    made = trace().sites["encoder_self"]
    meta = pack(AttentionTrace("e", source, (), (), {"encoder_self": made}), trace_id="x").meta
    assert meta["written"]["text"] == []
    assert meta["next"] is None
    assert [site["kind"] for site in meta["sites"]] == ["encoder_self"]


def test_no_attention_at_all() -> None:
    packed = pack(AttentionTrace("n", trace().source, (), (), {}), trace_id="x")
    assert packed.nbytes == 0
    assert unpack(*packed.whole()) == {}


def test_logits_of_no_vocabulary_tell_nothing_of_a_source() -> None:
    nothing = np.zeros((len(trace().source), 0), np.float32)
    meta = pack(AttentionTrace("n", trace().source, (), (), {}, nothing), trace_id="x").meta
    assert (meta["told"], meta["vocabulary"]) == (None, 0)


def test_what_a_model_says_of_its_source_is_told_token_by_token() -> None:
    tokens = tuple(Token(letter, letter, at + 4, 0) for at, letter in enumerate("ab"))
    logits = np.array([[1.0, 0.0], [0.0, 3.0]], np.float32)
    made = AttentionTrace("made", tokens, (), (), {}, logits, {}, ("odd", "even"))
    meta = pack(made, trace_id="x").meta
    assert meta["next"] is None
    assert not meta["logits"]
    assert [entry["texts"][0] for entry in meta["told"]] == ["odd", "even"]
    for entry, row in zip(meta["told"], logits.astype(float), strict=True):
        exact = np.exp(row) / np.exp(row).sum()
        assert entry["p"] == pytest.approx(sorted(exact, reverse=True), abs=1e-6)
        assert (entry["chosen"], entry["rank"], entry["others"]) == (-1, -1, 0)
    assert pack(trace(), trace_id="x").meta["told"] is None


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            Edit("outputs", "cross", "scale", 0.0, layer=2, head=4),
            ("head outputs (Cross L3 H5) × 0", "헤드 출력(크로스 3층 5번) × 0"),
        ),
        (
            Edit("mask", "decoder_self", value=1.0),
            ("mask (Decoder self) = 1", "마스크(디코더 셀프) = 1"),
        ),
        (
            Edit("weights", "cross", "add", 0.5, head=0, rows=(3,), columns=(0, 1, 2)),
            ("weights (Cross H1) [4; 1–3] + 0.5", "가중치(크로스 헤드 1) [4; 1–3] + 0.5"),
        ),
        (
            Edit("scores", "cross", value=-1e6, rows=(4, 0)),
            ("scores (Cross) [5, 1; *] = \u22121e+06", "점수(크로스) [5, 1; *] = \u22121e+06"),
        ),
        (
            Edit("residual", "encoder", value=(1.0, 2.0), layer=0),
            ("residual stream (Encoder L1) = (2 values)", "잔차 스트림(인코더 1층) = (값 2개)"),
        ),
        (
            Edit("outputs", "cross", "scale", ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)), rows=(0, 1)),
            (
                "head outputs (Cross) [1–2; *] × (6 values)",
                "헤드 출력(크로스) [1–2; *] × (값 6개)",
            ),
        ),
        (
            Edit("weights", "cross", value=((0.25,),), rows=(0,), columns=(1,)),
            ("weights (Cross) [1; 2] = 0.25", "가중치(크로스) [1; 2] = 0.25"),
        ),
        (  # what the last layer leaves: no layer reads it
            Edit("residual", "decoder", layer=1),
            ("residual stream (Decoder after L1) = 0", "잔차 스트림(디코더 1층 뒤) = 0"),
        ),
        (
            Edit("mask", "cross", columns=()),
            ("mask (Cross) [*; ] = 0", "마스크(크로스) [*; ] = 0"),
        ),
    ],
)
def test_an_edit_is_told_with_its_place_and_its_value(edit: Edit, said: tuple[str, str]) -> None:
    made = replace(trace(layers=1), meta={"edits": edits_as_json([edit])})
    told = [edits_in_short(made, figure_words(language)) for language in LANGUAGES]
    assert told == [[one] for one in said]
