"""Language models foretell what stands after, before or in a gap, from what they may look at."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from core import registry
from core.checkpoint.verify import verify
from core.decoding.sampling import chosen
from core.errors import HeadlightError
from core.families.language import LanguageLabeller, LanguageModel
from core.families.language.objective import label_smoothed_loss, negative_log_likelihood
from core.model import Sampling, TraceRequest
from core.nn.language import HIDDEN_ID, Language, LanguageConfig, Objective
from core.nn.relative import Positions
from core.probe import Edit
from core.reasons import because
from core.studies.evaluation import evaluate
from core.text.corpora import Pair
from core.text.examples import Example, collate
from core.text.tasks import Predicting
from core.text.tokenizer import END_ID, PAD_ID, START_ID
from core.training import events
from core.training.recipe import PretrainedRecipe
from core.training.run import run
from tests.small import forced, learnt

CPU = torch.device("cpu")
OBJECTIVES: tuple[Objective, ...] = ("forward", "backward", "masked")
OFFSETS = {"forward": 1, "backward": -1, "masked": 0}
RECIPE = """
family = "language"
model_id = "speaker"
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
objective = "{objective}"
layers = 2
d_model = 32
d_ff = 64
heads = 2
dropout = 0.0
[schedule]
kind = "constant"
warmup = 1
peak = 0.005
[training]
steps = {steps}
tokens_per_batch = 512
label_smoothing = 0.0
precision = "fp32"
milestones = 0
"""
WORDS = [left + right for left in "abcdefgh" for right in ("a", "one", "two", "gap", "dad")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def trained(objective: str, steps: int = 150) -> LanguageModel:
    Path("words.tsv").write_text("\n".join(f"{word}\t-" for word in WORDS), encoding="utf-8")
    recipe = RECIPE.format(objective=objective, steps=steps)
    Path("recipe.toml").write_text(recipe, encoding="utf-8")
    *_, last = run(Path("recipe.toml"), Path(objective))
    assert isinstance(last, events.Finished)
    model = registry.load(objective, CPU)
    assert isinstance(model, LanguageModel)
    return model


def network(objective: Objective, **sizes: object) -> Language:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        config = {"vocab_size": 12, "objective": objective, "layers": 2, "d_model": 16, "d_ff": 32}
        built = Language(LanguageConfig.model_validate({**config, "heads": 2, **sizes}))
        for name, parameter in built.named_parameters():
            if "relative" in name:  # which start at none
                torch.nn.init.normal_(parameter)
    return built.eval()


IDS = st.lists(st.integers(4, 11), min_size=1, max_size=8)
POSITIONS = st.sampled_from(get_args(Positions))


@settings(max_examples=25, deadline=None)
@given(IDS, st.sampled_from(OBJECTIVES), POSITIONS, st.data())
def test_a_token_tells_of_what_it_may_look_at_alone(
    ids: list[int], objective: Objective, positions: str, data: st.DataObject
) -> None:
    model = network(objective, positions=positions)
    changed = data.draw(st.integers(0, len(ids) - 1))
    other = [*ids]
    other[changed] = 4 + (ids[changed] - 3) % 8
    with torch.inference_mode():
        one, two = (model(torch.tensor([row]))[0] for row in (ids, other))
        allowed = model.allowed(torch.tensor([ids])).expand(1, 1, len(ids), len(ids))[0, 0]
    differs = (one - two).abs().amax(1) > 1e-7
    assert not (differs & ~allowed[:, changed]).any()
    if objective == "masked":
        assert allowed.all()
    else:
        causal = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
        assert (allowed == (causal if objective == "forward" else causal.mT)).all()


@settings(max_examples=25, deadline=None)
@given(IDS, POSITIONS)
def test_backward_is_forward_in_a_mirror(ids: list[int], positions: str) -> None:
    forward, backward = (network(each, positions=positions) for each in ("forward", "backward"))
    with torch.inference_mode():
        there = forward(torch.tensor([ids]))
        back = backward(torch.tensor([ids[::-1]])).flip(1)
    torch.testing.assert_close(there, back)


@pytest.mark.parametrize("positions", get_args(Positions))
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_padding_changes_nothing(objective: Objective, positions: str) -> None:
    model = network(objective, positions=positions)
    rows = [[4, 5, 6, 7, 8], [9, 10], [11]]
    batch = torch.tensor([[*ids, *[PAD_ID] * (5 - len(ids))] for ids in rows])
    with torch.inference_mode():
        together = model(batch)
        for row, ids in enumerate(rows):
            alone = model(torch.tensor([ids]))[0]
            torch.testing.assert_close(together[row, : len(ids)], alone)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_right_token_is_asked_for(objective: Objective) -> None:
    example = Predicting(OFFSETS[objective]).filled([4, 5])
    assert example.source == (START_ID, 4, 5, END_ID)
    wanted = {
        "forward": (4, 5, END_ID, PAD_ID),
        "backward": (PAD_ID, START_ID, 4, 5),
        "masked": (PAD_ID, 4, 5, PAD_ID),
    }
    assert example.written == wanted[objective]
    assert example.target == ()


@pytest.mark.parametrize("objective", ["forward", "backward"])
def test_the_likelihood_is_that_of_the_traces_rows(objective: str) -> None:
    model = trained(objective, 20)
    found = model.trace(TraceRequest("gdad"))
    assert found.logits is not None
    assert found.logits_axis == "source"
    ids = [token.id for token in found.source]
    logs = torch.from_numpy(found.logits).double().log_softmax(-1)
    if objective == "forward":
        nats = sum(float(logs[place, id]) for place, id in enumerate(ids[1:]))
    else:
        nats = sum(float(logs[place + 1, id]) for place, id in enumerate(ids[:-1]))
    told = forced(model, "gdad", "whatever")
    assert told.log_probability == pytest.approx(nats, abs=1e-4)
    assert told.tokens == 5


def test_the_likelihood_of_a_masked_model_hides_one_token_at_a_time() -> None:
    model = trained("masked", 20)
    nats = 0.0
    for place, id in enumerate(model.checkpoint.tokenizer.encode("gdad"), start=1):
        found = model.trace(TraceRequest("gdad", hidden=(place,)))
        assert found.logits is not None
        assert found.source[place].id == HIDDEN_ID
        nats += float(torch.from_numpy(found.logits[place]).double().log_softmax(-1)[id])
    told = forced(model, "gdad")
    assert told.log_probability == pytest.approx(nats, abs=1e-4)
    assert told.tokens == 4


def test_a_masked_model_is_asked_for_a_share_that_stands_for_all() -> None:
    model = network("masked")
    texts = [[4 + (at + row) % 8 for at in range(6)] for row in range(400)]
    batch = collate([Predicting(0).filled(ids) for ids in texts])
    torch.manual_seed(1)
    with torch.no_grad():
        drawn = [float(label_smoothed_loss(model, batch, 0.0)) for _ in range(20)]
    whole = float(negative_log_likelihood(model, batch).sum())
    # It sees more hidden at once, and some as they are: about the same, before any training.
    assert np.mean(drawn) == pytest.approx(whole, rel=0.1)
    empty = collate([Example((START_ID, END_ID), (), (PAD_ID, PAD_ID))])
    loss = label_smoothed_loss(model, empty, 0.0)
    assert float(loss.detach()) == 0.0
    assert loss.requires_grad


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_it_learns_and_its_maps_keep_to_its_mask(objective: str) -> None:
    model = trained(objective)
    found = evaluate(model, [Pair(word, "-") for word in WORDS])
    assert found.loss is not None
    assert found.loss < 1.2  # of 12 letters, a guess costs 2.5
    assert found.bleu is found.exact is None
    assert found.outputs == ()
    site = model.trace(TraceRequest("hone")).sites["encoder_self"]
    assert site.weights.shape == (2, 2, 6, 6)
    wanted = {"forward": np.tri(6), "backward": np.tri(6).T, "masked": np.ones((6, 6))}
    assert (site.allowed == wanted[objective].astype(bool)).all()
    assert model.card.answers == "tokens"
    assert sum(model.card.parameters.values()) == model.card.total_parameters
    assert not [finding for finding in verify(Path(objective)) if finding.serious]


def test_what_it_writes_goes_on_from_either_end_or_fills_a_gap() -> None:
    assert trained("forward").generate("bon").text == "bone"
    text = trained("backward").generate("ap").text
    assert text in {f"{left}gap" for left in "abcdefgh"}
    model = trained("masked")
    assert model.trace(TraceRequest("bone", hidden=(4,))).meta["target_text"] == "bone"
    assert model.generate("bone").text == "bone"
    texts = ["bone", "", "\u00ad", "x" * 20, "\u00adbone"]
    assert model.generate_all(texts) == ["bone", "", "", "", "bone"]


@pytest.mark.parametrize(("objective", "text"), [("forward", "bon"), ("backward", "ap")])
def test_it_says_whether_a_limit_cut_it_off(objective: str, text: str) -> None:
    model = trained(objective)
    for source, finished in ((text, True), ("a" * 14, False)):  # which is all that it can read
        assert model.generate(source).finished is finished
        assert model.trace(TraceRequest(source)).meta["finished"] is finished


def test_what_it_writes_may_be_drawn_but_not_what_fills_a_gap() -> None:
    model = trained("backward")
    texts = {model.generate("ap", sampling=Sampling(seed)).text for seed in range(12)}
    assert len(texts & {f"{left}gap" for left in "abcdefgh"}) > 2  # each as likely as the others
    trace = model.trace(TraceRequest("ap", sampling=Sampling(3)))
    assert trace.meta["target_text"] == model.generate("ap", sampling=Sampling(3)).text
    assert trace.meta["seed"] == 3
    filler = trained("masked", 1)
    with pytest.raises(HeadlightError, match="no way to draw"):
        filler.trace(TraceRequest("bone", sampling=Sampling(1)))
    with pytest.raises(HeadlightError, match="no way to draw"):
        filler.generate("bone", sampling=Sampling(1))


def test_what_it_cannot_do_it_says() -> None:
    model = trained("forward", 1)
    with pytest.raises(HeadlightError, match="forward has no way to hide a token"):
        model.trace(TraceRequest("bone", hidden=(1,)))
    with pytest.raises(HeadlightError, match="no beam search"):
        model.generate("bone", beam=2)
    with pytest.raises(HeadlightError, match="no text yet"):
        model.trace(TraceRequest(" "))
    with pytest.raises(HeadlightError, match="17 tokens long"):
        model.trace(TraceRequest("a" * 15))
    masked = trained("masked", 1)
    for place in (0, 5, -1, 99):
        with pytest.raises(HeadlightError, match="its places are 1 to 4"):
            masked.trace(TraceRequest("bone", hidden=(place,)))
    with pytest.raises(HeadlightError, match="cross"):
        masked.trace(TraceRequest("bone", edits=(Edit("scores", "cross"),)))


def test_its_attention_can_be_edited() -> None:
    model = trained("masked", 1)
    edit = Edit("mask", "encoder_self", rows=(1,), columns=(2,))
    site = model.trace(TraceRequest("bone", edits=(edit,))).sites["encoder_self"]
    assert not site.weights[:, :, 1, 2].any()
    assert site.weights[:, :, 1, 3].all()


EDITS = {
    "all heads": Edit("outputs", "encoder_self", "scale", 0.0),
    "a head": Edit("outputs", "encoder_self", "scale", -2.0, layer=0, head=1),
    "a stream": Edit("residual", "encoder", "scale", 0.3, layer=1),
    "rows and columns": Edit("scores", "encoder_self", "add", 3.0, rows=(1, 2, 3), columns=(1, 2)),
    "where it goes on": Edit("residual", "encoder", "scale", -1.0, layer=1, rows=(0, 3)),
    "a value a row": Edit(
        "residual", "encoder", "add", ((0.5,) * 32, *((-0.3,) * 32,) * 3), layer=1
    ),
    "a value a column": Edit("scores", "encoder_self", "add", (4.0, 0.0, 2.0, 4.0)),
}


@pytest.mark.parametrize("sampling", [None, Sampling(3)], ids=["likeliest", "drawn"])
@pytest.mark.parametrize(("objective", "start"), [("forward", "bo"), ("backward", "ap")])
def test_what_it_writes_freely_is_written_under_the_edits(
    objective: str, start: str, sampling: Sampling | None
) -> None:
    """Each token is what a pass over all that was written foretells, under the same edits.

    Read backward, what they count goes on to stand where it stood, as more is written before it.
    """
    model, forward = trained(objective), objective == "forward"
    plain = model.trace(TraceRequest(start, sampling=sampling)).meta["target_text"]
    found = {}
    for name, edit in EDITS.items():
        meta = model.trace(TraceRequest(start, edits=(edit,), sampling=sampling)).meta
        text = found[name] = str(meta["target_text"])
        more = len(text) - 2
        edit, by = edit.placed(), 0 if forward else more
        of_keys = edit.place == "scores"
        moved = replace(
            edit,
            rows=edit.rows and tuple(by + at for at in edit.rows),
            columns=tuple(by + at for at in edit.columns or ()) if of_keys else edit.columns,
        )
        again = model.trace(TraceRequest(text, edits=(moved,)))
        assert again.logits is not None
        ids = [token.id for token in again.source]
        ids, logits = (ids, again.logits) if forward else (ids[::-1], again.logits[::-1])
        for place in range(2, 2 + more + bool(meta["finished"])):
            told = torch.from_numpy(logits[place].copy())
            assert chosen(told, sampling, place) == ids[place + 1], (name, text, place)
    assert len({plain, *found.values()}) > 3, found


@pytest.mark.parametrize("sampling", [None, Sampling(3)], ids=["likeliest", "drawn"])
@pytest.mark.parametrize(("objective", "start"), [("forward", "bo"), ("backward", "ap")])
def test_an_edit_that_changes_nothing_leaves_what_it_writes(
    objective: str, start: str, sampling: Sampling | None
) -> None:
    model = trained(objective)
    nothing = (Edit("outputs", "encoder_self", "scale", 1.0), Edit("scores", "encoder_self", "add"))
    plain = model.trace(TraceRequest(start, sampling=sampling)).meta["target_text"]
    edited = model.trace(TraceRequest(start, edits=nothing, sampling=sampling))
    assert edited.meta["target_text"] == plain


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_run_goes_on_to_the_same_weights(objective: str) -> None:
    whole = trained(objective, 20)
    for event in run(Path("recipe.toml"), Path("again"), asked=lambda: True):
        assert not isinstance(event, events.Finished)
    *_, last = run(Path("recipe.toml"), Path("again"), resume=True)
    assert isinstance(last, events.Finished)
    assert registry.load("again", CPU).digest == whole.digest


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_it_trains_in_bf16(objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.RECIPE", RECIPE.replace('"fp32"', '"bf16"'))
    assert trained(objective, 3).trace(TraceRequest("bone")).logits is not None


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_gap_is_filled_from_what_it_may_look_at(objective: str) -> None:
    model = trained(objective, 20)
    contexts = {"forward": "before", "backward": "after", "masked": "both"}
    assert model.card.capabilities.gaps == contexts[objective]
    found = model.gaps("gdad")
    assert [token.text for token in found.tokens] == ["start", *"gdad", "end"]
    assert found.logits.shape == (4, model.card.vocabulary)
    logs = torch.from_numpy(found.logits).double().log_softmax(-1)
    ids = [token.id for token in found.tokens[1:-1]]
    nats = sum(float(logs[place, id]) for place, id in enumerate(ids))
    told = forced(model, "gdad").log_probability
    if objective == "masked":
        assert told == pytest.approx(nats, abs=1e-4)
    else:
        assert told < nats  # the end token, or the start, is foretold as well
    # Of what stands in the gap itself nothing is known.
    for place in range(4):
        other = "gdad"[:place] + "o" + "gdad"[place + 1 :]
        np.testing.assert_allclose(model.gaps(other).logits[place], found.logits[place], atol=1e-5)


def test_gaps_of_a_long_text_are_the_same_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model = trained("masked", 5)
    whole = model.gaps("gdadone").logits
    monkeypatch.setattr("core.families.foreteller._POSITIONS", 20)  # two texts of nine
    np.testing.assert_allclose(model.gaps("gdadone").logits, whole, atol=1e-5)


LABELLED = RECIPE.replace("milestones = 0", "milestones = 0\nreport_every = 10").replace(
    'objective = "{objective}"', 'objective = "{objective}"\nlabels = ["early", "late"]'
)


def labelled(objective: str, steps: int, **pretrained: object) -> None:
    rows = [f"{word}\t{'early' if word < 'e' else 'late'}" for word in WORDS]
    Path("words.tsv").write_text("\n".join(rows), encoding="utf-8")
    recipe = LABELLED.format(objective=objective, steps=steps)
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in pretrained.items())
    recipe += f"[pretrained]\n{table}" if table else ""
    Path("labels.toml").write_text(recipe.replace("speaker", "labels"), encoding="utf-8")
    shutil.rmtree("labels", ignore_errors=True)
    *_, last = run(Path("labels.toml"), Path("labels"))
    assert isinstance(last, events.Finished)


@pytest.mark.parametrize("objective", ["forward", "masked"])
def test_a_head_of_labels_is_trained_and_opened(objective: str) -> None:
    labelled(objective, 120)
    model = registry.load("labels", CPU)
    assert isinstance(model, LanguageLabeller)
    assert model.card.labels == ("early", "late")
    assert model.card.answers == "labels"
    assert model.card.parameters["output"] == 2 * 32 + 2
    texts = ["bgap", "hgap", "", "\u00ad", "a" * 40]
    assert model.generate_all(texts) == ["early", "late", "", "", ""]
    assert model.generate("bgap").text == "early"
    trace = model.trace(TraceRequest("bgap"))
    assert (trace.source[0].id, trace.source[-1].id) == (START_ID, END_ID)
    assert trace.meta["target_text"] == "early"
    assert trace.logits is not None
    assert trace.logits.shape == (6, 2)
    assert (trace.logits == trace.logits[-1]).all()
    assert trace.logits[0].argmax() == 0  # "early"
    assert trace.sites["encoder_self"].shape == (6, 6)
    entry = registry.entry_of("labels", Path("labels"))
    assert (entry.fills, entry.writes, entry.labels) == (False, False, ("early", "late"))
    measured = evaluate(model, [Pair("bgap", "early"), Pair("hgap", "late")])
    assert measured.exact == 1.0
    for asked in (lambda: model.gaps("a"), lambda: model.trace(TraceRequest("a", hidden=(1,)))):
        with pytest.raises(HeadlightError) as refused:
            asked()
        assert refused.value.code == "unsupported"


def test_a_run_begins_with_the_weights_and_words_of_another() -> None:
    body = trained("masked", 20)
    labelled("masked", 1, path="masked")
    model = registry.load("labels", CPU)
    assert isinstance(model, LanguageLabeller)
    ours, theirs = model.checkpoint.model.state_dict(), body.checkpoint.model.state_dict()
    assert set(ours) - set(theirs) == {"head.weight", "head.bias"}
    # One update by Adam moves a weight by its rate at most; float16 is as near.
    assert all((ours[name] - theirs[name]).abs().max() < 0.02 for name in theirs)
    assert model.checkpoint.tokenizer.encode("gap") == body.checkpoint.tokenizer.encode("gap")
    labelled("masked", 1, path="masked", weights=False)
    fresh = registry.load("labels", CPU)
    assert isinstance(fresh, LanguageLabeller)
    far = fresh.checkpoint.model.state_dict()["embedding.weight"] - theirs["embedding.weight"]
    assert far.abs().max() > 0.1


def test_a_run_begins_with_weights_and_words_of_its_own() -> None:
    """Each of its entries with the mean of those that spell it there."""
    body = trained("masked", 20)
    pieces = LABELLED.replace('kind = "characters"', 'kind = "sentencepiece"\nvocab_size = 300')
    rows = [f"{word}\t{'early' if word < 'e' else 'late'}" for word in WORDS]
    Path("words.tsv").write_text("\n".join(rows), encoding="utf-8")
    table = '[pretrained]\npath = "masked"\ntokenizer = false\n'
    Path("labels.toml").write_text(
        pieces.format(objective="masked", steps=1).replace("speaker", "labels") + table, "utf-8"
    )
    *_, last = run(Path("labels.toml"), Path("labels"))
    assert isinstance(last, events.Finished)
    found = registry.load("labels", CPU)
    assert isinstance(found, LanguageLabeller)
    own, theirs = found.checkpoint.tokenizer, body.checkpoint.tokenizer
    weight = body.checkpoint.model.embedding.weight
    letters = {token.piece: token.id for token in theirs.tokens(range(theirs.size))}
    for token in own.tokens(range(own.size)):
        ids = [letters.get(letter) for letter in token.piece]
        if None not in ids:
            near = found.checkpoint.model.embedding.weight[token.id] - weight[ids].mean(0)
            assert near.abs().max() < 0.02, token


def test_a_run_that_begins_with_nothing_of_another_is_refused() -> None:
    with pytest.raises(ValidationError) as bad:
        PretrainedRecipe(path="masked", weights=False, tokenizer=False)
    assert str(because("pretrained_nothing")) in str(bad.value)


def test_a_run_goes_on_without_what_it_began_with() -> None:
    trained("masked", 2)
    labelled("masked", 4, path="masked")
    whole = registry.load("labels", CPU)
    for event in run(Path("labels.toml"), Path("again"), asked=lambda: True):
        assert not isinstance(event, events.Finished)
    shutil.rmtree("masked")
    *_, last = run(Path("labels.toml"), Path("again"), resume=True)
    assert isinstance(last, events.Finished)
    assert registry.load("again", CPU).digest == whole.digest


def test_weights_that_do_not_fit_are_refused_by_name() -> None:
    trained("masked", 1)
    labelled("masked", 1)
    small = LABELLED.replace("d_ff = 64", "d_ff = 32")
    text = small.format(objective="masked", steps=1) + '[pretrained]\npath = "masked"\n'
    Path("small.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HeadlightError) as refused:
        list(run(Path("small.toml"), Path("small")))
    assert refused.value.code == "recipe_invalid"
    assert "feed_forward.inner.weight is 64 x 32 there, and 32 x 32" in str(refused.value)
    for labels, objective, code in (
        (["one"], "masked", "labels_few"),
        (["one", "one"], "masked", "labels_repeat"),
        (["one", "two"], "backward", "labels_backward"),
    ):
        with pytest.raises(ValidationError) as bad:
            network(objective, labels=labels)  # type: ignore[arg-type]
        assert str(because(code)) in str(bad.value)


@pytest.mark.parametrize("positions", get_args(Positions))
def test_a_trace_says_what_is_added_to_its_scores(positions: str, tmp_path: Path) -> None:
    sizes = {"layers": 1, "d_model": 16, "d_ff": 32, "heads": 2, "positions": positions}
    folder = learnt(tmp_path / "told", "language", sizes, steps=3)
    trace = registry.load(folder, CPU).trace(TraceRequest("tomato"))
    biased = positions in ("alibi", "relative")
    assert trace.meta.get("bias") == (positions if biased else None)
    site = trace.sites["encoder_self"]
    assert site.scores is not None
    assert site.queries is not None
    assert site.keys is not None
    products = site.queries @ np.swapaxes(site.keys, 2, 3) / np.sqrt(8)
    apart = np.abs(site.scores - products).max()
    # what is learned of distances begins at none, and moves by its rate at most
    assert apart < 1e-4 or biased
    assert apart > 0.01 or not biased
