"""The main journeys at 80 x 24 in a window that keeps changing its size, and the state at the end."""

import re
import unittest

import test_demo
import test_flow
import test_set_up
import test_methods
from support import person
from support.case import JourneyCase
from support.pseudo_terminal import PseudoTerminal
from support.storm import Storm, StormyTerminal, only
from support.waiting import wait_until
from support.workspace import KEYTURN

# As in terminfo(5) for xterm-256color: `clear` and `rmcup`.
CLEARS, LEAVES = b"\x1b[H\x1b[2J", b"\x1b[?1049l"


class ScreensInAStorm(Storm, JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def test_every_screen_of_a_session(self):
        """Signed in, compared, refreshed, inspected, checked, helped: each screen is whole after the storm."""
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        self.wait_for_claims(terminal)
        for keys, words in (
            (("=",), ["CLAIM", "only in"]),
            (("=", "d"), ['"alg"']),
            (("d", "Tab"), ["[2 Access token]"]),
            (("R",), ["Token refreshed."]),
            (("f",), ["Inspector", "STEP"]),
            (("Down", "J", "K"), ["2 of"]),
            (("Escape",), ["Claims of"]),
            (("Escape",), ["USERNAME"]),
            (("v",), ["Check", "No check failed."]),
            (("?",), ["Keys: Check"]),
            (("Escape",), ["r again"]),
            (("Escape",), ["USERNAME"]),
            (("w",), ["Scenarios", "Plain sign-in"]),
            (("Escape",), ["USERNAME"]),
            (("D",), ["Sign out this account?"]),
            (("y",), ["No accounts yet."]),
        ):
            with self.subTest(keys=keys):
                terminal.press(*keys)
                terminal.wait_for(*words)
        self.quit(terminal)
        self.assert_sane(terminal)


@only("test_without_a_configuration", "test_profiles")
class SetUpInAStorm(Storm, test_set_up.SetUpJourney):
    pass


@only("test_from_sign_in_to_removal", "test_a_declined_consent_is_explained")
class DemoInAStorm(Storm, test_demo.DemoJourney):
    pass


@only("test_the_code_on_the_screen")
class DeviceCodeInAStorm(Storm, test_methods.DeviceCodeJourney):
    pass


@only("test_the_pasted_url")
class PasteInAStorm(Storm, test_methods.PasteJourney):
    pass


@only("test_escape_cancels_and_closes_the_listener", "test_foreign_requests_do_not_end_the_wait")
class FlowInAStorm(Storm, test_flow.FlowJourney):
    pass


class TheEndInAStorm(JourneyCase):
    def test_nothing_stays_on_the_shells_screen(self):
        """Whatever the window does as the program exits: tmux may mix the program's last screen with the shell's
        lines."""
        terminal = StormyTerminal(self.workspace, 80, 24, seed=self.id())
        self.addCleanup(terminal.close)
        command = f"clear; {KEYTURN} demo 2>{self.stderr}; echo exit status $?"
        for time in range(10):
            with self.subTest(time=time):
                terminal.start(KEYTURN, "demo", stderr=self.stderr)
                terminal.wait_for("No accounts yet.")
                self.quit(terminal)
                # A growing window shows lines again that `clear` removed: typed text, and the shell's output.
                text = "".join(terminal.screen.splitlines())
                for own in (f"{terminal.PROMPT} {command}", "exit status 0", terminal.PROMPT):
                    text = text.replace(own, "")
                # The start of the first command may be above the window.
                self.assertTrue(command.endswith(text), terminal.screen)

    def test_nothing_is_drawn_after_the_end(self):
        """The last frame, an empty screen, the exit sequences, and modes: no byte of a frame follows."""
        for time in range(10):
            with self.subTest(time=time):
                terminal = PseudoTerminal([KEYTURN, "demo"], self.workspace.environment)
                self.addCleanup(terminal.close)
                terminal.read_until(b"No accounts yet.")
                # Resized before and after the key, and for as long as a program could still draw.
                written = bytearray()
                sizes = iter(range(1, 10_000))

                def has_ended():
                    terminal.resize(80 + next(sizes) % 7, 24 + next(sizes) % 5)
                    written.extend(terminal.read())
                    return terminal.is_at_end

                for _ in range(time):
                    has_ended()
                terminal.press(b"q")
                wait_until(has_ended, 20, "the program does not end")
                self.assertEqual(written.count(LEAVES), 1)
                _, cleared, after = bytes(written).rpartition(CLEARS)
                self.assertTrue(cleared)
                self.assertIn(LEAVES, after)
                self.assertEqual(re.sub(rb"\x1b(\[[0-9;?]*[A-Za-z]|>)|\r", b"", after), b"")


if __name__ == "__main__":
    unittest.main()
