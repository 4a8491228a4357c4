"""What the inspector writes to the page's address, and when."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.e2e

WRITTEN = """async ([back]) => {
  const { Reporter, UrlWriter } = await import("/inspector/url.js");
  history.replaceState(null, "", "?layer=1&other=a");
  history.pushState(null, "", "?layer=2&other=a");
  window.told = [];
  const reporter = new Reporter((...told) => window.told.push(told));
  const writer = new UrlWriter(["layer"], () => ({ layer: 9 }), reporter);
  writer.write({ layer: 3 });
  reporter.report({ layer: 3 });
  if (!back) return;
  await new Promise((done) => {
    addEventListener("popstate", done, { once: true });
    history.back();
  });
}"""


@pytest.mark.parametrize(("back", "layer"), [(False, 3), (True, 1)])
def test_a_choice_is_neither_written_nor_told_over_the_address_that_one_went_back_to(
    page: Page, back: bool, layer: int
) -> None:
    page.clock.install()
    page.evaluate(WRITTEN, [back])
    page.clock.run_for(5000)
    assert page.url.endswith(f"?layer={layer}&other=a")
    assert page.evaluate("window.told") == ([] if back else [["selection", {"layer": 3}]])


def test_no_more_changes_are_written_than_browsers_take(page: Page) -> None:
    """Playwright's clock is the page's: a key is held down for half a minute."""
    page.clock.install(time=0)
    page.clock.pause_at(1)  # else it runs on beside what is run for, and a busy machine makes gaps
    page.evaluate(
        """async () => {
          const { UrlWriter } = await import("/inspector/url.js");
          const { replaceState } = History.prototype;
          window.writes = [];
          History.prototype.replaceState = function (...given) {
            window.writes.push(performance.now());
            return replaceState.apply(this, given);
          };
          const writer = new UrlWriter(["layer"], () => null, null);
          let layer = 10;
          setInterval(() => writer.write({ layer: (layer += 1) }), 33);
        }"""
    )
    page.clock.run_for(60_000)
    writes: list[float] = page.evaluate("window.writes")
    assert writes[1] - writes[0] < 100
    for start in writes:
        assert sum(start <= at < start + 30_000 for at in writes) <= 100
    assert max(later - at for at, later in pairwise(writes)) < 500
