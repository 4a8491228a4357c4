"""The Positions page in a real browser, served by the real app."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import arrived
from viz.screens.positions_state import PICTURES

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
WAIT = 120_000  # milliseconds; a machine may be busy
PLOT = ".js-plotly-plot"
CELLS = f"({{rows, columns}}) => {{const g = document.querySelector('{PLOT}');" + (
    "const z = g && g._fullData && g._fullData[0].z; return !!z && z.length === rows"
    " && z[0].length === columns && !!g.querySelector('.hm image, .heatmaplayer image');}"
)
PLACE = f"""([x, y]) => {{
  const g = document.querySelector('{PLOT}');
  const box = g.getBoundingClientRect(), {{xaxis, yaxis}} = g._fullLayout;
  return [box.left + xaxis._offset + xaxis.l2p(x), box.top + yaxis._offset + yaxis.l2p(y)];
}}"""


def await_cells(page: Page, rows: int, columns: int) -> None:
    page.wait_for_function(CELLS, arg={"rows": rows, "columns": columns}, timeout=WAIT)


def test_a_cell_says_where_it_is_by_which_formula_and_its_value(visit: Visit) -> None:
    page = visit("/positions?lang=en&length=40&width=64")
    await_cells(page, 40, 64)
    for position, dimension in ((7, 16), (23, 5), (39, 63)):
        page.mouse.move(5, 5)
        page.mouse.move(*page.evaluate(PLACE, [dimension, position]))
        power = dimension - dimension % 2
        function = math.cos if dimension % 2 else math.sin
        value = function(position / 10_000 ** (power / 64))
        hover = page.locator(".hoverlayer text").first
        expect(hover).to_contain_text(f"position {position}", timeout=WAIT)
        text = re.sub(r"[\u200b\s]+", " ", hover.text_content() or "")
        assert f"dimension {dimension} = {function.__name__}(position / 10000" in text
        assert f"{power}/64" in text
        wave = re.search(r"wavelength ([\d,.]+) positions", text)
        assert wave
        expected = 2 * math.pi * 10_000 ** (power / 64)
        assert float(wave[1].replace(",", "")) == pytest.approx(expected, rel=1e-3)
        assert f"{value:.3f}".replace("-", "−") in text


def test_presets_pictures_and_numbers_live_in_the_address(visit: Visit) -> None:
    page = visit("/positions?lang=en")
    await_cells(page, 128, 64)
    page.get_by_role("button", name="d_model 512").click()
    await_cells(page, 128, 512)
    length = page.get_by_label("Positions", exact=True)
    length.fill("50")
    length.press("Enter")
    await_cells(page, 50, 512)
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("length") == ["50"])
    page.reload()
    await_cells(page, 50, 512)
    page.get_by_text("Rotation", exact=True).click()
    expect(page.get_by_text("The matrix M for k = 5")).to_be_visible(timeout=WAIT)
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("picture") == ["rotation"])


def test_going_elsewhere_and_back_loses_nothing(visit: Visit) -> None:
    page = visit("/positions?lang=en&length=30&width=8")
    await_cells(page, 30, 8)
    page.get_by_role("link", name="Model", exact=True).click()
    page.wait_for_url("**/model**")
    arrived(page, "model")
    page.get_by_role("link", name="Learn", exact=True).click()
    await_cells(page, 30, 8)
    expect(page.get_by_label("Positions", exact=True)).to_have_value("30")


def test_the_largest_table_is_drawn_whole(visit: Visit) -> None:
    page = visit("/positions?lang=en&length=2048&width=1024")
    await_cells(page, 2048, 1024)
    expect(page.get_by_text("2,048 × 1,024 cells")).to_be_visible(timeout=WAIT)


@pytest.mark.parametrize("picture", PICTURES)
def test_a_phone_scrolls_in_one_direction_only(visit: Visit, picture: str) -> None:
    address = f"/positions?lang=ko&picture={picture}"
    phone = visit(address, width=390, height=844, color_scheme="dark")
    phone.wait_for_selector(f"{PLOT} .main-svg", timeout=WAIT)
    expect(phone.get_by_role("heading", name="위치", exact=True)).to_be_visible(timeout=WAIT)
    beyond, right = phone.evaluate(
        """() => {
          const main = document.querySelector('[data-testid=stMain]');
          const plots = [...document.querySelectorAll('.js-plotly-plot')];
          return [main.scrollWidth - main.clientWidth,
            Math.max(...plots.map((plot) => plot.getBoundingClientRect().right))];
        }"""
    )
    assert beyond <= 0
    assert right <= 390
