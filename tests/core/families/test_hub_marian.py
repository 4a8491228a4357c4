"""Our Transformer as a MarianMT folder and back: the same numbers, the same words."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from core import registry
from core.checkpoint.folder import load
from core.cli.app import app, run
from core.families.hub import open_folder
from core.families.hub.marian import Order
from core.families.hub.writers import HubTranslator
from core.model import Inspectable, TraceRequest
from tests.small import WORDS, learnt

CPU = torch.device("cpu")
SHIPPED = "ko-en-everyday"
TEXTS = ("어제 카페 갔었어", "거기 사람 많더라", "뚫린 물")


def convert(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as stopped:
        run(app, ["convert", *map(str, arguments)])
    return int(stopped.value.code or 0)


@pytest.fixture(scope="module")
def ours() -> Inspectable:
    return registry.load(SHIPPED, CPU)


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("marian") / "everyday"
    assert convert("--model", SHIPPED, "--out", folder) == 0
    return folder


def test_attention_and_logits_are_ours(ours: Inspectable, marian: Path) -> None:
    theirs = open_folder(marian, CPU)
    assert isinstance(theirs, HubTranslator)
    for text in TEXTS:
        asked = TraceRequest(text, record=("outputs", "residual"))
        own, other = (model.trace(asked) for model in (ours, theirs))
        for axis in ("source", "target", "written"):
            ids = [[token.id for token in getattr(trace, axis)] for trace in (own, other)]
            assert ids[0] == ids[1], axis
            words = [[token.word for token in getattr(trace, axis)] for trace in (own, other)]
            assert words[0] == words[1], axis
        assert own.meta["target_text"] == other.meta["target_text"]
        for kind, site in own.sites.items():
            np.testing.assert_allclose(other.sites[kind].weights, site.weights, atol=1e-5)
            scores = other.sites[kind].scores
            assert site.scores is not None
            assert scores is not None
            np.testing.assert_allclose(scores, site.scores, atol=1e-4)
            for part in ("outputs", "shares"):
                found = getattr(other.sites[kind], part)
                np.testing.assert_allclose(found, getattr(site, part), atol=1e-4)
        order = Order.of(own.residuals["encoder"].shape[2], ()).stream.numpy()
        for stack, stream in own.residuals.items():
            np.testing.assert_allclose(other.residuals[stack], stream[..., order], atol=1e-4)
        assert own.logits is not None
        assert other.logits is not None
        np.testing.assert_allclose(other.logits, own.logits, atol=1e-5 * abs(own.logits).max())


def test_transformers_alone_writes_the_same(ours: Inspectable, marian: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends a package for punctuation
        tokenizer = AutoTokenizer.from_pretrained(marian)
    model = AutoModelForSeq2SeqLM.from_pretrained(marian).eval()
    for text in TEXTS:
        given = tokenizer(text, return_tensors="pt")
        written = model.generate(**given, num_beams=1, do_sample=False, max_new_tokens=60)
        assert tokenizer.decode(written[0], skip_special_tokens=True) == (ours.generate(text).text)


def test_back_again_it_is_what_it_was(ours: Inspectable, marian: Path, tmp_path: Path) -> None:
    assert convert("--model", marian, "--out", tmp_path / "back") == 0
    there, here = load(registry.find_folder(SHIPPED), CPU), load(tmp_path / "back", CPU)
    left = {"examples": (), "max_target": there.config.max_source}
    assert here.config == there.config.model_copy(update=left)
    for name, tensor in there.model.state_dict().items():
        assert torch.equal(here.model.state_dict()[name], tensor), name
    entries = [each.manifest.files["tokenizer.model"] for each in (there, here)]
    assert entries[0] == entries[1]
    assert here.card == there.card


def test_what_marian_has_not_is_refused(
    tiny_checkpoint: Path, tiny_spelling_checkpoint: Path, marian: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert convert("--model", tiny_spelling_checkpoint, "--out", tmp_path / "a") == 2
    learnt(tmp_path / "gru", "seq2seq", {"cell": "gru", "attention": "dot", "d_model": 8}, WORDS, 5)
    assert convert("--model", tmp_path / "gru", "--out", tmp_path / "b") == 2
    assert "MarianMT" in capsys.readouterr().err
    assert convert("--model", SHIPPED, "--out", marian) == 2
    assert not (tmp_path / "a").exists()
    assert registry.load(marian, CPU).card.family == "hub"
