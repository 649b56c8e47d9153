# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, with the place and a hint where they are known."""

from typing import Any, NamedTuple


class Place(NamedTuple):
    """A position in an input. Line and column count from 1; 0 means "not known"."""

    file: str = ""
    line: int = 0
    column: int = 0


class Error(ValueError):
    """A mistake in what was given.

    `message` says what, `place` where and `hint` what to try.

    >>> import hri
    >>> try:
    ...     hri.Program("grandparent(X,Y) :- parent(X,Z)")
    ... except hri.ParseError as error:
    ...     print(error.place.line, error.place.column)
    1 32
    """

    message: str
    place: Place
    hint: str

    def __init__(self, message: str, place: Place = Place(), hint: str = "", shown: str = "") -> None:
        super().__init__(shown or message)
        self.message = message
        self.place = place
        self.hint = hint

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.place, self.hint, str(self))


class ParseError(Error):
    """A mistake at a known line of a text or a file."""


class OptionError(Error):
    """An option that does not exist, or has no such value."""


class Interrupted(KeyboardInterrupt):
    """Learning was stopped by Ctrl-C; `program` is the best so far."""

    program: Any

    def __init__(self, program: Any = None) -> None:
        super().__init__("stopped; the best program so far is this exception's `program`")
        self.program = program


for _class in (Place, Error, ParseError, OptionError, Interrupted):
    _class.__module__ = "hri"
