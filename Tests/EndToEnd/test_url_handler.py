"""The browser returns through a URL of the program's custom scheme, which the desktop opens with `keyturn open-url`."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from support import person
from support.authority import start_authority
from support.case import JourneyCase
from support.waiting import wait_until
from support.workspace import KEYTURN

SCHEME = "msauth.org.keyturn.app"
REDIRECT = f"{SCHEME}://auth"
POLICIES = pathlib.Path("/etc/chromium/policies/managed")


class URLHandlerJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        home = self.workspace.path / "home"
        self.workspace.environment.update(
            XDG_DATA_HOME=str(home / ".local/share"),
            # xdg-open calls no handler without a display, but does not check whether one works.
            DISPLAY=":99",
        )
        self.entry = home / f".local/share/applications/keyturn-{SCHEME}.desktop"

    def register(self):
        # null: the library's default, for the identifier of the program.
        self.configure_for_authority(start_authority(self), redirectUri=None)
        result = self.workspace.run("register")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertIn(str(self.entry), result.stderr)

    def query_default(self):
        return subprocess.run(
            ["xdg-mime", "query", "default", f"x-scheme-handler/{SCHEME}"],
            capture_output=True, text=True, env=self.workspace.environment, check=False,
        ).stdout.strip()

    def start_sign_in(self):
        process = subprocess.Popen(
            [str(KEYTURN), "sign-in"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def assert_signed_in(self, process):
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertTrue(output.startswith(person.ANN[0]), output)
        self.assertEqual(self.sockets(), [])

    def sockets(self):
        return list((self.workspace.path / "runtime").glob("keyturn/*.socket"))

    def test_register_and_unregister(self):
        self.register()
        self.assertEqual(self.query_default(), self.entry.name)
        validator = shutil.which("desktop-file-validate")
        subprocess.run([validator, str(self.entry)], check=True)
        self.assertEqual(self.workspace.run("register", "--remove").returncode, 0)
        self.assertFalse(self.entry.exists())
        self.assertEqual(self.query_default(), "")
        again = self.workspace.run("register", "--remove")
        self.assertEqual(again.returncode, 0)
        self.assertIn("has no handler to remove", again.stderr)

    def test_without_a_configuration_it_registers_the_programs_own_scheme(self):
        result = self.workspace.run("register")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(self.query_default(), self.entry.name)
        self.assertEqual(self.workspace.run("register", "--remove").returncode, 0)
        self.assertEqual(self.query_default(), "")
        foreign = self.workspace.run("register", "--redirect-uri", "org.elsewhere://auth")
        self.assertEqual(foreign.returncode, 3, foreign.stderr)

    def test_where_xdg_utils_are_missing_it_leaves_nothing_behind(self):
        result = self.workspace.run("register", PATH=str(self.workspace.path / "none"))
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        self.assertIn("Install xdg-utils", result.stderr)
        self.assertFalse(self.entry.parent.exists())

    def test_the_form_shows_whether_it_is_available(self):
        self.register()
        self.workspace.run("register", "--remove")
        terminal = self.open_keyturn()
        terminal.press("o")
        terminal.wait_for("(-) URL handler", f"No app opens {SCHEME}://")
        self.assertEqual(self.workspace.run("register").returncode, 0)
        terminal.press("Escape")
        terminal.wait_until_gone("URL handler")
        terminal.press("o")
        terminal.wait_for(") URL handler")
        terminal.wait_until_gone("(-) URL handler")
        terminal.press("Escape")
        terminal.wait_until_gone("URL handler")
        self.quit(terminal)

    def test_the_desktop_opens_the_response(self):
        self.register()
        self.workspace.use_recording_browser()
        sign_in = self.start_sign_in()
        address = self.opened_address()
        answer = person.walk(address, *person.ANN)
        self.assertTrue(answer.startswith(REDIRECT + "?"), answer)
        stray = self.workspace.run("open-url", f"{REDIRECT}?code=stolen&state=guessed")
        self.assertEqual(stray.returncode, 1)
        self.assertIn("belongs to another sign-in", stray.stderr)
        foreign = self.workspace.run("open-url", "msauth.elsewhere://auth?code=1&state=2")
        self.assertEqual(foreign.returncode, 3)
        subprocess.run(
            ["gio", "open", answer], env=self.workspace.environment, check=True, capture_output=True, timeout=30)
        self.assert_signed_in(sign_in)
        late = self.workspace.run("open-url", answer)
        self.assertEqual(late.returncode, 1)
        self.assertIn("No sign-in is waiting", late.stderr)
        self.assertNotIn("code=", late.stderr + stray.stderr + foreign.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "Chromium asks before it opens a program, unless a policy of root's says no")
    def test_chromium_follows_the_scheme(self):
        POLICIES.mkdir(parents=True, exist_ok=True)
        policy = POLICIES / f"keyturn-test-{os.getpid()}.json"
        rule = {"protocol": SCHEME, "allowed_origins": ["*"]}
        policy.write_text(json.dumps({"AutoLaunchProtocolsFromOrigins": [rule]}))
        self.addCleanup(policy.unlink)
        self.register()
        done = self.workspace.path / "done"
        self.workspace.use_person(*person.ANN, done=str(done))
        self.assert_signed_in(self.start_sign_in())
        done.touch()
        result = wait_until(lambda: self.workspace.browser_result, 60, lambda: self.workspace.browser_trouble)
        self.assertIsNone(result["trouble"])
        self.assertNotIn("code=", result["address"])


if __name__ == "__main__":
    unittest.main()
