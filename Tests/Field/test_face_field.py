"""Tokens in the clipboard: what went wrong with other programs in a terminal."""

import base64
import re

from field import FieldCase, complaint
from support.pseudo_terminal import PseudoTerminal
from support.rotating_provider import RotatingProvider
from support.workspace import KEYTURN

CLIPBOARD = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")


class TerminalRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.provider = RotatingProvider.of(self)
        self.sign_in()

    def terminal(self, *arguments, **environment):
        return self.closing(PseudoTerminal([KEYTURN, *arguments], {**self.workspace.environment, **environment}, columns=200))


class ClipboardRow(TerminalRow):
    @complaint(
        "https://github.com/griffinwork40/agent-afk/issues/563",
        "Over ssh, copying does nothing and says nothing, because only programs of the desktop are tried",
        "token --copy asks the terminal itself (OSC 52), and fails before a request if it can't")
    def test_over_ssh(self):
        token = self.succeed("token").strip().encode()
        seen = self.terminal("token", "--copy", SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22").read_to_end()
        self.assertEqual([base64.b64decode(text) for text in CLIPBOARD.findall(seen)], [token])
        redeemed = self.provider.redeemed
        for result in (
            self.workspace.run("token", "--copy", "--force-refresh"),
            self.workspace.run("token", "--copy", "--force-refresh", TERM="dumb"),
        ):
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("The token can't be copied.", result.stderr)
        self.assertEqual(self.provider.redeemed, redeemed)

    @complaint(
        "https://github.com/anomalyco/opencode/issues/15907",
        "In tmux the program says that it copied, and the clipboard has the old text",
        "sends tmux both forms, and says what to check if the token isn't there")
    def test_in_tmux(self):
        seen = self.terminal("token", "--copy", TMUX="/tmp/tmux-1/default,1,0").read_to_end()
        self.assertEqual(len(CLIPBOARD.findall(seen)), 2)
        self.assertIn(b"\x1bPtmux;\x1b\x1b]52;c;", seen)
        self.assertIn(b"If it isn't there, the terminal or tmux forbids copying.", seen)

    @complaint(
        "https://github.com/launchdarkly/ldcli/issues/786",
        "The token is printed, and stays in the scrollback, in recordings and on shared screens",
        "--copy shows no token, and says how long the clipboard keeps it")
    def test_no_token_on_the_screen(self):
        token = self.succeed("token").strip().encode()
        seen = CLIPBOARD.sub(b"", self.terminal("token", "--copy").read_to_end())
        self.assertNotIn(token, seen)
        self.assertIn(b"Sent the token of ada to the terminal's clipboard. It expires in ", seen)
        self.assertIn(b"The clipboard keeps it until you copy something else.", seen)
