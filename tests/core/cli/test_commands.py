"""Commands in this process, by typer's runner."""

import io
import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from core import registry
from core.cli import train
from core.cli.app import app
from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import Sampling, TraceRequest
from core.probe import LIFTED_MASK, Edit, edits_as_json, edits_of_json
from core.trace import load_trace
from core.training import events
from tests.small import learnt


@pytest.fixture(autouse=True)
def _root(tiny_checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tiny_checkpoint.parent))


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def output(*arguments: str | Path, stdin: str | None = None) -> list[str]:
    done = run(*arguments, stdin=stdin)
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


def code_of(*arguments: str | Path, stdin: str | None = None) -> str:
    done = run(*arguments, stdin=stdin)
    assert isinstance(done.exception, HeadlightError), done.output
    return done.exception.code


def test_models_are_listed() -> None:
    assert output("models") == ["tiny"]
    (line,) = output("models", "--json")
    assert json.loads(line)["source_language"] == "ko"


def test_without_a_command_there_is_help() -> None:
    text = "\n".join(output())
    for command in ("models", "translate", "trace", "train", "evaluate", "verify"):
        assert command in text


def test_translating_arguments(tiny_model: TransformerModel) -> None:
    texts = list(tiny_model.card.examples)
    wanted = [tiny_model.generate(text).text for text in texts]
    assert output("translate", *texts) == wanted
    assert output("translate", "--model", tiny_model.card.folder, *texts) == wanted


def test_translating_lines_keeps_their_places(tiny_model: TransformerModel) -> None:
    lines = output("translate", stdin="나는 물을 마신다\n\n  \n나는 집에 갔어")
    assert lines == ["I drink water", "", "", tiny_model.generate("나는 집에 갔어").text]
    for_programs = output("translate", "--json", stdin="나는 물을 마신다\n\n  \n나는 집에 갔어")
    told = [json.loads(line) for line in for_programs]
    assert [one["text"] for one in told] == lines
    assert len({tuple(one) for one in told}) == 1, "all have the same keys"
    assert [one["tokens"] == [] for one in told] == [not line for line in lines]
    assert output("translate", stdin="") == []


def test_translating_for_programs(tiny_model: TransformerModel) -> None:
    text = "나는 물을 세종"
    (line,) = output("translate", "--json", "--beam", "3", text)
    found = json.loads(line)
    wanted = tiny_model.generate(text, beam=3)
    assert found["source"] == text
    assert found["text"] == wanted.text
    assert [token["id"] for token in found["tokens"]] == [token.id for token in wanted.tokens]
    assert found["log_probability"] == pytest.approx(wanted.log_probability, abs=1e-4)
    assert found["finished"] is wanted.finished
    assert [word["known"] for word in found["familiarity"]] == [True, True, False]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["translate", ""], "text_empty"),
        (["translate", "x" * 10_001], "text_too_large"),
        (["translate", "물" * 100], "source_too_long"),
        (["translate", "물", "--beam", "17"], "parameter_invalid"),
        (["translate", "물", "--beam", "2", "--sample", "1"], "parameter_invalid"),
        (["translate", "물", "--sample", "1", "--top-p", "0"], "parameter_invalid"),
        (["translate", "물", "--temperature", "0.5"], "parameter_invalid"),
        (["trace", "--source", "물", "--top-p", "0.5", "--out", "x.npz"], "parameter_invalid"),
        (["translate", "물", "--sample", "1", "--temperature", "nan"], "parameter_invalid"),
        (
            ["trace", "--source", "물", "--target", "I", "--sample", "1", "--out", "x.npz"],
            "parameter_invalid",
        ),
        (["translate", "물", "--model", "none"], "model_unknown"),
        (["translate", "물", "--device", "tpu"], "device_unknown"),
        (["trace", "--source", "", "--out", "x.npz"], "text_empty"),
        (["trace", "--source", "물", "--out", "/none/x.npz"], "file_unwritable"),
        (["evaluate", "--data", "/none.tsv"], "file_missing"),
        (["evaluate", "--accept", "/none.tsv"], "file_missing"),
        (["evaluate"], "parameter_invalid"),
        (["evaluate", "--data", "a.tsv", "--accept", "b.tsv"], "parameter_invalid"),
        (["evaluate", "--accept", "a.tsv", "--columns", "a,b"], "parameter_invalid"),
        (["evaluate", "--accept", "a.tsv", "--split", "test"], "parameter_invalid"),
        (["calibrate", "/none", "--data", "a.tsv"], "checkpoint_missing"),
        (["calibrate", "/none"], "parameter_invalid"),
        (["train", "/none.toml"], "file_missing"),
    ],
)
def test_bad_input_is_named(arguments: list[str], code: str) -> None:
    assert code_of(*arguments) == code


def test_what_writes_nothing_is_not_judged_by_what_it_writes(tmp_path: Path) -> None:
    folder = learnt(tmp_path / "near", "skipgram", {"d_model": 8}, steps=1)
    (tmp_path / "list.tsv").write_text("visitors\t가\tgo\n", "utf-8")
    asked = ("evaluate", "--model", folder, "--accept", tmp_path / "list.tsv")
    assert code_of(*asked) == "unsupported"


def test_a_bad_line_is_named_by_its_number() -> None:
    done = run("translate", stdin="나는 물을 마신다\n" + "물" * 100 + "\n")
    assert isinstance(done.exception, HeadlightError)
    assert done.exception.parameters["line"] == 2
    assert done.stdout == "I drink water\n"  # what was done before it is not lost
    assert code_of("translate", "--json", stdin="물" * 100) == "data_invalid"


def test_what_is_written_is_drawn_by_a_seed(tmp_path: Path, tiny_model: TransformerModel) -> None:
    text, sampling = "나는 물을 마신다", Sampling(4, 1.8, 1.0)
    asked = ("--sample", "4", "--temperature", "1.8", "--top-p", "1")
    assert output("translate", *asked, text) == [tiny_model.generate(text, sampling=sampling).text]
    out = tmp_path / "t.npz"
    output("trace", "--source", text, *asked, "--out", out)
    saved = load_trace(out)
    assert saved.written == tiny_model.trace(TraceRequest(text, sampling=sampling)).written
    chance = {name: saved.meta[name] for name in ("seed", "temperature", "top_p")}
    assert Sampling(**chance) == sampling  # type: ignore[arg-type]


def test_a_trace_is_saved(tmp_path: Path, tiny_model: TransformerModel) -> None:
    out = tmp_path / "t.npz"
    (line,) = output("trace", "--source", "나는 물을 마신다", "--out", out)
    assert str(out) in line
    saved = load_trace(out)
    fresh = tiny_model.trace(TraceRequest("나는 물을 마신다"))
    assert saved.written == fresh.written
    size = tiny_model.card.vocabulary
    names = tuple(token.text for token in tiny_model.vocabulary_tokens(list(range(size))))
    assert saved.vocabulary == names
    for kind, site in fresh.sites.items():
        np.testing.assert_allclose(saved.sites[kind].weights, site.weights, atol=1e-6)
    output("trace", "--source", "물", "--target", "I", "--lift-mask", "--out", out)
    lifted = load_trace(out)
    assert lifted.sites["decoder_self"].allowed.all()
    assert lifted.meta["free_running"] is False


def test_a_trace_is_edited_and_records_more(tmp_path: Path, tiny_model: TransformerModel) -> None:
    edits = (Edit("outputs", "cross", "scale", 0.0, layer=1, head=2),)
    (tmp_path / "edits.json").write_text(edits_as_json(edits), "utf-8")
    out = tmp_path / "t.npz"
    asked = ("--edits", tmp_path / "edits.json", "--record", "residual", "--record", "outputs")
    output("trace", "--source", "물", "--target", "I", *asked, "--lift-mask", "--out", out)
    saved = load_trace(out)
    assert edits_of_json(str(saved.meta["edits"])) == (*edits, LIFTED_MASK)
    assert saved.sites["cross"].outputs is not None
    assert not saved.sites["cross"].outputs[1, 2].any()
    request = TraceRequest("물", "I", (*edits, LIFTED_MASK))
    fresh = tiny_model.trace(request)
    assert fresh.logits is not None
    assert saved.logits == pytest.approx(fresh.logits, abs=1e-5)
    assert set(saved.residuals) == {"encoder", "decoder"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "JSON"),
        ("{}", "Input should be a valid"),
        ('[{"place": "weight", "site": "cross"}]', "0.place"),
        ('[{"place": "mask", "site": "encoder"}]', "mask is nothing of encoder"),
        ('[{"place": "mask", "site": "cross", "layer": 9}]', "there are 3 layers"),
    ],
)
def test_edits_that_are_none_are_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "edits.json").write_text(text, "utf-8")
    done = run("trace", "--source", "물", "--edits", tmp_path / "edits.json", "--out", "x.npz")
    assert isinstance(done.exception, HeadlightError)
    assert done.exception.code == "parameter_invalid"
    assert said in str(done.exception)
    assert (
        code_of("trace", "--source", "물", "--edits", tmp_path / "none.json", "--out", "x.npz")
        == "file_missing"
    )
    assert (
        code_of("trace", "--source", "물", "--record", "weights", "--out", "x.npz")
        == "parameter_invalid"
    )


def test_scores_are_printed(tmp_path: Path) -> None:
    data = tmp_path / "d.tsv"
    data.write_text("korean\tenglish\n나는 물을 마신다\tI drink water\n물\tnothing\n")
    (line,) = output("evaluate", "--data", data, "--json")
    scores = json.loads(line)
    assert scores["pairs"] == 2
    assert scores["exact"] == 0.5
    assert scores["bleu_signature"].startswith("nrefs:1")
    text = "\n".join(output("evaluate", "--data", data))
    assert "50.00%" in text
    assert f"{scores['bleu']:.2f}" in text
    assert "nats a token" in text


def test_pairs_of_any_format_are_scored(tmp_path: Path) -> None:
    lines = tmp_path / "d.jsonl"
    lines.write_text('{"en": "I drink water", "ko": "나는 물을 마신다"}\n{"ko": "물"}\n')
    done = run("evaluate", "--data", lines, "--json")
    assert json.loads(done.stdout)["pairs"] == 1
    assert "line 2" in done.stderr
    assert "1 of 2 rows" in done.stderr
    table = tmp_path / "d.tsv"
    table.write_text("note\tenglish\tkorean\nx\tI drink water\t나는 물을 마신다\n")
    (line,) = output("evaluate", "--data", table, "--columns", "korean, english", "--json")
    assert json.loads(line)["exact"] == 1.0
    assert code_of("evaluate", "--data", table, "--columns", "korean") == "parameter_invalid"
    assert code_of("evaluate", "--data", table, "--columns", "ko,en") == "data_invalid"
    assert code_of("evaluate", "--data", table, "--split", "test") == "file_unreadable"
    assert code_of("evaluate", "--data", "") == "file_missing"


def test_what_is_below_a_calibrated_certainty_is_a_guess(
    tmp_path: Path, tiny_checkpoint: Path
) -> None:
    folder = Path(shutil.copytree(tiny_checkpoint, tmp_path / "tiny"))
    sure, unsure = "나는 물을 마신다", "세종 세종 물 물 물"
    pairs, texts = tmp_path / "pairs.tsv", tmp_path / "list.tsv"
    pairs.write_text(f"korean\tenglish\n{sure}\tI drink water\n{unsure}\tnone\n")
    texts.write_text(
        f"source\taccepted\tkind\n{sure}\t(I drink|we drink) water.\tfood\n{unsure}\tno\tnone\n"
    )
    told = [
        output("calibrate", folder, option, path)
        for option, path in (("--data", pairs), ("--accept", texts))
    ]
    assert told[0] == told[1]
    apart = tmp_path / "sure.tsv", tmp_path / "unsure.tsv"
    head, *rows = texts.read_text().splitlines()
    for path, row in zip(apart, rows, strict=True):
        path.write_text(f"{head}\n{row}\n")
    lists = (part for path in apart for part in ("--accept", path))
    assert output("calibrate", folder, *lists) == told[0]
    output("verify", folder)
    model = registry.load(folder)
    assert model.card.sure_from == pytest.approx(model.generate(sure).certainty)
    for text, guess in ((sure, False), (unsure, True)):
        (line,) = output("translate", "--json", "--model", folder, text)
        assert json.loads(line)["guess"] is guess
    (line,) = output("translate", "--json", "--model", folder, "--beam", "2", sure)
    assert json.loads(line)["guess"] is None
    pairs.write_text(f"korean\tenglish\n{unsure}\tnone\n")
    assert code_of("calibrate", folder, "--data", pairs) == "parameter_invalid"


def test_what_is_accepted_is_printed_by_kind(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text(
        "source\taccepted\tkind\n"
        "나는 물을 마신다\tI drink [some] water.\tfood\n"
        "물\t(no|none) such\tfood\n"
        "나는 물을 마신다\tI drink water / Water\tagain\n"
    )
    (line,) = output("evaluate", "--accept", path, "--json")
    told = json.loads(line)
    assert (told["model_id"], told["accept"], told["beam"]) == ("tiny", str(path), 1)
    assert (told["accepted"], told["rows"]) == (2, 3)
    assert told["kinds"] == {
        "food": {"accepted": 1, "rows": 2},
        "again": {"accepted": 1, "rows": 1},
    }
    (wrong,) = told["refused"]
    assert (wrong["source"], wrong["kind"]) == ("물", "food")
    assert wrong["accepted"] == ["no such", "none such"]
    lines = output("evaluate", "--accept", path)
    assert [row.split() for row in lines[:3]] == [
        ["food", "1", "of", "2", "50.0%"],
        ["again", "1", "of", "1", "100.0%"],
        ["all", "2", "of", "3", "66.7%"],
    ]
    assert lines[-1] == f"food: 물 -> {wrong['output']} (no such)"
    path.write_text("source\taccepted\tkind\n나는 물을 마신다\tI drink water\tfood\n")
    assert len(output("evaluate", "--accept", path)) == 2  # nothing is told as not accepted
    path.write_text("source\taccepted\tkind\n물\t(water\tfood\n")
    assert code_of("evaluate", "--accept", path) == "data_invalid"


def test_verifying(folder: Path) -> None:
    (line,) = output("verify", folder)
    assert "is whole" in line
    (folder / "README.md").write_text("edited\n")
    done = run("verify", folder)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "README.md" in done.stderr
    output("verify", "--seal", folder)
    output("verify", folder)
    (folder / "README.md").unlink()
    output("verify", "--seal", folder)
    assert output("verify", folder)[0].startswith("note: ")


PAIRS = [("가 나", "a b"), ("나 다", "b c"), ("가", "a"), ("다 가 나", "c a b")] * 5


def mini(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    """A recipe that trains a very small model for a moment."""
    data = folder / "d.tsv"
    data.write_text("korean\tenglish\n" + "".join(f"{a}\t{b}\n" for a, b in pairs))
    recipe = folder / "r.toml"
    recipe.write_text(
        f"""
        model_id = "mini"
        source_language = "ko"
        target_language = "en"
        max_source = 16
        max_target = 16
        corpora = [{{ name = "all", path = "{data}" }}]
        tokenizer = {{ kind = "characters" }}
        model = {{ d_model = 16, d_ff = 32, heads = 2, encoder_layers = 1, decoder_layers = 1 }}
        training = {{ steps = 12, report_every = 4, validate_every = 6, save_every = 6 }}
        """
    )
    return recipe


@pytest.mark.parametrize(("pairs", "said"), [(PAIRS[:1], 1), (PAIRS[:1] * 3, 1), (PAIRS[:2], 0)])
def test_a_single_pair_is_trained_on_and_said_to_prove_nothing(
    tmp_path: Path, pairs: list[tuple[str, str]], said: int
) -> None:
    lines = output("train", mini(tmp_path, pairs), "--out", tmp_path / "mini")
    told = [line for line in lines if "holds a single pair" in line]
    assert len(told) == said
    for part in ("learn it by heart", "proves nothing about other sentences"):
        assert all(part in line for line in told)
    assert lines[-1].endswith("is a checkpoint now")


def test_training_ends_in_a_checkpoint_that_opens(tmp_path: Path) -> None:
    recipe, out = mini(tmp_path, PAIRS), tmp_path / "mini"
    lines = output("train", recipe, "--out", out)
    assert lines[0].endswith("from update 0 to 12")
    assert sum(line.startswith("update") and "tokens/s" in line for line in lines) == 3
    assert lines[-1] == f"update 12: {out} is a checkpoint now"
    assert "is whole" in output("verify", out)[-1]
    assert len(output("translate", "--model", out, "가 나")) == 1
    told = [json.loads(line)["event"] for line in (out / "events.jsonl").read_text().splitlines()]
    assert told[0] == "started"
    assert told.count("progress") == 3
    assert told[-1] == "finished"
    assert code_of("train", recipe, "--out", out) == "run_exists"
    assert code_of("train", recipe, "--out", out, "--device", "abacus") == "device_unknown"


def test_on_a_terminal_an_event_without_words_leaves_no_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    told: list[events.Event] = [events.FellBack(3, "s"), events.Saved(4)]
    told += [events.Milestone(4, "m"), events.Stopped(4)]
    assert train._show(told) == told[-1]
    seen = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", terminal.getvalue())
    lines = [line.rpartition("\r")[-1].strip() for line in seen.split("\n")[:-1]]
    wanted = [line for event in told for line in train.sentences(event)]
    assert [line for line in lines if "━" not in line] == wanted
