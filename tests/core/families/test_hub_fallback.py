"""What does not go through our attention, or not whole: what is shown of it, and what is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import XLMConfig, XLMWithLMHeadModel

from core import registry
from core.errors import HeadlightError
from core.families.hub import open_folder, trial
from core.families.hub.readers import HubForeteller, HubReader
from core.families.hub.wiring import call, weights_of
from core.families.hub.writers import HubWriter
from core.model import TraceRequest
from tests import hub

CPU = torch.device("cpu")
TEXT = "어제 cafe went"
NOTES = {
    "falcon": ["attends_itself"],
    "openai-gpt": ["attends_itself", "residual_none", "cache_other"],
    "gpt_neo": ["attends_itself"],
    "jamba": ["answers_same", "residual_none", "layers_idle", "cache_other"],
    "switch_transformers": ["answers_same"],
    "led": ["attends_itself", "unseen_encoder_self"],
    "longt5": ["answers_same", "unseen_encoder_self"],
}

Made = Callable[[str], HubWriter]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    root, kept = tmp_path_factory.mktemp("odd"), dict[str, HubWriter]()

    def opened(kind: str) -> HubWriter:
        if kind not in kept:
            head, sizes = hub.ODD_ONES[kind]
            model = open_folder(hub.folder(root / kind, kind, sizes, head), CPU)
            assert isinstance(model, HubWriter)
            kept[kind] = model
        return kept[kind]

    return opened


@pytest.mark.parametrize("kind", hub.ODD_ONES)
def test_what_is_missing_is_said(made: Made, kind: str) -> None:
    assert [note.code for note in made(kind).card.notes] == NOTES[kind]


def test_layers_that_attend_to_nothing_are_layers(made: Made) -> None:
    card = made("jamba").card
    assert card.kinds["decoder_self"].layers == 1
    assert card.sizes["decoder_layers"] == 2
    mamba = made("jamba")._network.model.get_submodule("model.layers.0.mamba")
    norms = ("dt_layernorm", "b_layernorm", "c_layernorm")
    assert card.parameters["mixers"] == sum(
        of.numel() for name, of in mamba.named_parameters() if not name.startswith(norms)
    )


@pytest.mark.parametrize("kind", hub.ODD_ONES)
def test_it_writes_as_whole_passes_do(made: Made, kind: str) -> None:
    """A cache that loses what was read would write on from nothing."""
    model = made(kind)
    trace = model.trace(TraceRequest(TEXT))
    assert trace.logits is not None
    given = int(trace.meta.get("given", 0))
    written = [token.id for token in trace.written[given:]]
    assert written == trace.logits[given:].argmax(1).tolist()


@pytest.mark.parametrize("kind", hub.ODD_ONES)
def test_its_attention_is_that_of_a_model_left_alone(made: Made, kind: str) -> None:
    """Falcon's was without its mask: it kept that of another way to attend."""
    model = made(kind)
    trace = model.trace(TraceRequest(TEXT))
    built = hub.BUILT[hub.ODD_ONES[kind][0]]
    theirs = built.from_pretrained(model.card.folder, attn_implementation="eager").eval()
    source, target = (
        torch.tensor([[token.id for token in tokens]], dtype=torch.long)
        for tokens in (trace.source, trace.target)
    )
    form = model._network.form
    with torch.inference_mode():
        found = call(theirs, form, source, target, output_attentions=True)
    told = weights_of(found, form)
    assert trace.sites.keys() == model.card.kinds.keys() <= told.keys()
    for name, site in trace.sites.items():
        np.testing.assert_allclose(site.weights, told[name].numpy(), atol=1e-5)
    assert trace.logits is not None
    wanted = found.logits[0].numpy()
    np.testing.assert_allclose(trace.logits, wanted, atol=1e-4 * max(1, abs(wanted).max()))


def test_a_window_of_some_layers_is_seen_in_their_masks(made: Made) -> None:
    """Whatever is farther back, its second layer gives no weight to it."""
    site = made("gpt_neo").trace(TraceRequest(TEXT)).sites["decoder_self"]
    rows, columns = site.shape
    behind = np.arange(rows)[:, None] - np.arange(columns)
    assert rows > 4
    for head in range(site.heads):
        np.testing.assert_array_equal(site.mask(0, head), behind >= 0)
        np.testing.assert_array_equal(site.mask(1, head), (behind >= 0) & (behind < 4))


@pytest.mark.parametrize("kind", ["jamba", "openai-gpt", "led"])
def test_it_is_searched_and_branched(made: Made, kind: str) -> None:
    model = made(kind)
    assert model.search(TEXT, beam=2).ranked
    branch = model.trace(TraceRequest(TEXT, prefix=(40, 41)))
    assert {40, 41} <= {token.id for token in branch.written}


@pytest.mark.parametrize(
    ("kind", "head", "sizes"),
    [
        ("bert", "answers", hub.ENCODER),
        ("electra", "is pretrained", hub.ENCODERS["electra"]),
    ],
)
def test_of_a_head_that_is_not_shown_the_body_is(
    tmp_path: Path, kind: str, head: str, sizes: dict[str, int]
) -> None:
    """KoELECTRA is such: it was pretrained to find words that were exchanged."""
    path = hub.folder(tmp_path / "m", kind, sizes, head)
    entry = registry.entry_of("m", path)
    assert entry.silent
    assert not entry.fills
    model = open_folder(path, CPU)
    assert isinstance(model, HubReader)
    assert [note.code for note in model.card.notes] == ["head_unseen", "answers_same"]
    assert model.trace(TraceRequest(TEXT)).sites.keys() == {"encoder_self"}


@pytest.mark.parametrize("head", ["labels", "answers"])
def test_of_a_head_behind_a_decoder_the_body_is_shown(tmp_path: Path, head: str) -> None:
    """bart-large-mnli is such."""
    path = hub.folder(tmp_path / "m", "bart", hub.BART, head)
    entry = registry.entry_of("m", path)
    assert (entry.labels, entry.silent, entry.writes) == ((), False, True)
    model = open_folder(path, CPU)
    assert [note.code for note in model.card.notes][:2] == ["head_unseen", "answers_same"]
    assert {*model.trace(TraceRequest(TEXT)).sites} == {"encoder_self", "decoder_self", "cross"}


def test_an_encoder_of_t5_opens_alone(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "t5", hub.T5, "encodes", spelling="joints")
    model = open_folder(path, CPU)
    assert isinstance(model, HubReader)
    assert [note.code for note in model.card.notes] == ["answers_same"]
    assert registry.entry_of("m", path).silent


def test_who_looks_both_ways_fills_and_does_not_go_on(tmp_path: Path) -> None:
    own = hub.framed(hub.tokenizer(), "<s> $A </s>")
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "mask_token_id": 4}
    config = XLMConfig(vocab_size=len(own), emb_dim=32, n_layers=2, n_heads=4, **ids)
    XLMWithLMHeadModel(config).save_pretrained(tmp_path / "m")
    own.save_pretrained(tmp_path / "m")
    assert isinstance(open_folder(tmp_path / "m", CPU), HubForeteller)
    assert registry.entry_of("m", tmp_path / "m").fills


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"model_type": "vit", "architectures": ["ViTForImageClassification"]}, "reads_no_text"),
        ({"model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"]},
         "reads_no_text"),
        ({"model_type": "clip", "architectures": ["CLIPModel"]}, "architecture_unknown"),
        ({"model_type": "fnet", "architectures": ["FNetForMaskedLM"]}, None),
    ],
)  # fmt: skip
def test_who_reads_no_text_is_told_apart(
    tmp_path: Path, told: dict[str, object], code: str | None
) -> None:
    path = hub.folder(tmp_path / "m", "bert", hub.ENCODER, "fills")
    config = path / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text("utf-8")), **told}), "utf-8")
    with pytest.raises(HeadlightError) as refused:
        trial.tried(path)
    found = refused.value.parameters["reason"].code  # type: ignore[union-attr]
    assert code in (found, None)
    assert found != "trial_crashed"
