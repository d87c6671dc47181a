"""Line mode: at a pipe, on a terminal that cannot position text, and with a user at the keyboard."""

import re
import signal
import subprocess
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.tmux import Terminal
from support.workspace import KEYTURN


class AtAPipe(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def talk(self, *answers, arguments=("--plain", "demo")):
        done = subprocess.run(
            [KEYTURN, *arguments], input="".join(f"{answer}\n" for answer in answers), capture_output=True, text=True,
            env=self.workspace.environment, timeout=60,
        )
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("\x1b", done.stdout)
        return done.stdout

    def test_every_task(self):
        """Sign in, read, get a token silently, inspect, check, remove."""
        text = self.talk("i", "f", "q", "q", "1", "q", "v", "q", "D", "y", "q")
        for said in (
            "Signed in as ann@contoso.example.",
            "Checks: 10 passed, 3 not needed.",
            "requests and responses of a flow",
            "Token from the cache",
            "Set-up check.",
            "Sign out this account?",
            "Removed ann@contoso.example",
        ):
            self.assertIn(said, text)
        self.assertNotRegex(text, r"eyJ[\w-]{20,}\.[\w-]+\.[\w-]+")
        self.assertEqual(len(re.findall(r"(?m)^No accounts yet\.$", text)), 2)

    def test_parameters_of_each_message_of_a_scenario(self):
        # Without a browser, the scripted user signs in.
        del self.workspace.environment["BROWSER"]
        text = self.talk("n", "3", "16", "q", "q", "q", arguments=("--plain", "demo", "consent-declined"))
        self.assertIn("- grant_type: authorization_code.", text)

    def test_numbers_and_letters_are_the_same(self):
        number = re.search(r"^(\d+)\. Quit", self.talk("q"), re.MULTILINE).group(1)
        self.assertTrue(self.talk(number).endswith(f"Your choice: {number}\n"))

    def test_the_end_of_the_input(self):
        self.assertTrue(self.talk().endswith("Your choice: \n"))

    def test_the_set_up(self):
        authority = self.closing(start_authority(self.workspace))
        text = self.talk(
            "1", "nonsense", f"{authority.address}/common", person.DEMO_CLIENT_ID, "3", "1", "q", "q", arguments=("--plain",)
        )
        for said in ("is not a domain, tenant ID or URL", "The issuer is", "Saved profile local.", "Signed in as ann@contoso.example."):
            self.assertIn(said, text)

    def test_ascii(self):
        self.workspace.environment["LANG"] = "C"
        self.talk("i", "q", "q").encode("ascii")


class AtATerminal(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = "false"

    def test_a_terminal_that_cannot_position_text(self):
        self.workspace.environment["TERM"] = "dumb"
        terminal = self.open_terminal(100, 50)
        terminal.start("env", "TERM=dumb", KEYTURN, "demo")
        terminal.wait_for("position the cursor", "Your choice:")
        terminal.type("q\n")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

    def test_accessible_chooses_line_mode(self):
        terminal = self.open_terminal(100, 50)
        terminal.start("env", "ACCESSIBLE=1", KEYTURN, "demo")
        terminal.wait_for("Your choice:")
        terminal.type("q\n")
        terminal.wait_for_prompt()

    def test_pasted_text_is_not_shown(self):
        terminal = self.open_terminal(100, 50)
        terminal.start(KEYTURN, "--plain", "demo")
        terminal.wait_for("Your choice:")
        terminal.type("p\n")
        screen = terminal.wait_for("or q to cancel:")
        address = re.search(r"http://127\.0\.0\.1:\d+/common/oauth2/v2\.0/authorize\?\S+", screen.replace("\n", "")).group()
        landing = person.landing_of(address.split("Paste the browser")[0], *person.ANN)
        terminal.type(landing + "\n")
        terminal.wait_for("Header alg", "Your choice:")
        self.assertNotIn(landing.split("code=")[1][:12], terminal.screen)
        terminal.type("q\n")
        terminal.wait_for("ann@contoso.example", "Your choice:")
        terminal.type("q\n")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

    def test_job_control_and_control_l(self):
        """When continued, it repeats its question and hides pasted text again; Ctrl-L and Enter repeat the page."""
        for shell in (Terminal.BASH, Terminal.ZSH):
            with self.subTest(shell=shell[0]):
                terminal = self.open_terminal(100, 50, shell=shell)
                terminal.enter(f"{KEYTURN} --plain demo")
                terminal.wait_for("Your choice:")
                for _ in range(2):
                    terminal.press("C-z")
                    terminal.wait_for_prompt()
                    terminal.enter("clear; fg")
                    terminal.wait_for_match(r"Your choice:\s*\Z")
                terminal.press("C-l", "Enter")
                terminal.wait_for("No accounts yet.", "Quit. (q)", "Your choice:")
                terminal.enter("p")
                terminal.wait_for("or q to cancel:")
                terminal.press("C-z")
                terminal.wait_for_prompt()
                terminal.enter("clear; fg")
                terminal.wait_for_match(r"or q to\s+cancel:\s*\Z")
                terminal.enter("nothing to see")
                terminal.wait_for("neither a URL nor a code")
                self.assertNotIn("nothing to see", terminal.screen)
                terminal.press("C-c")
                terminal.wait_for("Cancelled.")
                terminal.enter("q")
                terminal.wait_for_prompt()
                self.assert_sane(terminal)
                terminal.close()

    def test_the_end_of_the_input_is_not_a_failure(self):
        terminal = self.open_terminal(100, 50)
        terminal.start(KEYTURN, "--plain", "demo")
        terminal.wait_for("Your choice:")
        terminal.press("C-d")
        self.assertEqual(terminal.exit_status(), 0)
        self.assert_sane(terminal)

    def test_a_terminal_that_goes_away(self):
        """Its input ends too, perhaps before SIGHUP arrives; a program in a separate session gets no signal at all."""
        for line in (f"exec {KEYTURN} --plain demo", f"trap '' HUP; setsid --wait {KEYTURN} --plain demo"):
            with self.subTest(line):
                terminal = PseudoTerminal(["/bin/sh", "-c", line], self.workspace.environment)
                terminal.read_until(b"Your choice:")
                self.assertEqual(terminal.hang_up(), 128 + signal.SIGHUP)

    def test_an_interrupt_cancels_and_another_ends(self):
        terminal = self.open_terminal(100, 50)
        terminal.start(KEYTURN, "--plain", "demo")
        terminal.wait_for("Your choice:")
        terminal.type("p\n")
        terminal.wait_for("Paste the final URL")
        terminal.press("C-c")
        terminal.wait_for("Cancelled.")
        terminal.press("C-c")
        self.assertEqual(terminal.exit_status(), 128 + signal.SIGINT)
        self.assert_sane(terminal)


if __name__ == "__main__":
    unittest.main()
