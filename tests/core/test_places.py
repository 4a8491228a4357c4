"""Places of models that were named: kept in their order, bounded, and harmless where damaged."""

from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest

from core import registry
from core.errors import HeadlightError
from core.families.hub.found import with_found
from core.places import FILE, forget, remember, remembered


def _model(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "config.json").write_text('{"model_type": "bert"}')
    return path


def test_what_is_named_stays_in_its_place_until_it_is_forgotten(tmp_path: Path) -> None:
    root, one, two = tmp_path / "runs", tmp_path / "one", tmp_path / "두 번째"
    assert remembered(root) == ()
    for place in (one, two, tmp_path / "other" / ".." / "one"):
        remember(root, place)
    assert remembered(root) == (one, two)
    forget(root, one)
    assert remembered(root) == (two,)


def test_no_more_are_kept_than_a_list_can_show(tmp_path: Path) -> None:
    for number in range(70):
        remember(tmp_path, tmp_path / str(number))
    assert [path.name for path in remembered(tmp_path)] == [str(n) for n in range(6, 70)]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\n", b"relative/path\n", b"\0\n\n"])
def test_a_damaged_file_names_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert remembered(tmp_path) == ()


def test_a_folder_that_takes_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(HeadlightError, match=FILE.replace(".", r"\.")):
        remember(tmp_path / "runs", tmp_path)


def test_models_of_any_name_are_listed_each_under_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Korean, with spaces, twice the same, the name of a shipped one: all can be opened."""
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path / "runs"))
    folders = [_model(tmp_path / "a" / "내 모델"), _model(tmp_path / "b" / "my  model.v1")]
    folders += [_model(tmp_path / "c" / "my-model.v1"), _model(tmp_path / "d" / "ko-en-everyday")]
    for folder in folders:
        remember(tmp_path / "runs", folder)
    found = {name: path for name, path in registry.folders().items() if path in folders}
    assert list(found) == ["nae-model", "my-model.v1", "my-model.v1-2", "ko-en-everyday-2"]
    assert list(found.values()) == folders
    assert all(registry.is_id(name) for name in found)


def test_a_run_is_no_model_of_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is its owner's, by whatever way a place leads there."""
    runs = tmp_path / "runs"
    monkeypatch.setenv("HEADLIGHT_RUNS", str(runs))
    _model(runs / "private" / "milestones" / "500")
    (tmp_path / "link").symlink_to(runs / "private")
    for place in (runs / "private" / "milestones", runs, tmp_path / "link" / "milestones"):
        remember(runs, place)
    assert "500" not in registry.folders()


def test_one_folder_is_listed_once(tmp_path: Path) -> None:
    place = tmp_path / "models"
    known = {"mine": _model(place / "mine")}
    _model(place / "other")
    (tmp_path / "link").symlink_to(place)
    found = with_found(known, (place, place / "other", tmp_path / "link"), tmp_path / "runs")
    assert [*found] == ["mine", "other"]


def test_files_of_several_precisions_are_listed_each(tmp_path: Path) -> None:
    for name in ("a.q4.gguf", "a.q8.gguf"):
        (tmp_path / "models" / "a").mkdir(parents=True, exist_ok=True)
        (tmp_path / "models" / "a" / name).write_bytes(b"GGUF")
    assert [*with_found({}, (tmp_path / "models",), tmp_path / "runs")] == ["a.q4", "a.q8"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_korean_name_is_romanised(tmp_path: Path, form: Literal["NFC", "NFD"]) -> None:
    """However the file system spells it; letters that no address has stand for none."""
    for name in ("내 모델", "학생들의 모델", "日本"):
        _model(tmp_path / "models" / normalize(form, name))
    found = with_found({}, (tmp_path / "models",), tmp_path / "runs")
    assert {*found} == {"nae-model", "haksaengdeului-model", "model"}
