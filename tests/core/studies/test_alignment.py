"""Alignment: rates of heads counted one by one, and what is no alignment refused."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.model import Inspectable, TraceRequest
from core.reasons import RefusedError
from core.studies import alignment as study
from core.studies.alignment import Aligned, Blind, aligned_pairs, alignment, turned, unseeing
from tests.small import learnt

CPU = torch.device("cpu")
PAIRS = (
    ("cafe bus", "카페 버스"),
    ("radio bus cafe", "라디오 버스 카페"),
    ("bus radio", "버스 라디오"),
)
KNOWN = [
    Aligned(source, target, frozenset((at, at) for at in range(len(source.split()))))
    for source, target in PAIRS
]
MANY = Aligned("cafe bus radio", "카페 버스", frozenset({(0, 0), (1, 1), (2, 1)}))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = tmp_path_factory.mktemp("models")
    sizes = {"encoder_layers": 1, "decoder_layers": 2, "d_model": 16, "d_ff": 32, "heads": 2}
    one = learnt(root / "heads", "transformer", sizes, PAIRS, 60)
    other = learnt(root / "gru", "seq2seq", {"d_model": 16, "attention": "dot"}, PAIRS, 60)
    return one, other


def rate(model: Inspectable, pairs: list[Aligned], layer: int, head: int, late: bool) -> float:
    """Of one head, letter by letter and word by word."""
    right = answers = sure = 0
    for pair in pairs:
        trace = model.trace(TraceRequest(pair.source, pair.target))
        weights = trace.sites["cross"].weights[layer, head]
        tokens = trace.target if late else trace.written
        for word in range(len(pair.target.split())):
            links = {i for i, j in pair.links if j == word}
            if not links:
                continue
            spaced = [token.text == " " for token in tokens]
            rows = [at for at, token in enumerate(tokens) if token.word == word]
            looks = [
                sum(
                    float(weights[rows, at].mean())
                    for at, token in enumerate(trace.source)
                    if token.word == each
                )
                for each in range(len(pair.source.split()))
            ]
            assert not all(spaced[at] for at in rows)
            answer = int(np.argmax(looks))
            alone = len(links) == 1 and sum(i in links for i, _ in pair.links) == 1
            answers, sure = answers + 1, sure + alone
            right += (answer in links) + (answer in links and alone)
    return 1 - right / (answers + sure)


def test_rates_are_those_counted_one_by_one(models: tuple[Path, Path]) -> None:
    opened = [registry.load(folder, CPU) for folder in models]
    pairs = [*KNOWN, MANY]
    told: list[tuple[int, int]] = []
    found = alignment(opened, pairs, lambda *step: told.append(step), language="en")
    assert told[-1] == (8, 8)
    assert found.links == sum(len(pair.links) for pair in pairs)
    for model, looks in zip(opened, found.models, strict=True):
        heads = model.card.kinds["cross"]
        assert looks.pairs == len(pairs)
        for late, rates in ((False, looks.written), (True, looks.read)):
            assert (len(rates), len(rates[0])) == (heads.layers, heads.heads)
            for layer, row in enumerate(rates):
                for head, value in enumerate(row):
                    exact = rate(model, pairs, layer, head, late)
                    assert value == pytest.approx(exact, abs=1e-6)


def test_who_translates_the_other_way_reads_the_pairs_so(models: tuple[Path, Path]) -> None:
    opened = [registry.load(models[0], CPU)]
    there = alignment(opened, [*KNOWN, MANY], language="en")
    back = alignment(opened, [turned(pair) for pair in [*KNOWN, MANY]], language="ko")
    assert there == back


def test_who_does_not_look_is_right_as_often_as_words_are_in_order() -> None:
    diagonal, chance = unseeing(KNOWN)
    assert diagonal == pytest.approx(0, abs=1e-6)
    # of two words every second answer, of three every third
    assert chance == pytest.approx(1 - (4 / 2 + 3 / 3) / 7, abs=1e-6)
    nobody = alignment([], KNOWN)
    assert (nobody.models, nobody.blind) == ((), ())
    with pytest.raises(ValueError, match="links"):
        alignment([], [])


def test_who_does_not_look_is_judged_in_each_direction(
    models: tuple[Path, Path], tmp_path: Path
) -> None:
    sizes = {"encoder_layers": 1, "decoder_layers": 1, "d_model": 8, "d_ff": 8, "heads": 1}
    turning = [(korean, english) for english, korean in PAIRS]
    back = learnt(tmp_path / "back", "transformer", sizes, turning, 1, ("ko", "en"))
    opened = [registry.load(folder, CPU) for folder in (models[0], back, models[1])]
    pairs = [*KNOWN, MANY]
    there, other = unseeing(pairs), unseeing([turned(pair) for pair in pairs])
    assert there != other
    assert alignment(opened, pairs, language="en").blind == (
        Blind("en", "ko", *there, len(pairs)),
        Blind("ko", "en", *other, len(pairs)),
    )


def test_who_does_not_look_is_judged_on_the_pairs_that_a_model_reads(
    models: tuple[Path, Path], tmp_path: Path
) -> None:
    """However few these are: a line beside its heads is of the same sentences."""
    sizes = {"encoder_layers": 1, "decoder_layers": 1, "d_model": 8, "d_ff": 8, "heads": 1}
    short = learnt(tmp_path / "short", "transformer", sizes, PAIRS[:1], 1, longest=12)
    opened = [registry.load(folder, CPU) for folder in (models[0], short, models[1])]
    long = Aligned("cafe bus " * 2 + "cafe", "카페 버스", frozenset({(0, 0), (1, 1)}))
    pairs = [*KNOWN[:1], long]
    found = alignment(opened, pairs, language="en")
    assert [one.pairs for one in found.models] == [2, 1, 2]
    assert found.blind == (
        Blind("en", "ko", *unseeing(pairs), 2),
        Blind("en", "ko", *unseeing(pairs[:1]), 1),
    )
    data = tmp_path / "some.tsv"
    rows = [
        f"{one.source}\t{one.target}\t{' '.join(f'{i}-{j}' for i, j in sorted(one.links))}"
        for one in pairs
    ]
    data.write_text("\n".join(["source\ttarget\tlinks", *rows]) + "\n", encoding="utf-8")
    asked = ["study", "alignment", "--language", "en", "--data", str(data), "--model", str(short)]
    shown = CliRunner().invoke(app, asked)
    assert shown.exit_code == 0, shown.output
    assert shown.output.count("of 1 of 2 pairs") == 3  # who does not look, and two rows of heads


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6))
def test_a_line_says_what_a_pair_is(links: list[tuple[int, int]]) -> None:
    told = " ".join(f"{i}-{j}" for i, j in links)
    (pair,) = aligned_pairs(["source\ttarget\tlinks", f"a b c d\te f g\t{told}"])
    assert pair == Aligned("a b c d", "e f g", frozenset(links))
    assert turned(turned(pair)) == pair


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["head"], "links_none"),
        (["head", "a\tb"], "links_malformed"),
        (["head", "a\tb\t0:0"], "links_malformed"),
        (["head", "a\tb\t"], "links_malformed"),
        (["head", "a\tb\t0-1"], "links_outside"),
    ],
)
def test_what_is_no_alignment_is_refused(lines: list[str], code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        aligned_pairs(lines)
    assert refused.value.reason.code == code


def test_the_command_says_the_same_in_both_forms(models: tuple[Path, Path], tmp_path: Path) -> None:
    data = tmp_path / "known.tsv"
    rows = [f"{pair.source}\t{pair.target}\t0-0 1-1" for pair in KNOWN]
    data.write_text("\n".join(["source\ttarget\tlinks", *rows]) + "\n", encoding="utf-8")
    arguments = ["study", "alignment", "--language", "en", "--data", str(data)]
    both = [part for folder in models for part in ("--model", str(folder))]
    shown = CliRunner().invoke(app, [*arguments, *both])
    assert shown.exit_code == 0, shown.output
    assert "gru, rows that write" in shown.output
    assert shown.output.count("en to ko") == 1  # both models read one way
    found = json.loads(CliRunner().invoke(app, [*arguments, *both, "--json"]).stdout)
    assert [one["model"] for one in found["models"]] == ["heads", "gru"]
    sizes = {"layers": 1, "d_model": 8, "d_ff": 8, "heads": 1}
    mute = learnt(tmp_path / "mute", "language", sizes, steps=1)
    refused = CliRunner().invoke(app, [*arguments, "--model", str(mute)])
    assert isinstance(refused.exception, HeadlightError)
    assert refused.exception.code == "unsupported"
    missing = CliRunner().invoke(app, ["study", "alignment", "--data", "no.tsv", *both])
    assert isinstance(missing.exception, HeadlightError)
    assert missing.exception.code == "file_missing"


def test_of_pairs_that_no_model_answers_the_reason_is_told(
    models: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = [registry.load(models[0], CPU)]
    long = Aligned("cafe " * 40 + "bus", "카페", frozenset({(0, 0)}))
    with pytest.raises(RefusedError) as refused:
        alignment(opened, [long])
    assert refused.value.reason.code == "pairs_long"
    assert alignment(opened, [long, *KNOWN]).models[0].pairs == len(KNOWN)
    # As of a tokenizer that cuts where there is no space, or does not where there is one.
    monkeypatch.setattr(study, "words_of", lambda tokens: [[at] for at in range(len(tokens))])
    with pytest.raises(RefusedError) as refused:
        alignment(opened, KNOWN)
    assert refused.value.reason.code == "pairs_uncut"
