import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core import registry
from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import TraceRequest

STRANGE = ["", ".", "..", "../tiny", "tiny/../tiny", "/etc", "tiny\0", "x" * 5000, "~", "TINY"]


@pytest.fixture
def root(tiny_checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tiny_checkpoint.parent))
    return tiny_checkpoint.parent


def code_of(call: object, *arguments: object) -> str:
    assert callable(call)
    with pytest.raises(HeadlightError) as caught:
        call(*arguments)
    return caught.value.code


def test_models_are_folders_with_a_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    for name in ("b", "a", "ko-en-everyday", ".a.partial", "with space", "<b>", "x" * 65):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    assert registry.model_ids() == ("a", "b", "ko-en-everyday")
    assert registry.default_model_id() == "ko-en-everyday"
    shutil.rmtree(tmp_path / "ko-en-everyday")
    assert registry.default_model_id() == "a"
    assert registry.entries()[0].source_language == ""


def test_entries_tell_the_languages(root: Path) -> None:
    entry = registry.entries()[0]
    assert (entry.model_id, entry.source_language, entry.target_language) == ("tiny", "ko", "en")
    assert entry.folder == root / "tiny"
    assert entry.examples[0] == "나는 물을 마신다"
    assert registry.entry_of("a.name", entry.folder) == replace(entry, model_id="a.name")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_checkpoint: Path) -> Path:
    """A folder of runs: "begun" and two finished ones, "mine" and, like the model, "tiny"."""
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path))
    for name in ("mine", "tiny"):
        shutil.copytree(tiny_checkpoint, tmp_path / name)
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "recipe.toml").touch()
    (tmp_path / "begun" / "config.json").touch()
    for strange in (".hidden", "with space", "empty"):
        (tmp_path / strange).mkdir()
    return tmp_path


def test_finished_runs_are_models_too(root: Path, runs: Path) -> None:
    assert registry.model_ids() == ("tiny", "mine", "tiny.run")
    assert registry.default_model_id() == "tiny"
    assert registry.known_folder("mine") == registry.find_folder("mine") == runs / "mine"
    assert [entry.model_id for entry in registry.entries()] == ["tiny", "mine", "tiny.run"]
    assert registry.first_trace("mine") is not None


def test_a_run_never_takes_the_id_of_a_model(root: Path, runs: Path) -> None:
    assert registry.known_folder("tiny") == root / "tiny"
    assert registry.known_folder("tiny.run") == runs / "tiny"
    shutil.copytree(runs / "mine", runs / "tiny.run")
    assert registry.model_ids() == ("tiny", "mine", "tiny.run", "tiny.run.run")
    assert registry.known_folder("tiny.run") == runs / "tiny"


def test_a_run_is_known_from_its_beginning(root: Path, runs: Path) -> None:
    assert registry.run_ids() == ("begun", "mine", "tiny")
    assert registry.known_run("begun") == runs / "begun"


def test_runs_with_milestones_have_the_ids_of_their_models(
    runs: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path_factory.mktemp("shipped") / "tiny"
    shutil.copytree(runs / "tiny", shipped)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(shipped.parent))
    for folder in (shipped, runs / "tiny", runs / "begun"):
        shutil.copytree(runs / "mine", folder / "milestones" / "00000080")
    (runs / "mine" / "milestones" / "00000080").mkdir(parents=True)  # not whole
    found = registry.milestone_runs()
    assert list(found) == ["tiny", "begun", "tiny.run"]
    assert found["tiny"] == shipped
    assert found["tiny.run"] == runs / "tiny" == registry.known_folder("tiny.run")


@pytest.mark.parametrize("run_id", [*STRANGE, "empty", ".hidden", "with space"])
def test_a_run_from_outside_is_a_known_one_or_refused(runs: Path, run_id: str) -> None:
    assert code_of(registry.known_run, run_id) == "parameter_invalid"


@pytest.mark.parametrize("raw", ["", "[]", "[" * 100_000, '{"source_language": "ko"}', "\xff"])
def test_a_broken_config_still_is_in_the_list(
    raw: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "config.json").write_text(raw, encoding="latin-1")
    assert [entry.source_language for entry in registry.entries()] == [""]


def test_no_models_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path, tmp_path / "none"):
        monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(path))
        assert registry.model_ids() == ()
        assert code_of(registry.default_model_id) == "model_unknown"
        assert code_of(registry.load) == "model_unknown"


def test_without_the_variable_models_are_those_beside_the_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HEADLIGHT_CHECKPOINTS", raising=False)
    assert registry.root() == Path(registry.__file__).parent.parent / "checkpoints"


@pytest.mark.parametrize("model_id", STRANGE)
def test_an_id_from_outside_is_a_known_one_or_refused(root: Path, model_id: str) -> None:
    assert code_of(registry.known_folder, model_id) == "model_unknown"
    assert code_of(registry.first_trace, model_id) == "model_unknown"


def test_a_path_is_no_id(root: Path) -> None:
    assert code_of(registry.known_folder, str(root / "tiny")) == "model_unknown"
    assert registry.known_folder("tiny") == root / "tiny"


def test_a_model_opens_by_id_and_by_folder(root: Path, tiny_model: TransformerModel) -> None:
    wanted = tiny_model.generate("나는 물을 마신다").text
    for model in ("tiny", root / "tiny", str(root / "tiny"), None):
        opened = registry.load(model)
        assert opened.card.model_id == "tiny"
        assert opened.generate("나는 물을 마신다").text == wanted


@pytest.mark.parametrize("model", ["none", "", "tiny\0", "x" * 5000, "/none"])
def test_what_is_neither_is_refused(root: Path, model: str) -> None:
    with pytest.raises(HeadlightError) as caught:
        registry.load(model)
    assert caught.value.code == "model_unknown"
    assert caught.value.parameters["known"] == "tiny"
    assert len(str(caught.value)) < 400


def test_the_first_look_is_the_models_own(root: Path, tiny_model: TransformerModel) -> None:
    stored = registry.first_trace("tiny")
    assert stored is not None
    fresh = tiny_model.trace(TraceRequest(str(stored.meta["source_text"])))
    assert stored.written == fresh.written
    assert stored.meta == fresh.meta
    for kind, site in fresh.sites.items():
        assert abs(site.weights - stored.sites[kind].weights).max() < 1e-6


def test_a_first_look_is_checked_or_absent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(folder.parent))
    raw = bytearray((folder / "first-look.npz").read_bytes())
    raw[50] ^= 1
    (folder / "first-look.npz").write_bytes(raw)
    assert code_of(registry.first_trace, "tiny") == "checkpoint_altered"
    (folder / "first-look.npz").unlink()
    assert code_of(registry.first_trace, "tiny") == "checkpoint_missing"
    from core.checkpoint import folder as checkpoint

    checkpoint.seal(folder)
    assert registry.first_trace("tiny") is None


def test_what_a_first_look_unpacks_to_is_bounded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = registry.first_trace("tiny")
    assert stored is not None
    assert stored.logits is not None
    monkeypatch.setattr(registry, "_FIRST_TRACE_ARRAYS", stored.logits.nbytes)
    assert code_of(registry.first_trace, "tiny") == "trace_invalid"


def test_listing_and_the_first_look_need_no_torch(root: Path) -> None:
    code = (
        "import sys, json; from core import registry;"
        "trace = registry.first_trace(registry.default_model_id());"
        "print(json.dumps([registry.model_ids(), len(trace.source), 'torch' in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    ids, tokens, torch_loaded = json.loads(done.stdout)
    assert ids == ["tiny"]
    assert tokens > 1
    assert not torch_loaded


def test_hugging_face_folders_are_listed_beside_ours(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, cache = tmp_path / "models", tmp_path / "hub"
    snapshot = cache / "models--some--bert" / "snapshots" / "0a1b"
    config = {"model_type": "bert", "architectures": ["BertForMaskedLM"]}
    for folder in (own / "small", own / "no model", snapshot):
        folder.mkdir(parents=True)
    for folder in (own / "small", snapshot):
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "model.safetensors").write_bytes(b"12345")
    refs = cache / "models--some--bert" / "refs"
    refs.mkdir()
    (refs / "main").write_text("0a1b\n")
    monkeypatch.setenv("HEADLIGHT_MODELS", str(own))
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    found = {entry.model_id: entry for entry in registry.entries()}
    assert list(found) == ["tiny", "small", "some--bert"]
    small = found["small"]
    assert (small.family, small.bytes, small.fills, small.writes) == ("hub", 5, True, False)
    assert registry.known_folder("some--bert") == snapshot
    (own / "small" / "config.json").write_text("no JSON")
    assert "small" in registry.model_ids()
    monkeypatch.setenv("HEADLIGHT_MODELS", str(own / "small"))
    assert "small" in registry.model_ids()
