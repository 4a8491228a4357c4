"""A MarianMT folder as a checkpoint of ours: the same numbers and words, and all that ours do."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import GenerationConfig, MarianConfig, MarianMTModel
from transformers import MarianTokenizer as TheirTokenizer

from core import registry
from core.checkpoint.folder import Checkpoint, load, save
from core.checkpoint.verify import verify
from core.errors import HeadlightError
from core.families.hub.marian import Order, transformer_of
from core.families.hub.marian_folder import read_marian, write_marian
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.probe import LIFTED_MASK
from core.reasons import RefusedError
from core.text.marian import NONE, MarianTokenizer
from core.text.tokenizer import END_ID, PAD_ID, START_ID, UNKNOWN_ID, load_tokenizer
from core.trace import Kind
from core.training import events
from core.training.run import run
from tests.core.families.test_hub_marian import convert
from tests.hub import BART, OPUS, folder, opus
from tests.small import forced

CPU = torch.device("cpu")
TEXTS = (
    "어제 카페에 갔었어.",
    "거기 사람이 많더라.",
    ">>eng<< 거기 카페에 갔었어",
    "I went to a cafe, 어제.",
    "  두  칸 \U0001f642 뷁",
    "a>>b<<c",
)
SIZES: Mapping[str, Mapping[str, Any]] = {
    "opus": OPUS,
    "gelu": {**OPUS, "activation_function": "gelu", "encoder_layers": 1, "decoder_layers": 1},
    "wide": {**OPUS, "d_model": 512, "encoder_attention_heads": 8, "decoder_attention_heads": 8},
}


@pytest.fixture(scope="module", params=SIZES)
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """A folder of theirs, and the checkpoint that it becomes."""
    theirs = opus(tmp_path_factory.mktemp("opus") / request.param, SIZES[request.param])
    ours = theirs.parent / "ours"
    if request.param == "opus":
        assert convert("--model", theirs, "--out", ours) == 0
    else:  # without the trial
        found = read_marian(theirs)
        save(ours, found.config, found.model, found.tokenizer, step=0, seed=0)
    return theirs, ours


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return opus(tmp_path_factory.mktemp("marian") / "opus")


@pytest.fixture(scope="module")
def converted(marian: Path) -> Path:
    found = read_marian(marian)
    save(marian.parent / "ours", found.config, found.model, found.tokenizer, step=0, seed=0)
    return marian.parent / "ours"


def peer(theirs: Path) -> tuple[MarianMTModel, Any]:
    model = MarianMTModel.from_pretrained(theirs, attn_implementation="eager").eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends a package for punctuation
        return model, TheirTokenizer.from_pretrained(theirs)


def opened(ours: Path) -> TransformerModel:
    model = registry.load(ours, CPU)
    assert isinstance(model, TransformerModel)
    return model


def their_ids(model: TransformerModel) -> torch.Tensor:
    tokenizer = model.checkpoint.tokenizer
    assert isinstance(tokenizer, MarianTokenizer)
    return torch.tensor(tokenizer.theirs)


def test_logits_attention_and_words_are_theirs(pair: tuple[Path, Path]) -> None:
    model, reads = peer(pair[0])
    ours = opened(pair[1])
    ids = their_ids(ours)
    assert ours.checkpoint.model.config.never_written == (PAD_ID, START_ID)
    for text in TEXTS[:3]:
        given = reads(text, return_tensors="pt")
        trace = ours.trace(TraceRequest(text))
        source = [int(ids[token.id]) for token in trace.source]
        assert source == given["input_ids"][0].tolist()
        length = len(trace.written)
        with torch.inference_mode():
            written = model.generate(**given, num_beams=1, do_sample=False, max_new_tokens=length)
            target = ids[[token.id for token in trace.target]]
            found = model(**given, decoder_input_ids=target[None], output_attentions=True)
        assert ids[[token.id for token in trace.written]][:-1].tolist() == written[0, 1:-1].tolist()
        assert trace.logits is not None
        logits = found.logits[0].numpy()
        ours_first = trace.logits[:, ids != NONE]
        np.testing.assert_allclose(
            ours_first, logits[:, ids[ids != NONE]], atol=1e-5 * np.abs(logits).max(), rtol=0
        )
        assert (trace.logits[:, PAD_ID] == -100.0).all()
        theirs: dict[Kind, Any] = {
            "encoder_self": found.encoder_attentions,
            "decoder_self": found.decoder_attentions,
            "cross": found.cross_attentions,
        }
        for kind, layers in theirs.items():
            weights = torch.cat(layers).numpy()
            np.testing.assert_allclose(trace.sites[kind].weights, weights, atol=1e-5)


def test_it_reads_and_writes_as_their_tokenizer(marian: Path, converted: Path) -> None:
    _, theirs = peer(marian)
    tokenizer = load(converted, CPU).tokenizer
    assert isinstance(tokenizer, MarianTokenizer)
    order = tokenizer.theirs
    for own, other in (
        (tokenizer.encode_all(TEXTS), theirs(list(TEXTS))["input_ids"]),
        (tokenizer.encode_targets(TEXTS), theirs(text_target=list(TEXTS))["input_ids"]),
    ):
        assert [[order[id] for id in (*ids, END_ID)] for ids in own] == other
        for ids in own:
            said = theirs.decode([order[id] for id in ids], skip_special_tokens=True)
            assert tokenizer.decode(ids) == said
    assert tokenizer.encode_all(TEXTS)[0] != tokenizer.encode_targets(TEXTS)[0]
    assert UNKNOWN_ID in tokenizer.encode("뷁")
    assert min(tokenizer.encode("</s><pad>")) > PAD_ID
    assert END_ID not in tokenizer.encode("</s>")
    tokens = tokenizer.tokens([START_ID, *tokenizer.encode("어제 카페에"), END_ID])
    assert [token.special for token in tokens] == [True, *[False] * (len(tokens) - 2), True]
    assert {token.word for token in tokens[1:-1]} == {0, 1}


def test_there_and_back_every_bit_is_the_same(pair: tuple[Path, Path], tmp_path: Path) -> None:
    write_marian(load(pair[1], CPU), tmp_path / "back")
    there, here = (
        load_file(folder / "model.safetensors") for folder in (pair[0], tmp_path / "back")
    )
    assert there.keys() == here.keys()
    assert all(torch.equal(here[name], tensor) for name, tensor in there.items())
    for name in ("source.spm", "target.spm"):
        assert (tmp_path / "back" / name).read_bytes() == (pair[0] / name).read_bytes()
    configs = [MarianConfig.from_pretrained(folder) for folder in (pair[0], tmp_path / "back")]
    kept = ("vocab_size", "pad_token_id", "decoder_start_token_id", "eos_token_id", "d_model")
    for name in (*kept, "activation_function", "encoder_ffn_dim", "max_position_embeddings"):
        assert getattr(configs[0], name) == getattr(configs[1], name), name
    generation = GenerationConfig.from_pretrained(tmp_path / "back")
    assert generation.bad_words_ids == [[configs[0].pad_token_id]]
    again = read_marian(tmp_path / "back")
    first = load(pair[1], CPU)
    assert again.config == first.config
    for name, tensor in first.model.state_dict().items():
        assert torch.equal(again.model.state_dict()[name], tensor), name


def test_all_that_ours_do_works_on_it(converted: Path) -> None:
    assert not any(found.serious for found in verify(converted))
    model = opened(converted)
    assert (model.card.source_language, model.card.target_language) == ("ko", "en")
    assert model.card.parameters["output"] == model.card.vocabulary
    best = model.generate(TEXTS[0], beam=3)
    assert {token.id for token in best.tokens} & {PAD_ID, START_ID} == set()
    assert model.search(TEXTS[0], beam=3).nodes
    masked = model.trace(TraceRequest(TEXTS[0], "I went to a cafe"))
    lifted = model.trace(TraceRequest(TEXTS[0], "I went to a cafe", edits=(LIFTED_MASK,)))
    assert np.triu(masked.sites["decoder_self"].weights, 1).max() == 0.0
    assert np.triu(lifted.sites["decoder_self"].weights, 1).max() > 0.0
    assert (
        forced(model, TEXTS[0], "I went").tokens
        == len(model.checkpoint.tokenizer.encode_targets(["I went"])[0]) + 1
    )
    (again,) = model.generate_all([TEXTS[0]])
    assert again == model.generate(TEXTS[0]).text


RECIPE = """
model_id = "tuned"
source_language = "ko"
target_language = "en"
max_source = 80
max_target = 80
corpora = [{{ name = "pairs", path = "pairs.tsv" }}]
pretrained = {{ path = "{path}" }}
[model]
encoder_layers = 2
decoder_layers = 3
d_model = 32
d_ff = 48
heads = 4
max_length = 96
activation = "{activation}"
output_bias = true
never_written = [0, 2]
[schedule]
kind = "constant"
warmup = 1
peak = 1e-3
[training]
steps = 2
tokens_per_batch = 256
precision = "fp32"
milestones = 2
"""


def test_it_is_trained_further(
    converted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pairs.tsv").write_text("어제 카페에 갔었어.\tI went to a cafe yesterday.\n" * 4, "utf-8")
    recipe = Path("recipe.toml")
    recipe.write_text(RECIPE.format(path=converted, activation="silu"), "utf-8")
    *_, last = run(recipe, Path("tuned"))
    assert isinstance(last, events.Finished)
    ours, theirs = load(Path("tuned"), CPU), load(converted, CPU)
    assert ours.tokenizer.kind == "marian"
    moved = [
        (tensor - theirs.model.state_dict()[name]).abs().max()
        for name, tensor in ours.model.state_dict().items()
    ]
    assert 0.0 < max(moved) < 0.05
    write_marian(ours, Path("back"))
    assert (
        MarianMTModel.from_pretrained("back").config.pad_token_id
        == their_ids(opened(converted))[START_ID]
    )
    recipe.write_text(RECIPE.format(path=converted, activation="relu"), "utf-8")
    with pytest.raises(HeadlightError) as refused:
        list(run(recipe, Path("other")))
    assert "model.activation" in str(refused.value)


OTHERS: Mapping[str, Mapping[str, Any]] = {
    "activation_function": {"activation_function": "gelu_new"},
    "scale_embedding": {"scale_embedding": False},
    "share_encoder_decoder_embeddings": {"share_encoder_decoder_embeddings": False},
    "tie_word_embeddings": {"tie_word_embeddings": False},
    "decoder_attention_heads": {"decoder_attention_heads": 2},
    "decoder_ffn_dim": {"decoder_ffn_dim": 64},
    "normalize_before": {"normalize_before": True},
    "add_final_layer_norm": {"add_final_layer_norm": True},
    "normalize_embedding": {"normalize_embedding": True},
    "max_length": {"max_position_embeddings": 8193},
    "bad_words_ids": {"bad_words_ids": [[3, 4]]},
    "forced_bos_token_id": {"forced_bos_token_id": 3},
}


@pytest.mark.parametrize("option", OTHERS)
def test_an_option_that_ours_have_not_is_named(option: str) -> None:
    ends = {"vocab_size": 20, "pad_token_id": 19, "decoder_start_token_id": 19}
    written = {"bad_words_ids", "forced_bos_token_id"} & {option}
    sizes = {**OPUS, **({} if written else OTHERS[option])}
    model = MarianMTModel(MarianConfig(**ends, **sizes)).requires_grad_(False)
    model.generation_config = GenerationConfig(**(OTHERS[option] if written else {}))
    order = Order.of(32, (NONE, 1, 19, 0, *range(2, 19)))
    with pytest.raises(RefusedError) as refused:
        transformer_of(model, order)
    assert refused.value.reason.code == "marian_option"
    (wrong,) = OTHERS[option].values()
    assert refused.value.reason.parameters == {"option": option, "value": str(wrong)}


def test_learned_positions_are_refused() -> None:
    ends = {"vocab_size": 20, "pad_token_id": 19, "decoder_start_token_id": 19}
    model = MarianMTModel(MarianConfig(**ends, **OPUS)).requires_grad_(False)
    model.model.decoder.embed_positions.weight.mul_(1.01)
    with pytest.raises(RefusedError) as refused:
        transformer_of(model, Order.of(32, (NONE, 1, 19, 0, *range(2, 19))))
    assert refused.value.reason.parameters["option"] == "embed_positions"


def edited(marian: Path, out: Path, name: str, **values: Any) -> Path:
    shutil.copytree(marian, out)
    told = json.loads((out / name).read_text("utf-8"))
    (out / name).write_text(json.dumps({**told, **values}, ensure_ascii=False), "utf-8")
    return out


def test_a_folder_that_does_not_fit_is_refused(
    marian: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bart = folder(tmp_path / "bart", "bart", BART, "writes")
    assert convert("--model", bart, "--out", tmp_path / "a") == 2
    assert "BartForConditionalGeneration" in capsys.readouterr().err
    fast = folder(tmp_path / "fast", "marian", {**BART, "scale_embedding": True}, "writes")
    with pytest.raises(HeadlightError, match=r"source\.spm"):
        read_marian(fast)
    wider = edited(marian, tmp_path / "wider", "vocab.json", more=500)
    with pytest.raises(HeadlightError) as invalid:
        read_marian(wider)
    assert invalid.value.code == "checkpoint_invalid"
    fewer = json.loads((marian / "vocab.json").read_text("utf-8"))
    twice = edited(marian, tmp_path / "twice", "vocab.json", **{next(iter(fewer)): 5})
    with pytest.raises(RefusedError) as refused:
        read_marian(twice)
    assert refused.value.reason.code == "marian_ids"
    short = edited(marian, tmp_path / "short", "tokenizer_config.json", model_max_length=1)
    with pytest.raises(HeadlightError) as invalid:
        read_marian(short)
    assert invalid.value.code == "checkpoint_invalid"
    apart = edited(marian, tmp_path / "apart", "config.json", decoder_start_token_id=0)
    with pytest.raises(RefusedError) as refused:
        read_marian(apart)
    assert refused.value.reason.code == "special_ids"
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("source", "bm9uZQ=="), ("target", "%"), ("pieces", [1]), ("special", [0, 0, 1, 2]),
     ("special", ["a", 1, 2, 3]), ("pieces", None)],
)  # fmt: skip
def test_a_damaged_tokenizer_is_refused(
    converted: Path, tmp_path: Path, name: str, value: Any
) -> None:
    told = json.loads((converted / "marian.json").read_text("utf-8"))
    (tmp_path / "marian.json").write_text(json.dumps({**told, name: value}), "utf-8")
    with pytest.raises(HeadlightError) as refused:
        load_tokenizer("marian", tmp_path)
    assert refused.value.code == "checkpoint_invalid"
    with pytest.raises(HeadlightError, match="marian"):
        load_tokenizer("marian", tmp_path / "none")


def test_a_checkpoint_of_theirs_alone_can_be_written_half(converted: Path, tmp_path: Path) -> None:
    opened: Checkpoint[Any] = load(converted, CPU)
    save(
        tmp_path / "half",
        opened.config,
        opened.model,
        opened.tokenizer,
        step=0,
        seed=0,
        storage="float16",
    )
    assert load(tmp_path / "half", CPU).model.output_bias[PAD_ID] == -100.0
