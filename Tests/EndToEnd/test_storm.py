"""A session over every screen in a window that changes its size before every key, and has its own size again after."""

import unittest

from support import person
from support.case import JourneyCase
from support.tmux import Terminal

STORM = [(40, 8), (200, 60), (39, 7), (100, 30), (60, 20)]


class StormyTerminal(Terminal):
    def __init__(self, workspace, columns=80, rows=24):
        self._size = (columns, rows)
        super().__init__(workspace, columns, rows)

    def storm(self):
        """Resizes without waiting for the program."""
        for size in (*STORM, self._size):
            self.resize(*size)

    def press(self, *keys):
        for key in keys:
            self.storm()
            super().press(key)
        self.storm()

    def paste(self, text):
        self.storm()
        super().paste(text)


class Storm:
    """Before a journey: it gets a terminal that no window manager leaves alone."""

    def open_terminal(self, columns=80, rows=24):
        terminal = StormyTerminal(self.workspace, columns, rows)
        self.addCleanup(terminal.close)
        return terminal


class ScreensInAStorm(Storm, JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def test_every_screen_of_a_session(self):
        """Signed in, compared, renewed, looked into, checked, helped: each screen is whole after the storm."""
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.wait_for_claims(terminal)
        for keys, words in (
            (("=",), ["CLAIM", "only in the"]),
            (("=", "r"), ['"alg"']),
            (("r", "Tab"), ["[2 Access token]"]),
            (("R",), ["The authority gave a new token"]),
            (("f",), ["Inspector", "STEP"]),
            (("Down", "J", "K"), ["2 of"]),
            (("Escape",), ["Claims of"]),
            (("Escape",), ["USERNAME"]),
            (("x",), ["Check", "This machine"]),
            (("?",), ["Keys: Check"]),
            (("Escape",), ["r again"]),
            (("Escape",), ["USERNAME"]),
            (("w",), ["Scenarios", "Plain sign-in"]),
            (("Escape",), ["USERNAME"]),
            (("D",), ["Remove this account?"]),
            (("y",), ["No account yet."]),
        ):
            with self.subTest(keys=keys):
                terminal.press(*keys)
                terminal.wait_for(*words)
        self.quit(terminal)
        self.assert_sane(terminal)


if __name__ == "__main__":
    unittest.main()
