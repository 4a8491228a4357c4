"""Found by every Python process with this folder in its PYTHONPATH: nothing leaves this machine.

What a process wants to reach elsewhere, or looks up, is refused and written to WATCHED_SOCKETS,
a line each; so is that a process began, or nobody could tell a quiet one from an unwatched one.
"""

import json
import os
import sys

_FILE = os.open(os.environ["WATCHED_SOCKETS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
_AT_HOME = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "", "None")
_TO_ADDRESS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_OF_NAME = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def _told(event: str, what: str) -> None:
    line = json.dumps({"event": event, "what": what, "pid": os.getpid(), "argv": sys.orig_argv})
    os.write(_FILE, f"{line}\n".encode())


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in _TO_ADDRESS:
        address = arguments[1]
        if not isinstance(address, tuple):  # a socket of this machine's own kind
            return
        host = str(address[0])
    elif event in _OF_NAME:
        host = str(arguments[0])
    else:
        return
    if host not in _AT_HOME:
        _told(event, host)
        raise OSError(f"{event} is refused: {host}")


_told("began", "")
sys.addaudithook(_watch)
