"""`keyturn demo` in a terminal, with a user who signs in with Chromium."""

import unittest

from support.case import JourneyCase
from support.person import ANN, WANG


class DemoJourney(JourneyCase):
    def test_from_sign_in_to_removal(self):
        """Sign in and consent, read the claims, get the token again silently, remove the account."""
        for size in self.sizes:
            with self.subTest(size=size):
                self.workspace.forget_browser()
                self.workspace.use_person(*WANG)
                self.journey(size)

    def journey(self, size):
        terminal = self.open_keyturn("demo", size=size)
        terminal.press("i")
        landed = self.browser_result(terminal)
        self.assertEqual(landed["pages"], ["Sign in to your account", "Permissions requested"])
        self.assertNotIn("code=", landed["address"])
        self.assertNotIn("state=", landed["address"])
        self.assertRegex(landed["text"], r"(?i)keyturn|terminal|close")

        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, "王小明", WANG[0])
        # From here on no browser may open: it would end with an error, and a silent call needs none.
        self.workspace.use_recording_browser()
        for _ in range(2):
            self.read_claims(terminal)
            self.close_claims(terminal)
        self.assertIsNone(self.workspace.opened_address)
        self.remove_account(terminal, "王小明", WANG[0])
        self.quit(terminal)
        self.assert_sane(terminal)
        self.assert_no_secrets(terminal)

    def test_a_declined_consent_is_explained(self):
        """A user who declines returns to a screen that says so, and the program continues."""
        self.workspace.use_person(*WANG, decline=True)
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        landed = self.browser_result(terminal)
        self.assertEqual(landed["title"], "The sign-in was cancelled")
        terminal.wait_for_words(
            "✗ Sign-in declined.",
            "Next Sign in again and accept, or ask an administrator to consent. Press",
        )
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def test_two_users(self):
        """The second account joins the first."""
        terminal = self.open_keyturn("demo", size=(120, 40))
        for number, person in enumerate((ANN, WANG)):
            self.workspace.forget_browser()
            self.workspace.use_person(*person)
            terminal.press("i")
            self.browser_result(terminal)
            self.wait_for_claims(terminal)
            self.close_claims(terminal)
            self.wait_for_account(terminal, person[0])
        terminal.wait_for("2 of 2")
        self.quit(terminal)

    def test_a_scenario(self):
        """Chosen from the list, run step by step, with explanations beside the live flow."""
        terminal = self.open_keyturn("demo", size=(120, 40))
        terminal.press("w")
        terminal.wait_for("Key rotation")
        terminal.press("Enter")
        terminal.wait_for("1/5 n Sign in as ann@contoso.example")
        self.workspace.use_person(*ANN)
        terminal.press("n")
        self.browser_result(terminal)
        self.wait_for_claims(terminal)
        terminal.wait_for_words("Note: The authorization code returns to a listener on this computer.")
        terminal.press("n")
        terminal.wait_for("3/5 n Get Ann's token silently")
        terminal.wait_for_words("Note: The token comes from the cache, without a request.")
        self.close_claims(terminal)
        # The check covers the scenario that is open, not the first one.
        terminal.press("x")
        terminal.wait_for("No check failed.")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)
        self.assert_no_secrets(terminal)


class TourJourney(JourneyCase):
    def test_without_a_terminal_the_tour_runs(self):
        """In a pipe, the program signs a scripted user in by itself and prints each step."""
        for arguments in (["demo"], ["demo", "--tour"]):
            with self.subTest(arguments=arguments):
                played = self.workspace.run(*arguments)
                self.assertEqual(played.returncode, 0, played.stderr)
                self.assertIn("@contoso.example", played.stdout)
                self.assertRegex(played.stdout, r"(?i)signature")
                self.assertRegex(played.stdout, r"(?i)\bpassed\b")
                self.assertNotIn("eyJ", played.stdout + played.stderr)
                self.assertNotIn("\x1b", played.stdout)

    def test_every_scenario_reaches_its_end(self):
        """Each step of each scenario ends as the scenario says; otherwise the tour fails."""
        listed = self.workspace.run("demo", "--list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        names = [line.split()[0] for line in listed.stdout.splitlines()]
        self.assertGreater(len(names), 2)
        for name in names:
            with self.subTest(scenario=name):
                played = self.workspace.run("demo", name, "--tour")
                self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
                self.assertIn("Lesson", played.stdout)
                self.assertNotIn("eyJ", played.stdout + played.stderr)

    def test_an_unknown_scenario_gets_a_suggestion(self):
        for arguments in (["demo", "plain-sign-on"], ["authority", "--scenario", "plain-sign-on"]):
            with self.subTest(arguments=arguments):
                refused = self.workspace.run(*arguments)
                self.assertEqual(refused.returncode, 2)
                self.assertIn("Did you mean plain-sign-in?", refused.stderr)


if __name__ == "__main__":
    unittest.main()
