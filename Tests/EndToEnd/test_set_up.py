"""From no configuration to signed in: the set-up asks, saves and signs in; profiles are switched and removed."""

import json
import re
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.waiting import wait_until
from support.workspace import KEYTURN


class SetUpJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.authority = self.closing(start_authority(self.workspace))

    @property
    def config(self):
        return self.workspace.path / "config/keyturn/config.json"

    def open_set_up(self, size=(80, 24)):
        return self.open_keyturn(size=size, shows="Where do users sign in?")

    def answer(self, terminal, authority):
        terminal.press("Enter")
        terminal.wait_for("Authority")
        terminal.paste(authority)
        terminal.wait_for("Microsoft Entra ID")
        terminal.press("Enter")
        terminal.paste(person.DEMO_CLIENT_ID)
        terminal.press("Enter")
        terminal.wait_for("returns to this program")
        terminal.press("Enter", "Enter", "Enter")

    def test_without_a_configuration(self):
        for size in self.sizes:
            with self.subTest(size=size):
                self.config.unlink(missing_ok=True)
                terminal = self.open_set_up(size)
                self.answer(terminal, f"{self.authority.address}/common")
                self.wait_for_claims(terminal)
                profile = json.loads(self.config.read_text())["profiles"]["local"]
                self.assertEqual(profile["clientId"], person.DEMO_CLIENT_ID)
                self.assertEqual(profile["authorityType"], "aad")
                self.assertEqual(self.config.stat().st_mode & 0o777, 0o600)
                self.assertEqual(self.config.parent.stat().st_mode & 0o777, 0o700)
                self.close_claims(terminal)
                self.remove_account(terminal, person.ANN[0])
                self.quit(terminal)
                self.assert_sane(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_a_command_offers_it(self):
        """Enter starts the set-up; then the command runs."""
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "accounts")
        terminal.wait_for("Set up Keyturn now?")
        terminal.press("Enter")
        terminal.wait_for("Where do users sign in?")
        self.answer(terminal, f"{self.authority.address}/common")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        terminal.press("q")
        terminal.wait_for("USERNAME", person.ANN[0])
        self.assertEqual(terminal.exit_status(), 0)

    def test_a_command_offers_the_demo(self):
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "token")
        terminal.wait_for("Set up Keyturn now?")
        terminal.press("d", "Enter")
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)
        self.assertFalse(self.config.exists())

    def test_a_command_reports_a_set_up_that_was_left(self):
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "sign-in")
        terminal.wait_for("Set up Keyturn now?")
        terminal.press("Enter")
        terminal.wait_for("Where do users sign in?")
        terminal.press("q")
        terminal.wait_for("No configuration.")
        self.assertEqual(terminal.exit_status(), 3)

    def test_a_named_file_that_does_not_exist(self):
        """The set-up writes it; an existing file with a mistake is shown as a problem."""
        named = self.workspace.path / "elsewhere/keyturn.json"
        terminal = self.open_keyturn("--config", named, shows="Where do users sign in?")
        terminal.wait_for_words(str(named))
        self.answer(terminal, f"{self.authority.address}/common")
        self.wait_for_claims(terminal)
        self.assertIn("local", json.loads(named.read_text())["profiles"])
        self.assertEqual(named.stat().st_mode & 0o777, 0o600)
        self.assertFalse(self.config.exists())
        self.close_claims(terminal)
        self.quit(terminal)
        terminal.close()
        named.write_text('{ "profiles": { "local": { "clientID": "1" } } }')
        terminal = self.open_keyturn("--config", named, shows="The configuration is invalid.")
        terminal.wait_for_words("profiles.local.clientID", 'Did you mean "clientId"?')
        self.quit(terminal)

    def test_the_authority_is_checked(self):
        terminal = self.open_set_up()
        terminal.press("Enter")
        terminal.wait_for("Authority")
        terminal.paste("http://127.0.0.1:9/common")
        terminal.press("C-t")
        terminal.wait_for_match("✗ .*127.0.0.1:9")
        terminal.press("C-u")
        terminal.paste(f"{self.authority.address}/common")
        terminal.press("C-t")
        terminal.wait_for("The issuer is", "✓")
        terminal.press("Escape")
        terminal.wait_for("Discard your changes?")
        terminal.press("y")
        terminal.wait_for("Where do users sign in?")
        terminal.press("q")
        terminal.wait_for_prompt()
        self.assertFalse(self.config.exists())

    def test_an_error_leads_back_to_its_field(self):
        """A dead port is saved only after a question; its error opens the form with the cursor in the authority."""
        terminal = self.open_set_up()
        terminal.press("Enter")
        terminal.wait_for("Authority")
        terminal.paste("http://127.0.0.1:9/common")
        terminal.wait_for("Not tested yet.")
        terminal.press("Tab")
        terminal.wait_for_match("✗ .*127.0.0.1:9")
        terminal.press("Enter")
        terminal.paste(person.DEMO_CLIENT_ID)
        terminal.wait_for(person.DEMO_CLIENT_ID)
        terminal.press("Enter", "Enter", "Enter", "Enter")
        terminal.wait_for("Save anyway?")
        terminal.press("y")
        terminal.wait_for("No accounts yet.")
        terminal.press("i")
        terminal.wait_for("Can't reach", "Edit the profile's authority")
        terminal.press("E")
        terminal.wait_for("Edit local")
        terminal.press("C-u")
        terminal.paste(f"{self.authority.address}/common")
        terminal.press("Enter")
        terminal.wait_for("The issuer is")
        terminal.press("Enter", "Enter", "Enter", "Enter", "Enter")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.quit(terminal)
        self.assert_sane(terminal)

    def test_a_certificate_that_only_a_ca_file_makes_trusted(self):
        authority = self.closing(start_authority(self.workspace, "--tls"))
        certificate = wait_until(
            lambda: re.search(r"--ca-file (/\S+)", "\n".join(authority.lines)), 10, lambda: authority.lines).group(1)
        # The browser of this test is Python, which takes its certificates from here; keyturn prefers the CA file.
        self.workspace.environment["SSL_CERT_FILE"] = "/etc/ssl/certs/ca-certificates.crt"
        terminal = self.open_set_up()
        terminal.press("Enter")
        terminal.wait_for("Authority")
        terminal.paste(f"{authority.address}/common")
        terminal.press("C-t")
        terminal.wait_for("The certificate isn't trusted.", "CA file")
        terminal.paste("/etc/passwd")
        terminal.wait_for("contains no certificate")
        terminal.press("C-u")
        terminal.paste(certificate)
        terminal.press("C-t")
        terminal.wait_for("The issuer is")
        terminal.close()
        # The option of the first run is used, and saved in the profile.
        terminal = self.open_keyturn("--ca-file", certificate, shows="Where do users sign in?")
        terminal.press("Enter")
        terminal.wait_for("Authority")
        terminal.paste(f"{authority.address}/common")
        terminal.press("C-t")
        terminal.wait_for("The issuer is")
        terminal.press("Enter")
        terminal.paste(person.DEMO_CLIENT_ID)
        terminal.press("Enter", "Enter", "Enter", "Enter", "Enter")
        wait_until(self.config.exists, 10, lambda: terminal)
        self.assertEqual(json.loads(self.config.read_text())["profiles"]["local"]["caFile"], certificate)
        terminal.close()

    def test_the_demo(self):
        terminal = self.open_set_up()
        terminal.press("w")
        terminal.wait_for("Accounts", person.ANN[0])
        terminal.press("i")
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.quit(terminal)
        self.assertFalse(self.config.exists())

    def test_profiles(self):
        """Switched in the running program; the other one is removed; a broken file stays as it is."""
        for name in ("second", "first"):
            self.configure_for_authority(self.authority.address)
            profiles = {name: json.loads(self.config.read_text())["profiles"]["test"] for name in ("first", "second")}
        self.config.write_text(json.dumps({"defaultProfile": "first", "profiles": profiles}))
        terminal = self.open_keyturn(shows="first ·")
        terminal.press("P")
        terminal.wait_for("in use, default")
        terminal.press("Down", "Enter")
        terminal.wait_for("second ·", "Accounts")
        terminal.press("P")
        terminal.wait_for("in use", "default")
        terminal.press("Up", "D")
        terminal.wait_for("Remove this profile?")
        terminal.press("Enter")
        terminal.wait_until_gone("Remove this profile?")
        self.assertIn("first", json.loads(self.config.read_text())["profiles"])
        # An answer that comes with the key that asks is none.
        terminal.send(b"Dy")
        terminal.wait_for("Remove this profile?", "Ignored what was typed before this question.")
        terminal.press("y")
        terminal.wait_until_gone("first")
        self.assertEqual(list(json.loads(self.config.read_text())["profiles"]), ["second"])
        self.config.write_text("{ broken")
        terminal.press("q")
        terminal.wait_for("Accounts")
        terminal.press("P")
        terminal.wait_for("Can't use the configuration file.")
        self.assertEqual(self.config.read_text(), "{ broken")
        terminal.press("q", "q")
        terminal.wait_for_prompt()


if __name__ == "__main__":
    unittest.main()
