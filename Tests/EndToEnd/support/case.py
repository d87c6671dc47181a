"""The base of every journey."""

import re
import unittest
import urllib.parse

from . import person
from .share import share
from .tmux import Terminal
from .waiting import wait_until
from .workspace import KEYTURN, Workspace

SIZES = [(80, 24), (120, 40)]


class JourneyCase(unittest.TestCase):
    """A separate home, and on request a terminal, both removed afterwards."""

    maxDiff = None
    # The window sizes of journeys that depend on them.
    sizes = share(SIZES, 2)

    def setUp(self):
        self.workspace = Workspace()
        self.addCleanup(self.workspace.close)
        self.stderr = self.workspace.path / "stderr"

    def open_terminal(self, columns=80, rows=24, **others):
        terminal = Terminal(self.workspace, columns, rows, **others)
        self.addCleanup(terminal.close)
        return terminal

    def open_keyturn(self, *arguments, size=(80, 24), shows="Accounts"):
        """Starts the program in a new terminal, and waits for its first screen."""
        terminal = self.open_terminal(*size)
        terminal.start(KEYTURN, *arguments, stderr=self.stderr)
        terminal.wait_for(shows)
        return terminal

    def closing(self, server):
        self.addCleanup(server.close)
        return server

    def configure_for_authority(self, origin, **others):
        """A profile for the built-in authority's tenant Contoso."""
        authority = f"{origin}/contoso"
        profile = {
            "clientId": person.DEMO_CLIENT_ID,
            "authority": authority,
            "authorityType": "aad",
            "knownAuthorities": [authority],
            "scopes": ["User.Read"],
        }
        self.workspace.configure(**{**profile, **others})

    def configure_for_provider(self, issuer, **others):
        """A profile for an OpenID provider's client `native`."""
        profile = {
            "clientId": "native",
            "authority": issuer,
            "authorityType": "oidc",
            "redirectUri": "http://127.0.0.1/",
            "scopes": ["email"],
        }
        self.workspace.configure(**{**profile, **others})

    def browser_result(self, terminal):
        """The result of the user with Chromium, once she has finished."""

        def situation():
            return f"the browser is not done: {self.workspace.browser_trouble}\non the screen:\n{terminal.screen}"

        result = wait_until(lambda: self.workspace.browser_result, 60, situation)
        self.assertIsNone(result["trouble"], result)
        return result

    def opened_address(self):
        """The URL that the recording browser got."""
        return wait_until(lambda: self.workspace.opened_address, 15, "no browser was started")

    def wait_for_account(self, terminal, *words, seconds=20):
        """Waits for a row of the account list that contains the words in this order. (The demo's hints name users
        too.)"""
        row = r"\s.*".join(map(re.escape, words))
        terminal.wait_for_match(rf"(?s)USERNAME.*\n[ >│]*[^\n]*{row}", seconds)

    def read_claims(self, terminal):
        """Opens the selected account's claims, and checks that no check failed."""
        terminal.press("Enter")
        return self.wait_for_claims(terminal)

    def wait_for_claims(self, terminal):
        """Waits for the claims at the end of a sign-in, and checks that no check failed."""
        claims = terminal.wait_for("Claims of", "ID token", "CLAIM", seconds=40)
        self.assertNotRegex(claims, r"\b(failed|warning)\b")
        return claims

    def export(self, terminal, path, *words):
        """Exports what the screen offers, to this path instead of the proposed one."""
        terminal.press("x")
        terminal.wait_for("Export", "./")
        terminal.press("C-u")
        terminal.type(str(path))
        terminal.press("Enter")
        terminal.wait_for_words(*words)

    def close_claims(self, terminal):
        terminal.press("Escape")
        terminal.wait_until_gone("Claims of")

    def remove_account(self, terminal, *words):
        """Removes the selected account: Enter alone presses Cancel and keeps it; y removes it."""
        terminal.press("D")
        terminal.wait_for("Sign out this account?")
        terminal.press("Enter")
        terminal.wait_until_gone("Sign out this account?")
        self.wait_for_account(terminal, *words)
        terminal.press("D")
        terminal.wait_for("Sign out this account?")
        terminal.press("y")
        terminal.wait_for("No accounts yet.")

    def enter_code(self, screen):
        """Signs Ann in on another device, with the URL and the code on the screen."""
        code = re.search(r"\b[B-Z]{4}-[B-Z]{4}\b", screen).group()
        # A narrow column breaks the URL; without blanks and the QR code it is whole again.
        page = re.search(r"http://127\.0\.0\.1:\d+/device", re.sub(r"[ ▀▄█]*\n\s*", "", screen)).group()
        text = person.enter_code(f"{page}?{urllib.parse.urlencode({'user_code': code})}", *person.ANN)
        self.assertIn("Your device is signed in", text)

    def quit(self, terminal):
        terminal.press("q")
        self.assertEqual(terminal.exit_status(), 0)

    def assert_no_secrets(self, terminal):
        """No token was ever on the screen, and standard error is empty."""
        # The start of a token's first part (an open brace in Base64); the middle of a key's name may contain the same.
        self.assertNotRegex(terminal.seen, r"(?<![\w-])eyJ")
        self.assertEqual(self.stderr.read_text(), "")

    def assert_sane(self, terminal):
        """The terminal has its original state."""
        self.assertFalse(terminal.is_full_screen)
        self.assertTrue(terminal.is_cursor_visible)
        modes = terminal.ask_shell("stty -a").split()
        for mode in ("icanon", "echo", "icrnl", "opost", "isig"):
            self.assertIn(mode, [word.strip(";") for word in modes])
