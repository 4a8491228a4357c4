"""The parts of training: schedule, loss, batches, resume."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from core import checkpoint
from core.errors import HeadlightError
from core.nn.transformer import Transformer, TransformerConfig
from core.text.corpora import Pair, read_pairs, write_pairs
from core.text.tokenizer import END_ID, PAD_ID, START_ID
from core.training.batches import Example, collate, encode_pairs, endless_batches, epoch_order
from core.training.data import read_corpora
from core.training.held_out import main
from core.training.loop import adam, mean_loss
from core.training.loss import label_smoothed_loss
from core.training.recipe import Recipe, Schedule, load_recipe
from core.training.run import run
from core.training.schedule import paper_rate, rate

examples = st.lists(
    st.builds(
        Example,
        st.lists(st.integers(4, 19), min_size=1, max_size=9).map(tuple),
        st.lists(st.integers(4, 19), min_size=1, max_size=9).map(tuple),
    ),
    min_size=1,
    max_size=30,
)


def model(dropout: float = 0.0) -> Transformer:
    torch.manual_seed(0)
    sizes = {"d_model": 16, "d_ff": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
    return Transformer(
        TransformerConfig.model_validate({"vocab_size": 20, "dropout": dropout, **sizes})
    )


def test_the_papers_rate_peaks_where_warmup_ends() -> None:
    assert paper_rate(4000, 512, 4000) == pytest.approx(6.9877124297e-4, rel=1e-10)
    rates = [paper_rate(step, 512, 4000) for step in range(1, 12_000)]
    assert rates.index(max(rates)) + 1 == 4000
    assert rates[:4000] == sorted(rates[:4000])
    assert rates[3999:] == sorted(rates[3999:], reverse=True)
    with pytest.raises(ValueError, match="count from 1"):
        paper_rate(0, 512, 4000)


@given(st.integers(1, 500), st.integers(2, 1000))
def test_the_linear_rate_stays_between_nothing_and_its_peak(warmup: int, steps: int) -> None:
    schedule = Schedule(kind="linear", warmup=warmup, peak=0.5)
    rates = [rate(schedule, step, steps, 512) for step in range(1, steps + 1)]
    assert all(0 < value <= 0.5 for value in rates)
    if steps > warmup:
        assert rates[-1] == pytest.approx(0.5 / (steps - warmup), rel=1e-9) or steps == warmup + 1


def test_adam_is_the_papers() -> None:
    group = adam(model()).param_groups[0]
    assert group["betas"] == (0.9, 0.98)
    assert group["eps"] == 1e-9
    assert group["weight_decay"] == 0


@settings(max_examples=25, deadline=None)
@given(examples, st.floats(0, 0.9))
def test_loss_equals_the_sum_over_single_tokens(
    given_examples: list[Example], smoothing: float
) -> None:
    network = model().eval()
    batch = collate(given_examples)
    total, count = 0.0, 0
    for example in given_examples:
        source = torch.tensor([[*example.source, END_ID]])
        read = torch.tensor([[START_ID, *example.target]])
        with torch.no_grad():
            logs = F.log_softmax(network(source, read)[0], dim=-1)
        for row, right in zip(logs, [*example.target, END_ID], strict=True):
            total -= float((1 - smoothing) * row[right] + smoothing * row.mean())
            count += 1
    with torch.no_grad():
        loss = label_smoothed_loss(network, *batch, smoothing=smoothing)
    assert float(loss) == pytest.approx(total / count, rel=1e-4)
    if smoothing == 0:
        assert mean_loss(network, given_examples) == pytest.approx(total / count, rel=1e-4)


@given(examples)
def test_a_batch_reads_what_it_has_just_written(given_examples: list[Example]) -> None:
    batch = collate(given_examples)
    for i, example in enumerate(given_examples):
        length = len(example.target) + 1
        assert batch.target[i, 0] == START_ID
        assert batch.target[i, 1:length].tolist() == batch.written[i, : length - 1].tolist()
        assert batch.written[i, length - 1] == END_ID
        assert (batch.written[i, length:] == PAD_ID).all()
        assert batch.source[i, : len(example.source) + 1].tolist() == [*example.source, END_ID]


@given(examples, st.integers(8, 200), st.integers(0, 5), st.integers(0, 3))
def test_an_epoch_shows_every_pair_once_within_the_budget(
    given_examples: list[Example], budget: int, seed: int, epoch: int
) -> None:
    order = epoch_order(given_examples, budget, seed, epoch)
    assert sorted(i for batch in order for i in batch) == list(range(len(given_examples)))
    for indices in order:
        batch = collate([given_examples[i] for i in indices])
        assert len(indices) == 1 or batch.source.numel() + batch.target.numel() <= budget
    assert order == epoch_order(given_examples, budget, seed, epoch)


@given(examples, st.integers(0, 12))
def test_batches_can_be_taken_up_at_any_position(given_examples: list[Example], start: int) -> None:
    whole, later = (
        endless_batches(given_examples, 40, 3, 0),
        endless_batches(given_examples, 40, 3, start),
    )
    for _ in range(start):
        next(whole)
    for _ in range(3):
        for one, other in zip(next(whole), next(later), strict=True):
            assert torch.equal(one, other)


RECIPE = """
model_id = "tiny"
source_language = "ko"
target_language = "en"
max_source = 32
max_target = 32
[tokenizer]
kind = "characters"
[[corpora]]
name = "numbers"
path = "{path}"
held_out = 0.1
[model]
d_model = 32
d_ff = 48
heads = 2
encoder_layers = 1
decoder_layers = 1
[schedule]
kind = "linear"
warmup = 10
peak = 3e-3
[training]
steps = {steps}
tokens_per_batch = 512
validate_every = 20
report_every = 10
save_every = 15
{more}
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Callable[..., Path]:
    digits = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
    lines = ["korean\tenglish"]
    lines += [f"{''.join(digits[d] for d in str(n))}\t{n}" for n in range(100, 400)]
    (tmp_path / "pairs.tsv").write_text("\n".join(lines), encoding="utf-8")

    def write(steps: int = 30, more: str = "") -> Path:
        path = tmp_path / f"recipe-{steps}.toml"
        text = RECIPE.format(path=tmp_path / "pairs.tsv", steps=steps, more=more)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_run_learns_and_becomes_a_checkpoint(recipe: Callable[..., Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    events = list(run(recipe(60), out))
    lines = [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == [type(event).__name__.lower() for event in events]
    losses = [line["losses"]["numbers"] for line in lines if line["event"] == "validated"]
    assert losses[-1] < losses[0]
    opened = checkpoint.load(out)
    assert opened.manifest.step == 60
    modes = {path.stat().st_mode for path in out.iterdir() if path.is_file()}
    assert len(modes) == 1, "other users may read all of it or none"
    held_out = read_pairs(out / "held_out" / "numbers.tsv")
    kept = encode_pairs(opened.tokenizer, held_out, 32, 32)
    # Saved as half floats, hence not to the last digit.
    assert mean_loss(opened.model.cpu(), kept) == pytest.approx(losses[-1], abs=2e-3)


def test_a_stopped_run_ends_with_the_same_weights(
    recipe: Callable[..., Path], tmp_path: Path
) -> None:
    list(run(recipe(30), tmp_path / "whole"))
    for event in run(recipe(30), tmp_path / "stopped"):
        if getattr(event, "step", 0) >= 20:
            break  # step 20 was reported, step 15 was saved
    list(run(recipe(30), tmp_path / "stopped", resume=True))
    weights = [
        (tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "stopped")
    ]
    assert weights[0] == weights[1]


def test_a_folder_that_holds_a_run_is_not_overwritten(
    recipe: Callable[..., Path], tmp_path: Path
) -> None:
    list(run(recipe(20), tmp_path / "out"))
    with pytest.raises(HeadlightError, match="already"):
        list(run(recipe(20), tmp_path / "out"))


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ("suprise = 1", "training.suprise"),
        ("clip = -1", "training.clip"),
        ("[[", "line"),
        ("[unknown]", "unknown"),
    ],
)
def test_a_wrong_recipe_names_the_key(recipe: Callable[..., Path], more: str, named: str) -> None:
    with pytest.raises(HeadlightError) as caught:
        load_recipe(recipe(30, more))
    assert caught.value.code == "recipe_invalid"
    assert named in str(caught.value)


def test_bf16_and_fp32_agree_on_the_loss() -> None:
    network = model()
    batch = collate([Example((4, 5, 6), (7, 8)), Example((9,), (10, 11, 12))])
    full = label_smoothed_loss(network, *batch, smoothing=0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = label_smoothed_loss(network, *batch, smoothing=0.1)
    assert math.isclose(full.item(), half.item(), rel_tol=0.02)


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("held_out = 0.1", "repeat = 0", "no pair is left"),
        ("max_target = 32", "max_target = 2", "every pair is longer"),
        ('kind = "characters"', "vocab_size = 6000", "Vocabulary size too high"),
    ],
)
def test_data_that_cannot_be_trained_on_is_named(
    recipe: Callable[..., Path], tmp_path: Path, old: str, new: str, named: str
) -> None:
    with pytest.raises(HeadlightError, match=named) as caught:
        list(run(changed(recipe(), old, new), tmp_path / "out"))
    assert caught.value.code == "recipe_invalid"


def test_a_state_of_another_recipe_or_damaged_is_refused(
    recipe: Callable[..., Path], tmp_path: Path
) -> None:
    list(run(recipe(20), tmp_path / "out"))
    other = changed(recipe(40), "d_ff = 48", "d_ff = 64")
    with pytest.raises(HeadlightError, match="other sizes"):
        list(run(other, tmp_path / "out", resume=True))
    state = tmp_path / "out" / "work" / "state.safetensors"
    state.write_bytes(state.read_bytes()[:-40])
    with pytest.raises(HeadlightError, match="damaged"):
        list(run(recipe(40), tmp_path / "out", resume=True))


@pytest.mark.parametrize(("validate_every", "what"), [(20, "the loss"), (1, "embedding")])
def test_a_diverged_run_says_so_and_saves_nothing(
    recipe: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    validate_every: int,
    what: str,
) -> None:
    monkeypatch.setattr("core.training.loop.rate", lambda *_: math.inf)
    path = changed(recipe(30), "validate_every = 20", f"validate_every = {validate_every}")
    with pytest.raises(HeadlightError, match=what) as caught:
        list(run(path, tmp_path / "out"))
    assert caught.value.code == "training_diverged"
    assert "NaN" not in (tmp_path / "out" / "events.jsonl").read_text()
    assert not (tmp_path / "out" / "work" / "state.safetensors").exists()


def test_weights_too_large_for_half_floats_are_stored_whole(
    recipe: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.training.run._LARGEST_HALF", 0.0)
    list(run(recipe(1), tmp_path / "out"))
    weights = load_file(tmp_path / "out" / "model.safetensors")
    assert {tensor.dtype for tensor in weights.values()} == {torch.float32}


def test_a_repeated_pair_makes_no_word_familiar(
    recipe: Callable[..., Path], tmp_path: Path
) -> None:
    counted = []
    for repeat in ("1", "10"):
        path = changed(recipe(1), "held_out = 0.1", f"repeat = {repeat}")
        list(run(path, tmp_path / repeat))
        opened = checkpoint.load(tmp_path / repeat)
        assert opened.familiarity is not None
        counted.append(opened.familiarity.words(opened.tokenizer, "이영일"))
    assert counted[0] == counted[1]


SHIPPED = Path(__file__).parents[3] / "checkpoints"


@pytest.mark.parametrize("name", ["ko-en-everyday", "en-hangul"])
def test_the_shipped_recipes_are_valid(name: str) -> None:
    assert load_recipe(SHIPPED / name / "recipe.toml").model_id == name


def test_held_out_parts_are_written_without_training(
    recipe: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list(run(recipe(20), tmp_path / "out"))
    assert main([str(recipe(20)), str(tmp_path / "alone")]) == 0
    assert "numbers.tsv" in capsys.readouterr().out
    alone, trained = (tmp_path / "alone", tmp_path / "out" / "held_out")
    assert (alone / "numbers.tsv").read_text() == (trained / "numbers.tsv").read_text()
    assert main(["nowhere.toml", str(tmp_path)]) == 2
    assert main([]) == 2


def test_what_one_corpus_holds_out_no_other_teaches(tmp_path: Path) -> None:
    pairs = [Pair(f"문장 {n}", f"sentence {n}") for n in range(60)]
    twins = [
        *(Pair(f"문장 {n}.", f"another {n}") for n in range(60)),
        *(Pair(f"다른 말 {n}", f"Sentence {n}!") for n in range(60)),
    ]
    write_pairs(tmp_path / "a.tsv", pairs)
    write_pairs(tmp_path / "b.tsv", twins)
    recipe = Recipe.model_validate(
        {
            "model_id": "twins",
            "source_language": "ko",
            "target_language": "en",
            "corpora": [
                {"name": "a", "path": tmp_path / "a.tsv", "held_out": 0.3},
                {"name": "b", "path": tmp_path / "b.tsv"},
            ],
            "training": {"steps": 1},
        }
    )
    corpora = read_corpora(recipe)
    held = {pair.target.split()[1] for pair in corpora.held_out["a"]}
    assert 5 < len(held) < 40
    taught = {pair.target.strip("!").split()[1] for pair in corpora.train}
    assert not held & taught
    assert len(corpora.train) == 3 * (60 - len(held))
