"""A family that lives here alone is trained, opened, traced, searched and shown like any other."""

import json
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from core import family, registry
from core.checkpoint.verify import verify
from core.cli.app import app as commands
from core.errors import HeadlightError
from core.model import Capabilities, Inspectable, TraceRequest
from core.nn.network import Sizes
from core.probe import LIFTED_MASK
from core.reasons import RefusedError
from core.studies.evaluation import evaluate
from core.training import events
from core.training.run import run
from tests.copier import CopierModel
from viz.jobs import services
from viz.jobs.models import Models
from viz.text import beam, step
from viz.text.errors import worded
from viz.text.language import LANGUAGES, Language
from viz.text.plain import plain

CPU = torch.device("cpu")
WORDS = [left + right for left in "abcdefgh" for right in ("", "one", "two", "hedge", "gap", "dad")]
RECIPE = """
family = "copier"
model_id = "parrot"
source_language = "en"
target_language = "en"
examples = ["abba"]
max_source = 32
max_target = 32
[tokenizer]
kind = "characters"
[[corpora]]
name = "words"
path = "words.tsv"
valid = 0.2
[schedule]
kind = "constant"
warmup = 1
peak = 0.05
[training]
steps = 60
tokens_per_batch = 256
precision = "fp32"
milestones = 3
"""


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """For the whole process, as a program that brings a family would have it."""
    family.register("copier", "tests.copier")


@pytest.fixture(scope="module")
def parrot(tmp_path_factory: pytest.TempPathFactory, known: None) -> Path:
    """A trained run of the family: a folder fit for HEADLIGHT_CHECKPOINTS holds it."""
    root = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        (root / "words.tsv").write_text("\n".join(f"{word}\t{word}" for word in WORDS), "utf-8")
        (root / "recipe.toml").write_text(RECIPE, "utf-8")
        story = list(run(root / "recipe.toml", root / "parrot"))
    assert isinstance(story[-1], events.Finished)
    validated = [event for event in story if isinstance(event, events.Validated)]
    assert validated[-1].scores["words"].exact == 1.0
    return root / "parrot"


@pytest.fixture(scope="module")
def model(parrot: Path) -> Inspectable:
    return registry.load(parrot, CPU)


def test_what_was_trained_is_a_whole_checkpoint(parrot: Path) -> None:
    assert json.loads((parrot / "config.json").read_text())["family"] == "copier"
    assert not [finding for finding in verify(parrot) if finding.serious]


def test_a_run_of_it_goes_on(parrot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(parrot.parent)
    for event in run(Path("recipe.toml"), tmp_path / "again", asked=lambda: True):
        assert not isinstance(event, events.Finished)
    *_, last = run(Path("recipe.toml"), tmp_path / "again", resume=True)
    assert isinstance(last, events.Finished)
    whole, resumed = (registry.load(folder, CPU) for folder in (parrot, tmp_path / "again"))
    assert whole.digest == resumed.digest


def test_it_is_traced_and_searched(model: Inspectable) -> None:
    trace = model.trace(TraceRequest("cab"))
    assert "".join(token.text for token in trace.written[:-1]) == "cab"
    assert list(trace.sites) == ["cross"]
    np.testing.assert_array_equal(trace.sites["cross"].weights[0, 0], np.eye(4))
    assert model.generate("beef", beam=4).text == "beef"
    assert model.generate_all(["hat", "a", "bad"], beam=3) == ["hat", "a", "bad"]
    tree = model.search("dad", beam=3)
    assert [tree.nodes[place].fate for place in tree.ranked[:1]] == ["ended"]
    assert evaluate(model, [("egg", "egg"), ("head", "deaf")]).exact == 0.5


def test_what_it_cannot_do_is_said(model: Inspectable) -> None:
    with pytest.raises(HeadlightError) as caught:
        model.trace(TraceRequest("cab", edits=(LIFTED_MASK,)))
    assert caught.value.code == "parameter_invalid"
    with pytest.raises(HeadlightError) as caught:
        model.trace(TraceRequest("cab", record=("residual",)))
    assert caught.value.code == "unsupported"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_card_does_not_name_is_refused(
    model: Inspectable, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    bare = CopierModel(model.checkpoint)  # type: ignore[attr-defined]
    monkeypatch.setattr(bare, "_card", replace(model.card, capabilities=Capabilities()))
    for ask in (
        lambda: bare.search("cab", beam=2),
        lambda: bare.trace(TraceRequest("cab", "gab")),
        lambda: bare.trace(TraceRequest("cab", prefix=(5,))),
    ):
        with pytest.raises(HeadlightError) as caught:
            ask()
        assert caught.value.code == "unsupported"
        assert "parrot" in worded(caught.value, language)
    assert bare.generate("cab", beam=2).text == "cab"


def test_the_command_line_knows_it(parrot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(parrot.parent))
    done = CliRunner().invoke(commands, ["translate", "--model", "parrot", "gag"])
    assert (done.exit_code, done.stdout) == (0, "gag\n")


def shown(page: str, **query: str) -> AppTest:
    app = AppTest.from_string(f"from viz.main import run\nrun({page!r})", default_timeout=60)
    app.query_params.update({"model": "parrot", **query})
    app.run()
    assert not app.exception
    assert not [error.value for error in app.error]
    return app


def captions(app: AppTest) -> list[str]:
    return [caption.value for caption in app.caption]


def test_it_is_shown(
    parrot: Path, model: Inspectable, fresh: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(parrot.parent))
    services.MODELS.wait("parrot", 60)
    for page in ("inspect", "step", "model"):
        app = shown(page, source="dab", beam="3")
        drawn = [json.loads(node.proto.json)["meta"] for node in app.get("bidi_component")]
        if page != "model":
            assert drawn[0]["model_id"] == "parrot"
            assert [site["kind"] for site in drawn[0]["sites"]] == ["cross"]
        assert (plain(step.EN.no_mask) in captions(app)) == (page == "step")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_cannot_do_is_not_offered(
    parrot: Path,
    model: Inspectable,
    fresh: Models,
    monkeypatch: pytest.MonkeyPatch,
    language: Language,
) -> None:
    """Nor asked of it, whatever the address says."""
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(parrot.parent))
    monkeypatch.setattr(CopierModel, "capabilities", lambda self: Capabilities())
    services.MODELS.wait("parrot", 60)
    asked = {"target": "gab", "mask": "off", "branch": "5.6", "beam": "3"}
    app = shown("step", source="dab", lang=language, **asked)
    assert plain(step.TEXT[language].no_target) in captions(app)
    assert plain(beam.TEXT[language].unable) in captions(app)
    assert [field.key for field in app.text_input] == ["widget.source"]
    (drawn,) = [json.loads(node.proto.json)["meta"] for node in app.get("bidi_component")]
    free = model.trace(TraceRequest("dab"))
    assert drawn["written"]["piece"] == [token.piece for token in free.written]
    assert not drawn["ui"]["branches"]


def test_an_installed_package_brings_a_family(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("magpie", "tests.copier", family.GROUP)
    monkeypatch.setattr(family, "entry_points", lambda group: [point])
    family._brought.cache_clear()
    try:
        with pytest.raises(ValueError, match="calls itself 'copier', not 'magpie'"):
            family.find("magpie")
        with pytest.raises(RefusedError, match="copier, language, magpie, recurrent, seq2seq"):
            family.find("crow")
    finally:
        family._brought.cache_clear()


def test_sizes_say_what_every_network_must(parrot: Path) -> None:
    with pytest.raises(TypeError, match="Lacking has no d_model, pad_id"):

        class Lacking(Sizes):
            vocab_size: int
            max_length: int


def test_a_family_that_nobody_knows_is_named(parrot: Path, tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="one of copier, language, recurrent, seq2seq, skip"):
        family.find("parrot")
    pieces = RECIPE.replace('kind = "characters"', 'kind = "sentencepiece"')
    (tmp_path / "pieces.toml").write_text(pieces, "utf-8")
    with pytest.raises(HeadlightError, match=r"tokenizer\.kind: it is one of characters"):
        list(run(tmp_path / "pieces.toml", tmp_path / "pieces"))
    text = RECIPE.replace('family = "copier"', 'family = "cat"')
    (tmp_path / "cat.toml").write_text(text, "utf-8")
    with pytest.raises(HeadlightError, match="family: it is one of"):
        list(run(tmp_path / "cat.toml", tmp_path / "cat"))
