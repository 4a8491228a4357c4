"""What a notebook is given."""

import html
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.trace import Floats, Stack, save_trace
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


def test_states_stand_beneath_attention_or_alone() -> None:
    carried: dict[Stack, dict[str, Floats]] = {
        "encoder": {"hidden": np.zeros((1, len(trace().source), 4), np.float32)}
    }
    both = show(replace(trace(), states=carried))
    assert len(both.pages) == both._repr_html_().count("<iframe ") == 2
    assert both.page == both.pages[0] == show(trace()).page
    alone = show(replace(trace(), states=carried, sites={}))
    assert len(alone.pages) == 1
    assert '"states": [{"stack": "encoder", "layers": 1, "units": 4' in alone.page
    assert '"states": [{"stack": "encoder"' in both.pages[1]
    assert len(show(replace(trace(), sites={})).pages) == 1


def test_the_selection_travels() -> None:
    page = show(trace(), selection={"kind": "cross", "layer": 3, "head": 8}).page
    assert '"selection": {"kind": "cross", "layer": 3, "head": 8}' in page


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"layer": 99}, "layer 99: this trace has 1 to 3"),
        ({"layer": 0}, "layer 0: this trace has 1 to 3"),
        ({"head": "5"}, "head '5': this trace has 1 to 8"),
        ({"step": 15}, "step 15: this trace has 1 to 14"),
        ({"kind": "nope"}, "kind 'nope': this trace has encoder_self, decoder_self, cross"),
        ({"threshold": "2"}, "threshold '2': it is a number from 0 to 0.5"),
        ({"kept": "9.9"}, "kept '9.9': this trace has no such place"),
        ({"kept": "3.5 9.9"}, "kept '3.5 9.9': this trace has no such place"),
        ({"pinned": "99.99"}, "pinned '99.99': this trace has no such place"),
        ({"held": "key.99"}, "held 'key.99': this trace has no such place"),
        ({"zoom": "1-2.3-999"}, "zoom '1-2.3-999': this trace has no such place"),
        ({"foo": 1}, "foo 1: there are kind, layer, head, step, pinned"),
    ],
)
def test_what_a_trace_does_not_have_is_refused_by_name(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"selection: {said}")):
        show(trace(), selection=wrong)


def test_numbers_of_numpy_choose_as_well() -> None:
    drawn = show(trace(), selection={"layer": np.int64(3), "head": np.argmax([0, 0, 1])})
    assert '"layer": 3, "head": 2' in drawn.page
    drawn = show(trace(), selection={"pinned": [np.int64(2), 3], "threshold": np.float32(0.1)})
    assert '"pinned": [2, 3], "threshold": 0.1' in drawn.page
    assert '"temperature": 0.7' in show(trace(), selection={"temperature": np.float16(0.7)}).page
    assert '"pinned": [2, 3]' in show(trace(), selection={"pinned": (np.int32(2), 3)}).page


@pytest.mark.parametrize("name", ["layer", "head", "step", "words", "top"])
def test_what_is_true_is_no_number_and_is_refused_as_it_was_written(name: str) -> None:
    with pytest.raises(ValueError, match=f"selection: {name} True: "):
        show(trace(), selection={name: True})


def test_every_kind_of_look_is_taken() -> None:
    options = {
        "mode": "lines",
        "kept": "3.5 2.1",
        "pinned": [2, 3],
        "threshold": 0.1,
        "words": "on",
    }
    assert '"mode": "lines"' in show(trace(), selection=options).page


def test_what_is_said_of_a_notebook_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[3] / "docs" / "files.md").read_text("utf-8")
    found = re.search(
        r"```python\n(from core\.trace import.*?)\nshow\((.*?)\)\n```", page, re.DOTALL
    )
    assert found is not None
    save_trace(tmp_path / "trace.npz", trace())
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
