"""What the inspector writes to the page's address, and when."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.e2e

WRITTEN = """async ([back]) => {
  const { UrlWriter } = await import("/inspector/url.js");
  history.replaceState(null, "", "?layer=1&other=a");
  history.pushState(null, "", "?layer=2&other=a");
  const writer = new UrlWriter(["layer"], () => ({ layer: 9 }));
  writer.write({ layer: 3 });
  if (!back) return;
  await new Promise((done) => {
    addEventListener("popstate", done, { once: true });
    history.back();
  });
}"""


@pytest.mark.parametrize(("back", "layer"), [(False, 3), (True, 1)])
def test_a_choice_is_not_written_over_the_address_that_one_went_back_to(
    page: Page, back: bool, layer: int
) -> None:
    page.clock.install()
    page.evaluate(WRITTEN, [back])
    page.clock.run_for(5000)
    assert page.url.endswith(f"?layer={layer}&other=a")
