"""How many keys the daily tasks take; docs/screens.md has the numbers. A paste or the name of a file counts as one."""

import json
import shutil
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.waiting import wait_until
from support.workspace import KEYTURN, ROOT

EVIDENCE = ROOT / "Tests/DiagnosisTests/Explanation/Evidence"


class KeyCounts(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.count = 0

    def open(self, shown):
        """In a terminal of its own. For GNU screen, whose name tmux usually has here, a token is sent in pieces."""
        self.terminal = self.open_terminal(kind="xterm-256color")
        self.terminal.allow_clipboard()
        self.terminal.start(KEYTURN)
        self.terminal.wait_for(shown)

    def press(self, *keys):
        self.count += len(keys)
        self.terminal.press(*keys)

    def paste(self, text):
        self.count += 1
        self.terminal.paste(text)

    def wait_for_token(self):
        self.terminal.wait_for("Sent the access token to the terminal's clipboard.")
        wait_until(lambda: (self.terminal.clipboard or "").startswith("eyJ"), 5, lambda: f"no token was copied: {len(self.terminal.clipboard or str())} characters")

    def test_a_new_user_copies_a_token(self):
        """From a fresh home, with a known issuer and client ID."""
        self.open("Where do users sign in?")
        self.press("Enter")
        self.terminal.wait_for("Authority")
        self.paste(f"{self.authority.address}/common")
        self.terminal.wait_for("Microsoft Entra ID")
        self.press("Enter")
        self.paste(person.DEMO_CLIENT_ID)
        self.press("Enter")
        self.terminal.wait_for("returns to this program")
        self.press("Enter", "Enter", "Enter")
        self.wait_for_claims(self.terminal)
        self.press("c")
        self.wait_for_token()
        self.assertLessEqual(self.count, 10)

    def test_a_daily_user_copies_a_token(self):
        self.configure_for_authority(self.authority.address, method="browser")
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        self.open(person.ANN[0])
        self.press("c")
        self.wait_for_token()
        self.assertLessEqual(self.count, 2)

    def test_support_makes_a_redacted_copy(self):
        folder = self.workspace.path / "case"
        folder.mkdir()
        shutil.copy(EVIDENCE / "unknown_client.har", folder / "c.har")
        self.terminal = self.open_terminal()
        self.terminal.enter(f"cd {folder}")
        self.terminal.start(KEYTURN, "demo")
        self.terminal.wait_for("No accounts yet.")
        self.press("e")
        self.terminal.wait_for("Explain")
        self.terminal.type("c.har")
        self.press("Enter")
        self.terminal.wait_for("doesn't know this client ID")
        self.press("x")
        self.terminal.wait_for("./c-redacted.har")
        self.press("Enter")
        self.terminal.wait_for_words("Wrote the redacted copy to ./c-redacted.har:")
        self.assertIn("entries", json.loads((folder / "c-redacted.har").read_text())["log"])
        self.assertLessEqual(self.count, 4)


if __name__ == "__main__":
    unittest.main()
