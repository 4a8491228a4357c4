"""What heads of Hugging Face models add, and their residual stream: recorded and edited as ours.

The slow twin is a copy of the folder that we have nothing to do with: its own modules, by the names
that their architecture gives them, hooked one by one or with their numbers changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from core.cli.app import app, run
from core.errors import HeadlightError
from core.families.hub import open_folder
from core.families.hub.readers import HubForeteller
from core.families.hub.wiring import call
from core.families.hub.writers import HubWriter
from core.model import TraceRequest
from core.nn.attention import shares
from core.probe import Edit
from core.trace import AttentionTrace, Kind, Stack
from tests import hub

CPU = torch.device("cpu")
TEXT, TARGET = "어제 cafe went", "water people"
ALL = ("outputs", "residual")

LLAMA = {"decoder_self": "model.layers.{}.self_attn.o_proj"}
BART = {
    "encoder_self": "model.encoder.layers.{}.self_attn.out_proj",
    "decoder_self": "model.decoder.layers.{}.self_attn.out_proj",
    "cross": "model.decoder.layers.{}.encoder_attn.out_proj",
}
T5 = {
    "encoder_self": "encoder.block.{}.layer.0.SelfAttention.o",
    "decoder_self": "decoder.block.{}.layer.0.SelfAttention.o",
    "cross": "decoder.block.{}.layer.1.EncDecAttention.o",
}
SHARED = "albert.encoder.albert_layer_groups.0.albert_layers.0.attention.dense"
OUTPUT: Mapping[str, Mapping[str, str]] = {
    "bert": {"encoder_self": "bert.encoder.layer.{}.attention.output.dense"},
    "roberta": {"encoder_self": "roberta.encoder.layer.{}.attention.output.dense"},
    "distilbert": {"encoder_self": "distilbert.transformer.layer.{}.attention.out_lin"},
    "albert": {"encoder_self": SHARED},
    "modernbert": {"encoder_self": "model.layers.{}.attn.Wo"},
    "gpt2": {"decoder_self": "transformer.h.{}.attn.c_proj"},
    "gpt_neox": {"decoder_self": "gpt_neox.layers.{}.attention.dense"},
    "opt": {"decoder_self": "model.decoder.layers.{}.self_attn.out_proj"},
    "llama": LLAMA,
    "qwen2": LLAMA,
    "gemma2": LLAMA,
    "gpt_oss": LLAMA,
    "t5": T5,
    "bart": BART,
    "marian": BART,
    "m2m_100": BART,
}
"""What each architecture calls W^O."""
NORMS: Mapping[str, Mapping[Stack, str]] = {
    "modernbert": {"encoder": "model.final_norm"},
    "gpt2": {"decoder": "transformer.ln_f"},
    "gpt_neox": {"decoder": "gpt_neox.final_layer_norm"},
    "opt": {"decoder": "model.decoder.final_layer_norm"},
    **{kind: {"decoder": "model.norm"} for kind in ("llama", "qwen2", "gemma2", "gpt_oss")},
    "t5": {"encoder": "encoder.final_layer_norm", "decoder": "decoder.final_layer_norm"},
    "m2m_100": {"encoder": "model.encoder.layer_norm", "decoder": "model.decoder.layer_norm"},
}
"""Its last norm, behind all layers, where it has one."""
ADDED: Mapping[str, tuple[Stack, tuple[str, ...]]] = {
    "gpt2": ("decoder", ("transformer.h.{}.attn.c_proj", "transformer.h.{}.mlp.c_proj")),
    "gpt_neox": ("decoder", ("gpt_neox.layers.{}.attention.dense", "gpt_neox.layers.{}.mlp")),
    "opt": (
        "decoder",
        ("model.decoder.layers.{}.self_attn.out_proj", "model.decoder.layers.{}.fc2"),
    ),
    "llama": ("decoder", ("model.layers.{}.self_attn.o_proj", "model.layers.{}.mlp.down_proj")),
    "t5": (
        "decoder",
        (T5["decoder_self"], T5["cross"], "decoder.block.{}.layer.2.DenseReluDense.wo"),
    ),
    "m2m_100": ("decoder", (BART["decoder_self"], BART["cross"], "model.decoder.layers.{}.fc2")),
}
"""All that writes to a stream of those that norm before they read."""

Hub = HubForeteller | HubWriter
Open = Callable[[str], Hub]


def head_of(kind: str) -> str:
    return "fills" if kind in hub.ENCODERS else "writes" if kind in hub.BOTH else "goes on"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Each once."""
    root, kept = tmp_path_factory.mktemp("hub"), dict[str, Hub]()
    sizes = {**hub.ENCODERS, **hub.DECODERS, **hub.BOTH}

    def made(kind: str) -> Hub:
        if kind not in kept:
            model = open_folder(hub.folder(root / kind, kind, sizes[kind], head_of(kind)), CPU)
            assert isinstance(model, Hub)
            kept[kind] = model
        return kept[kind]

    return made


class Twin:
    """A copy of a folder, and what went into and came out of its modules."""

    def __init__(self, model: Hub) -> None:
        built = hub.BUILT[model._opened.head]
        self.form = model._network.form
        self.theirs = built.from_pretrained(model.card.folder, attn_implementation="eager").eval()
        self.theirs.requires_grad_(False)
        self.seen: dict[str, list[tuple[Tensor, Tensor]]] = defaultdict(list)

    def part(self, path: str) -> Any:
        return self.theirs.get_submodule(path)

    def watch(self, path: str) -> None:
        def hook(_: Any, args: tuple[Tensor, ...], out: Tensor) -> None:
            self.seen[path].append((args[0], out))

        self.part(path).register_forward_hook(hook)

    def heads(self, path: str, head: int) -> tuple[Tensor, slice]:
        """W^O as (d_model, head * d_v), the module's own, and whose columns are a head's."""
        module = self.part(path)
        weight = module.weight.T if type(module).__name__ == "Conv1D" else module.weight
        width = weight.shape[1] // 4
        return weight, slice(head * width, (head + 1) * width)

    def answer(self, trace: AttentionTrace, **more: Any) -> Any:
        source, target = (
            torch.tensor([[token.id for token in tokens]], dtype=torch.long)
            for tokens in (trace.source, trace.target)
        )
        return call(self.theirs, self.form, source, target, **more)

    def logits(self, trace: AttentionTrace, **more: Any) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self.answer(trace, **more).logits[0].numpy()
        return found


def request(model: Hub, *edits: Edit, record: tuple[Any, ...] = ()) -> TraceRequest:
    target = TARGET if isinstance(model, HubWriter) else None
    return TraceRequest(TEXT, target, edits, record=record)


def same_logits(trace: AttentionTrace, wanted: np.ndarray[Any, Any]) -> None:
    assert trace.logits is not None
    np.testing.assert_allclose(trace.logits, wanted, atol=1e-4 * max(1, abs(wanted).max()))


@pytest.mark.parametrize("kind", OUTPUT)
def test_what_heads_add_is_what_the_module_writes(opened: Open, kind: str) -> None:
    model = opened(kind)
    assert {"outputs", "residual"} <= model.card.capabilities.records
    trace = model.trace(request(model, record=ALL))
    twin = Twin(model)
    places = [
        (site, layer, path.format(layer))
        for site, path in OUTPUT[kind].items()
        for layer in range(2)
    ]
    for path in {path for _, _, path in places}:
        twin.watch(path)
    twin.answer(trace)
    assert trace.sites.keys() == OUTPUT[kind].keys()
    for site, layer, path in places:
        found = trace.sites[site]  # type: ignore[index]
        assert found.outputs is not None
        assert found.shares is not None
        calls = twin.seen[path]
        written = (calls[layer] if path == SHARED else calls[0])[1].flatten(0, -2)
        added = []
        for head in range(4):
            weight, own = twin.heads(path, head)
            added.append(torch.from_numpy(found.outputs[layer, head]) @ weight[:, own].T)
        whole = torch.stack(added).sum(0)
        bias = getattr(twin.part(path), "bias", None)
        torch.testing.assert_close(
            whole + (0 if bias is None else bias), written, atol=1e-4, rtol=1e-4
        )
        for head, one in enumerate(added):
            share = (one * whole).sum(-1) / (whole * whole).sum(-1)
            np.testing.assert_allclose(found.shares[layer, head], share.numpy(), atol=1e-4)
        np.testing.assert_allclose(found.shares[layer].sum(0), 1, atol=1e-4)


@pytest.mark.parametrize("kind", OUTPUT)
def test_the_stream_is_what_transformers_tells_and_asking_changes_nothing(
    opened: Open, kind: str
) -> None:
    model = opened(kind)
    trace = model.trace(request(model, record=ALL))
    plain = model.trace(request(model))
    np.testing.assert_array_equal(trace.logits, plain.logits)
    assert not plain.residuals
    twin = Twin(model)
    found = twin.answer(trace, output_hidden_states=True)
    told: Mapping[Stack, Any] = (
        {"encoder": found.encoder_hidden_states, "decoder": found.decoder_hidden_states}
        if twin.form == "encoder-decoder"
        else {"encoder" if twin.form == "encoder" else "decoder": found.hidden_states}
    )
    assert trace.residuals.keys() == told.keys()
    same_logits(trace, found.logits[0].numpy())
    for stack, states in told.items():
        stream = trace.residuals[stack]
        assert len(stream) == len(states) == 3
        for read, theirs in zip(stream[:2], states[:2], strict=True):
            np.testing.assert_allclose(read, theirs[0].numpy(), atol=1e-4, rtol=1e-4)
        last = torch.from_numpy(stream[2])
        norm = NORMS.get(kind, {}).get(stack)
        left = last if norm is None else twin.part(norm)(last)
        np.testing.assert_allclose(left.numpy(), states[2][0].numpy(), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("kind", ADDED)
def test_the_stream_adds_up(opened: Open, kind: str) -> None:
    model, (stack, paths) = opened(kind), ADDED[kind]
    trace, twin = model.trace(request(model, record=("residual",))), Twin(model)
    for layer in range(2):
        for path in paths:
            twin.watch(path.format(layer))
    twin.answer(trace)
    stream = trace.residuals[stack]
    for layer in range(2):
        written = [twin.seen[path.format(layer)][0][1].flatten(0, -2).numpy() for path in paths]
        np.testing.assert_allclose(
            stream[layer + 1] - stream[layer], sum(written), atol=1e-4, rtol=1e-4
        )


@pytest.mark.parametrize("kind", OUTPUT)
def test_a_head_without_its_output_is_one_without_its_part_of_w_o(opened: Open, kind: str) -> None:
    model = opened(kind)
    for site, path in OUTPUT[kind].items():
        layer = None if path == SHARED else 1  # whose layers have one W^O
        for place, scale in (("outputs", 0.0), ("weights", 0.5)):
            edit = Edit(place, site, "scale", scale, layer, 2)  # type: ignore[arg-type]
            trace = model.trace(request(model, edit))
            twin = Twin(model)
            weight, own = twin.heads(path.format(1), 2)
            weight[:, own] *= scale
            same_logits(trace, twin.logits(trace))


QUERIES: Mapping[str, tuple[Kind, str]] = {
    "bert": ("encoder_self", "bert.encoder.layer.1.attention.self.query"),
    "llama": ("decoder_self", "model.layers.1.self_attn.q_proj"),
    "bart": ("cross", "model.decoder.layers.1.encoder_attn.q_proj"),
}


@pytest.mark.parametrize("kind", QUERIES)
def test_scores_by_half_are_those_of_half_queries(opened: Open, kind: str) -> None:
    model, (site, path) = opened(kind), QUERIES[kind]
    trace = model.trace(request(model, Edit("scores", site, "scale", 0.5, 1, 2)))
    twin = Twin(model)
    query = twin.part(path)
    query.weight[16:24] /= 2
    if query.bias is not None:
        query.bias[16:24] /= 2
    same_logits(trace, twin.logits(trace))
    plain = model.trace(request(model)).logits
    assert trace.logits is not None
    assert plain is not None
    assert abs(trace.logits - plain).max() > 1e-4


@pytest.mark.parametrize("kind", ["bert", "roberta", "bart", "t5"])
def test_a_source_token_that_nobody_may_see_is_one_that_is_masked(opened: Open, kind: str) -> None:
    model = opened(kind)
    sites: tuple[Kind, ...] = ("encoder_self", "cross")
    edits = [Edit("mask", site, columns=(1,)) for site in sites if site in model.card.kinds]
    trace = model.trace(request(model, *edits))
    allowed = torch.ones(1, len(trace.source), dtype=torch.long)
    allowed[0, 1] = 0
    twin = Twin(model)
    source, target = (
        torch.tensor([[t.id for t in tokens]], dtype=torch.long)
        for tokens in (trace.source, trace.target)
    )
    more = {"decoder_input_ids": target} if trace.target else {}
    found = twin.theirs(input_ids=source, attention_mask=allowed, **more)
    same_logits(trace, found.logits[0].numpy())


PUSHED: Mapping[str, tuple[Stack, int, str]] = {
    "gpt2": ("decoder", 1, "transformer.h.0.mlp.c_proj"),
    "opt": ("decoder", 2, "model.decoder.layers.1.fc2"),
    "bert": ("encoder", 1, "bert.encoder.layer.0.output.LayerNorm"),
    "distilbert": ("encoder", 2, "distilbert.transformer.layer.1.output_layer_norm"),
    "bart": ("encoder", 1, "model.encoder.layers.0.final_layer_norm"),
    "marian": ("decoder", 2, "model.decoder.layers.1.final_layer_norm"),
    "m2m_100": ("decoder", 1, "model.decoder.layers.0.fc2"),
}
"""What writes last to the stream that a layer reads, where it has a bias."""


@pytest.mark.parametrize("kind", PUSHED)
def test_what_is_added_to_the_stream_is_as_in_the_bias_before_it(opened: Open, kind: str) -> None:
    model, (stack, layer, path) = opened(kind), PUSHED[kind]
    edit = Edit("residual", stack, "add", (3.0, -2.0), layer, columns=(4, 9))
    trace = model.trace(request(model, edit, record=("residual",)))
    twin = Twin(model)
    twin.part(path).bias[[4, 9]] += torch.tensor([3.0, -2.0])
    same_logits(trace, twin.logits(trace))
    plain = model.trace(request(model, record=("residual",)))
    before = plain.residuals[stack][layer]
    pushed = trace.residuals[stack][layer] - before
    np.testing.assert_allclose(pushed[:, [4, 9]], [[3, -2]] * len(pushed), atol=1e-4)
    assert trace.logits is not None
    assert plain.logits is not None
    assert abs(trace.logits - plain.logits).max() > 1e-3


@pytest.mark.parametrize(("kind", "layer"), [("llama", 0), ("llama", 1), ("t5", 0), ("t5", 2)])
def test_a_row_of_the_stream_is_put_in_its_place(opened: Open, kind: str, layer: int) -> None:
    """Of those without biases: the module that reads it is handed another tensor."""
    model, width = opened(kind), 32
    value = tuple(0.1 * (at % 7) for at in range(width))
    edit = Edit("residual", "decoder", "set", value, layer, rows=(1,))
    trace = model.trace(request(model, edit))
    twin = Twin(model)
    names = {
        "llama": ("model.layers.0", "model.layers.1", "model.norm"),
        "t5": ("decoder.block.0", "decoder.block.1", "decoder.final_layer_norm"),
    }[kind]

    def put(_: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        x = args[0].clone()
        x[0, 1] = torch.tensor(value)
        return (x, *args[1:])

    twin.part(names[layer]).register_forward_pre_hook(put)
    same_logits(trace, twin.logits(trace))


@pytest.mark.parametrize("kind", ["gpt2", "llama", "t5", "marian"])
def test_it_writes_under_an_edit_of_the_stream_as_it_reads(opened: Open, kind: str) -> None:
    model = opened(kind)
    edits = (
        Edit("residual", "decoder", "add", 0.7, 1, rows=(2, 5), columns=(3,)),
        Edit("residual", "decoder", "scale", 0.5, 2, rows=(6,)),
    )
    trace = model.trace(TraceRequest(TEXT, None, edits))
    assert trace.logits is not None
    written = [token.id for token in trace.written]
    given = len(model._ends.around(model._tokenizer.encode(TEXT))) - 1
    first = given if model._network.form == "decoder" else 0
    assert trace.logits.argmax(-1).tolist()[first:] == written[first:]


def test_an_edit_beyond_the_stream_is_refused(opened: Open) -> None:
    model = opened("gpt2")
    for edit in (
        Edit("residual", "encoder"),
        Edit("residual", "decoder", layer=3),
        Edit("residual", "decoder", columns=(32,)),
        Edit("outputs", "decoder_self", columns=(8,)),
    ):
        with pytest.raises(HeadlightError) as refused:
            model.trace(request(model, edit))
        assert refused.value.code == "parameter_invalid"


@pytest.mark.parametrize(
    ("kind", "more", "notes"),
    [
        ("bitnet", {}, ["answers_same", "shares_none"]),  # a norm stands before its W^O
        ("olmo2", {}, ["answers_same", "shares_between"]),  # and one behind it
        ("openai-gpt", hub.GPT2, ["attends_itself", "residual_none", "cache_other"]),
    ],
)
def test_what_is_not_proven_is_not_shown(
    tmp_path: Path, kind: str, more: Mapping[str, Any], notes: list[str]
) -> None:
    model = open_folder(hub.folder(tmp_path / "m", kind, more or hub.DECODER, "goes on"), CPU)
    assert [note.code for note in model.card.notes] == notes
    (site,) = model.trace(TraceRequest(TEXT)).sites.values()
    assert (site.shares is None) == ("shares_between" not in notes)
    able = "residual_none" not in notes
    assert ("residual" in model.card.capabilities.records) == able
    if not able:
        with pytest.raises(HeadlightError) as refused:
            model.trace(TraceRequest(TEXT, record=("residual",)))
        assert refused.value.code == "unsupported"


def test_who_tells_only_weights_has_its_stream(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "bloom", hub.OWN_WAYS["bloom"], "goes on")
    model = open_folder(path, CPU)
    assert model.card.capabilities.edits == {"residual"} == model.card.capabilities.records
    assert isinstance(model, HubWriter)
    edit = Edit("residual", "decoder", "add", 2.0, 1, columns=(4,))
    trace = model.trace(TraceRequest(TEXT, TARGET, (edit,)))
    twin = Twin(model)
    twin.part("transformer.h.0.mlp.dense_4h_to_h").bias[4] += 2
    same_logits(trace, twin.logits(trace))


def test_shares_of_nothing_are_none() -> None:
    found = shares(torch.zeros(1, 2, 3, 4), torch.ones(5, 8))
    assert found.shape == (1, 2, 3)
    assert not found.any()


@pytest.mark.parametrize(
    ("study", "kind"), [("exposure", "bart"), ("extrapolation", "gpt2"), ("transfer", "bert")]
)
def test_a_study_of_our_checkpoints_says_so(
    opened: Open, capsys: pytest.CaptureFixture[str], study: str, kind: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(app, ["study", study, "--model", str(opened(kind).card.folder)])
    assert stopped.value.code
    assert "that Headlight trained" in capsys.readouterr().err
