"""A skip-gram: near tokens against noise, and what its products come to mean."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core import registry
from core.checkpoint.verify import verify
from core.errors import HeadlightError
from core.families.skipgram import SkipGramModel
from core.families.skipgram.objective import negative_log_likelihood, negative_sampling_loss
from core.model import TraceRequest
from core.nn.skipgram import POWER, SkipGram, SkipGramConfig
from core.studies.evaluation import evaluate
from core.text.characters import CharacterTokenizer
from core.text.corpora import Pair
from core.text.examples import Batch, collate
from core.text.tasks import Predicting
from core.training import events
from core.training.run import run

CPU = torch.device("cpu")
TEXTS = st.lists(st.lists(st.integers(4, 9), min_size=1, max_size=7), min_size=1, max_size=4)
RECIPE = """
family = "skipgram"
model_id = "near"
source_language = "en"
target_language = "en"
max_source = 16
max_target = 16
[tokenizer]
kind = "characters"
[[corpora]]
name = "words"
path = "words.tsv"
valid = 0.1
[model]
d_model = 8
window = 1
[schedule]
kind = "constant"
warmup = 1
peak = 0.02
[training]
steps = {steps}
tokens_per_batch = 512
label_smoothing = 0.0
precision = "fp32"
milestones = 0
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def network(**sizes: object) -> SkipGram:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = SkipGram(SkipGramConfig.model_validate({"vocab_size": 10, "d_model": 6, **sizes}))
        torch.nn.init.normal_(model.embedding.weight)
        torch.nn.init.normal_(model.context.weight)
    return model


def batch_of(texts: list[list[int]]) -> Batch:
    return collate([Predicting(0).filled(text) for text in texts])


def neighbours(text: list[int], window: int) -> list[list[int]]:
    """Of each place the ids in its window, one by one."""
    near = range(len(text))
    return [[text[j] for j in near if 0 < abs(i - j) <= window] for i in near]


@settings(max_examples=30, deadline=None)
@given(TEXTS, st.integers(1, 4))
def test_the_likelihood_is_the_mean_over_each_window(texts: list[list[int]], window: int) -> None:
    model = network(window=window).eval()
    nats = [0.0] * len(texts)
    for at, text in enumerate(texts):
        logits = model.unembed(model(torch.tensor(text))).log_softmax(-1)
        for row, near in zip(logits, neighbours(text, window), strict=True):
            nats[at] -= sum(row[id].item() for id in near) / max(1, len(near))
    found = negative_log_likelihood(model, batch_of(texts)).tolist()
    assert found == pytest.approx(nats, rel=1e-5)


def test_a_token_alone_has_no_neighbour_that_could_be_foretold() -> None:
    tokenizer = CharacterTokenizer.train(["abc"])
    task = SkipGramConfig(vocab_size=10, d_model=6).task
    pairs = [Pair(text, "-") for text in ("a", "ab", "", "abc")]
    examples = task.examples(tokenizer, pairs, 16, 16)
    assert [example.tokens for example in examples] == [2, 3]
    assert task.fitting(tokenizer, pairs, 16, 16) == (pairs[1], pairs[3])


@settings(max_examples=30, deadline=None)
@given(TEXTS, st.integers(1, 3))
def test_the_loss_is_the_papers(texts: list[list[int]], window: int) -> None:
    model = network(window=window, negatives=2).eval()
    drawn: list[Tensor] = []
    multinomial = torch.multinomial

    def kept(weights: Tensor, count: int, *, replacement: bool) -> Tensor:
        drawn.append(multinomial(weights, count, replacement=replacement))
        return drawn[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch, "multinomial", kept)
        loss = negative_sampling_loss(model, batch_of(texts), 0.0)
    noise = iter(torch.cat(drawn).view(-1, 2).tolist() if drawn else [])
    v, u = model.embedding.weight.double(), model.context.weight.double()
    expected = 0.0
    for distance in range(1, window + 1):
        ways = [(0, distance), (distance, 0)]
        for centre, other in ways:  # as they are laid out: all of one way, then of the other
            for text in texts:
                for at in range(len(text) - distance):
                    c, o = text[at + centre], text[at + other]
                    expected -= torch.nn.functional.logsigmoid(v[c] @ u[o]).item()
                    for n in next(noise):
                        expected -= torch.nn.functional.logsigmoid(-v[c] @ u[n]).item()
    assert loss.item() == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_a_text_of_one_token_has_no_neighbours_and_a_gradient_of_nothing() -> None:
    model = network().train()
    loss = negative_sampling_loss(model, batch_of([[5]]), 0.0)
    assert loss.item() == 0.0
    for slope in torch.autograd.grad(loss, list(model.parameters())):
        assert not slope.any()
    assert negative_log_likelihood(model.eval(), batch_of([[5]])).tolist() == [0.0]


def test_noise_is_what_was_seen_to_the_power_of_three_quarters() -> None:
    model = network(subsampling=1.0).train()
    for _ in range(3):
        model.take_in([5, 5, 5, 6, model.config.pad_id, 7, 5])
    seen = torch.ones(10)
    seen[[5, 6, 7]] += torch.tensor([12.0, 3.0, 3.0])
    weights = seen**POWER
    torch.testing.assert_close(model.noise(), weights / weights.sum())
    before = model.log_counts.clone()
    negative_sampling_loss(model, batch_of([[5, 6]]), 0.0)
    assert torch.equal(
        model.log_counts, before
    )  # a loss counts nothing, be it of a part of a batch


def test_frequent_tokens_are_passed_over() -> None:
    model = network(subsampling=0.01)
    model.log_counts = torch.tensor([1.0] * 9 + [991.0]).log()
    torch.manual_seed(0)
    kept = model.kept(torch.tensor([[4] * 5000, [9] * 5000]))
    assert kept[0].all()  # its share is a thousandth
    assert float(kept[1].float().mean()) == pytest.approx(math.sqrt(0.01 / 0.991), abs=0.02)


def trained(steps: int) -> SkipGramModel:
    # b and d are used alike, and so are a and e.
    words = [f"{c}{v}{c}" for c in "bd" for v in "ae"] + [f"{c}{v}{c}" for c in "zx" for v in "ou"]
    Path("words.tsv").write_text("\n".join(f"{word}\t-" for word in words * 8), encoding="utf-8")
    Path("recipe.toml").write_text(RECIPE.format(steps=steps), encoding="utf-8")
    *_, last = run(Path("recipe.toml"), Path("near"))
    assert isinstance(last, events.Finished)
    model = registry.load("near", CPU)
    assert isinstance(model, SkipGramModel)
    return model


def test_what_stands_in_the_same_places_becomes_alike() -> None:
    model = trained(300)
    assert not [finding for finding in verify(Path("near")) if finding.serious]
    found = model.embedding("abedozux")
    ids = {token.text: token.id for token in found.read}
    units = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    cosine = units @ units.T

    def alike(one: str, other: str) -> float:
        return float(cosine[ids[one], ids[other]])

    for same, strange in (("ae", "ao"), ("bd", "bz"), ("ou", "ua"), ("zx", "xd")):
        assert alike(*same) > alike(*strange) + 0.2, (same, strange)
    logits = model.trace(TraceRequest("a")).logits
    assert logits is not None
    near = np.exp(logits[0])
    assert {int(id) for id in np.argsort(near)[-2:]} == {ids["b"], ids["d"]}


def test_it_is_read_as_any_model_and_refuses_what_it_cannot() -> None:
    model = trained(5)
    trace = model.trace(TraceRequest("bab"))
    assert trace.meta["foretells"] == "near"
    assert [token.text for token in trace.source] == ["b", "a", "b"]
    vector = trace.states["encoder"]["vector"]
    assert vector.shape == (1, 3, 8)
    np.testing.assert_array_equal(vector[0, 0], model.embedding("b").vectors[trace.source[0].id])
    assert model.generate("bab").text == ""
    assert model.generate_all(["bab", "", "b" * 40]) == ["", "", ""]
    assert model.card.answers == "tokens"
    for asked in (
        lambda: model.generate("bab", beam=2),
        lambda: model.generate_all(["bab"], beam=2),
        lambda: model.search("bab", beam=2),
        lambda: model.gaps("bab"),
        lambda: model.trace(TraceRequest("bab", target="bab")),
    ):
        with pytest.raises(HeadlightError) as refused:
            asked()
        assert refused.value.code == "unsupported"
    for text, code in (("", "text_empty"), ("b" * 40, "source_too_long")):
        with pytest.raises(HeadlightError) as refused:
            model.embedding(text)
        assert refused.value.code == code
    measured = evaluate(model, [Pair("bab", ""), Pair("zoz", "")])
    assert measured.loss is not None
    assert measured.loss > 0
    assert measured.bleu is None


def test_a_run_goes_on_to_the_same_weights_and_counts() -> None:
    whole = trained(20)
    for event in run(Path("recipe.toml"), Path("again"), asked=lambda: True):
        assert not isinstance(event, events.Finished)
    *_, last = run(Path("recipe.toml"), Path("again"), resume=True)
    assert isinstance(last, events.Finished)
    assert registry.load("again", CPU).digest == whole.digest
