"""How sure a model is where it is right: thresholds, and the file that keeps them."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checkpoint.calibration import Calibration
from core.checkpoint.folder import load, seal
from core.errors import HeadlightError


@pytest.fixture
def folder(tiny_checkpoint: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_checkpoint, tmp_path / "copy"))


CERTAINTIES = st.lists(st.floats(-20, 0), max_size=40)


@given(right=CERTAINTIES.filter(bool), wrong=CERTAINTIES, marked=st.floats(0, 1, exclude_max=True))
def test_no_more_right_outputs_are_marked_than_may_be(
    right: list[float], wrong: list[float], marked: float
) -> None:
    found = Calibration.of(right, wrong, marked)
    assert found.marked_right <= marked
    assert found.marked_wrong == pytest.approx(
        sum(one < found.sure_from for one in wrong) / max(len(wrong), 1)
    )
    higher = [one for one in right if one > found.sure_from]
    if higher:  # a higher one would mark too many
        above = min(higher)
        assert sum(one < above for one in right) > marked * len(right) - 1e-9


@given(right=CERTAINTIES.filter(bool), wrong=CERTAINTIES.filter(bool))
def test_the_auc_is_that_of_all_pairs(right: list[float], wrong: list[float]) -> None:
    auc = Calibration.of(right, wrong).auc
    assert auc == pytest.approx(1 - Calibration.of(wrong, right).auc)
    assert Calibration.of(right, right).auc == pytest.approx(0.5)
    assert Calibration.of([0.0], [-1.0]).auc == 1


def test_nothing_right_is_nothing_to_calibrate_on() -> None:
    with pytest.raises(ValueError, match="calibrate"):
        Calibration.of([], [-1.0])


def test_a_folder_keeps_it(folder: Path) -> None:
    made = Calibration.of([-0.1, -0.2], [-0.9])
    digest = load(folder).digest
    (folder / "calibration.json").write_text(made.model_dump_json(), encoding="utf-8")
    assert load(folder).calibration is None  # not sealed
    seal(folder)
    found = load(folder)
    assert (found.calibration, found.digest) == (made, digest)


@pytest.mark.parametrize("told", [{"sure_from": 1}, {"auc": 2}, {"right": 0}, {"more": 1}])
def test_a_bad_one_is_refused(folder: Path, told: dict[str, float]) -> None:
    made = Calibration.of([-0.1, -0.2], [-0.9]).model_dump() | told
    (folder / "calibration.json").write_text(json.dumps(made), encoding="utf-8")
    seal(folder)
    with pytest.raises(HeadlightError, match=r"calibration\.json"):
        load(folder)
