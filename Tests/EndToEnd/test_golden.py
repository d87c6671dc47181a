"""The screens recorded from memory are what a real terminal shows, and so are those that only the real program has.

KEYTURN_RECORD=1 writes the second kind (Tests/EndToEnd/Screens), and fails, so that nobody records by mistake.
"""

import os
import re
import unittest

from support import person
from support.case import JourneyCase
from support.waiting import wait_until
from support.workspace import ROOT

SIZES = [(120, 40), (80, 24), (60, 20), (40, 12)]
SCREENS = ROOT / "Tests/EndToEnd/Screens"

# What is another at every run, and what stands for it. Each leaves the blanks around it another width, too.
MASKS = [
    (re.compile(r"(?m)^https?://\S*/authorize\?\S*(\n\S+)*$"), "ADDRESS"),
    (re.compile(r"and \d+ more lines"), "and N more lines"),
    (re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"), "UUID"),
    (re.compile(r"“[\w-]{16,}[”…]"), "“ID”"),
    (re.compile(r"(?m)\b[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d{4}.*$"), "DATE"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "DATE"),
    (re.compile(r"\d\d:\d\d(:\d\d)?"), "TIME"),
    (re.compile(r"(127\.0\.0\.1|localhost):\d{2,5}\b"), r"\1:PORT"),
    (re.compile(r"\b\d+(\.\d+)? (ms|s|min|h)\b"), "DURATION"),
    (re.compile(r"[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]"), "*"),
    (re.compile(r" {2,}"), "  "),
]


def masked(screen):
    for pattern, instead in MASKS:
        screen = pattern.sub(instead, screen)
    return screen


class GoldenJourney(JourneyCase):
    def test_the_empty_account_list(self):
        self.workspace.configure(
            name="contoso",
            clientId="11111111-2222-3333-4444-555555555555",
            authority="https://login.contoso.example/common",
            authorityType="aad",
            knownAuthorities=["https://login.contoso.example/common"],
            scopes=["User.Read"],
        )
        for columns, rows in SIZES:
            with self.subTest(columns=columns, rows=rows):
                golden = ROOT / f"Tests/ConsoleTests/Screens/accounts-empty-{columns}x{rows}.screen"
                expected = [line.rstrip() for line in golden.read_text().splitlines()]
                terminal = self.open_keyturn(size=(columns, rows), shows="No account yet.")
                wait_until(
                    lambda: terminal.screen.split("\n") == expected,
                    10,
                    lambda: f"expected:\n{golden.read_text()}\nshown:\n{terminal.screen}",
                )
                self.quit(terminal)
                terminal.close()

    def test_claims_and_removal(self):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.wait_for_claims(terminal)
        self.expect_golden(terminal, "claims")
        self.close_claims(terminal)
        self.wait_for_account(terminal, person.ANN[0])
        terminal.press("D")
        terminal.wait_for("Remove this account?")
        self.expect_golden(terminal, "removal-dialog")
        terminal.press("Escape")
        terminal.wait_until_gone("Remove this account?")
        self.quit(terminal)

    def test_a_sign_in_that_waits(self):
        self.workspace.use_recording_browser()
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.opened_address()
        terminal.wait_for("Wait for you in the browser", "/authorize?")
        self.expect_golden(terminal, "sign-in-waiting")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def test_a_failure(self):
        # Port 1 on loopback: nobody listens, and the refusal comes at once.
        self.configure_for_provider("http://127.0.0.1:1")
        terminal = self.open_keyturn()
        terminal.press("i")
        terminal.wait_for("The authority could not be reached.", "Local time", seconds=40)
        self.expect_golden(terminal, "failure")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def expect_golden(self, terminal, name):
        """Waits until the screen is the recorded one, but for what is another at every run."""
        golden = SCREENS / f"{name}.screen"
        if os.environ.get("KEYTURN_RECORD") == "1":
            SCREENS.mkdir(exist_ok=True)
            golden.write_text(masked(terminal.screen) + "\n")
            # The test fails and goes on to its next screen.
            with self.subTest(screen=name):
                self.fail(f"recorded {golden.name}: look at it, then run without KEYTURN_RECORD")
            return
        expected = golden.read_text().rstrip("\n")
        wait_until(
            lambda: masked(terminal.screen).rstrip("\n") == expected,
            10,
            lambda: f"expected:\n{expected}\nshown:\n{masked(terminal.screen)}",
        )


if __name__ == "__main__":
    unittest.main()
