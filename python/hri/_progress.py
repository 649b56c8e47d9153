# SPDX-License-Identifier: Apache-2.0
"""A bar for long calls, in a terminal or a notebook."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, TextIO, Union

Callback = Callable[["dict[str, Any]"], Any]
Progress = Union[bool, None, Callback]

_WIDTH = 24


class Bar:
    """Draws itself over its own line."""

    def __init__(self, stream: Optional[TextIO] = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._drawn = 0

    def __call__(self, now: dict[str, Any]) -> None:
        fraction = min(max(now["fraction"], 0.0), 1.0)
        filled = int(_WIDTH * fraction)
        text = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {100 * fraction:3.0f} %"
        if "restarts" in now:
            text += f"  {now['restarts']} restarts"
        elif "relations" in now:
            text += f"  {now['done']} of {now['relations']} relations, {now['relation']}"[:70]
        if now.get("errors", -1) >= 0:
            text += f", {now['errors']} errors: {' '.join(now['program'].split())[:60]}"
        self._stream.write("\r" + text.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(text)

    def clear(self) -> None:
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


def callback_of(progress: Progress) -> Optional[Callback]:
    """None: a bar where somebody looks on; True: a bar; False: nothing; or one's own function."""
    if progress is None:
        progress = _somebody_looks_on()
    if progress is True:
        return Bar()
    if progress is False:
        return None
    if not callable(progress):
        raise TypeError(f"progress: expected True, False, None or a function, found {progress!r}")
    return progress


def _somebody_looks_on() -> bool:
    if getattr(sys.stderr, "isatty", lambda: False)():
        return True
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"
