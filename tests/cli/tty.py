"""A terminal for tests."""

import io


class Tty(io.StringIO):
    """A text stream that says it is the terminal of the standard error."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2
