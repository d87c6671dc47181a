"""While a sign-in waits for the user: cancelling, foreign requests at the listener, resizing."""

import socket
import unittest
import urllib.error
import urllib.parse
import urllib.request

from support import person
from support.case import JourneyCase
from support.waiting import wait_until


class FlowJourney(JourneyCase):
    def start_waiting(self, size=(80, 24)):
        """A demo with a waiting sign-in; returns the terminal, the opened URL and its redirect URI."""
        self.workspace.use_recording_browser()
        terminal = self.open_keyturn("demo", size=size)
        terminal.press("i")
        address = self.opened_address()
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        self.assertEqual(query["code_challenge_method"], ["S256"])
        return terminal, address, query["redirect_uri"][0]

    def test_escape_cancels_and_closes_the_listener(self):
        terminal, _, redirect = self.start_waiting()
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        port = urllib.parse.urlsplit(redirect).port
        wait_until(lambda: not accepts(port), 10, "the listener is still open")
        self.quit(terminal)
        self.assert_no_secrets(terminal)

    def test_control_c_cancels_first_and_ends_then(self):
        terminal, _, redirect = self.start_waiting()
        terminal.press("C-c")
        port = urllib.parse.urlsplit(redirect).port
        wait_until(lambda: not accepts(port), 10, "the listener is still open")
        terminal.wait_for("Accounts")
        terminal.press("C-c")
        terminal.wait_for_prompt()
        self.assert_sane(terminal)

    def test_foreign_requests_do_not_end_the_wait(self):
        """A probe, a favicon, a wrong state and a wrong method are rejected; the right response still counts."""
        terminal, address, redirect = self.start_waiting()
        base = urllib.parse.urlsplit(redirect)
        root = f"http://{base.netloc}"
        path = base.path or "/"
        strays = [
            urllib.request.Request(root + "/favicon.ico"),
            urllib.request.Request(root + "/elsewhere?code=1&state=2"),
            urllib.request.Request(root + path + "?code=stolen&state=wrong"),
            urllib.request.Request(root + path),
            urllib.request.Request(root + path, method="PUT", data=b"code=1"),
            urllib.request.Request(root + path + "?code=1&state=2", headers={"Host": "evil.example"}),
        ]
        for stray in strays:
            with self.subTest(stray=stray.full_url, method=stray.get_method()):
                with self.assertRaises(urllib.error.HTTPError) as refusal:
                    urllib.request.urlopen(stray, timeout=10)
                refusal.exception.close()
                self.assertIn(refusal.exception.code, range(400, 500))
        landed = person.walk(address, *person.ANN)
        self.assertNotIn("code=", landed)
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, person.ANN[0])
        self.quit(terminal)
        self.assert_no_secrets(terminal)

    def test_both_loopback_addresses_respond(self):
        _, _, redirect = self.start_waiting()
        port = urllib.parse.urlsplit(redirect).port
        self.assertTrue(accepts(port, "127.0.0.1"))
        if socket.has_ipv6 and has_ipv6_loopback():
            self.assertTrue(accepts(port, "::1"))

    def test_resizing_during_a_flow(self):
        terminal, address, _ = self.start_waiting()
        for size in ((120, 40), (60, 20), (40, 8), (30, 6), (100, 30)):
            terminal.resize(*size)
        host = urllib.parse.urlsplit(address).netloc
        terminal.wait_for(host)
        person.walk(address, *person.ANN)
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, person.ANN[0])
        self.quit(terminal)
        self.assert_sane(terminal)

    def test_the_url_is_on_the_screen(self):
        """So that the user can open it by hand if the browser fails."""
        self.workspace.environment["BROWSER"] = "false"
        terminal = self.open_keyturn("demo", size=(120, 40))
        terminal.press("i")
        screen = terminal.wait_for("/authorize?")
        self.assertIn("http://", screen)
        terminal.press("Escape")
        terminal.wait_for("Accounts")
        self.quit(terminal)


def accepts(port, host="127.0.0.1"):
    try:
        socket.create_connection((host, port), timeout=2).close()
        return True
    except OSError:
        return False


def has_ipv6_loopback():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
