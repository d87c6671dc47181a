"""A terminal without a screen, for programs that write byte by byte."""

import errno
import fcntl
import os
import pty
import select
import signal
import struct
import termios

from .waiting import wait_until


class PseudoTerminal:
    def __init__(self, command, environment, columns=80, rows=24):
        # No program has the terminal any more, and all output was read.
        self.is_at_end = False
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            set_size(0, columns, rows)
            os.execve(command[0], [str(part) for part in command], {**environment, "TERM": "xterm-256color"})

    def read(self):
        """The output that is available now."""
        seen = b""
        while not self.is_at_end and select.select([self._terminal], [], [], 0)[0]:
            try:
                seen += os.read(self._terminal, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                self.is_at_end = True
        return seen

    def resize(self, columns, rows):
        set_size(self._terminal, columns, rows)

    def read_until(self, *texts, seconds=30):
        """All output, once it contains every text."""
        seen = bytearray()

        def complete():
            seen.extend(self.read())
            return all(text in seen for text in texts)

        wait_until(complete, seconds, lambda: f"{texts} not in {bytes(seen)!r}")
        return bytes(seen)

    def press(self, keys):
        os.write(self._terminal, keys)

    def hang_up(self):
        """Closes the terminal, and returns the program's exit status."""
        os.close(self._terminal)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self._terminal)
        os.waitpid(self.pid, 0)


def set_size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
