"""The mean of models that began alike."""

from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from core.checkpoint import folder as checkpoint
from core.checkpoint.average import average
from core.checkpoint.folder import load
from core.cli.app import app
from core.reasons import RefusedError
from core.text.familiarity import Familiarity
from tests.small import WORDS, learnt

SIZES = {"cell": "gru", "d_model": 16}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Two of the same sizes, and a wider one."""
    root = tmp_path_factory.mktemp("averaged")
    return (
        learnt(root / "early", "seq2seq", SIZES, list(WORDS), 2),
        learnt(root / "late", "seq2seq", SIZES, list(WORDS), 30),
        learnt(root / "wide", "seq2seq", SIZES | {"d_model": 32}, list(WORDS), 2),
    )


def _weights(folder: Path) -> dict[str, torch.Tensor]:
    return dict(load(folder, CPU).model.state_dict())


def test_each_weight_is_the_mean_by_shares(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    average(folders[:2], (3.0, 1.0), tmp_path / "mean", "float32")
    early, late, mean = (_weights(f) for f in (*folders[:2], tmp_path / "mean"))
    assert any((early[name] != late[name]).any() for name in early)
    for name, weight in mean.items():
        torch.testing.assert_close(weight, 0.75 * early[name] + 0.25 * late[name])


def test_a_model_with_itself_is_itself(folders: tuple[Path, Path, Path], tmp_path: Path) -> None:
    average([folders[1]] * 3, (0.2, 1.0, 5.0), tmp_path / "same", "float32")
    same, late = _weights(tmp_path / "same"), _weights(folders[1])
    for name, weight in same.items():
        torch.testing.assert_close(weight, late[name])


def test_all_that_is_no_weight_is_of_the_first(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    average((folders[1], folders[0]), (1.0, 1.0), tmp_path / "mean")
    first, mean = load(folders[1], CPU), load(tmp_path / "mean", CPU)
    assert mean.manifest.step == first.manifest.step
    assert mean.config == first.config
    assert (mean.familiarity is None) == (first.familiarity is None)


def test_other_sizes_are_refused(folders: tuple[Path, Path, Path], tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as refused:
        average((folders[0], folders[2]), (1.0, 1.0), tmp_path / "mean")
    assert refused.value.reason.code == "unlike_first"
    assert not (tmp_path / "mean").exists()


@pytest.mark.parametrize("shares", [(1.0,), (0.0, 0.0), (1e308, 1e308)])
def test_shares_are_one_each_and_above_nothing(
    folders: tuple[Path, Path, Path], tmp_path: Path, shares: tuple[float, ...]
) -> None:
    with pytest.raises(ValueError, match="share"):
        average(folders[:2], shares, tmp_path / "mean")


def test_the_command_writes_a_model_that_opens(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    names = [str(folder) for folder in folders[:2]]
    done = CliRunner().invoke(app, ["average", *names, "--out", str(tmp_path / "mean")])
    assert done.exit_code == 0, done.output
    early, late, mean = (_weights(f) for f in (*folders[:2], tmp_path / "mean"))
    for name, weight in mean.items():
        half = (early[name] + late[name]) / 2
        torch.testing.assert_close(weight, half, atol=1e-3, rtol=2e-3)  # stored as float16


@pytest.mark.parametrize(
    "extra", [["--share", "1"], ["--share", "0", "--share", "0"]], ids=["one", "nothing"]
)
def test_the_command_says_which_shares_it_wants(
    folders: tuple[Path, Path, Path], tmp_path: Path, extra: list[str]
) -> None:
    names = [str(folder) for folder in folders[:2]]
    ended = CliRunner().invoke(app, ["average", *names, *extra, "--out", str(tmp_path / "mean")])
    assert ended.exit_code != 0
    assert "one share for each" in " ".join((ended.output + str(ended.exception)).split())
    assert not (tmp_path / "mean").exists()


def test_the_command_wants_two_models_of_one_kind_and_an_empty_folder(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    early, late, wide = map(str, folders)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/kept.txt").write_text("kept", "utf-8")
    for models, out in (([early], "mean"), ([early, wide], "mean"), ([early, late], "full")):
        ended = CliRunner().invoke(app, ["average", *models, "--out", str(tmp_path / out)])
        assert ended.exit_code != 0, models
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["kept.txt"]


def test_other_tokens_are_refused_though_there_are_as_many(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """The same row would be of two characters."""
    turned = str.maketrans("abcdefghijklmnopqrstuvwxyz", "bcdefghijklmnopqrstuvwxyza")
    pairs = [(english.translate(turned), korean) for english, korean in WORDS]
    other = learnt(tmp_path / "other", "seq2seq", SIZES, pairs, 1)
    assert load(other, CPU).config.model == load(folders[0], CPU).config.model
    with pytest.raises(RefusedError) as refused:
        average((folders[0], other), (1.0, 1.0), tmp_path / "mean")
    assert refused.value.reason.code == "unlike_first"
    assert not (tmp_path / "mean").exists()


def test_what_training_alone_knows_of_keeps_no_models_apart(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """And the first one's recipe, seed and familiarity go along."""
    dropping = learnt(tmp_path / "dropping", "seq2seq", SIZES | {"dropout": 0.5}, list(WORDS), 1)
    made = load(dropping, CPU)
    checkpoint.save(
        tmp_path / "whole",
        made.config,
        made.model,
        made.tokenizer,
        step=7,
        seed=11,
        recipe="# how it was made\n",
        familiarity=Familiarity.count(made.tokenizer, [english for english, _ in WORDS]),
    )
    average((tmp_path / "whole", folders[0]), (1.0, 1.0), tmp_path / "mean")
    mean = load(tmp_path / "mean", CPU)
    assert (mean.manifest.step, mean.manifest.seed) == (7, 11)
    assert (tmp_path / "mean" / "recipe.toml").read_text("utf-8") == "# how it was made\n"
    assert mean.familiarity is not None


@pytest.mark.parametrize(
    ("family", "sizes", "others"),
    [
        (
            "language",
            {"layers": 1, "d_model": 8, "d_ff": 8, "heads": 2},
            {"dropout": 0.5, "attention_dropout": 0.1},
        ),
        ("skipgram", {"d_model": 8}, {"negatives": 2, "subsampling": 0.5}),
    ],
)
def test_no_size_that_a_trained_network_computes_nothing_by_keeps_models_apart(
    family: str, sizes: dict[str, object], others: dict[str, object], tmp_path: Path
) -> None:
    for name, more in (("one", {}), ("other", others)):
        learnt(tmp_path / name, family, sizes | more, steps=2)
    average((tmp_path / "one", tmp_path / "other"), (1.0, 1.0), tmp_path / "mean", "float32")
    assert load(tmp_path / "mean", CPU).config == load(tmp_path / "one", CPU).config
    one, other, mean = (_weights(tmp_path / name) for name in ("one", "other", "mean"))
    for name, weight in mean.items():
        torch.testing.assert_close(weight, (one[name] + other[name]) / 2)
