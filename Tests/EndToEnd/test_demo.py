"""`keyturn demo` in a terminal, with a user who signs in with Chromium."""

import json
import re
import shlex
import subprocess
import tempfile
import unittest
import urllib.request
import xml.etree.ElementTree

from support import person
from support.browser import start_chromium
from support.case import JourneyCase
from support.person import ANN, WANG
from support.picture import drawn
from support.share import share
from support.workspace import KEYTURN


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
        self.wait_for_account(terminal, WANG[0])
        # In its row, or below the list if the row is too narrow.
        terminal.wait_for("王小明")
        # From here on no browser may open: it would end with an error, and a silent call needs none.
        self.workspace.use_recording_browser()
        for _ in range(2):
            self.read_claims(terminal)
            self.close_claims(terminal)
        self.assertIsNone(self.workspace.opened_address)
        self.remove_account(terminal, WANG[0])
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
            "Next Sign in again and accept, or ask an administrator to consent. Enter",
        )
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def test_sign_out_in_the_browser_too(self):
        """The account and the browser's session end: the next sign-in asks for the password again."""
        session = urllib.request.HTTPCookieProcessor()
        browser = urllib.request.build_opener(session)
        self.workspace.use_recording_browser()
        terminal = self.open_keyturn("demo")
        terminal.press("i")
        person.walk(self.opened_address(), *ANN, session)
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.workspace.forget_browser()
        # A paste that the terminal doesn't bracket: no letter is a command.
        terminal.send(b"Delete Dy, yes\r")
        terminal.wait_for("A text of 1", "e explains it.")
        terminal.press("D")
        terminal.wait_for("Sign out this account?")
        terminal.press("B")
        address = self.opened_address()
        terminal.wait_for("Waiting for sign-out in the browser")
        # The request names the session, so the authority asks nothing.
        with browser.open(address) as page:
            self.assertIn("You can close this page", page.read().decode())
        terminal.wait_for_words("Signed out ann@contoso.example on this computer and in the browser.")
        terminal.wait_for("No accounts yet.")
        self.workspace.forget_browser()
        terminal.press("i")
        with browser.open(self.opened_address()) as page:
            self.assertIn('type="password"', page.read().decode())
        terminal.press("Escape")
        terminal.wait_for("No accounts yet.")
        self.quit(terminal)
        self.assert_no_secrets(terminal)

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
        terminal.wait_for("1 Sign in as")
        self.workspace.use_person(*ANN)
        terminal.press("n")
        self.browser_result(terminal)
        terminal.wait_for("✓ New tokens.")
        terminal.press("n")
        terminal.wait_for("✓ Token from the cache")
        terminal.press("b")
        terminal.wait_for("1 of 5, earlier")
        terminal.press("Escape")
        terminal.wait_for("Press Esc again to leave the scenario.")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        # The check covers the scenario that is open, not the first one.
        terminal.press("v")
        terminal.wait_for("No check failed.")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)
        self.assert_no_secrets(terminal)


def shown_svg(path):
    """The size of the SVG as Chromium draws it, and its words."""
    with tempfile.TemporaryDirectory(prefix="keyturn-chromium-", ignore_cleanup_errors=True) as profile:
        driver = start_chromium(profile)
        try:
            driver.get(path.as_uri())
            box = driver.execute_script(
                "const box = document.documentElement.getBoundingClientRect(); return [box.width, box.height]")
            return box, driver.execute_script("return document.documentElement.textContent")
        finally:
            driver.quit()


class WalkJourney(JourneyCase):
    def test_a_scenario_with_nothing_but_a_terminal(self):
        """The scenario's user signs in: the page, the flow, the result, and a diagram to take away."""
        self.workspace.use_recording_browser()
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn("demo", "consent-declined", size=size, shows="Consent declined")
                terminal.press("u")
                terminal.wait_for("The scenario's user signs in.")
                terminal.press("n")
                terminal.press("2")
                terminal.wait_for("Permissions requested")
                terminal.wait_for("[ ] Read your mail")
                terminal.press("n")
                terminal.press("3")
                terminal.wait_for("-50003")
                terminal.press("n")
                terminal.press("3")
                terminal.wait_for("✓ Token from the cache")
                terminal.press("b")
                terminal.wait_for("earlier")
                diagram = self.workspace.path / f"{size[0]}.svg"
                self.export(terminal, diagram, "Wrote the diagram to")
                self.assertIn("<svg", diagram.read_text())
                self.assertIsNone(self.workspace.opened_address)
                self.quit_walk(terminal)
                self.assert_sane(terminal)
                self.assert_no_secrets(terminal)

    def quit_walk(self, terminal):
        terminal.press("Escape")
        terminal.wait_for("Press Esc again")
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)

    def test_the_page_is_in_sight_while_it_plays(self):
        """At 80x24, below the flow, and the step's result below the note: no pane has to be chosen."""
        self.workspace.use_recording_browser()
        terminal = self.open_keyturn("demo", "consent-declined", shows="Consent declined")
        terminal.press("u")
        terminal.wait_for("The scenario's user signs in.")
        terminal.press("n")
        terminal.wait_for("[1 Flow]", "┌─ Sign in to your account", "Username wang@contoso.example", "├─ open page", seconds=30)
        terminal.wait_for("┌─ Permissions requested", "[ ] Read your mail", "[Accept]", "Application", seconds=30)
        terminal.wait_for("[1 Flow]", "Note: The application caches", "-50003", "├─ save tokens", seconds=60)
        self.quit_walk(terminal)

    def test_a_device_shows_its_code_and_its_polls(self):
        self.workspace.use_recording_browser()
        terminal = self.open_keyturn("demo", "device-code", size=(120, 40), shows="Device code")
        terminal.press("u")
        terminal.wait_for("The scenario's user signs in.")
        terminal.press("n")
        terminal.wait_for("THE DEVICE", "Poll 1  400 authorization_pending", "█▄▄▄▄▄█", seconds=30)
        terminal.wait_for("Poll 2  400 slow_down", "It polls every 6 seconds.", seconds=30)
        terminal.wait_for("Poll 3  200 tokens", "The device is signed in.", "Note: The TV never sees", seconds=60)
        self.quit_walk(terminal)


class RecordingJourney(JourneyCase):
    def test_exports_are_read_by_other_programs(self):
        """Chromium the SVG, and an asciinema player plays a recording."""
        texts = {}
        for format in ("mermaid", "svg", "markdown"):
            played = self.workspace.run("demo", "consent-declined", "--diagram", format)
            self.assertEqual(played.returncode, 0, played.stderr)
            self.assertNotIn("wang-likes-jazz", played.stdout)
            self.assertNotIn("eyJ", played.stdout)
            texts[format] = played.stdout
        self.assertTrue(texts["mermaid"].startswith("sequenceDiagram\n"))
        self.assertEqual(texts["markdown"].count("```mermaid"), 1)
        recording = self.workspace.path / "walk.cast"
        recorded = self.workspace.run("demo", "consent-declined", "--record", str(recording))
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        # The player needs a terminal.
        played = subprocess.run(
            ["script", "-qec", f"asciinema cat {shlex.quote(str(recording))}", "/dev/null"], capture_output=True,
            text=True, check=True)
        self.assertIn("Permissions requested", played.stdout)
        pictures = {"flow": texts["svg"]}
        animation = self.workspace.path / "walk.svg"
        animated = self.workspace.run("demo", "consent-declined", "--record", str(animation))
        self.assertEqual(animated.returncode, 0, animated.stderr)
        pictures["walk"] = animation.read_text(encoding="utf-8")
        for name, picture in pictures.items():
            with self.subTest(picture=name):
                path = self.workspace.path / f"shown-{name}.svg"
                path.write_text(picture, encoding="utf-8")
                size, words = shown_svg(path)
                self.assertGreater(min(size), 100)
                self.assertIn("Authority", words)

    def test_a_recording_is_as_large_as_the_window(self):
        """It says what it wrote, and replaces no file without a question."""
        path = self.workspace.path / "walk.cast"
        terminal = self.open_terminal(100, 30)
        terminal.start(KEYTURN, "demo", "step-up", "--record", path)
        terminal.wait_for_words("walk.cast: 100x30,", seconds=60)
        terminal.wait_for_prompt()
        written = path.read_text(encoding="utf-8")
        header = json.loads(written.splitlines()[0])
        self.assertEqual((header["width"], header["height"]), (100, 30))
        terminal.start(KEYTURN, "demo", "step-up", "--record", path)
        terminal.wait_for_words("exists. Replace it?")
        terminal.press("Enter")
        terminal.wait_for_prompt()
        piped = self.workspace.run("demo", "step-up", "--record", str(path))
        self.assertEqual(piped.returncode, 1)
        self.assertIn("--replace", piped.stderr)
        self.assertEqual(path.read_text(encoding="utf-8"), written)
        replaced = self.workspace.run("demo", "step-up", "--record", str(path), "--replace", "--size", "120x40")
        self.assertEqual(replaced.returncode, 0, replaced.stderr)
        self.assertRegex(replaced.stderr, r"^Wrote .*walk\.cast: 120x40, \d+ s, \d+ pictures\.")
        self.assertEqual(json.loads(path.read_text(encoding="utf-8").splitlines()[0])["width"], 120)

    def test_a_recording_is_drawn_alike(self):
        """The same cells are inked by rsvg, Chromium and, where it is installed, Firefox."""
        path = self.workspace.path / "walk.svg"
        recorded = self.workspace.run("demo", "consent-declined", "--record", str(path), "--size", "120x40")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        svg = path.read_text(encoding="utf-8")
        cells = {program: drawn(svg, program) for program in ("rsvg", "chromium", "firefox")}
        self.assertGreater(len(cells["rsvg"]), 500)
        for program in ("chromium", "firefox"):
            if cells[program] is not None:
                different = cells["rsvg"] ^ cells[program]
                self.assertLess(len(different), len(cells["rsvg"]) / 100, (program, sorted(different)))

    def test_a_recording_is_the_same_on_every_run(self):
        """But for times and ports."""
        texts = []
        for run in range(2):
            for ending in ("cast", "svg"):
                path = self.workspace.path / f"walk-{run}.{ending}"
                played = self.workspace.run("demo", "step-up", "--record", str(path))
                self.assertEqual(played.returncode, 0, played.stderr)
                text = path.read_text(encoding="utf-8")
                if ending == "cast":
                    header, *events = [json.loads(line) for line in text.splitlines()]
                    self.assertEqual((header["version"], header["width"], header["height"]), (2, 80, 24))
                    times = [event[0] for event in events]
                    self.assertEqual(times, sorted(times))
                else:
                    xml.etree.ElementTree.fromstring(text)
                texts.append(re.sub(r"127\.0\.0\.1:[0-9]+…?|:[0-9]{2,5}…|:[0-9]{4,5}|[0-9-]{10} [0-9:]{8}Z", "VARYING", text))
        self.assertEqual(texts[0], texts[2])
        refused = self.workspace.run("demo", "--record", "walk.gif")
        self.assertEqual(refused.returncode, 2)

    def test_a_fault(self):
        """What the client does, and what it must do."""
        played = self.workspace.run("demo", "--fault", "wrong-nonce", "--tour")
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertIn("The client must return an error.", played.stdout)

    def test_a_resource_fault_at_any_port(self):
        """The authority of the demo has a random port, which the changed metadata keeps."""
        for fault, rule in (("resource-parent", "must\\s+continue"), ("resource-sibling", "must\\s+return\\s+an\\s+error")):
            with self.subTest(fault=fault):
                played = self.workspace.run("demo", "--fault", fault, "--tour")
                self.assertEqual(played.returncode, 0, played.stderr)
                self.assertRegex(played.stdout, rule)


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
        # In memory, ScenarioTests plays all but the one that needs a real certificate.
        for name in sorted({*share(names, 4), "untrusted-certificate"}):
            with self.subTest(scenario=name):
                played = self.workspace.run("demo", name, "--tour")
                self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
                self.assertIn("Lesson", played.stdout)
                self.assertNotIn("eyJ", played.stdout + played.stderr)


if __name__ == "__main__":
    unittest.main()
