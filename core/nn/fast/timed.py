"""Which of several ways to the same result is the fastest here: found out on the work itself.

Ways differ in the last bits of what they compute, and another process may choose otherwise.
So only what nobody has to repeat bit by bit may be chosen thus: decoding, never training.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from typing import Final, Generic, ParamSpec, TypeVar

_K = TypeVar("_K", bound=Hashable)
_P = ParamSpec("_P")
_T = TypeVar("_T")

_TURNS: Final = 6  # of each way, the first of which makes ready and does not count
_WORTH: Final = 0.95  # of the plain way's time: less is not worth another way


class FastestWay(Generic[_K, _P, _T]):
    """Takes several ways in turn until each was timed, and from then on the fastest.

    What is timed is work that has to be done anyhow, with memory and caches as it finds them:
    a rehearsal on one matrix would find it in the cache, where decoding never does.

    Args:
        ways: by name, the plain one first: it stays where no other saves a twentieth.
    """

    def __init__(self, ways: Mapping[str, Callable[_P, _T]]) -> None:
        self._ways = dict(ways)
        self._chosen: dict[_K, Callable[_P, _T]] = {}
        self._turns: dict[_K, dict[str, list[float]]] = {}

    def __call__(self, sizes: _K, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """The work, of the sizes that its time depends on."""
        way = self._chosen.get(sizes)
        return self._try(sizes, *args, **kwargs) if way is None else way(*args, **kwargs)

    def chosen(self) -> dict[_K, str]:
        """The name of the way that is taken, by the sizes that were timed so far."""
        names = {way: name for name, way in self._ways.items()}
        return {sizes: names[way] for sizes, way in self._chosen.items()}

    def _try(self, sizes: _K, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        # Threads that come at once share the turns: one more or less does no harm.
        turns = self._turns.setdefault(sizes, {name: [] for name in self._ways})
        name = min(turns, key=lambda each: len(turns[each]))
        began = time.perf_counter()
        result = self._ways[name](*args, **kwargs)
        turns[name].append(time.perf_counter() - began)
        if all(len(seconds) >= _TURNS for seconds in turns.values()):
            # the least: whatever else the machine does can only add to it
            least = {each: min(seconds[1:]) for each, seconds in turns.items()}
            plain = next(iter(least))
            best = min(least, key=least.__getitem__)
            self._chosen[sizes] = self._ways[best if least[best] < _WORTH * least[plain] else plain]
        return result
