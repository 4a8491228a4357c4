"""Where a model's weights go: float32 before half precision, one device before several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.families.hub.placing import HELD, Placing, Room, placing
from core.reasons import RefusedError

GB = 2**30
MODEL = GB  # parameters: 4 GB in float32, 2 GB in half precision
DEVICES: tuple[str, ...] = ("cpu", "cuda")
SIZES = st.integers(0, 8 * GB)


@pytest.mark.parametrize(
    ("device", "room", "placed"),
    [
        ("cpu", {"cpu": 5 * GB}, Placing()),
        ("cpu", {"cpu": 3 * GB}, Placing(half=True)),
        ("cpu", {}, Placing()),
        ("mps", {}, Placing()),
        ("cuda", {0: 5 * GB, "cpu": 0}, Placing()),
        ("cuda", {0: 3 * GB, 1: 3 * GB}, Placing(spread=dict.fromkeys((0, 1), int(HELD * 3 * GB)))),
        ("cuda", {0: 3 * GB, "cpu": 9 * GB}, Placing(half=True)),
    ],
)  # fmt: skip
def test_numbers_come_first_then_one_device(device: str, room: Room, placed: Placing) -> None:
    assert placing(MODEL, device, room) == placed


def test_the_rest_is_held_by_the_machine_where_no_gpu_is_large_enough() -> None:
    found = placing(MODEL, "cuda", {0: GB, "cpu": 3 * GB})
    assert found.half
    assert found.spread == {0: int(HELD * GB), "cpu": int(HELD * 3 * GB)}


@given(st.sampled_from(DEVICES), SIZES, SIZES, SIZES)
def test_what_is_placed_fits_and_what_is_refused_fits_nowhere(
    device: str, first: int, second: int, machine: int
) -> None:
    room: Room = {0: first, 1: second, "cpu": machine} if device == "cuda" else {"cpu": machine}
    own = {name: int(HELD * size) for name, size in room.items()}
    if sum(own.values()) < 2 * MODEL:
        with pytest.raises(RefusedError) as refused:
            placing(MODEL, device, room)
        assert refused.value.reason.parameters["needed"] == "2.0"
        return
    found = placing(MODEL, device, room)
    one = own[0 if device == "cuda" else "cpu"]
    held = one if found.spread is None else sum(found.spread.values())
    assert (2 if found.half else 4) * MODEL <= held
