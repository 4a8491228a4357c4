"""Trace files: what is saved comes back, and nothing else is believed."""

import json
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.errors import HeadlightError
from core.trace import (
    AXES,
    KINDS,
    STACKS,
    AttentionSite,
    AttentionTrace,
    Kind,
    Token,
    load_trace,
    save_trace,
)

Text = st.text(st.characters() | st.just("\0"), max_size=8)  # which numpy drops at the end
Tokens = st.lists(
    st.builds(Token, Text, Text, st.integers(-1, 2**31), st.integers(-1, 99)), max_size=4
)
Meta = st.dictionaries(
    Text.filter(lambda key: key not in ("model_id", "format")),
    Text
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, width=64, allow_infinity=False),
    max_size=4,
)


def make_site(
    kind: Kind, rows: int, columns: int, data: st.DataObject, second: bool
) -> AttentionSite:
    """Of random sizes; of the second form, with a mask by head and what else that has."""
    layers, heads = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 3))
    shape = (layers, heads, rows, columns)
    finite = st.floats(-1e6, 1e6, width=32)
    scores = data.draw(hnp.arrays(np.float32, shape, elements=finite))
    allowed = data.draw(hnp.arrays(np.bool_, shape if second else (rows, columns)))
    forced = second and data.draw(st.booleans())
    if columns:
        top = np.where(allowed, scores, -np.inf).max(axis=3, keepdims=True)
        below = np.minimum(scores - np.where(np.isfinite(top), top, 0), 0)
        exponentials = np.where(allowed, np.exp(below), 0.0)
        total = exponentials.sum(axis=3, keepdims=True)
        sums = np.ones_like(total) if forced else np.where(total == 0, 1, total)
        weights = (exponentials / sums).astype(np.float32)
    else:
        weights = np.zeros(shape, dtype=np.float32)
    queries = keys = None
    if data.draw(st.booleans()):
        width = data.draw(st.integers(1, 4))
        queries, keys = (
            data.draw(hnp.arrays(np.float32, (layers, heads, length, width), elements=finite))
            for length in (rows, columns)
        )
    scored = scores if data.draw(st.booleans()) else None
    outputs = None
    if second and data.draw(st.booleans()):
        outputs = data.draw(hnp.arrays(np.float32, (layers, heads, rows, 3), elements=finite))
    shares = None
    if data.draw(st.booleans()):
        shares = data.draw(hnp.arrays(np.float32, (layers, heads, rows), elements=finite))
    return AttentionSite(kind, weights, allowed, scored, queries, keys, outputs, shares, forced)


def make_stacks(lengths: dict[str, int], data: st.DataObject) -> tuple[Any, Any]:
    """A residual stream and states, of either stack or none."""
    finite = st.floats(-1e6, 1e6, width=32)
    residuals, states = {}, {}
    for stack, axis in STACKS.items():
        shape = (data.draw(st.integers(1, 3)), lengths[axis], 2)
        if data.draw(st.booleans()):
            residuals[stack] = data.draw(hnp.arrays(np.float32, shape, elements=finite))
        if data.draw(st.booleans()):
            names = data.draw(st.lists(Text, min_size=1, max_size=3, unique=True))
            part = hnp.arrays(np.float32, shape, elements=finite)
            states[stack] = {name: data.draw(part) for name in names}
    return residuals, states


@st.composite
def traces(draw: st.DrawFn) -> AttentionTrace:
    data = draw(st.data())
    source, target = tuple(draw(Tokens)), tuple(draw(Tokens))
    assume(source or target)
    written = tuple(draw(st.permutations(target)))
    second = draw(st.booleans())
    along = {"source": len(source), "read": len(target), "written": len(target)}
    lengths = {kind: (along[axes.query], along[axes.key]) for kind, axes in AXES.items()}
    possible = [kind for kind in KINDS if 0 not in lengths[kind]]
    kinds = draw(st.sets(st.sampled_from(possible))) if possible else ()
    sites = {kind: make_site(kind, *lengths[kind], data, second) for kind in kinds}
    residuals, states = make_stacks(along, data) if second else ({}, {})
    logits = None
    if draw(st.booleans()):
        elements = st.floats(width=32, allow_nan=False, allow_infinity=False)
        rows = len(target) or (len(source) if second else 0)
        logits = draw(hnp.arrays(np.float32, (rows, 5), elements=elements))
    names = None if logits is None else draw(st.none() | st.tuples(*[Text] * 5))
    return AttentionTrace(
        draw(Text), source, target, written, sites, logits, draw(Meta), names, residuals, states
    )


def assert_equal(one: AttentionTrace, other: AttentionTrace) -> None:
    assert (one.model_id, one.source, one.target, one.written) == (
        other.model_id,
        other.source,
        other.target,
        other.written,
    )
    assert dict(one.meta) == dict(other.meta)
    assert one.vocabulary == other.vocabulary
    assert one.sites.keys() == other.sites.keys()
    for kind, site in one.sites.items():
        np.testing.assert_array_equal(site.weights, other.sites[kind].weights)
        np.testing.assert_array_equal(site.allowed, other.sites[kind].allowed)
        assert site.forced == other.sites[kind].forced
        for part in ("scores", "queries", "keys", "outputs", "shares"):
            ours, theirs = getattr(site, part), getattr(other.sites[kind], part)
            assert (ours is None) == (theirs is None)
            if ours is not None:
                np.testing.assert_array_equal(ours, theirs)
    assert (one.logits is None) == (other.logits is None)
    if one.logits is not None:
        np.testing.assert_array_equal(one.logits, other.logits)
    assert one.residuals.keys() == other.residuals.keys()
    assert one.states.keys() == other.states.keys()
    for stack, stream in one.residuals.items():
        np.testing.assert_array_equal(stream, other.residuals[stack])
    for stack, parts in one.states.items():
        assert list(parts) == list(other.states[stack])
        for name, values in parts.items():
            np.testing.assert_array_equal(values, other.states[stack][name])


def format_of(path: Path) -> int:
    with np.load(path) as file:
        return int(json.loads(str(file["meta"]))["format"])


@settings(max_examples=60, deadline=None)
@given(traces())
def test_the_second_form_is_written_where_the_first_has_no_room(
    tmp_path_factory: pytest.TempPathFactory, trace: AttentionTrace
) -> None:
    """So that whoever reads the first alone goes on reading what it can say."""
    path = tmp_path_factory.mktemp("trace") / "t.npz"
    save_trace(path, trace)
    with np.load(path) as file:
        plain = all(len(file[name].shape) == 2 for name in file.files if "_allowed" in name)
        endings = ("_outputs", "_forced", "_residual", "_states")
        plain &= not any(name.endswith(endings) for name in file.files)
        if "logits" in file.files:
            plain &= len(file["logits"]) == len(file["target_tokens"])
    assert format_of(path) == (1 if plain and "edits" not in trace.meta else 2)


@settings(max_examples=60, deadline=None)
@given(traces())
def test_what_is_saved_comes_back(
    tmp_path_factory: pytest.TempPathFactory, trace: AttentionTrace
) -> None:
    path = tmp_path_factory.mktemp("trace") / "t.npz"
    save_trace(path, trace)
    first = path.read_bytes()
    assert_equal(load_trace(path), trace)
    save_trace(path, trace)  # over the old one, and the same bytes
    assert path.read_bytes() == first
    assert [entry.name for entry in path.parent.iterdir()] == ["t.npz"]


def beginning_with(look: AttentionTrace, *, end: str) -> AttentionTrace:
    """A look whose first token, and two of whose vocabulary, are spelled anew."""
    first = replace(look.source[0], piece=end, text="b" + end)
    names = (end, f"b{end}", *(f"w{row}" for row in range(2, len(look.vocabulary or ()))))
    return replace(look, source=(first, *look.source[1:]), vocabulary=names)


def test_a_nul_at_the_end_is_no_other_array_for_who_does_not_ask(
    look: AttentionTrace, tmp_path: Path
) -> None:
    """The texts are where the documents say, of the same format, but for what numpy drops."""
    for name, end in {"plain": "", "nul": "\0\0"}.items():
        save_trace(tmp_path / f"{name}.npz", beginning_with(look, end=end))
        assert_equal(load_trace(tmp_path / f"{name}.npz"), beginning_with(look, end=end))
    with np.load(tmp_path / "plain.npz") as plain, np.load(tmp_path / "nul.npz") as nul:
        more = {"source_tokens_lengths", "source_texts_lengths", "vocabulary_lengths"}
        assert set(nul.files) - set(plain.files) == more
        for name in plain.files:
            np.testing.assert_array_equal(nul[name], plain[name])


def test_a_text_is_no_longer_than_its_array_has_room_for(
    arrays: dict[str, Any], look: AttentionTrace, tmp_path: Path
) -> None:
    """Whatever a file says of it: a few bytes could ask for all memory."""
    arrays["source_tokens_lengths"] = np.full(len(look.source), 2**62)
    arrays["source_texts_lengths"] = np.full(len(look.source), -(2**62))
    now = load_trace(write(tmp_path / "long.npz", arrays)).source
    width = arrays["source_tokens"].dtype.itemsize // 4
    assert [token.piece for token in now] == [t.piece.ljust(width, "\0") for t in look.source]
    assert [token.text for token in now] == [token.text for token in look.source]


def write(path: Path, arrays: dict[str, Any]) -> Path:
    np.savez(path, **arrays)
    return path


def test_the_contract_of_outsiders(arrays: dict[str, Any], look: AttentionTrace) -> None:
    meta = json.loads(str(arrays["meta"]))
    assert meta["model_id"] == "tiny"
    assert meta["format"] == 1
    assert arrays["source_tokens"].tolist() == [token.piece for token in look.source]
    assert arrays["target_tokens"].dtype.kind == "U"
    assert arrays["logits"].shape == (len(look.target), 310)
    for kind, (queries, keys) in {
        "encoder_self": (len(look.source), len(look.source)),
        "decoder_self": (len(look.target), len(look.target)),
        "cross": (len(look.target), len(look.source)),
    }.items():
        weights, allowed = arrays[f"{kind}_weights"], arrays[f"{kind}_allowed"]
        assert weights.dtype == arrays[f"{kind}_scores"].dtype == np.float32
        assert weights.shape == arrays[f"{kind}_scores"].shape
        assert weights.shape[2:] == allowed.shape == (queries, keys)
        assert allowed.dtype == np.bool_
        np.testing.assert_allclose(weights.sum(axis=3), 1.0, atol=1e-5)
        assert not weights[:, :, ~allowed].any()
        # the scores are those of the very vectors beside them
        asks, holds = arrays[f"{kind}_queries"], arrays[f"{kind}_keys"]
        assert (asks.dtype, holds.dtype) == (np.float32, np.float32)
        assert (asks.shape[:3], holds.shape[2]) == (weights.shape[:3], keys)
        made = asks @ holds.swapaxes(2, 3) / np.sqrt(asks.shape[3])
        np.testing.assert_allclose(made, arrays[f"{kind}_scores"], atol=1e-5)
        # the weights are the softmax of the very scores beside them
        masked = np.where(allowed, arrays[f"{kind}_scores"], -np.inf)
        exponentials = np.exp(masked - masked.max(axis=3, keepdims=True))
        np.testing.assert_allclose(
            weights, exponentials / exponentials.sum(axis=3, keepdims=True), atol=1e-6
        )


def test_a_foreign_file_with_only_the_contract_loads(
    arrays: dict[str, Any], look: AttentionTrace, tmp_path: Path
) -> None:
    ours = ("_texts", "_ids", "_words", "written_tokens", "_queries", "_keys")
    foreign = {name: array for name, array in arrays.items() if not name.endswith(ours)}
    foreign["meta"] = np.array(json.dumps({"model_id": "theirs", "format": 1, "more": [1]}))
    foreign["their_own_array"] = np.zeros(3)
    foreign["cross_weights"] = foreign["cross_weights"].astype(np.float64)
    trace = load_trace(write(tmp_path / "foreign.npz", foreign))
    assert trace.model_id == "theirs"
    assert trace.meta == {}
    assert [token.text for token in trace.source] == [token.text for token in look.source]
    assert [token.word for token in trace.source] == [token.word for token in look.source]
    assert all(token.id == -1 for token in trace.source)
    assert [token.piece for token in trace.target] == [token.piece for token in look.target]
    # row t writes what row t + 1 reads; the last is not known
    assert [t.piece for t in trace.written[:-1]] == [t.piece for t in look.written[:-1]]
    assert trace.written[-1].text == "?"
    assert all(site.queries is None and site.keys is None for site in trace.sites.values())


def test_an_encoder_alone_loads(arrays: dict[str, Any], tmp_path: Path) -> None:
    kept = {"source_tokens", "encoder_self_weights", "encoder_self_allowed", "meta"}
    foreign = {name: array for name, array in arrays.items() if name in kept}
    foreign["target_tokens"] = np.array([], dtype=str)
    trace = load_trace(write(tmp_path / "encoder.npz", foreign))
    assert trace.target == trace.written == ()
    assert trace.sites.keys() == {"encoder_self"}
    assert trace.sites["encoder_self"].scores is None
    assert trace.logits is None


def test_what_a_foreign_file_may_write_in_its_own_way(
    arrays: dict[str, Any], look: AttentionTrace, tmp_path: Path
) -> None:
    """Unsigned integers, and edits as a list."""
    edit = {"site": "cross", "layer": 0, "place": "weights", "how": "zero"}
    foreign = dict(arrays)
    foreign["meta"] = np.array(json.dumps({"model_id": "theirs", "format": 2, "edits": [edit]}))
    ids, words = np.arange(len(look.source)), arrays["source_words"].clip(0)
    foreign |= {"source_ids": ids.astype(np.uint32), "source_words": words.astype(np.uint8)}
    trace = load_trace(write(tmp_path / "own.npz", foreign))
    assert [token.id for token in trace.source] == ids.tolist()
    assert [token.word for token in trace.source] == words.tolist()
    assert json.loads(str(trace.meta["edits"])) == [edit]


def spoil(name: str, value: Any) -> Any:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name] = value(arrays[name]) if callable(value) else value

    return change


def nan_in(array: Any) -> Any:
    array = array.copy()
    array.flat[0] = np.nan
    return array


def of_source(arrays: dict[str, Any], value: float = 0.0) -> Any:
    """(part, layer, position, unit) of two parts."""
    return np.full((2, 1, len(arrays["source_tokens"]), 4), value, np.float32)


SPOILT = {
    "no meta": lambda arrays: arrays.pop("meta"),
    "meta is no JSON": spoil("meta", np.array("{")),
    "meta is deep": spoil("meta", np.array("[" * 100_000)),
    "meta is a list": spoil("meta", np.array("[]")),
    "meta has NaN": spoil("meta", np.array('{"model_id": "x", "format": 1, "a": NaN}')),
    "meta has no format": spoil("meta", np.array('{"model_id": "x"}')),
    "another format": spoil("meta", np.array('{"model_id": "x", "format": 3}')),
    "no tokens": lambda arrays: arrays.pop("source_tokens"),
    "tokens are numbers": spoil("source_tokens", np.arange(4)),
    "tokens are bytes": spoil("source_tokens", np.array([b"a"])),
    "tokens beyond Unicode": spoil("source_tokens", np.array([2**31 - 1], np.int32).view("<U1")),
    "a token too many": spoil("source_tokens", lambda a: np.append(a, "x")),
    "an id too few": spoil("source_ids", lambda a: a[1:]),
    "lengths too few": lambda a: a.update(source_texts_lengths=a["source_ids"][1:]),
    "lengths in words": lambda a: a.update(source_tokens_lengths=a["source_texts"]),
    "lengths of no row": lambda a: a.update(vocabulary_lengths=np.zeros((1, 1), np.int64)),
    "tokens of no width": spoil("source_tokens", np.zeros(3, dtype="<U0")),
    "no mask": lambda arrays: arrays.pop("cross_allowed"),
    "mask of integers": spoil("cross_allowed", lambda a: a.astype(np.int8)),
    "mask turned": spoil("decoder_self_allowed", lambda a: a.T),
    "mask forbids": spoil("cross_allowed", np.zeros_like),
    "weights sum to 2": spoil("cross_weights", lambda a: 2 * a),
    "weights negative": spoil("cross_weights", lambda a: -a),
    "weights NaN": spoil("cross_weights", nan_in),
    "weights complex": spoil("cross_weights", lambda a: a.astype(complex)),
    "weights of one layer": spoil("cross_weights", lambda a: a[0]),
    "weights overflow": spoil("cross_weights", lambda a: a.astype(np.float64) * 1e300),
    "scores NaN": spoil("cross_scores", nan_in),
    "scores of another shape": spoil("cross_scores", lambda a: a[:, :1]),
    "queries NaN": spoil("cross_queries", nan_in),
    "keys NaN": spoil("cross_keys", nan_in),
    "queries without keys": lambda arrays: arrays.pop("cross_keys"),
    "keys without queries": lambda arrays: arrays.pop("cross_queries"),
    "queries of another length": spoil("cross_queries", lambda a: a[:, :, 1:]),
    "keys of another length": spoil("cross_keys", lambda a: a[:, :, 1:]),
    "keys of another width": spoil("cross_keys", lambda a: a[..., 1:]),
    "keys of another layer": spoil("cross_keys", lambda a: a[1:]),
    "queries of one layer": spoil("cross_queries", lambda a: a[0]),
    "queries of integers": spoil("cross_queries", lambda a: a.astype(np.int32)),
    "logits NaN": spoil("logits", nan_in),
    "logits of another length": spoil("logits", lambda a: a[1:]),
    "a name too many": lambda a: a.update(vocabulary=np.full(a["logits"].shape[1] + 1, "x")),
    "a mask of one head": lambda a: a.update(cross_allowed=a["cross_allowed"][None, None]),
    "outputs of another length": lambda a: a.update(cross_outputs=a["cross_queries"][:, :, 1:]),
    "shares of another length": lambda a: a.update(cross_shares=a["cross_queries"][:, :, 1:, 0]),
    "shares with an axis more": lambda a: a.update(cross_shares=a["cross_queries"]),
    "shares NaN": lambda a: a.update(cross_shares=nan_in(a["cross_queries"][..., 0])),
    "outputs NaN": lambda a: a.update(cross_outputs=nan_in(a["cross_queries"])),
    "forced in words": lambda a: a.update(cross_forced=np.array("yes")),
    "a stream of another length": lambda a: a.update(decoder_residual=np.zeros((3, 1, 2), "f4")),
    "a stream NaN": lambda a: a.update(encoder_residual=of_source(a, np.nan)[0]),
    "states without names": lambda a: a.update(encoder_states=of_source(a)),
    "states of one name": lambda a: a.update(
        encoder_states=of_source(a), encoder_state_names=np.array(["h", "h"])
    ),
    "states NaN": lambda a: a.update(
        encoder_states=of_source(a, np.nan), encoder_state_names=np.array(["h", "c"])
    ),
    "names of no text": lambda a: a.update(vocabulary=np.arange(a["logits"].shape[1])),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_what_contradicts_itself_is_refused(
    fault: str, arrays: dict[str, Any], tmp_path: Path
) -> None:
    SPOILT[fault](arrays)
    reason = refused(write(tmp_path / "spoilt.npz", arrays))
    assert ("not finite" in reason) == fault.endswith("NaN")
    if fault.startswith(("queries", "keys")):
        assert "cross" in reason
        assert "queries" in reason or "keys" in reason


def refused(path: Path, **options: int) -> str:
    with pytest.raises(HeadlightError) as caught:
        load_trace(path, **options)
    assert caught.value.code == "trace_invalid"
    assert caught.value.parameters["path"] == str(path)
    assert "\n" not in str(caught.value)
    return str(caught.value.parameters["reason"])


def test_files_that_are_not_there_or_not_files(tmp_path: Path, look: AttentionTrace) -> None:
    with pytest.raises(HeadlightError) as caught:
        load_trace(tmp_path / "none.npz")
    assert caught.value.code == "file_missing"
    with pytest.raises(HeadlightError) as caught:
        load_trace(tmp_path)
    assert caught.value.code == "file_unreadable"
    with pytest.raises(HeadlightError) as caught:
        save_trace(tmp_path / "none" / "t.npz", look)
    assert caught.value.code == "file_unwritable"
    (tmp_path / "empty.npz").touch()
    refused(tmp_path / "empty.npz")


def test_a_link_stays_one_to_what_is_written(tmp_path: Path, look: AttentionTrace) -> None:
    (tmp_path / "real.npz").write_bytes(b"before")
    (tmp_path / "link.npz").symlink_to("real.npz")
    save_trace(tmp_path / "link.npz", look)
    assert (tmp_path / "link.npz").is_symlink()
    assert load_trace(tmp_path / "real.npz").model_id == look.model_id
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.npz", "real.npz"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path, look: AttentionTrace) -> None:
    os.mkfifo(tmp_path / "pipe")
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    save_trace(tmp_path / "pipe", look)
    reader.join(60)
    assert (tmp_path / "pipe").is_fifo()
    save_trace(tmp_path / "file.npz", look)
    assert heard == [(tmp_path / "file.npz").read_bytes()]


def test_reading_traces_needs_no_torch() -> None:
    import subprocess
    import sys

    code = "import sys, core.trace.file, core.registry; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_of_a_vocabulary_that_nothing_points_to_are_passed_over(
    arrays: dict[str, Any], tmp_path: Path
) -> None:
    arrays.pop("logits")
    arrays["vocabulary"] = np.array(["a", "b"])
    assert load_trace(write(tmp_path / "named.npz", arrays)).vocabulary is None


def test_each_row_of_many_is_checked_by_its_own_mask_and_sink(tmp_path: Path) -> None:
    """Weights are unpacked a MiB at a time, and no MiB ends where a head does."""
    heads, count = (2, 2), 300
    allowed = np.tril(np.ones((count, count), np.bool_))
    allowed[::7] = False  # rows that may attend to nothing
    sinks = np.linspace(0, 0.9, 4 * count, dtype=np.float32).reshape(*heads, count)
    sinks[..., ::7] = 0
    even = allowed / np.maximum(allowed.sum(axis=1, keepdims=True), 1)
    weights = (even * (1 - sinks[..., None])).astype(np.float32)
    assert weights.nbytes > 2**20
    assert 2**20 % weights[0, 0].nbytes
    site = AttentionSite("encoder_self", weights, allowed, sinks=sinks)
    tokens = tuple(Token(f"{at}", f"{at}", at, at) for at in range(count))
    save_trace(tmp_path / "t.npz", AttentionTrace("made", tokens, (), (), {"encoder_self": site}))
    found = load_trace(tmp_path / "t.npz").sites["encoder_self"]
    np.testing.assert_array_equal(found.weights, weights)
    assert found.sinks is not None
    np.testing.assert_array_equal(found.sinks, sinks)
    assert format_of(tmp_path / "t.npz") == 2
    with np.load(tmp_path / "t.npz") as file:
        arrays = dict(file)
    arrays["encoder_self_weights"][1, 1, -1] *= 2
    assert "sums to" in refused(write(tmp_path / "wrong.npz", arrays))
