"""The screens recorded in memory match a real terminal, including colours; further screens come from the real program
only.

KEYTURN_RECORD=1 writes the further screens (Tests/EndToEnd/Screens), and fails, so that recording is never an accident.
They have the text and then, for each theme, the styled runs of characters.
"""

import os
import pathlib
import re
import time
import unittest

from support import person
from support.case import JourneyCase
from support.looks import GoldenScreens, cells_of, runs, settled
from support.waiting import wait_until
from support.workspace import KEYTURN, ROOT

SIZE = (80, 24)
SCREENS = ROOT / "Tests/EndToEnd/Screens"

# For each theme: options and environment variables.
THEMES = {"default": [], "mono": ["NO_COLOR=1"], "contrast": ["--theme", "contrast"]}

# Text that differs in every run, and its placeholder. Each changes the width of the blanks around it, too.
MASKS = [
    (re.compile(r"(?m)^https?://\S*/authorize\?\S*(\n\S+)*$"), "ADDRESS"),
    (re.compile(r"and \d+ more lines"), "and N more lines"),
    (re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"), "UUID"),
    (re.compile(r"\"[\w-]{16,}(\"|…)"), "\"ID\""),
    (re.compile(r"(?<!\S)[\w-]{40,}"), "ID"),
    (re.compile(r"(?m)\d{4}-\d\d-\d\dT\S+Z.*$"), "DATE"),
    # A narrow column cuts the time off.
    (re.compile(r"\d{4}-\d\d-\d\d( \d\d:…)?"), "DATE"),
    (re.compile(r"\d\d:\d\d(:\d\d)?"), "TIME"),
    (re.compile(r"(127\.0\.0\.1|localhost):\d{2,5}\b"), r"\1:PORT"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|min|h)\b"), "DURATION"),
    (re.compile(r"[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]"), "*"),
    (re.compile(r" {2,}"), "  "),
]


def masked(rows):
    """The screen as rows of (character, look), with varying text replaced; a placeholder looks like the start of the
    original."""
    cells = [cell for row in rows for cell in [*settled(row), ("\n", "plain")]][:-1]
    for pattern, instead in MASKS:
        out, end = [], 0
        for found in pattern.finditer("".join(character for character, _ in cells)):
            out += cells[end:found.start()]
            out += [(character, cells[found.start()][1]) for character in found.expand(instead)]
            end = found.end()
        cells = out + cells[end:]
    rows = [[]]
    for cell in cells:
        if cell[0] == "\n":
            rows.append([])
        else:
            rows[-1].append(cell)
    return rows


def text_of(rows):
    return "\n".join("".join(character for character, _ in row) for row in rows).rstrip("\n")


def styles_of(rows):
    lines = [f"{number}: {runs(row)}" for number, row in enumerate(rows) if runs(row)]
    return "\n".join(lines)


class LooksTest(unittest.TestCase):
    def test_what_other_programs_set(self):
        """A shell's mark may still be on the screen when a journey looks: its looks are others, not errors."""
        marked, plain = cells_of("\x1b[1;3m%\x1b[38;5;1m>\x1b[0m x\n%> x")
        self.assertEqual([look for _, look in marked], ["bold SGR 1;3", "bold SGR 1;3 SGR 38;5;1", "plain", "plain"])
        self.assertEqual(settled(cells_of("\x1b[48;2;1;2;3m \x1b[0mx")[0])[0], (" ", "SGR 48;2;1;2;3"))
        self.assertNotEqual(settled(marked), settled(plain))


class GoldenJourney(JourneyCase):
    def test_the_empty_account_list(self):
        """Equals the golden screens of the Swift tests, character by character and colour by colour."""
        self.workspace.configure(
            name="contoso",
            clientId="11111111-2222-3333-4444-555555555555",
            authority="https://login.contoso.example/common",
            authorityType="aad",
            knownAuthorities=["https://login.contoso.example/common"],
            scopes=["User.Read"],
        )
        golden = GoldenScreens(ROOT / "Tests/ConsoleTests/Screens/accounts-empty.screen")
        for theme in THEMES:
            terminal = self.open_themed(theme, shows="No accounts yet.")
            for size, rows in golden.sizes.items():
                with self.subTest(theme=theme, size=size):
                    terminal.resize(*size)
                    expected = "\n".join(rows)
                    wait_until(
                        lambda: text_of(settled(row) for row in terminal.cells) == expected,
                        10,
                        lambda: f"expected:\n{expected}\nshown:\n{terminal.screen}",
                    )
            with self.subTest(theme=theme):
                terminal.resize(*SIZE)
                expected = [settled(row) for row in golden.cells(SIZE, theme)]
                wait_until(
                    lambda: [settled(row) for row in terminal.cells] == expected,
                    10,
                    lambda: f"expected:\n{styles_of(expected)}\nshown:\n"
                    + styles_of([settled(row) for row in terminal.cells]),
                )
            self.quit(terminal)
            terminal.close()

    def test_accounts_form_and_claims(self):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        for theme in THEMES:
            terminal = self.open_themed(theme, "demo")
            self.expect_golden(terminal, "accounts-empty", theme)
            terminal.press("i")
            self.wait_for_claims(terminal)
            self.expect_golden(terminal, "claims", theme)
            self.close_claims(terminal)
            self.wait_for_account(terminal, person.ANN[0])
            self.expect_golden(terminal, "accounts", theme)
            terminal.press("o")
            terminal.wait_for("Sign-in options")
            self.expect_golden(terminal, "form", theme)
            terminal.press("Escape")
            terminal.wait_until_gone("Sign-in options")
            terminal.press("D")
            terminal.wait_for("Sign out this account?")
            self.expect_golden(terminal, "removal-dialog", theme)
            terminal.press("Escape")
            terminal.wait_until_gone("Sign out this account?")
            self.quit(terminal)
            terminal.close()

    def test_a_waiting_sign_in(self):
        self.workspace.use_recording_browser()
        for theme in THEMES:
            self.workspace.forget_browser()
            terminal = self.open_themed(theme, "demo", "--no-motion")
            terminal.press("i")
            self.opened_address()
            terminal.wait_for("Wait for the browser", "/authorize?")
            self.expect_golden(terminal, "sign-in-waiting", theme)
            terminal.press("Escape")
            terminal.wait_for("Accounts")
            self.quit(terminal)
            terminal.close()

    def test_a_failure(self):
        # Port 1 on loopback: no listener, so connections are rejected at once.
        self.configure_for_provider("http://127.0.0.1:1")
        for theme in THEMES:
            terminal = self.open_themed(theme)
            terminal.press("i")
            terminal.wait_for("Can't reach 127.0.0.1", "shows the codes", seconds=40)
            self.expect_golden(terminal, "failure", theme)
            terminal.press("Escape")
            terminal.wait_for("Accounts")
            self.quit(terminal)
            terminal.close()

    def open_themed(self, theme, *arguments, shows="Accounts"):
        """Opens the program in a theme: by its option, or by NO_COLOR in the environment."""
        terminal = self.open_terminal()
        settings = [word for word in THEMES[theme] if "=" in word]
        options = [word for word in THEMES[theme] if "=" not in word]
        terminal.start("env", *settings, KEYTURN, *arguments, *options, stderr=self.stderr)
        terminal.wait_for(shows)
        return terminal

    def test_every_recorded_screen_belongs_to_a_test(self):
        names = re.findall(r'expect_golden\(terminal, "([\w-]+)"', pathlib.Path(__file__).read_text())
        self.assertEqual({path.name for path in SCREENS.iterdir()}, {f"{name}.screen" for name in names})

    def expect_golden(self, terminal, name, theme):
        """Waits until the screen equals the recorded one, except for varying text."""
        golden = SCREENS / f"{name}.screen"
        if os.environ.get("KEYTURN_RECORD") == "1":
            self.record(golden, theme, self.settled_screen(terminal))
            return
        text, styles = recorded(golden)
        expected = text, styles[theme]
        with self.subTest(screen=name, theme=theme):
            wait_until(
                lambda: self.seen(terminal) == expected,
                10,
                lambda: "expected:\n{}\n{}\nshown:\n{}\n{}".format(*expected, *self.seen(terminal)),
            )

    @staticmethod
    def seen(terminal):
        rows = masked(terminal.cells)
        return text_of(rows), styles_of(rows)

    def settled_screen(self, terminal):
        """The screen once it has the window's size, and no longer changes."""
        def unchanged():
            first = self.seen(terminal)
            time.sleep(0.3)
            return first if self.seen(terminal) == first else None

        return wait_until(unchanged, 10, "the screen does not come to rest")

    def record(self, golden, theme, seen):
        SCREENS.mkdir(exist_ok=True)
        styles = recorded(golden)[1] if golden.exists() else {}
        styles[theme] = seen[1]
        golden.write_text(seen[0] + "\n" + "".join(f"-- {name}\n{lines}\n" for name, lines in styles.items()))
        # The test fails and continues with its next screen.
        with self.subTest(screen=golden.name):
            self.fail(f"recorded {golden.name}: look at it, then run without KEYTURN_RECORD")


def recorded(path):
    """A screen's text, and its styles by theme."""
    text, *styles = re.split(r"(?m)^-- (\w+)\n", path.read_text())
    return text.rstrip("\n"), {name: lines.rstrip("\n") for name, lines in zip(styles[::2], styles[1::2])}


if __name__ == "__main__":
    unittest.main()
