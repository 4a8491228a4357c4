"""Firefox as Debian and others ship it, driven by WebDriver BiDi, its own protocol.

Playwright drives a Firefox of its own build, or commands that the extended-support release does
not know yet; of the protocol a walk needs a dozen commands, and these are the standard's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

SECONDS: Final = 60.0
_LISTENING: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_EVENTS: Final = ("log.entryAdded", "network.beforeRequestSent", "network.responseCompleted")
_SETTINGS: Final = """
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.accept_languages", "en-US, en");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""
# An element also within the shadow roots that components live in, and a promise of what is awaited.
_HELP: Final = """
const find = (selector, root = document) => {
  const found = root.querySelector(selector);
  if (found) return found;
  for (const one of root.querySelectorAll("*")) {
    const within = one.shadowRoot && find(selector, one.shadowRoot);
    if (within) return within;
  }
  return null;
};
const until = (holds) => new Promise((done, fail) => {
  const began = performance.now();
  const look = () => {
    let got = null;
    try { got = holds(); } catch (error) { got = null; }
    if (got) return done(got);
    if (performance.now() - began > 60000) return fail(new Error(`never: ${holds}`));
    return requestAnimationFrame(look);
  };
  look();
});
"""
KEYS: Final = {"Enter": "\ue007", "Home": "\ue011", "ArrowRight": "\ue014", "Control": "\ue009"}


class Page:
    """The one page of a Firefox; `complaints` is what it said, or asked of strangers."""

    def __init__(self, socket: ClientConnection, home: str) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._home = home
        self.complaints: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=list(_EVENTS))
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        size = {"width": 1366, "height": 768}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    def goto(self, path: str) -> None:
        """Opens a path of the app."""
        self._ask(
            "browsingContext.navigate", context=self._page, url=self._home + path, wait="complete"
        )

    def run(self, body: str, *arguments: Any) -> Any:
        """What an async JavaScript function of `find`, `until` and `given` returns, by JSON."""
        told = json.dumps(arguments)
        reply = self._ask(
            "script.evaluate",
            expression=f"(async () => {{ {_HELP} const given = {told};"
            f" const got = await (async () => {{ {body} }})();"
            " return JSON.stringify(got ?? null); })()",
            target={"context": self._page},
            awaitPromise=True,
        )
        if reply["type"] == "exception":
            raise AssertionError(reply["exceptionDetails"]["text"])
        return json.loads(reply["result"]["value"])

    def until(self, holds: str, *arguments: Any) -> Any:
        """What an expression of `find` and `given` is once it is true."""
        return self.run(f"return until(() => ({holds}))", *arguments)

    def click(self, selector: str) -> None:
        """A real press of the mouse in the middle of an element, once nothing covers it."""
        x, y = self.run(
            """return until(() => {
              const one = find(given[0]);
              one.scrollIntoView({ block: "nearest" });
              const box = one.getBoundingClientRect();
              const at = [box.x + box.width / 2, box.y + box.height / 2];
              let top = document.elementFromPoint(...at);
              while (top.shadowRoot?.elementFromPoint(...at)) {
                const inner = top.shadowRoot.elementFromPoint(...at);
                if (inner === top) break;
                top = inner;
              }
              return one.contains(top) || top.contains(one) ? at : null;
            })""",
            selector,
        )
        press = {"button": 0}
        self._act(
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", **press},
            {"type": "pointerUp", **press},
            kind="pointer",
        )

    def press(self, *keys: str) -> None:
        """Keys one after the other: names of `KEYS`, or single letters."""
        strokes = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._act(*strokes, kind="key")

    def write(self, selector: str, text: str) -> None:
        """Puts a text in place of what a field says, by the keyboard, and ends it with Enter."""
        self.click(selector)
        hold = KEYS["Control"]
        self._act(
            {"type": "keyDown", "value": hold},
            {"type": "keyDown", "value": "a"},
            {"type": "keyUp", "value": "a"},
            {"type": "keyUp", "value": hold},
            kind="key",
        )
        self.press(*text, "Enter")

    def _act(self, *actions: dict[str, Any], kind: str) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self._ask("input.performActions", context=self._page, actions=[source])

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._socket.recv(timeout=2 * SECONDS))
            if told["type"] == "event":
                self._hear(told["method"], told["params"])
            elif told["id"] == number:
                assert told["type"] == "success", f"{method}: {told}"
                result: dict[str, Any] = told["result"]
                return result

    def _hear(self, name: str, told: dict[str, Any]) -> None:
        if name == "log.entryAdded":
            if told["level"] == "error":
                self.complaints.append(f"console: {told['text']}")
            return
        address = urlsplit(told["request"]["url"])
        foreign = address.netloc != urlsplit(self._home).netloc
        if foreign and address.scheme in ("http", "https", "ws", "wss"):
            self.complaints.append(f"foreign: {told['request']['url']}")
        if name == "network.responseCompleted" and told["response"]["status"] >= 400:
            self.complaints.append(f"{told['response']['status']}: {told['request']['url']}")


@contextmanager
def opened(executable: str, home: str) -> Iterator[Page]:
    """A Firefox of its own, without a window and with an empty profile, for the app at `home`."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        (profile / "user.js").write_text(_SETTINGS)
        firefox = subprocess.Popen(
            [
                executable,
                *["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile"],
                folder,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "HOME": folder, "MOZ_DISABLE_AUTO_SAFE_MODE": "1"},
            text=True,
        )
        try:
            assert firefox.stderr is not None
            said = next(filter(None, map(_LISTENING.search, firefox.stderr)), None)
            assert said is not None, "Firefox ended at once"
            with connect(f"{said[1]}/session", max_size=None, proxy=None) as socket:
                yield Page(socket, home)
        finally:
            firefox.terminate()
            firefox.communicate(timeout=SECONDS)
