"""How sure a model is where it is right: thresholds, and the file that keeps them."""

import json
import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checkpoint.calibration import Calibration, Sure
from core.checkpoint.folder import load, seal
from core.errors import HeadlightError
from core.outputs import weighed


@pytest.fixture
def folder(tiny_checkpoint: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_checkpoint, tmp_path / "copy"))


CERTAINTIES = st.floats(-20, 0)
OUTPUTS = st.lists(
    st.builds(Sure, CERTAINTIES, st.booleans(), st.integers(0, 50)), min_size=1, max_size=40
).filter(lambda found: any(one.right for one in found))
WEIGHTS = (0.0, 0.02, 0.05, 0.1)
MADE = Calibration.of([Sure(-0.1, True), Sure(-0.2, True), Sure(-0.9, False)])


@given(outputs=OUTPUTS, marked=st.floats(0, 1, exclude_max=True))
def test_no_more_right_outputs_are_marked_than_may_be(outputs: list[Sure], marked: float) -> None:
    found = Calibration.of(outputs, marked)
    right, wrong = (
        [weighed(o.certainty, o.seen, found.frequency_weight) for o in outputs if o.right is side]
        for side in (True, False)
    )
    assert (found.right, found.wrong) == (len(right), len(wrong))
    assert found.marked_right <= marked
    assert found.marked_right == pytest.approx(sum(o < found.sure_from for o in right) / len(right))
    assert found.marked_wrong == pytest.approx(
        sum(one < found.sure_from for one in wrong) / max(len(wrong), 1)
    )
    higher = [one for one in right if one > found.sure_from]
    if higher:  # a higher one would mark too many
        above = min(higher)
        assert sum(one < above for one in right) > marked * len(right) - 1e-9


@given(outputs=OUTPUTS)
def test_the_auc_is_that_of_all_pairs_and_words_count_where_they_tell(outputs: list[Sure]) -> None:
    def auc(weight: float) -> float:
        right, wrong = (
            [weighed(o.certainty, o.seen, weight) for o in outputs if o.right is side]
            for side in (True, False)
        )
        won = [(one > other) + 0.5 * (one == other) for one, other in product(right, wrong)]
        return sum(won) / len(won) if won else 1.0

    found = Calibration.of(outputs)
    assert found.auc == pytest.approx(auc(found.frequency_weight))
    assert found.auc >= max(map(auc, WEIGHTS)) - 0.006
    if found.frequency_weight:
        assert found.auc > auc(0.0) + 0.004


def test_what_training_showed_counts_where_it_tells() -> None:
    right = [Sure(-0.3, True, 40), Sure(-0.4, True, 25), Sure(-0.1, True, 2)]
    wrong = [Sure(-0.2, False, 0), Sure(-0.25, False, 1)]
    found = Calibration.of(right + wrong)
    assert (found.frequency_weight, found.auc) == (0.1, 1.0)
    alike = Calibration.of([replace(one, seen=7) for one in right + wrong])
    assert alike.frequency_weight == 0
    assert alike.auc == pytest.approx(1 / 3)


def test_nothing_right_is_nothing_to_calibrate_on() -> None:
    with pytest.raises(ValueError, match="calibrate"):
        Calibration.of([Sure(-1.0, False)])


def test_a_folder_keeps_it(folder: Path) -> None:
    made = MADE
    digest = load(folder).digest
    (folder / "calibration.json").write_text(made.model_dump_json(), encoding="utf-8")
    assert load(folder).calibration is None  # not sealed
    seal(folder)
    found = load(folder)
    assert (found.calibration, found.digest) == (made, digest)


@pytest.mark.parametrize(
    "told", [{"sure_from": "x"}, {"frequency_weight": -1}, {"auc": 2}, {"right": 0}, {"more": 1}]
)
def test_a_bad_one_is_refused(folder: Path, told: dict[str, object]) -> None:
    made = MADE.model_dump() | told
    (folder / "calibration.json").write_text(json.dumps(made), encoding="utf-8")
    seal(folder)
    with pytest.raises(HeadlightError, match=r"calibration\.json"):
        load(folder)
