"""What the page's field for files says binds the server, too: a browser can be told otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import visiting
from tests.security.wire import Server
from viz.screens.train_file import MOST_MEGABYTES
from viz.text import inspect, train

pytestmark = pytest.mark.e2e
MB = 1024 * 1024
# Sends a file as Streamlit's own script does, of any size.
SEND = """async ([url, megabytes, token]) => {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(megabytes * 1024 * 1024)], "any.tsv"));
  const headers = { "X-Xsrftoken": token };
  try {
    return (await fetch(url, { method: "PUT", body: form, headers })).status;
  } catch {
    return 0; // the server hung up while it was still being sent
  }
}"""


@pytest.fixture
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    """The Train page, where a small file was sent."""
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"http://localhost:{server.port}/train")
    page.get_by_role("radio", name=train.EN.what_pairs).click()
    yield page
    context.close()


def _sent(page: Page, path: Path) -> tuple[str, str]:
    """Where the browser put a small file, and its token against forgery."""
    with page.expect_request(lambda request: request.method == "PUT") as put:
        page.locator("input[type=file]").set_input_files(str(path))
    response = put.value.response()
    assert response is not None
    assert response.status == 204
    return put.value.url, put.value.headers["x-xsrftoken"]


def test_the_train_page_takes_no_more_than_it_says(page: Page, tmp_path: Path) -> None:
    small = tmp_path / "small.tsv"
    small.write_text("cat\t고양이\ndog\t개\n", encoding="utf-8")
    url, token = _sent(page, small)
    expect(page.get_by_text(train.EN.uploaded.format(name="small.tsv"))).to_be_visible()
    base = url.rpartition("/")[0]
    sent: dict[int, Any] = {
        size: page.evaluate(SEND, [f"{base}/of-{size}", size, token])
        for size in (1, MOST_MEGABYTES - 1, MOST_MEGABYTES + 2, 200)
    }
    assert sent[1] == sent[MOST_MEGABYTES - 1] == 204
    assert {sent[MOST_MEGABYTES + 2], sent[200]} <= {413, 0}


def test_a_visit_that_saw_no_field_sends_nothing(
    page: Page, server: Server, tmp_path: Path
) -> None:
    small = tmp_path / "small.tsv"
    small.write_text("cat\t고양이\n", encoding="utf-8")
    url, token = _sent(page, small)
    other = url.replace(url.split("/")[-2], "no-such-visit")
    assert page.evaluate(SEND, [other, 1, token]) in (413, 0)


def test_a_look_may_be_larger_than_pairs(chromium: Browser, server: Server, tmp_path: Path) -> None:
    """On Inspect: the field there says 256 MB."""
    foreign = tmp_path / "foreign.npz"
    foreign.write_bytes(b"no look" * 2_000_000)
    with visiting(chromium, f"http://localhost:{server.port}") as visit:
        page = visit("/")
        page.get_by_role("button", name=inspect.EN.examples).click()
        page.locator("input[type=file]").set_input_files(str(foreign))
        expect(page.get_by_text("foreign.npz is not a trace")).to_be_visible(timeout=60_000)
