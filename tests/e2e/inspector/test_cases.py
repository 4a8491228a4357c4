"""What the browser says of the cases that it shares with Python."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.viz.inspector.cases import RULES, flat

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("name", RULES)
def test_the_browser_says_what_is_written(page: Page, name: str) -> None:
    rule = RULES[name]
    got: list[Any] = page.evaluate(
        f"(all) => Promise.all(all.map((given) => ({rule.browser})(...given)))",
        [list(given) for given, _ in rule.cases],
    )
    for (given, wanted), said in zip(rule.cases, got, strict=True):
        if isinstance(wanted, list):
            assert flat(said) == pytest.approx(flat(wanted), abs=1e-12), given
        else:
            assert said == wanted, given
