"""One stack of recurrent layers: a label, a label a word, or a text; its gates are in the trace."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core import registry
from core.checkpoint.verify import verify
from core.cli.app import main
from core.errors import HeadlightError
from core.model import Inspectable, TraceRequest
from core.nn.recurrent import CELLS, CellName
from core.nn.recurrent_model import Recurrent, RecurrentConfig
from core.reasons import RefusedError
from core.studies.evaluation import evaluate
from core.text.characters import CharacterTokenizer
from core.text.corpora import Pair
from core.text.examples import collate
from core.text.pieces import SentencePieceTokenizer
from core.text.tasks import Tagging
from core.training import events
from core.training.recipe import load_recipe
from core.training.run import run
from tests.conftest import SENTENCES
from tests.small import forced

CPU = torch.device("cpu")
RECIPE = """
family = "recurrent"
model_id = "reader"
source_language = "en"
target_language = "en"
max_source = 24
max_target = 24
[tokenizer]
kind = "characters"
[[corpora]]
name = "words"
path = "words.tsv"
valid = {valid}
[model]
{task}
cell = "{cell}"
d_model = 24
dropout = 0.0
[schedule]
kind = "constant"
warmup = 1
peak = 0.02
[training]
steps = {steps}
tokens_per_batch = 1024
label_smoothing = 0.0
precision = "fp32"
milestones = 0
"""
LABEL = 'answers = "label"\nlabels = ["odd", "even"]'
LABELS = 'answers = "labels"\nlabels = ["letter", "digit"]'
TEXT = 'answers = "text"'
NEXT = 'answers = "next"'
NUMBERS = [str(number) for number in range(100, 400)]
PAIRS = {
    LABEL: [(text, "even" if int(text) % 2 == 0 else "odd") for text in NUMBERS],
    LABELS: [(f"{text} ab {text}", "digit letter digit") for text in NUMBERS]
    + [(f"x {text}", "letter digit") for text in NUMBERS],
    TEXT: [("up", "abcd"), ("down", "dcba")] * 20,
    NEXT: [(text, "-") for text in ("abab", "ababab", "cdcd", "cdcdcd")] * 5,
}


def trained(task: str, cell: CellName = "gru", steps: int = 60) -> Path:
    rows = "\n".join("\t".join(pair) for pair in PAIRS[task])
    Path("words.tsv").write_text(rows, encoding="utf-8")
    valid = 0.0 if task == TEXT else 0.1
    recipe = RECIPE.format(task=task, cell=cell, steps=steps, valid=valid)
    Path("recipe.toml").write_text(recipe, encoding="utf-8")
    *_, last = run(Path("recipe.toml"), Path("reader"))
    assert isinstance(last, events.Finished)
    return Path("reader")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def opened(task: str, cell: CellName = "gru", steps: int = 60) -> Inspectable:
    return registry.load(trained(task, cell, steps), CPU)


@pytest.mark.parametrize("cell", CELLS)
def test_it_learns_a_label_from_the_last_token_alone(cell: CellName) -> None:
    model = opened(LABEL, cell)
    found = evaluate(model, PAIRS[LABEL])
    assert found.exact is not None
    assert found.exact > 0.95
    assert found.loss is not None
    assert found.loss < 0.2
    assert found.tokens == len(PAIRS[LABEL])  # one a text
    assert found.bleu is found.chrf is None
    assert not [finding for finding in verify(Path("reader")) if finding.serious]


@pytest.mark.parametrize("cell", CELLS)
def test_what_it_says_after_each_token_and_its_gates_are_in_the_trace(cell: CellName) -> None:
    model = opened(LABEL, cell)
    found = model.trace(TraceRequest("217"))
    assert [token.text for token in found.source] == ["2", "1", "7"]
    assert (found.target, found.written, dict(found.sites)) == ((), (), {})
    assert found.logits is not None
    assert found.logits.shape == (3, 2)
    assert found.logits_axis == "source"
    assert found.vocabulary == model.card.labels == ("odd", "even")
    assert found.meta["target_text"] == "odd"
    assert set(found.states) == {"encoder"}
    assert set(found.states["encoder"]) > {*CELLS[cell].GATES, *CELLS[cell].CARRIED}
    # What it says after a token is what it would say if the text ended there.
    for end in range(1, 4):
        shorter = model.trace(TraceRequest("217"[:end])).logits
        assert shorter is not None
        np.testing.assert_allclose(shorter[-1], found.logits[end - 1], atol=1e-5)


def test_each_word_has_a_label_and_spaces_have_none() -> None:
    model = opened(LABELS)
    said = model.generate("x 107 ab")
    assert said.text == "letter digit letter"
    assert [token.text for token in said.tokens] == said.text.split()
    assert model.generate_all(["ab", "x 1", "1" * 99, ""]) == ["letter", "letter digit", "", ""]
    assert forced(model, "x 107", "letter digit").tokens == 4  # and not the space


def test_words_that_have_labels_are_those_of_the_tokenizer() -> None:
    tokenizer = SentencePieceTokenizer.train([text for pair in SENTENCES for text in pair], 310)
    task = Tagging(("one", "two"))

    def labels(text: str, target: str) -> list[str]:
        (example,) = task.examples(tokenizer, [Pair(text, target)], 99, 99)
        return [token.text for token in task.told(tokenizer, example)]

    assert set(labels("I don't see", "one one one")) == {"one"}
    assert labels("a b", "one two") == labels("a \u200b b", "one two")
    for text in ("I don´t see", "\ufdfa b", "a \u200b b"):
        with pytest.raises(RefusedError, match="as its tokens have it"):
            labels(text, " ".join(["one"] * len(text.split())))


def test_what_a_vocabulary_does_not_know_belongs_to_its_word() -> None:
    task = Tagging(("one", "two", "three"))
    tokenizer = CharacterTokenizer.train(["the cat"])

    def labels(text: str, target: str) -> list[str]:
        (example,) = task.examples(tokenizer, [Pair(text, target)], 99, 99)
        return [token.text for token in task.told(tokenizer, example)]

    assert labels("the 丅丅 cat", "one two three") == ["one"] * 3 + ["two"] * 2 + ["three"] * 3
    assert labels("丅he c丅t", "one two") == ["one"] * 3 + ["two"] * 3
    assert labels("丅", "two") == ["two"]
    model = opened(LABELS)
    assert len(model.generate("x 丅丅 ab").tokens) == 3


def test_answers_are_those_of_the_trace_one_by_one_or_in_batches() -> None:
    model = opened(LABELS, "lstm", 5)  # hardly trained: it is wrong now and then
    texts = ["x 12", "345", "ab 1 x 22 ab", "7 7 7"]
    assert model.generate_all(texts) == [model.generate(text).text for text in texts]
    assert model.generate_all(texts) == [
        model.trace(TraceRequest(text)).meta["target_text"] for text in texts
    ]


def test_the_likelihood_is_that_of_the_answer() -> None:
    model = opened(LABEL, steps=5)
    said = model.generate("101")
    found = forced(model, "101", said.text)
    assert found.log_probability == pytest.approx(said.log_probability, abs=1e-5)


def test_one_word_becomes_a_text_by_the_same_layers() -> None:
    model = opened(TEXT)
    assert model.generate("up").text == "abcd"
    assert model.generate("down", beam=3).text == "dcba"
    found = model.trace(TraceRequest("down"))
    assert set(found.states) == {"encoder", "decoder"}
    # Where reading ends, writing begins.
    before = found.states["decoder"]["before_hidden"][0, 0]
    np.testing.assert_array_equal(before, found.states["encoder"]["hidden"][0, -1])
    assert model.search("up", beam=2).nodes
    assert sum(model.card.parameters.values()) == model.card.total_parameters


@pytest.mark.parametrize("cell", CELLS)
def test_it_foretells_the_next_token_at_each(cell: CellName) -> None:
    model = opened(NEXT, cell)
    assert model.card.answers == "tokens"
    assert model.card.capabilities.gaps == "before"
    found = model.trace(TraceRequest("abab"))
    assert found.meta["foretells"] == "next"
    assert [token.piece for token in found.source][:: len(found.source) - 1] == ["<s>", "</s>"]
    assert found.logits is not None
    told = model.vocabulary_tokens(found.logits.argmax(1).tolist())
    assert [token.text for token in told[1:4]] == ["b", "a", "b"]
    gaps = model.gaps("abab")
    np.testing.assert_allclose(gaps.logits, found.logits[:4], atol=1e-5)
    assert model.generate("cdc").text.startswith("cdcd")
    assert {"hidden", *CELLS[cell].GATES} <= found.states["encoder"].keys()
    assert evaluate(model, [Pair("abab", ""), Pair("cdcd", "")]).loss == pytest.approx(
        -sum(forced(model, text).log_probability for text in ("abab", "cdcd")) / 10
    )
    entry = registry.entry_of("reader", Path("reader"))
    assert entry.fills
    assert not entry.writes
    for asked in (
        lambda: model.generate("ab", beam=2),
        lambda: model.trace(TraceRequest("ab", target="ab")),
        lambda: model.trace(TraceRequest("ab", hidden=(1,))),
    ):
        with pytest.raises(HeadlightError) as refused:
            asked()
        assert refused.value.code == "unsupported"


def test_what_it_cannot_do_it_says() -> None:
    model = opened(LABEL, steps=1)
    for request in (TraceRequest("1", target="odd"), TraceRequest("1", prefix=(4,))):
        with pytest.raises(HeadlightError, match="reader has no way to"):
            model.trace(request)
    with pytest.raises(HeadlightError, match="no beam search"):
        model.search("1", beam=2)
    with pytest.raises(HeadlightError, match="no beam search"):
        model.generate("1", beam=2)
    with pytest.raises(HeadlightError, match="no text yet"):
        model.trace(TraceRequest("  "))
    with pytest.raises(HeadlightError, match="25 tokens long"):
        model.trace(TraceRequest("1" * 25))


def test_a_run_goes_on_to_the_same_weights() -> None:
    whole = registry.load(trained(LABELS, "lstm", 30), CPU)
    for event in run(Path("recipe.toml"), Path("again"), asked=lambda: True):
        assert not isinstance(event, events.Finished)
    *_, last = run(Path("recipe.toml"), Path("again"), resume=True)
    assert isinstance(last, events.Finished)
    assert registry.load("again", CPU).digest == whole.digest


@pytest.mark.parametrize("task", PAIRS)
@pytest.mark.parametrize("cell", CELLS)
def test_it_trains_in_bf16(cell: CellName, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.RECIPE", RECIPE.replace('"fp32"', '"bf16"'))
    assert opened(task, cell, 3).trace(TraceRequest("11" if task != TEXT else "up")).states


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ('answers = "text"\nlabels = ["a", "b"]', "who answers by a text has no labels"),
        ('answers = "label"\nlabels = ["a"]', "two labels or more"),
        ('answers = "labels"\nlabels = ["a", "a"]', "two labels are the same"),
        ('answers = "labels"\nlabels = ["a b", "c"]', "labels.0"),
        ('answers = "labels"\nlabels = ["a", "b"]\nlayers = 99', "layers"),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused_by_name(task: str, told: str) -> None:
    recipe = RECIPE.format(task=task, cell="gru", steps=1, valid=0)
    Path("recipe.toml").write_text(recipe, encoding="utf-8")
    with pytest.raises(HeadlightError, match=told):
        load_recipe(Path("recipe.toml"))


@pytest.mark.parametrize(
    ("task", "row", "told"),
    [
        (LABEL, "12\tgreen", "there is no label 'green'; there are odd, even"),
        (LABELS, "12 a\tdigit", "'12 a' has 2 words, as its tokens have it, and 1 labels"),
    ],
)
def test_data_of_another_task_is_refused(task: str, row: str, told: str) -> None:
    Path("words.tsv").write_text(row + "\n", encoding="utf-8")
    recipe = RECIPE.format(task=task, cell="gru", steps=1, valid=0)
    Path("recipe.toml").write_text(recipe, encoding="utf-8")
    with pytest.raises(HeadlightError, match=told):
        list(run(Path("recipe.toml"), Path("reader")))


@pytest.mark.parametrize("cell", CELLS)
def test_padding_changes_nothing(cell: CellName) -> None:
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"vocab_size": 9, "labels": ("a", "b"), "cell": cell, "layers": 2}
    network = Recurrent(RecurrentConfig(**sizes)).eval()
    texts = [[4, 5, 6, 7], [8, 4], [5]]
    with torch.inference_mode():
        together = network(torch.tensor([[*ids, *[0] * (4 - len(ids))] for ids in texts]))
        for row, ids in enumerate(texts):
            alone = network(torch.tensor([ids]))[0]
            torch.testing.assert_close(together[row, : len(ids)], alone)


def test_labels_are_no_texts_of_the_vocabulary() -> None:
    trained(LABEL, steps=1)
    tokenizer = CharacterTokenizer.load(Path("reader"))
    assert {tokenizer.tokens([id])[0].text for id in range(4, tokenizer.size)} == set("0123456789")
    task = RecurrentConfig(vocab_size=20, labels=("odd", "even")).task
    (example,) = task.examples(tokenizer, [Pair("12", "even")], 9, 9)
    assert collate([example]).written.tolist() == [[0, 5]]
    assert [token.text for token in task.told(tokenizer, example)] == ["even"]


def test_evaluate_says_what_is_no_label(capsys: pytest.CaptureFixture[str]) -> None:
    trained(LABEL, steps=1)
    Path("bad.tsv").write_text("source\ttarget\n12\tgreen\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "--model", "reader", "--data", "bad.tsv"])
    assert ended.value.code == 2
    told = "--data cannot be 'bad.tsv': there is no label 'green'; there are odd, even."
    assert told in capsys.readouterr().err
