"""Pictures of parts of a page: how far two are apart, and with what they were taken."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page

SEEN: Final = 24
"""Levels of 255 by which a channel differs where the eye sees it; hinting moves a few."""
SHARE: Final = 0.0003
"""Share of pixels that may differ by more than that."""
MEAN: Final = 1.0
"""Levels by which pixels may differ on average."""

_FACES = """() => {
  const context = document.createElement("canvas").getContext("2d");
  const { shadowRoot } = document.querySelector("#place");
  const style = getComputedStyle(shadowRoot.querySelector(".hl-root"));
  return ["Hamburgefonstiv 0123456789 −∞ Σ", "다람쥐 헌 쳇바퀴에 타고파"].map((text) => {
    context.font = `100px ${style.fontFamily}`;
    return Math.round(context.measureText(text).width * 10) / 10;
  });
}"""


@dataclass(frozen=True, slots=True)
class Maker:
    """What draws: another one draws other pixels, and nobody has changed anything.

    Attributes:
        chromium: its major version.
        latin, hangul: widths of a line at 100 pixels, which tell one face from another.
    """

    chromium: str
    latin: float
    hangul: float

    @classmethod
    def of(cls, page: Page) -> Maker:
        browser = page.context.browser
        assert browser is not None
        latin, hangul = page.evaluate(_FACES)
        return cls(browser.version.partition(".")[0], latin, hangul)

    @property
    def name(self) -> str:
        """As a folder is called."""
        return f"chromium-{self.chromium}-{self.latin:g}-{self.hangul:g}"


def read_makers(path: Path) -> list[Maker]:
    return [Maker(**one) for one in json.loads(path.read_text("utf-8"))]


def write_makers(path: Path, makers: Sequence[Maker]) -> None:
    path.write_text(json.dumps([asdict(maker) for maker in makers], indent=2) + "\n", "utf-8")


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two pictures of one size are apart: levels on average, share that is seen."""

    mean: float
    share: float

    @property
    def seen(self) -> bool:
        return self.mean > MEAN or self.share > SHARE


def taken(part: Locator) -> Image.Image:
    """A part of a page as it stands, without movement."""
    body = part.screenshot(animations="disabled", caret="hide", scale="css")
    return Image.open(io.BytesIO(body)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> Difference:
    """Pictures of two sizes differ in everything."""
    if one.size != other.size:
        return Difference(255.0, 1.0)
    a, b = (np.asarray(image, np.int16) for image in (one, other))
    apart = np.abs(a - b)
    return Difference(float(apart.mean()), float((apart.max(axis=2) > SEEN).mean()))


def save(image: Image.Image, path: Path) -> None:
    """As small as it gets without losing anything."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)
