"""Extrapolation: losses and distances are those of traces, place by place."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.families.language import LanguageModel
from core.model import TraceRequest
from core.reasons import RefusedError
from core.studies.extrapolation import DISTANCES, extrapolation
from tests.small import learnt

CPU = torch.device("cpu")
SIZES = {"layers": 2, "d_model": 16, "d_ff": 32, "heads": 2}
STARTS = (1, 4, 9)
TEXTS = ["tomato bus cafe", "radio radio bus!"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[LanguageModel, ...]:
    root: Path = tmp_path_factory.mktemp("language")
    found = []
    for positions in ("alibi", "none"):
        folder = learnt(root / positions, "language", {**SIZES, "positions": positions}, steps=20)
        model = registry.load(folder, CPU)
        assert isinstance(model, LanguageModel)
        found.append(model)
    return tuple(found)


def test_nats_and_distances_are_those_of_the_traces(models: tuple[LanguageModel, ...]) -> None:
    told: list[tuple[int, int]] = []
    done = lambda *step: told.append(step)  # noqa: E731
    found = extrapolation(models, TEXTS, starts=STARTS, done=done)
    assert told == [(number, 4) for number in range(1, 5)]
    assert found.longest == min(map(len, TEXTS))
    assert [curve.positions for curve in found.curves] == ["alibi", "none"]
    ends = [*STARTS[1:], found.longest + 1]
    for model, curve in zip(models, found.curves, strict=True):
        traces = [model.trace(TraceRequest(text)) for text in TEXTS]
        for at, (start, end) in enumerate(zip(STARTS, ends, strict=True)):
            nats, looks = [], []
            for trace in traces:
                assert trace.logits is not None
                weights = trace.sites["encoder_self"].weights
                for place in range(start, end):  # the row before it foretells it
                    row = trace.logits[place - 1].astype(np.float64)
                    nats.append(np.log(np.exp(row).sum()) - row[trace.source[place].id])
                    share = np.zeros(len(DISTANCES))
                    for key in range(place):
                        group = max(i for i, far in enumerate(DISTANCES) if far <= place - 1 - key)
                        share[group] += weights[:, :, place - 1, key].mean()
                    looks.append(share)
            assert curve.nats[at] == pytest.approx(np.mean(nats), abs=1e-5)
            np.testing.assert_allclose(curve.distances[at], np.mean(looks, 0), atol=1e-6)
            assert sum(curve.distances[at]) == pytest.approx(1.0)


def test_what_cannot_be_measured_is_refused(models: tuple[LanguageModel, ...]) -> None:
    with pytest.raises(RefusedError) as refused:
        extrapolation(models, ["bus"], starts=STARTS)
    assert refused.value.reason.code == "texts_short"
    with pytest.raises(RefusedError) as refused:
        extrapolation(models, ["bus" * 100], starts=(1, 500))
    assert refused.value.reason.code == "reads_short"
    for starts in ((), (2, 4), (1, 1)):
        with pytest.raises(ValueError, match="rise from 1"):
            extrapolation(models, TEXTS, starts=starts)
    for some, texts in (((), TEXTS), (models, [])):
        with pytest.raises(ValueError, match="models, texts"):
            extrapolation(some, texts, starts=STARTS)


def test_the_command_says_the_same_in_both_forms(
    models: tuple[LanguageModel, ...], tmp_path: Path
) -> None:
    data = tmp_path / "texts.tsv"
    rows = [f"{text}\t-" for text in TEXTS]
    data.write_text("\n".join(["source\ttarget", *rows]) + "\n", encoding="utf-8")
    folders = [part for model in models for part in ("--model", str(model.card.folder))]
    starts = [part for start in STARTS for part in ("--start", str(start))]
    arguments = ["study", "extrapolation", "--data", str(data)]
    shown = CliRunner().invoke(app, [*arguments, *folders, *starts])
    assert shown.exit_code == 0, shown.output
    assert "alibi, alibi" in shown.output
    told = CliRunner().invoke(app, [*arguments, *folders, *starts, "--json"])
    assert json.loads(told.stdout)["places"] == list(STARTS)
    for wrong, code in (
        (["--start", "2"], "parameter_invalid"),
        ([], "parameter_invalid"),  # these texts are shorter than the usual places
    ):
        refused = CliRunner().invoke(app, [*arguments, *folders, *wrong])
        assert isinstance(refused.exception, HeadlightError)
        assert refused.exception.code == code
    beyond = CliRunner().invoke(app, [*arguments, *folders, "--start", "1", "--start", "500"])
    most = models[0].card.max_source - 1
    assert str(beyond.exception) == (
        f"--model cannot be '{models[0].card.model_id}': it foretells {most} tokens of a text, "
        "and places from 500 on are asked for."
    )
    short = tmp_path / "short.tsv"
    short.write_text("source\ttarget\nbus\t-\n", encoding="utf-8")
    both = CliRunner().invoke(app, [*arguments, "--data", str(short), *folders, *starts])
    assert f"'{data}, {short}'" in str(both.exception), "whichever it is, it is among them"
    back = learnt(tmp_path / "back", "language", {**SIZES, "objective": "backward"}, steps=1)
    refused = CliRunner().invoke(app, [*arguments, "--model", str(back), *starts])
    assert isinstance(refused.exception, HeadlightError)
    assert refused.exception.code == "unsupported"
