"""Laws of the tree that no linter of ours holds."""

from pathlib import Path

VIZ = Path(__file__).parents[2] / "viz"
CHECKED = "// @ts-check\n"


def test_only_one_module_touches_the_session_state() -> None:
    touching = [path for path in VIZ.rglob("*.py") if "session_state" in path.read_text("utf-8")]
    assert touching == [VIZ / "session" / "visit.py"]


def test_every_script_is_typed() -> None:
    """`make lint` checks those that begin so."""
    scripts = (VIZ / "inspector" / "web").rglob("*.js")
    assert [path for path in scripts if not path.read_text("utf-8").startswith(CHECKED)] == []
