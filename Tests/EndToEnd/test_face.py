"""What a user sees of the command line on a terminal: the status, a cancelled sign-in, the copied command, and the help."""

import base64
import re
import subprocess

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.waiting import wait_until
from support.workspace import KEYTURN

SHELLS = (["sh", "-c"], ["bash", "-c"], ["zsh", "-f", "-c"], ["fish", "--no-config", "-c"])


class FaceJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"}, scopes=["User.Read"])

    def sign_in(self, *people):
        for one in people:
            self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *one)
            signed_in = self.workspace.run("sign-in")
            self.assertEqual(signed_in.returncode, 0, signed_in.stderr)

    def terminal(self, *arguments, **others):
        return self.closing(PseudoTerminal([KEYTURN, *arguments], self.workspace.environment, **others))

    def test_status_on_a_terminal(self):
        self.sign_in(person.WANG, person.ANN)
        seen = self.terminal("status").read_to_end().decode()
        rows = re.findall(r"\x1b\[0;32m●\x1b\[0m  (\S+) +test  valid \d+ min, until (?:\S+ )?\d\d:\d\d\r\n", seen)
        self.assertEqual(rows, ["ann@contoso.example", "wang@contoso.example"])

    def test_a_cancelled_sign_in(self):
        terminal = self.terminal("sign-in", "--method", "device")
        seen = terminal.read_until(b"The code expires in", b" left")
        self.assertRegex(seen, rb"enter the code \x1b\[0;1m\S+\x1b\[0m")
        self.assertRegex(seen, rb"\r\S+ Waiting for you: 1\d:\d\d left\x1b\[K")
        terminal.press(b"\x03")
        self.assertTrue(terminal.read_to_end().endswith(b"\r\nCancelled.\r\n"))
        self.assertEqual(wait_until(terminal.exit_status, 30, "the command goes on"), 130)

    def test_a_sign_in_without_a_sign_of_life(self):
        for option in ("--plain", "--quiet"):
            terminal = self.terminal(option, "sign-in", "--method", "device")
            terminal.read_until(b"The code expires in")
            terminal.press(b"\x03")
            self.assertNotIn(b"Waiting for you", terminal.read_to_end(), option)

    def test_the_copied_command_in_every_shell(self):
        self.sign_in(person.ANN)
        terminal = self.terminal()
        terminal.read_until(b"ann@contoso.example")
        terminal.press(b"C")
        copied = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07", terminal.read_until(b"Paste it"))
        terminal.press(b"q")
        terminal.read_to_end()
        command = base64.b64decode(copied[1]).decode()
        self.assertRegex(command, r"^keyturn token --profile test --account ann@contoso\.example .*-o header \| curl -H @- $")
        environment = {**self.workspace.environment, "PATH": f"{KEYTURN.parent}:/usr/bin:/bin"}
        for shell in SHELLS:
            with self.subTest(shell[0]):
                line = command.replace("curl -H @-", "cat")
                result = subprocess.run([*shell, line], capture_output=True, text=True, env=environment, timeout=60, check=True)
                self.assertRegex(result.stdout, r"^Authorization: Bearer eyJ\S+\n$")

    def test_help_on_a_terminal(self):
        seen = self.terminal("help", columns=50).read_to_end()
        for title in (b"Sign in:", b"Use a token:", b"Give it to programs:", b"Understand:", b"Manage:"):
            self.assertIn(b"\x1b[0;1m" + title + b"\x1b[0m", seen)
        lines = self.terminal("demo", "--list", columns=50).read_to_end().decode().splitlines()
        self.assertLessEqual(max(map(len, lines)), 50)
