"""What the README has people run."""

import re
from pathlib import Path

import pytest

from core.trace import load_trace

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_a_trace_file_is_written_as_the_readme_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = (
        block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "savez" in block
    )
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    trace = load_trace("trace.npz")
    assert trace.model_id == "mine"
    assert [token.text for token in trace.source] == ["start", "the", "cat", "end"]
    assert trace.sites["encoder_self"].scores is not None
    assert trace.target == ()
