"""What is edited changes that and what follows from it, and nothing else."""

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import Sampling, TraceRequest
from core.nn.attention import MultiHeadAttention
from core.probe import (
    LIFTED_MASK,
    OF_ATTENTION,
    Edit,
    Probe,
    edits_as_json,
    edits_of_json,
    untouched,
    value_of,
)
from core.reasons import RefusedError
from core.trace import AttentionTrace, Kind, load_trace, save_trace

SOURCE, TARGET = "나는 물을 마신다", "I drink water"
FORCED = TraceRequest(SOURCE, TARGET, record=("outputs", "residual"))
KINDS: tuple[Kind, ...] = get_args(Kind)


def same(one: AttentionTrace, other: AttentionTrace) -> bool:
    """Bit by bit, in all that was computed."""
    return all(np.array_equal(*pair) for pair in zip(one.arrays(), other.arrays(), strict=True))


def logits_of(trace: AttentionTrace) -> npt.NDArray[np.float32]:
    assert trace.logits is not None
    return trace.logits


def under(model: TransformerModel, *edits: Edit, **more: Any) -> AttentionTrace:
    return model.trace(replace(FORCED, edits=edits, **more))


NOTHING = {
    "scores times one": Edit("scores", "cross", "scale", 1.0),
    "nothing added to scores": Edit("scores", "decoder_self", "add", 0.0, layer=1, head=2),
    "weights times one": Edit("weights", "encoder_self", "scale", 1.0),
    "outputs times one": Edit("outputs", "cross", "scale", 1.0, head=0),
    "a stream times one": Edit("residual", "decoder", "scale", 1.0, layer=2),
    "a mask that is open": Edit("mask", "cross", value=1.0),
    "a mask that is shut": Edit("mask", "decoder_self", rows=(0,), columns=(1, 2)),
}


@pytest.mark.parametrize("edit", NOTHING.values(), ids=NOTHING)
def test_an_edit_that_changes_nothing_leaves_every_bit(
    tiny_model: TransformerModel, edit: Edit
) -> None:
    assert same(tiny_model.trace(FORCED), under(tiny_model, edit))


@pytest.mark.parametrize("site", KINDS)
@pytest.mark.parametrize("place", ["scores", "weights", "outputs"])
def test_an_edit_changes_its_place_and_leaves_what_came_before(
    tiny_model: TransformerModel, site: Kind, place: Any
) -> None:
    """And once it is removed, all is as it was."""
    plain = tiny_model.trace(FORCED)
    edit = Edit(place, site, "scale", 0.5, layer=0, head=3)
    edited = under(tiny_model, edit)
    before, after = (getattr(trace.sites[site], place) for trace in (plain, edited))
    np.testing.assert_array_equal(after[0, 3], before[0, 3] * np.float32(0.5))
    np.testing.assert_array_equal(after[0, :3], before[0, :3])
    assert not np.array_equal(after[1], before[1])
    if site != "encoder_self":
        np.testing.assert_array_equal(
            edited.sites["encoder_self"].weights, plain.sites["encoder_self"].weights
        )
    assert not np.array_equal(logits_of(edited), logits_of(plain))
    assert same(plain, tiny_model.trace(FORCED))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_behind_a_mask_edit_the_others_are_normalised_anew(
    tiny_model: TransformerModel, data: st.DataObject
) -> None:
    """The knock-out of an edge: minus infinity before the softmax."""
    plain = tiny_model.trace(FORCED)
    site = data.draw(st.sampled_from(KINDS))
    layer, head = data.draw(st.integers(0, 1)), data.draw(st.integers(0, 3))
    rows, columns = plain.sites[site].shape
    row = data.draw(st.integers(0, rows - 1))
    shut = data.draw(st.sets(st.integers(0, columns - 1), min_size=1, max_size=columns))
    edited = under(
        tiny_model, Edit("mask", site, layer=layer, head=head, rows=(row,), columns=(*shut,))
    ).sites[site]
    allowed = plain.sites[site].allowed.copy()
    allowed[row, [*shut]] = False
    np.testing.assert_array_equal(edited.mask(layer, head), allowed)
    assert edited.one_mask == np.array_equal(allowed, plain.sites[site].allowed)
    kept = np.where(allowed[row], plain.sites[site].weights[layer, head, row], 0.0)
    expected = kept / kept.sum() if kept.any() else kept
    np.testing.assert_allclose(edited.weights[layer, head, row], expected, atol=1e-6)


def test_a_head_without_its_output_is_its_part_of_w_o_and_no_bias(
    tiny_model: TransformerModel,
) -> None:
    attention = tiny_model.checkpoint.model.decoder_layers()[1].cross_attention
    assert isinstance(attention, MultiHeadAttention)
    width = attention.value.out_features // attention.heads
    queries, keys, values = torch.randn(3, 1, attention.heads, 5, width)
    allowed = torch.ones(1, 1, 5, 5, dtype=torch.bool)
    head = 3

    def mixed(edits: tuple[Edit, ...]) -> tuple[Tensor, Tensor]:
        probe = Probe(frozenset({"outputs"}), edits)
        with torch.no_grad():
            out = attention(queries, (keys, values), allowed, probe.at("cross", 1, range(5)))
        return out, probe.found["outputs", "cross", 1]

    whole, outputs = mixed(())
    without, _ = mixed((Edit("outputs", "cross", "scale", 0.0, layer=1, head=head),))
    own = attention.output.weight[:, head * width : (head + 1) * width]  # (d_model, d_v)
    torch.testing.assert_close(whole - without, outputs[:, head] @ own.T, atol=1e-5, rtol=1e-4)
    nobody, _ = mixed((Edit("outputs", "cross", "set", 0.0),))
    torch.testing.assert_close(nobody, attention.output.bias.expand_as(nobody))


def test_a_row_of_weights_is_forced(tiny_model: TransformerModel) -> None:
    """Whatever the mask says: such a trace says so, and is checked by what holds for it."""
    columns = tiny_model.trace(FORCED).sites["decoder_self"].shape[1]
    row = tuple(0.25 * at for at in range(columns))
    edit = Edit("weights", "decoder_self", value=row, layer=0, head=1, rows=(2,))
    trace = under(tiny_model, edit)
    site = trace.sites["decoder_self"]
    np.testing.assert_array_equal(site.weights[0, 1, 2], np.array(row, np.float32))
    assert site.forced
    assert not trace.sites["cross"].forced


def test_a_stream_is_patched_from_another_run(tiny_model: TransformerModel) -> None:
    """All of it, at one layer: then all that follows is the other run's."""
    other = tiny_model.trace(replace(FORCED, source="나는 밥을 먹는다"))
    stream = other.residuals["decoder"][3]
    edit = Edit("residual", "decoder", value=value_of(stream), layer=3)
    patched = under(tiny_model, edit)
    np.testing.assert_array_equal(patched.residuals["decoder"][3], stream)
    np.testing.assert_allclose(logits_of(patched), logits_of(other), atol=1e-5)
    np.testing.assert_array_equal(
        patched.sites["cross"].weights, tiny_model.trace(FORCED).sites["cross"].weights
    )


def test_the_stream_begins_with_embeddings_and_ends_where_the_logits_begin(
    tiny_model: TransformerModel,
) -> None:
    trace, model = tiny_model.trace(FORCED), tiny_model.checkpoint.model
    ids = torch.tensor([[token.id for token in trace.target]])
    with torch.no_grad():
        first, last = model.embed(ids)[0], torch.from_numpy(trace.residuals["decoder"][-1])
        logits = model.unembed(model.decoder_norm(last))
    np.testing.assert_array_equal(trace.residuals["decoder"][0], first.numpy())
    np.testing.assert_allclose(logits_of(trace), logits.numpy(), atol=1e-4)
    assert trace.residuals["encoder"].shape == (3, len(trace.source), model.config.d_model)


EDITS = {
    "a head": Edit("outputs", "cross", "scale", 0.0, layer=2, head=1),
    "a row": Edit("outputs", "decoder_self", "set", 0.3, layer=0, rows=(1, 3)),
    "an edge": Edit("mask", "decoder_self", layer=1, rows=(2, 3, 4), columns=(1,)),
    "of the source": Edit("mask", "cross", columns=(0, 2)),
    "sharper": Edit("scores", "cross", "scale", 3.0),
    "of the encoder": Edit("residual", "encoder", "add", 0.1, layer=1, columns=(0, 5)),
    "of the decoder": Edit("residual", "decoder", "scale", 0.7, layer=2, rows=(0, 2)),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_what_is_written_freely_is_written_under_the_edit(
    tiny_model: TransformerModel, edit: Edit
) -> None:
    """Step by step as in the one pass: each token is the likeliest of its row."""
    trace = tiny_model.trace(TraceRequest(SOURCE, edits=(edit,)))
    assert trace.logits is not None
    assert [token.id for token in trace.written] == trace.logits.argmax(axis=1).tolist()


def test_values_of_their_own_are_for_as_many_rows_as_are_written(
    tiny_model: TransformerModel,
) -> None:
    """Each step has one row of them, and knows of no key that is still to be written."""
    plain = tiny_model.trace(TraceRequest(SOURCE))
    rows = len(plain.written)
    width = tiny_model.checkpoint.model.config.d_v
    nothing = (
        Edit("outputs", "cross", "add", ((0.0,) * width,) * rows),
        Edit("scores", "decoder_self", "scale", (1.0,) * rows),
        Edit("residual", "decoder", "scale", 1.0),
    )
    assert same(plain, tiny_model.trace(TraceRequest(SOURCE, edits=nothing)))
    for wrong in (
        Edit("outputs", "cross", "add", ((0.0,) * width,) * (rows + 1)),
        Edit("scores", "decoder_self", "scale", (1.0,) * (rows + 1)),
        Edit("outputs", "cross", "add", (0.0,) * (width + 1)),
    ):
        with pytest.raises(HeadlightError, match=f"there are ({rows}|{width})"):
            tiny_model.trace(TraceRequest(SOURCE, edits=(wrong,)))


@pytest.mark.parametrize("place", ["scores", "weights", "outputs"])
@pytest.mark.parametrize("site", KINDS)
def test_its_own_pattern_patched_while_it_writes_changes_nothing(
    tiny_model: TransformerModel, site: Kind, place: Any
) -> None:
    """All rows and columns of it, none of which is named."""
    plain = tiny_model.trace(TraceRequest(SOURCE, record=("outputs",)))
    own = value_of(getattr(plain.sites[site], place)[1, 2])
    edit = Edit(place, site, value=own, layer=1, head=2)
    patched = tiny_model.trace(TraceRequest(SOURCE, edits=(edit,)))
    assert patched.written == plain.written
    np.testing.assert_allclose(logits_of(patched), logits_of(plain), atol=1e-5)


def test_what_overflows_while_it_is_drawn_is_refused(tiny_model: TransformerModel) -> None:
    edit = Edit("residual", "decoder", "scale", 1e38)
    with pytest.raises(HeadlightError, match="overflows"):
        tiny_model.trace(TraceRequest(SOURCE, edits=(edit,), sampling=Sampling(1)))


HARMLESS = Edit("outputs", "cross", "scale", 0.9, layer=0, head=0)
MISFIT = Edit("scores", "decoder_self", value=(1.0, 2.0))
ENDLESS = Edit("scores", "encoder_self", "add", 1e39)


@pytest.mark.parametrize("target", [TARGET, None], ids=["forced", "free"])
@pytest.mark.parametrize(
    ("edits", "accused"),
    [
        ((MISFIT, HARMLESS), "scores of decoder_self"),
        ((HARMLESS, MISFIT), "scores of decoder_self"),
        ((replace(HARMLESS, rows=(99,)), ENDLESS), "outputs of cross"),
        ((ENDLESS, HARMLESS, HARMLESS), "scores of encoder_self, outputs of cross"),
    ],
)
def test_of_several_edits_the_one_at_fault_is_accused(
    tiny_model: TransformerModel, edits: tuple[Edit, ...], accused: str, target: str | None
) -> None:
    """Or all, where what they leave overflows."""
    with pytest.raises(HeadlightError) as caught:
        tiny_model.trace(TraceRequest(SOURCE, target, edits=edits))
    assert caught.value.code == "parameter_invalid"
    assert caught.value.parameters["value"] == accused


def test_rows_of_one_source_are_edited_each_by_its_own_position(
    tiny_model: TransformerModel,
) -> None:
    model = tiny_model.checkpoint.model
    probe = Probe(edits=(Edit("outputs", "cross", "set", 0.2, rows=(1,)), EDITS["a row"]))
    rows = torch.tensor([[2, 7, 9], [2, 11, 4], [2, 5, 6]])
    source = torch.tensor([[5, 6, 7, 3]])
    with torch.inference_mode():
        together, _ = model.step(rows, model.start(source, probe), probe)
        for at, row in enumerate(rows):
            alone, _ = model.step(row[None], model.start(source, probe), probe)
            torch.testing.assert_close(together[at], alone[0], atol=1e-5, rtol=1e-5)


def test_an_edited_trace_says_so_and_is_kept_as_it_is(
    tiny_model: TransformerModel, tmp_path: Any
) -> None:
    edits = (EDITS["an edge"], Edit("weights", "cross", value=0.5, layer=0, head=0, rows=(0,)))
    trace = under(tiny_model, *edits)
    assert edits_of_json(str(trace.meta["edits"])) == edits
    assert "edits" not in tiny_model.trace(FORCED).meta
    save_trace(tmp_path / "edited.npz", trace)
    again = load_trace(tmp_path / "edited.npz")
    assert same(trace, again)
    assert again.sites["cross"].forced
    assert dict(again.meta) == dict(trace.meta)


def test_a_lifted_mask_is_an_edit(tiny_model: TransformerModel) -> None:
    lifted = under(tiny_model, LIFTED_MASK)
    assert lifted.sites["decoder_self"].allowed.all()
    assert lifted.meta["lift_mask"]
    assert "edits" not in lifted.meta  # as before edits had names of their own
    assert replace(FORCED, edits=(LIFTED_MASK,)).lifts_mask
    assert replace(FORCED, edits=(LIFTED_MASK,)).with_mask() == FORCED


def test_a_lifted_mask_opens_what_comes_later_and_nothing_else(
    tiny_model: TransformerModel,
) -> None:
    shut = Edit("mask", "decoder_self", value=0.0, rows=(3,), columns=(0, 1, 4))
    for edits in ((shut, LIFTED_MASK), (LIFTED_MASK, shut)):
        allowed = under(tiny_model, *edits).sites["decoder_self"].allowed
        wanted = np.ones_like(allowed)
        wanted[3, [0, 1]] = False
        wanted[3, 4] = edits[0] == shut  # the last edit of it
        np.testing.assert_array_equal(allowed, wanted)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a stream of attention": ({"place": "residual", "site": "cross"}, "nothing of cross"),
    "attention of a stack": ({"place": "mask", "site": "decoder"}, "nothing of decoder"),
    "a head of a stream": ({"place": "residual", "site": "encoder", "head": 0}, "has no heads"),
    "a place that there is not": ({"place": "foo"}, "foo is nothing of cross"),
    "a site that there is not": ({"site": "nowhere"}, "nothing of nowhere"),
    "scores of a stack": ({"site": "residual"}, "nothing of residual"),
    "another how": ({"how": "scal"}, "set, scaled or added"),
    "an array": ({"value": np.zeros(3)}, "a number, a tuple"),
    "a list of a list": ({"value": ([1.0],)}, "a number, a tuple"),
    "no number": ({"value": float("nan")}, "not finite"),
    "half a mask": ({"place": "mask", "value": 0.5}, "a mask is set"),
    "a mask that is scaled": ({"place": "mask", "how": "scale"}, "a mask is set"),
    "weights below zero": ({"place": "weights", "value": -1.0}, "not negative"),
    "a row before the first": ({"rows": (-1,)}, "count from 0"),
    "a layer before the first": ({"layer": -1}, "count from 0"),
    "values for two of three": ({"value": (1.0, 2.0), "columns": (0, 1, 2)}, "as many values"),
    "no value at all": ({"value": ()}, "as many values"),
    "no value for no column": ({"value": (), "columns": ()}, "as many values"),
    "uneven rows": ({"value": ((1.0,), (1.0, 2.0))}, "as many values"),
    "rows for others": ({"value": ((1.0,), (2.0,)), "rows": (0, 1, 2)}, "as many values"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_parts_that_do_not_fit_are_refused(fault: str) -> None:
    given, reason = WRONG[fault]
    with pytest.raises(RefusedError, match=reason):
        Edit(**{"place": "scores", "site": "cross", **given})


NOWHERE = {
    "a layer too many": Edit("scores", "cross", layer=3),
    "a stream beyond the last": Edit("residual", "encoder", layer=4),
    "a head too many": Edit("scores", "cross", head=8),
    "a row too many": Edit("scores", "cross", rows=(99,)),
    "a key too many": Edit("mask", "encoder_self", columns=(99,)),
    "a number too many": Edit("residual", "decoder", columns=(999,)),
    "rows for another stream": Edit("residual", "decoder", value=((0.0,) * 32,) * 99),
    "values for other keys": Edit("scores", "cross", value=(1.0, 2.0)),
    "scores beyond all floats": Edit("scores", "cross", "scale", 1e38),
}


def test_an_array_of_numbers_is_a_value() -> None:
    grid = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert value_of(grid) == ((0.0, 1.0, 2.0), (3.0, 4.0, 5.0))
    assert value_of(grid[0]) == value_of([0, 1, 2]) == (0.0, 1.0, 2.0)
    assert value_of(np.float32(0.5)) == value_of(0.5) == 0.5
    with pytest.raises(RefusedError, match="a number, a tuple"):
        value_of(grid[None])


def test_numbers_of_numpy_are_numbers(tiny_model: TransformerModel) -> None:
    half = Edit("outputs", "cross", "scale", np.float32(0.5))  # type: ignore[arg-type]
    assert half == Edit("outputs", "cross", "scale", 0.5)
    assert (
        under(tiny_model, half).meta["edits"]
        == under(tiny_model, Edit("outputs", "cross", "scale", 0.5)).meta["edits"]
    )


@pytest.mark.parametrize("fault", NOWHERE)
def test_what_a_model_has_not_is_named(tiny_model: TransformerModel, fault: str) -> None:
    with pytest.raises(HeadlightError) as caught:
        under(tiny_model, NOWHERE[fault])
    assert ("heads" in str(caught.value)) is fault.startswith(("a layer", "a head"))
    assert caught.value.code == "parameter_invalid"
    assert caught.value.parameters["name"] == "edit"


def test_a_probe_that_wants_nothing_costs_nothing() -> None:
    assert Probe().at("cross", 0, range(3)) is untouched
    other = Probe(edits=(Edit("scores", "cross", layer=1),))
    assert other.at("cross", 0, range(3)) is untouched
    assert other.at("decoder_self", 1, range(3)) is untouched
    assert other.at("cross", 1, range(3)) is not untouched
    assert Probe(OF_ATTENTION).at("cross", 0, range(3)) is not untouched


@given(st.lists(st.sampled_from([*EDITS.values(), *NOTHING.values(), LIFTED_MASK])))
def test_edits_are_read_as_they_were_written(edits: list[Edit]) -> None:
    assert edits_of_json(edits_as_json(edits)) == tuple(edits)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '[{"place": "scores", "site": "nowhere"}]',
        '[{"place": "scores", "site": "cross", "heads": 4}]',  # misspelt: it would meet every head
    ],
)
def test_what_is_no_edit_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        edits_of_json(text)
