"""A terminal that no window manager leaves alone, and what a journey needs to go through it."""

import fcntl
import random
import struct
import termios

from .tmux import Terminal
from .waiting import wait_until
from .wake_ups import is_asleep

COLUMNS, ROWS = (40, 400), (8, 100)
# Of the times that a journey looks whether something has happened, so that a long wait is stormy too.
LOOKS_BETWEEN_STORMS = 30


class StormyTerminal(Terminal):
    """Its window changes its size around every key and during long waits. Before it is looked at, it has its own size again
    and the program has drawn for that."""

    def __init__(self, workspace, columns, rows, seed):
        self._size = (columns, rows)
        self._random = random.Random(seed)
        self._is_calm = True
        self._looks = 0
        super().__init__(workspace, columns, rows)

    def storm(self):
        """Changes the size a few times without waiting for the program, the last time to what it was."""
        sizes = [(self._random.randint(*COLUMNS), self._random.randint(*ROWS)) for _ in range(self._random.randint(2, 6))]
        for size in (*sizes, self._size):
            super().resize(*size)
        self._is_calm = False

    def resize(self, columns, rows):
        self._size = (columns, rows)
        super().resize(columns, rows)

    def press(self, *keys):
        for key in keys:
            self.storm()
            super().press(key)
        self.storm()

    def type(self, text):
        self.storm()
        super().type(text)

    def paste(self, text):
        self.storm()
        super().paste(text)
        self.storm()

    @property
    def screen(self):
        self._looks += 1
        if self._looks % LOOKS_BETWEEN_STORMS == 0:
            self.storm()
        if not self._is_calm:
            wait_until(self._has_settled, 20, "the program does not come to rest at the size of the window")
            self._is_calm = True
        return super().screen

    def _has_settled(self):
        # tmux tells the program of a size later than it takes it itself. A program that was told is awake until it has
        # drawn, and what it has drawn is read by the time that two looks are the same.
        if self._program_size() != self._size or self._is_drawing():
            return False
        return super().screen == super().screen

    def _program_size(self):
        tty = self._run("display-message", "-p", "#{pane_tty}").strip()
        with open(tty, "rb", buffering=0) as terminal:
            rows, columns, _, _ = struct.unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8)))
        return columns, rows

    def _is_drawing(self):
        program = self.program
        try:
            return program is not None and not is_asleep(program)
        except (OSError, StopIteration):
            # It has just ended, or one of its threads has.
            return True


class Storm:
    """Before a journey: at 80 x 24 it goes through a storm, which is the same each time."""

    sizes = [(80, 24)]

    def open_terminal(self, columns=80, rows=24):
        terminal = StormyTerminal(self.workspace, columns, rows, seed=self.id())
        self.addCleanup(terminal.close)
        return terminal


def only(*names):
    """Of the tests that a class inherits, it runs these alone."""

    def keep(case):
        for name in dir(case):
            if name.startswith("test_") and name not in names:
                setattr(case, name, None)
        return case

    return keep
