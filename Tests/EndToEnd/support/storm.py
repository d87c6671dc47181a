"""A terminal whose window keeps changing its size, and journeys in it."""

import fcntl
import itertools
import os
import random
import select
import struct
import termios

from .tmux import Terminal
from .waiting import wait_until
from .wake_ups import is_asleep

COLUMNS, ROWS = (40, 400), (8, 100)
# Of the polls while a journey waits, the share with a resize, so that a long wait is stormy too.
LOOKS_BETWEEN_STORMS = 30
CALMS = itertools.count(1)


class StormyTerminal(Terminal):
    """Its window changes its size around every key and during long waits. Before each look at the screen it has its own
    size again and shows what the program has drawn for it."""

    def __init__(self, workspace, columns, rows, seed):
        self._size = (columns, rows)
        self._random = random.Random(seed)
        # The size at the end of the last storm; None once the program has got the window's own size.
        self._storm_size = None
        self._looks = 0
        super().__init__(workspace, columns, rows)

    def storm(self):
        """Changes the size a few times without waiting for the program."""
        for _ in range(self._random.randint(2, 6)):
            self._storm_size = (self._random.randint(*COLUMNS), self._random.randint(*ROWS))
            super().resize(*self._storm_size)

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
        if self._storm_size:
            self._calm()
        return super().screen

    def _calm(self):
        # tmux tells the program a new size up to a quarter of a second after it takes the size itself, and skips sizes
        # in between. A storm therefore ends at a special size: once the program has got it, no earlier size can arrive,
        # and the next one is the window's.
        self._wait_for_program_size(self._storm_size)
        super().resize(*self._size)
        self._wait_for_program_size(self._size)
        wait_until(self._has_settled, 20, "the program does not come to rest at the size of the window")
        self._storm_size = None

    def _wait_for_program_size(self, size):
        wait_until(lambda: self._program_size() == size, 20, lambda: f"{self._program_size()} is not {size}")

    def _program_size(self):
        tty = self.open_tty()
        try:
            rows, columns, _, _ = struct.unpack("HHHH", fcntl.ioctl(tty, termios.TIOCGWINSZ, bytes(8)))
        finally:
            os.close(tty)
        return columns, rows

    def _has_settled(self):
        # A program that got a new size is awake until it has drawn. Later output, here the window's title, reaches tmux
        # after the drawing.
        if not self._rests():
            return False
        title = f"calm {next(CALMS)}"
        self.write(f"\033]2;{title}\033\\")
        return wait_until(lambda: self.title == title, 20, lambda: f"tmux has not read the title {title!r}")

    def _rests(self):
        """Whether the program neither runs nor writes."""
        tty = self.open_tty()
        try:
            # Not ready for more while a program writes (poll(2)).
            is_written_to = not select.select([], [tty], [], 0)[1]
        finally:
            os.close(tty)
        program = self.program
        try:
            return not is_written_to and (program is None or is_asleep(program))
        except (OSError, StopIteration):
            # It has just ended, or one of its threads has.
            return False


class Storm:
    """Before a journey: 80 x 24 with a reproducible storm."""

    sizes = [(80, 24)]

    def open_terminal(self, columns=80, rows=24):
        terminal = StormyTerminal(self.workspace, columns, rows, seed=self.id())
        self.addCleanup(terminal.close)
        return terminal


def only(*names):
    """Runs only these of the tests that a class inherits."""

    def keep(case):
        for name in dir(case):
            if name.startswith("test_") and name not in names:
                setattr(case, name, None)
        return case

    return keep
