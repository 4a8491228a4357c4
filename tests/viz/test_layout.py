"""Laws of the tree that no linter of ours holds."""

from pathlib import Path

VIZ = Path(__file__).parents[2] / "viz"
CHECKED = "// @ts-check\n"
UNTYPED = {
    "views": "trim",
}


def test_only_one_module_touches_the_session_state() -> None:
    touching = [path for path in VIZ.rglob("*.py") if "session_state" in path.read_text("utf-8")]
    assert touching == [VIZ / "session" / "visit.py"]


def test_a_typed_script_stays_typed_and_a_new_one_is() -> None:
    """`make lint` checks those that begin so; the others are listed until they do, too."""
    web = VIZ / "inspector" / "web"
    untyped = {room: names.split() for room, names in UNTYPED.items()}
    found = [path for path in web.rglob("*.js") if not path.read_text("utf-8").startswith(CHECKED)]
    assert {*found} == {web / room / f"{name}.js" for room in untyped for name in untyped[room]}
