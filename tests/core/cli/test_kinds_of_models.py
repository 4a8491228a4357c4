"""Commands of one sentence, of models that are no Transformer with a decoder."""

from pathlib import Path

import pytest

from core.errors import HeadlightError
from tests.core.cli.test_commands import output, run

SHIPPED = Path(__file__).parents[3] / "checkpoints"


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("ko-sentiment", ", encoder states 1x20"),
        ("ko-masked", ", encoder_self 4x5"),
        ("ko-en-seq2seq", ", cross 1x1, encoder states 2x256, decoder states 2x256"),
    ],
)
def test_a_saved_trace_says_what_it_holds(tmp_path: Path, name: str, held: str) -> None:
    out = tmp_path / "t.npz"
    (line,) = output("trace", "--model", SHIPPED / name, "--source", "물", "--out", out)
    assert line.endswith(f" target tokens{held}")


@pytest.mark.parametrize("name", ["ko-sentiment", "ko-masked", "ko-en-seq2seq"])
def test_no_mask_is_lifted_where_no_decoder_has_one(tmp_path: Path, name: str) -> None:
    asked = ("--source", "물", "--lift-mask", "--out", tmp_path / "t.npz")
    done = run("trace", "--model", SHIPPED / name, *asked)
    assert isinstance(done.exception, HeadlightError)
    assert str(done.exception) == f"{name} has no mask of a decoder that could be lifted."
    assert done.exception.code == "unsupported"


@pytest.mark.parametrize("text", [["물"], []])
@pytest.mark.parametrize("name", ["ko-skipgram", "ko-masked"])
def test_what_writes_nothing_translates_nothing(name: str, text: list[str]) -> None:
    done = run("translate", "--model", SHIPPED / name, *text, stdin="물\n")
    assert isinstance(done.exception, HeadlightError)
    assert str(done.exception) == f"{name} has no way to write a text."
    assert done.stdout == ""
