"""A terminal without a screen, for programs that write byte by byte."""

import contextlib
import errno
import fcntl
import os
import pty
import select
import signal
import struct
import termios

from .waiting import wait_until


# The number of a terminal in /dev/pts (Linux).
TIOCGPTN = 0x80045430


class PseudoTerminal:
    def __init__(self, command, environment, columns=80, rows=24, name="xterm-256color"):
        # No program has the terminal any more, and all output was read.
        self.is_at_end = False
        self._status = None
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            set_size(0, columns, rows)
            os.execve(command[0], [str(part) for part in command], {**environment, "TERM": name})

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

    def read_to_end(self, seconds=30):
        """All output until no program has the terminal any more."""
        seen = bytearray()

        def ended():
            seen.extend(self.read())
            return self.is_at_end

        wait_until(ended, seconds, lambda: f"still running: {bytes(seen)!r}")
        return bytes(seen)

    def press(self, keys):
        os.write(self._terminal, keys)

    def paste(self, text):
        """Passes a text of any length on as fast as the program takes it, and drops the echo."""
        os.set_blocking(self._terminal, False)
        while text:
            select.select([self._terminal], [self._terminal], [])
            self.read()
            with contextlib.suppress(BlockingIOError):
                text = text[os.write(self._terminal, text[:4096]):]
        os.set_blocking(self._terminal, True)

    def hang_up(self):
        """Closes the terminal, and returns the program's exit status."""
        os.close(self._terminal)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)

    def open_program_side(self):
        """A descriptor of the program's end of the terminal; the caller closes it."""
        number = struct.unpack("I", fcntl.ioctl(self._terminal, TIOCGPTN, bytes(4)))[0]
        return os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)

    @property
    def takes_output(self):
        """Whether the program can write to the terminal now."""
        side = self.open_program_side()
        try:
            return bool(select.select([], [side], [], 0)[1])
        finally:
            os.close(side)

    def catches(self, number):
        """Whether the program has a handler for a signal."""
        with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as status:
            caught = next(line for line in status if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) >> (number - 1) & 1)

    def exit_status(self):
        """The exit status, negative for a signal; None while the program runs. Reads no output."""
        if self._status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def close(self):
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)
        os.close(self._terminal)
        if self._status is None:
            os.waitpid(self.pid, 0)


def set_size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
