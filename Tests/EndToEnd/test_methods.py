"""Signing in without a browser on this machine: a code on another device, and a pasted URL."""

import re
import unittest

from support import person
from support.case import SIZES, JourneyCase
from support.provider import DiscoveryServer, start_authority
from support.tmux import Terminal
from support.tokens import decoded
from support.waiting import wait_until
from support.workspace import KEYTURN


class DeviceCodeJourney(JourneyCase):
    sizes = SIZES + [(60, 20), (40, 12)]

    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = "false"

    def test_the_code_on_the_screen(self):
        """Everything the user needs is on the screen, at each size, and after a resize."""
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.press("m")
                shown = ("Enter it at" if size == (40, 12) else "Enter this code", "Code expires in")
                terminal.wait_for(*shown)
                for other in ((100, 30), (40, 8), size):
                    terminal.resize(*other)
                screen = terminal.wait_for(*shown)
                self.enter_code(screen)
                self.wait_for_claims(terminal)
                self.close_claims(terminal)
                self.wait_for_account(terminal, person.ANN[0])
                self.quit(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_escape_cancels(self):
        terminal = self.open_keyturn("demo")
        terminal.press("m")
        terminal.wait_for("Enter this code")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)
        self.assert_sane(terminal)

    def test_the_command(self):
        """`keyturn sign-in --method device` in a plain terminal, over what looks like ssh."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address)
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "sign-in", "--method", "device")
        self.enter_code(terminal.wait_for("and enter the code", "The code expires in"))
        self.assertEqual(terminal.exit_status(), 0)
        terminal.wait_for("ann@contoso.example")


class WithoutDeviceCodeJourney(JourneyCase):
    """A provider whose discovery document names no device_authorization_endpoint, on a machine without a display."""

    def setUp(self):
        super().setUp()
        del self.workspace.environment["BROWSER"]
        self.provider = self.closing(DiscoveryServer())
        self.configure_for_provider(self.provider.address)

    def test_the_screen(self):
        """Device codes are suggested nowhere: not in the list, the hints or the form, and not after an error."""
        terminal = self.open_keyturn()
        screen = terminal.wait_for("Enter  sign in with any browser")
        self.assertNotRegex(screen, r"\bcode\b")
        terminal.press("m")
        terminal.wait_for("support device codes")
        terminal.press("o")
        terminal.wait_for("(•) Paste", "(-) Device")
        terminal.press("Enter")
        screen = terminal.wait_for("Wait for the paste", "paste it here:", "http")
        self.assertNotIn("m code", screen)
        self.leave_paste(terminal)
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)

    def test_the_screen_at_the_first_contact(self):
        """The user is faster than the provider: the sign-in continues with the next method."""
        terminal = self.open_keyturn()
        terminal.press("i")
        terminal.wait_for("Wait for the paste", "paste it here:")
        self.leave_paste(terminal)
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)

    def leave_paste(self, terminal):
        """The field is open by itself; the first Esc closes it."""
        terminal.press("Escape")
        terminal.wait_for("Esc cancel")
        terminal.press("Escape")

    def test_the_profiles_browser(self):
        self.configure_for_provider(self.provider.address, browser="true")
        terminal = self.open_keyturn()
        terminal.wait_for("Enter  sign in with the browser")
        terminal.press("i")
        terminal.wait_for("Wait for the browser", "If no browser opens, open this page:")
        terminal.press("Escape")
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)

    def test_line_mode(self):
        terminal = self.open_keyturn("--plain", size=(80, 60), shows="Your choice:")
        self.wait_for_metadata(terminal)
        terminal.enter("m")
        terminal.wait_for_words("Your choice: m Unavailable: The authority doesn't support device codes.")
        terminal.enter("i")
        terminal.wait_for("Paste the final URL, even if that page fails to load, or q to cancel:", "register this one")
        self.assertNotIn("--method device", terminal.screen)
        terminal.enter("q")
        terminal.wait_for("Cancelled.", "Same choices as before")
        terminal.enter("q")
        self.assertEqual(terminal.exit_status(), 0)

    def wait_for_metadata(self, terminal):
        """The choices say why a method can't work as soon as the provider's metadata is there."""

        def said():
            screen = " ".join(terminal.screen.split())
            if not screen.endswith("Your choice:"):
                return False
            if "(m) Unavailable" not in screen:
                terminal.enter("?")
                return False
            return True

        wait_until(said, 15, lambda: terminal.screen)

    def test_the_command(self):
        self.workspace.environment["BROWSER"] = "true"
        terminal = self.open_terminal(120, 40)
        terminal.start(KEYTURN, "sign-in")
        screen = terminal.wait_for("register this one for client ID native:", "always sign in with --listen")
        self.assertNotIn("--method device", screen)
        screen = terminal.wait_for("No response yet", "paste the final URL here", seconds=30)
        self.assertNotIn("--method device", screen)
        self.assertEqual(screen.count("register this one"), 2)
        terminal.press("C-c")
        self.assertEqual(terminal.exit_status(), 130)


class PasteJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = "false"

    def test_the_pasted_url(self):
        """A wrong text is explained; the right one signs in, typed or pasted."""
        for types in (False, True):
            with self.subTest(types=types):
                terminal = self.open_keyturn("demo", size=(120, 40))
                terminal.press("p")
                address = self.address(terminal)
                terminal.paste(address)
                terminal.wait_for("the sign-in page itself")
                landing = person.landing_of(address, *person.ANN)
                if types:
                    terminal.press("p")
                    terminal.wait_for("paste it here:")
                    terminal.type(landing)
                    terminal.press("Enter")
                else:
                    terminal.paste(landing)
                self.wait_for_claims(terminal)
                self.close_claims(terminal)
                self.wait_for_account(terminal, person.ANN[0])
                self.quit(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_the_command(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address)
        terminal = self.open_terminal(200, 50)
        terminal.start(KEYTURN, "sign-in", "--method", "paste")
        terminal.wait_for("Paste the final URL")
        terminal.type("hello there")
        terminal.press("Enter")
        terminal.wait_for("neither a URL nor a code")
        landing = person.landing_of(self.address(terminal), *person.ANN)
        terminal.type(landing)
        terminal.press("Enter")
        self.assertEqual(terminal.exit_status(), 0)
        terminal.wait_for("ann@contoso.example")

    def test_continued_and_interrupted(self):
        """After `fg`, the prompt is shown again. Ctrl-C during a sign-out says what is already removed."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address)
        terminal = self.open_terminal(200, 50, shell=Terminal.BASH)
        terminal.enter(f"{KEYTURN} sign-in --method paste")
        terminal.wait_for("Paste the final URL")
        landing = person.landing_of(self.address(terminal), *person.ANN)
        terminal.press("C-z")
        terminal.wait_for_prompt()
        terminal.enter("clear; fg")
        terminal.wait_for("Paste the final URL, even if that page fails to load:")
        terminal.enter(landing)
        terminal.wait_for("ann@contoso.example  ")
        terminal.wait_for_prompt()
        terminal.enter(f"clear; {KEYTURN} sign-out ann@contoso.example --browser")
        terminal.wait_for("Open the URL by hand")
        terminal.press("C-c")
        terminal.wait_for_words(
            "The tokens of ann@contoso.example on this computer were removed. The refresh token is revoked at 127.0.0.1",
            "The browser may still be signed in there.")
        terminal.wait_for_prompt()

    def address(self, terminal):
        """The URL, which fills the rows from edge to edge, so that its lines join without blanks. It's drawn row by row, so it's
        complete with its last parameter."""
        whole = re.compile(r"http://127\.0\.0\.1:\d+/\S+/authorize\?\S+&client_info=1")
        found = wait_until(lambda: whole.search(terminal.screen.replace("\n", "")), 15, lambda: terminal.screen)
        return found.group()


class TextBrowserJourney(JourneyCase):
    """A text browser, mostly w3m, in the program's own terminal, which the program lends and takes back."""

    def setUp(self):
        super().setUp()
        self.workspace.environment["BROWSER"] = "w3m"

    def test_signing_in_there(self):
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", size=size)
                terminal.press("i")
                self.sign_in_with_w3m(terminal)
                self.come_back_signed_in(terminal)
                self.assert_no_secrets(terminal)
                terminal.close()

    def test_leaving_the_browser_early(self):
        """The sign-in keeps waiting, in a window of another size, and other methods work."""
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        terminal.wait_for("Username [", "Viewing")
        for size in ((120, 40), (40, 8), (100, 30)):
            terminal.resize(*size)
        terminal.press("q")
        terminal.wait_for("exit w3m?")
        terminal.press("y")
        terminal.wait_for("Wait for the browser", "Esc cancel")
        terminal.press("Escape")
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)
        self.assert_sane(terminal)

    def test_the_command(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address)
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "sign-in", "--method", "browser")
        self.sign_in_with_w3m(terminal)
        self.assertEqual(terminal.exit_status(), 0)
        terminal.wait_for("ann@contoso.example")

    def test_the_second_factor(self):
        """A resource requires MFA: the page with the phone's buttons works there too."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, method="browser")
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "token", "--claims", '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}')
        self.sign_in_with_w3m(terminal)
        terminal.wait_for("Confirm your identity", "Approve")
        terminal.press("Tab", "Enter")
        self.assertEqual(terminal.exit_status(), 0)
        claims = decoded(self.workspace.run("token", "--no-interaction").stdout.split(".")[1])
        self.assertIn("mfa", claims["amr"])
        self.assertIn("c1", claims["acrs"])

    def test_lynx(self):
        """It asks about the page's cookie first, and text is typed directly into its fields."""
        self.workspace.environment["BROWSER"] = "lynx"
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        terminal.wait_for("Allow? (Y/N/Always/neVer)")
        terminal.press("A")
        self.type_into_the_page(terminal)
        self.come_back_signed_in(terminal)

    def test_links(self):
        """It shows a greeting at the first start, and then selects the first field."""
        self.workspace.environment["BROWSER"] = "links"
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        terminal.wait_for("Welcome to links!")
        terminal.press("Enter")
        self.type_into_the_page(terminal, "Password field")
        self.come_back_signed_in(terminal)

    def type_into_the_page(self, terminal, *words_at_password):
        """In browsers with a text cursor in the fields; some show when it is in the second field."""
        terminal.wait_for("Username ___", "Password ___")
        terminal.type(person.ANN[0])
        terminal.wait_for(f"Username {person.ANN[0]}")
        terminal.press("Down")
        terminal.wait_for(*words_at_password)
        terminal.type(person.ANN[1])
        terminal.wait_for("*" * len(person.ANN[1]))
        terminal.press("Down", "Enter")

    def come_back_signed_in(self, terminal):
        # Taken back automatically: the response has arrived, so the browser is no longer needed.
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, person.ANN[0])
        self.quit(terminal)
        self.assert_sane(terminal)

    def sign_in_with_w3m(self, terminal):
        terminal.wait_for("Username [", "Viewing")
        for text, question in zip(person.ANN, ("TEXT:", "Password:")):
            terminal.press("Tab", "Enter")
            terminal.wait_for(question)
            terminal.type(text)
            terminal.press("Enter")
            terminal.wait_until_gone(question)
        terminal.press("Tab", "Enter")


if __name__ == "__main__":
    unittest.main()
