"""The one HTML page of the app: Streamlit's own, with our style, icon and script in it.

Streamlit can take a style sheet only from a page's run, long after the first paint; the
header would jump. Here it is part of the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from streamlit import file_util

from viz.inspector.modules import imported

STREAMLIT: Final = Path(file_util.get_static_dir())
_LATER: Final = ("PageLink", "ButtonGroup", "TextInput", "BidiComponent", "serialization")
"""Modules of Streamlit's that it asks for when the first run of a page has told of them."""
_INSPECTED: Final = ("", "step")
FRAME: Final = Path(__file__).parent / "frame"

_HEAD: Final = """<link rel="icon" href="./frame/icon.svg" />
    <link rel="stylesheet" href="./frame/frame.css" />
    <script type="module" src="./frame/frame.js"></script>
    <title>Headlight</title>
"""
_NOSCRIPT: Final = (
    '<noscript><p>Headlight draws in the browser: allow JavaScript.</p><p lang="ko">'
    "Headlight는 브라우저에서 그림을 그려요. 자바스크립트를 허용해 주세요.</p></noscript>"
)


def html(name: str = "") -> str:
    """The page. Our script comes before Streamlit's: both are modules, run in order.

    What draws the inspector is asked for at once where it is needed, and behind all that Streamlit
    begins with: as each module is found to import others, they would come in five turns.

    Args:
        name: of the page, as in its address.
    """
    page = (STREAMLIT / "index.html").read_text("utf-8")
    for stale in (r"<title>.*?</title>", r'<link rel="(?:shortcut icon|service-desc)".*?/>'):
        page = re.sub(stale, "", page, flags=re.DOTALL)
    page = re.sub(r"<noscript>.*?</noscript>", lambda _: _NOSCRIPT, page, flags=re.DOTALL)
    page = page.replace("<script", _HEAD + "<script", 1)
    return page.replace("</head>", _ahead() + "</head>", 1) if name in _INSPECTED else page


@cache
def _ahead() -> str:
    folder = STREAMLIT / "static" / "js"
    found = [path.name for name in _LATER for path in sorted(folder.glob(f"{name}.*.js"))]
    names = [f"./static/js/{name}" for name in found]
    names += [f"./inspector/{name}" for name in imported("main.js")]
    links = [f'<link rel="modulepreload" fetchpriority="low" href="{name}" />' for name in names]
    sheet = '<link rel="preload" as="style" href="./inspector/style.css" />'
    return "\n".join([*links, sheet, ""])


@cache
def inline_hashes() -> tuple[str, ...]:
    """CSP sources for the scripts inside the page, whatever Streamlit's version."""
    scripts = re.findall(r"<script>(.*?)</script>", html(), re.DOTALL)
    digests = [hashlib.sha256(script.encode()).digest() for script in scripts]
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
