"""What a notebook is given."""

import html
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.trace_file import save_trace
from tests.viz.inspector.made import trace
from viz.inspector import show


def test_a_cell_gets_a_page_that_stays_in_its_frame() -> None:
    drawn = show(trace(("</iframe><script>",), (0,)), language="ko", height=500)._repr_html_()
    assert drawn.startswith("<iframe ")
    assert drawn.count("<") == 2  # the frame and its end: all else is in an attribute
    assert 'sandbox="allow-scripts"' in drawn
    found = re.search(r'srcdoc="([^"]*)"', drawn)
    assert found
    page = html.unescape(found[1])
    assert page.startswith("<!doctype html>")
    assert '<html lang="ko">' in page


def test_the_selection_travels() -> None:
    page = show(trace(), selection={"kind": "cross", "layer": 3, "head": 8}).page
    assert '"selection": {"kind": "cross", "layer": 3, "head": 8}' in page


def test_what_the_readme_says_of_a_notebook_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    found = re.search(
        r"```python\n(from core\.trace_file.*?)\nshow\((.*?)\)\n```", readme, re.DOTALL
    )
    assert found is not None
    save_trace(tmp_path / "look.npz", trace())
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(found[1], names)
    drawn = eval(f"show({found[2]})", names)
    assert '"layer": 3, "head": 5' in drawn.page


def test_the_package_stays_cheap_to_import() -> None:
    program = (
        "import sys, viz.inspector; assert not {'torch', 'streamlit', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
