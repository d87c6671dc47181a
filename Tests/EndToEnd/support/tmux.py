"""A terminal with a keyboard and a screen: tmux with a separate server."""

import itertools
import os
import re
import shlex
import subprocess

from .looks import cells_of, settled
from .waiting import wait_until

NUMBERS = itertools.count(1)


class Terminal:
    """A shell in a terminal of the given size."""

    PROMPT = "ready>"
    # Interactive shells without start-up files, so that job control and the prompt are as expected.
    SH = ("sh", "-i")
    BASH = ("bash", "--norc", "--noprofile", "-i")
    ZSH = ("zsh", "-f", "-i")

    def __init__(self, workspace, columns=80, rows=24, shell=SH, kind="screen"):
        # A server that was stopped may still hold its socket, so each terminal has a new one.
        self._socket = str(workspace.path / f"tmux-{next(NUMBERS)}")
        # All text ever read from the screen, to check for secrets.
        self.seen = ""
        environment = {**workspace.environment, "PS1": self.PROMPT + " "}
        self._run(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
            "env", "-u", "TMUX", f"TERM={kind}", *shell,
            env=environment,
        )
        # Keeps the size when no client is attached, and passes Esc on at once.
        self._run("set-option", "-g", "window-size", "manual")
        self._run("set-option", "-g", "escape-time", "0")
        self._run("set-option", "-g", "status", "off")
        self.resize(columns, rows)
        self.wait_for(self.PROMPT)

    def _run(self, *arguments, env=None, input=None):
        finished = subprocess.run(
            ["tmux", "-S", self._socket, *arguments], capture_output=True, input=input, env=env, timeout=20, check=False
        )
        if finished.returncode != 0:
            raise AssertionError(f"tmux {shlex.join(arguments)}: {finished.stderr.decode().strip()}")
        return finished.stdout.decode()

    def close(self):
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, timeout=20, check=False)

    def start(self, *command, stderr=None):
        """Types a command line at the prompt."""
        line = shlex.join(map(str, command)) + (f" 2>{shlex.quote(str(stderr))}" if stderr else "")
        self.enter(f"clear; {line}; echo exit status $?")

    def enter(self, line):
        """Types a line and presses Enter."""
        self.type(line)
        self.press("Enter")

    def type(self, text):
        self._run("send-keys", "-l", "--", text)

    def send(self, sent):
        """Sends bytes as they are, together: a key's sequence, or a piece of one."""
        self._run("load-buffer", "-", input=sent)
        self._run("paste-buffer", "-d", "-r")

    def paste(self, text):
        """Pastes, in brackets if the program requested them."""
        self._run("set-buffer", "--", text)
        self._run("paste-buffer", "-p", "-d")

    def press(self, *keys):
        """Presses keys by tmux's names: Enter, Escape, C-c, Up, D."""
        self._run("send-keys", *keys)

    def resize(self, columns, rows):
        self._run("resize-window", "-x", str(columns), "-y", str(rows))

    def write(self, text):
        """Writes to the terminal like another program that has it open."""
        descriptor = self.open_tty()
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)

    def open_tty(self):
        """A descriptor of the programs' terminal; the caller closes it."""
        return os.open(self._run("display-message", "-p", "#{pane_tty}").strip(), os.O_RDWR | os.O_NOCTTY)

    @property
    def title(self):
        """The window title that a program set."""
        return self._run("display-message", "-p", "#{pane_title}").rstrip("\n")

    @property
    def screen(self):
        """The text on the screen, without trailing spaces."""
        screen = "\n".join(line.rstrip() for line in self._run("capture-pane", "-p").splitlines())
        self.seen += screen + "\n"
        return screen

    @property
    def cells(self):
        """The rows on the screen, as lists of (character, look)."""
        return cells_of(self._run("capture-pane", "-p", "-e", "-N").rstrip("\n"))

    @property
    def picture(self):
        """Text, looks and cursor: everything a user sees of the screen."""
        return [settled(row) for row in self.cells], self.cursor, self.is_cursor_visible

    def settled_picture(self, seconds=15):
        """The picture once two in a row are equal: the program draws in pieces."""
        pictures = [self.picture]

        def stays():
            pictures.append(self.picture)
            return pictures[-1] == pictures[-2] and pictures[-1]

        return wait_until(stays, seconds, "the screen keeps changing")

    def wait_for_picture(self, picture, seconds=15):
        """Waits until the screen equals the picture."""

        def difference():
            text, *cursor = self.picture
            rows = [f"{lines(was)}\n{lines(now)}" for was, now in zip(picture[0], text) if was != now]
            return "\n".join(["the screen is not as before:", *rows, f"cursor {picture[1:]}, now {cursor}", self.screen])

        def lines(row):
            return "".join(character for character, _ in row) + "  " + " ".join(sorted({look for _, look in row}))

        wait_until(lambda: self.picture == picture, seconds, difference)

    @property
    def cursor(self):
        """Column and row of the hardware cursor, from 0."""
        x, y = self._run("display-message", "-p", "#{cursor_x} #{cursor_y}").split()
        return int(x), int(y)

    @property
    def is_cursor_visible(self):
        return self._run("display-message", "-p", "#{cursor_flag}").strip() == "1"

    @property
    def is_full_screen(self):
        return self._run("display-message", "-p", "#{alternate_on}").strip() == "1"

    @property
    def has_mouse(self):
        """Whether a program enabled the mouse."""
        return self._run("display-message", "-p", "#{mouse_any_flag}").strip() == "1"

    def allow_clipboard(self):
        """Lets programs set the clipboard."""
        self._run("set-option", "-s", "set-clipboard", "on")

    @property
    def clipboard(self):
        """The clipboard that a program set, or None."""
        finished = subprocess.run(
            ["tmux", "-S", self._socket, "show-buffer"], capture_output=True, text=True, timeout=20, check=False
        )
        return finished.stdout if finished.returncode == 0 else None

    @property
    def program(self):
        """The process ID of the shell's foreground program."""
        shell = self._run("display-message", "-p", "#{pane_pid}").strip()
        children = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=False).stdout.split()
        return int(children[-1]) if children else None

    def wait_for(self, *texts, seconds=15):
        """Waits until all texts are on the screen, and returns the screen."""

        def shown():
            screen = self.screen
            return screen if all(text in screen for text in texts) else None

        return wait_until(shown, seconds, lambda: f"{texts} not all on the screen:\n{self.screen}")

    def wait_for_match(self, pattern, seconds=15):
        """Waits until a regular expression matches on the screen, and returns the match."""
        return wait_until(
            lambda: re.search(pattern, self.screen), seconds, lambda: f"/{pattern}/ not on the screen:\n{self.screen}"
        )

    def wait_for_words(self, *texts, seconds=15):
        """Waits until all texts are on the screen, with any line breaks."""

        def shown():
            words = " ".join(self.screen.split())
            return all(text in words for text in texts)

        wait_until(shown, seconds, lambda: f"{texts} not all on the screen:\n{self.screen}")

    def wait_until_gone(self, text, seconds=15):
        wait_until(lambda: text not in self.screen, seconds, lambda: f"{text!r} still on the screen:\n{self.screen}")

    def wait_for_prompt(self, seconds=15):
        """Waits until the program has ended and the shell's own screen is back."""
        wait_until(
            lambda: not self.is_full_screen and self.screen.rstrip().endswith(self.PROMPT),
            seconds,
            lambda: f"the program has not ended:\n{self.screen}",
        )

    def ask_shell(self, line):
        """Runs a line in the shell and returns its output."""
        self.type(f"clear; {line}; echo end-of-answer")
        self.press("Enter")
        return self.wait_for_match(r"(?ms)\A(.*)^end-of-answer$").group(1)

    def exit_status(self):
        """The program's exit status, which the shell has printed."""
        self.wait_for_prompt()
        return int(self.wait_for_match(r"(?m)^exit status (\d+)$").group(1))
