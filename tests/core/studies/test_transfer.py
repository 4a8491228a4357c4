"""Transfer: what is taught, what is chosen by and what is tested never meet."""

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.families.language import LanguageModel
from core.reasons import RefusedError
from core.studies import transfer as study
from core.studies.evaluation import evaluate
from core.studies.transfer import TransferOptions, transfer
from core.text.corpora import Pair
from tests.small import learnt

LETTERS = "abcdefghij"
# What a text says is told by its first letter.
PAIRS = [
    Pair(one + other + third, "early" if one < "f" else "late")
    for one in LETTERS
    for other in LETTERS
    for third in "aj"
]
TEST = [Pair(one + other, "early" if one < "f" else "late") for one in LETTERS for other in "cg"]
OPTIONS = TransferOptions((8, 100, 10_000), 2, 20, 8, (3e-3,), 40)
SIZES = {"layers": 1, "d_model": 16, "d_ff": 32, "heads": 2, "objective": "masked"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("body")
    return learnt(root / "body", "language", SIZES, [(pair.source, "-") for pair in PAIRS], 60)


@pytest.fixture(scope="module")
def model(folder: Path) -> LanguageModel:
    opened = registry.load(folder, torch.device("cpu"))
    assert isinstance(opened, LanguageModel)
    return opened


def test_both_ways_are_taught_the_same_examples(
    model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, set[object], set[object]]] = []
    taught = study._taught

    def watched(sizes, body, parts, rate, seed, options):  # type: ignore[no-untyped-def]
        seen.append((body is not None, set(parts[0]), set(parts[1])))
        assert not set(parts[0]) & set(parts[1])
        return taught(sizes, body, parts, rate, seed, options)

    monkeypatch.setattr(study, "_taught", watched)
    told: list[tuple[int, int]] = []
    body, tokenizer = model.checkpoint.model, model.checkpoint.tokenizer
    before = {name: tensor.clone() for name, tensor in body.state_dict().items()}
    found = transfer(body, tokenizer, PAIRS, TEST, OPTIONS, lambda *step: told.append(step))
    assert told == [(number, 12) for number in range(1, 13)]
    assert [score.count for score in found.scores[::4]] == [8, 100, 160]
    assert (found.labels, found.tested, found.most) == (("early", "late"), 20, 0.5)
    for warm, cold in zip(seen[::2], seen[1::2], strict=True):
        assert (warm[0], cold[0]) == (True, False)
        assert warm[1:] == cold[1:]
    assert all(torch.equal(body.state_dict()[name], kept) for name, kept in before.items())
    assert found == transfer(body, tokenizer, PAIRS, TEST, OPTIONS)  # a pure function


def test_many_examples_teach_what_few_do_not(model: LanguageModel) -> None:
    options = TransferOptions((4, 10_000), 1, 200, 16, (1e-2,), 40)
    body, tokenizer = model.checkpoint.model, model.checkpoint.tokenizer
    found = transfer(body, tokenizer, PAIRS, TEST, options)
    right = {(score.count, score.pretrained): score.right for score in found.scores}
    assert right[160, True] >= 0.9
    assert right[160, False] >= 0.9
    assert right[4, True] < right[160, True]


def test_what_foretells_has_no_beam(model: LanguageModel) -> None:
    assert evaluate(model, PAIRS[:4]).loss is not None
    with pytest.raises(HeadlightError) as refused:
        evaluate(model, PAIRS[:4], beam=4)
    assert refused.value.code == "unsupported"


def test_too_few_pairs_are_refused(model: LanguageModel) -> None:
    body, tokenizer = model.checkpoint.model, model.checkpoint.tokenizer
    with pytest.raises(RefusedError) as refused:
        transfer(body, tokenizer, PAIRS[::5], TEST, OPTIONS)
    assert refused.value.reason.code == "pairs_few"
    with pytest.raises(RefusedError) as refused:
        transfer(body, tokenizer, PAIRS[:60], TEST, OPTIONS)
    assert refused.value.reason.code == "labels_few"
    with pytest.raises(RefusedError) as refused:
        transfer(body, tokenizer, PAIRS, [Pair("aa", "never")], OPTIONS)
    assert refused.value.reason.code == "label_unknown"
    long = Pair("a" * 2000, "early")
    with pytest.raises(RefusedError) as refused:
        transfer(body, tokenizer, PAIRS, [long], OPTIONS)
    assert refused.value.reason.code == "test_unread"
    texts = [Pair(pair.source, f"it is {pair.target}") for pair in PAIRS]
    with pytest.raises(RefusedError, match="labels"):
        transfer(body, tokenizer, texts, TEST, OPTIONS)


def test_the_command_says_the_same_in_both_forms(folder: Path, tmp_path: Path) -> None:
    for name, pairs in (("data", PAIRS), ("test", TEST)):
        rows = ["source\ttarget", *("\t".join(pair) for pair in pairs)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    arguments = ["study", "transfer", "--data", str(tmp_path / "data.tsv")]
    arguments += ["--test", str(tmp_path / "test.tsv"), "--seeds", "1", "--updates", "5"]
    arguments += ["--count", "8", "--chosen", "20", "--model"]
    shown = CliRunner().invoke(app, [*arguments, str(folder)])
    assert shown.exit_code == 0, shown.output
    assert "8 examples, from scratch" in shown.output
    found = json.loads(CliRunner().invoke(app, [*arguments, str(folder), "--json"]).stdout)
    assert [score["pretrained"] for score in found["scores"]] == [True, False]
    back = learnt(tmp_path / "back", "language", {**SIZES, "objective": "backward"}, steps=1)
    refused = CliRunner().invoke(app, [*arguments, str(back)])
    assert isinstance(refused.exception, HeadlightError)
    assert refused.exception.code == "unsupported"


def test_no_text_of_the_test_is_taught(
    model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may hold some of them: they are left out of what is taught and chosen by."""
    taught = study._taught

    def watched(sizes, body, parts, rate, seed, options):  # type: ignore[no-untyped-def]
        assert not {*parts[0], *parts[1]} & set(parts[2])
        return taught(sizes, body, parts, rate, seed, options)

    monkeypatch.setattr(study, "_taught", watched)
    body, tokenizer = model.checkpoint.model, model.checkpoint.tokenizer
    found = transfer(body, tokenizer, [*PAIRS, *TEST], TEST, OPTIONS)
    assert found.tested == len(TEST)
