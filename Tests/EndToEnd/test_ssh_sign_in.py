"""A sign-in on a server, whose page opens in the laptop's browser."""

import json
import re
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid

from support import person
from support.pseudo_terminal import PseudoTerminal
from support.ssh_server import PATIENCE, SignInCase
from support.waiting import wait_until
from support.workspace import KEYTURN


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class SSHSignIn(SignInCase):
    def request(self, *, page=None, redirect=None, state=None, **query):
        """What a program on the server sends to open a page."""
        state = state or uuid.uuid4().hex
        redirect = redirect or f"http://localhost:{free_port()}/"
        query = {"client_id": person.DEMO_CLIENT_ID, "response_type": "code", "redirect_uri": redirect, "state": state, **query}
        query = urllib.parse.urlencode({name: value for name, value in query.items() if value})
        page = page or f"{self.authority.address}/contoso/oauth2/v2.0/authorize"
        return {"page": f"{page}?{query}", "redirect": redirect, "state": state}

    def send(self, request):
        target = f"/1/carry?{urllib.parse.urlencode(request)}"
        return self.raw(f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())

    def waiting(self, request):
        """Sends a request, and waits for its port; returns the responses, which come later."""
        responses = []
        thread = threading.Thread(target=lambda: responses.append(self.send(request)), daemon=True)
        thread.start()
        self.addCleanup(thread.join, PATIENCE)
        wait_until(lambda: listens(urllib.parse.urlsplit(request["redirect"]).port), PATIENCE, "the port isn't open")
        return responses

    def open(self, url):
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as response:
                return response.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def started(self):
        """A sign-in on the server, and the port at which it waits here."""
        self.workspace.environment["BROWSER"] = "true"
        connection = self.connect()
        process = subprocess.Popen(
            [*self.server.inside, KEYTURN, "sign-in"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, env=self.server.environment)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not (port := re.search(r"redirect_uri=http%3A%2F%2Flocalhost%3A(\d+)", process.stderr.readline())):
            self.assertIsNone(process.poll())
        wait_until(lambda: listens(int(port[1])), PATIENCE, "the port isn't open")
        return connection, process, int(port[1])

    def test_a_sign_in(self):
        self.connect()
        self.assertIn(person.WANG[0], self.there("sign-in"))
        self.assertTrue(self.there("token", "--no-interaction").startswith("eyJ"))
        self.assertIn("build1 - signed in (build1 asks for a sign-in at localhost", self.log.replace("127.0.0.1", "localhost"))
        self.assertNotRegex(self.log, "eyJ|code=|state=")
        # The account is the server's.
        self.assertNotIn(person.WANG[0], self.workspace.run("accounts").stdout)

    def screen(self):
        """The terminal program on the server."""
        terminal = PseudoTerminal(["/usr/bin/env", *self.server.inside, KEYTURN], {**self.server.environment, "TERM": "xterm-256color"})
        self.addCleanup(terminal.close)
        terminal.read_until(b"No accounts")
        terminal.press(b"i")
        return terminal

    def test_the_screen_on_the_server(self):
        self.connect()
        self.screen().read_until(person.WANG[0].encode())
        self.assertTrue(self.there("token", "--no-interaction").startswith("eyJ"))

    def test_a_page_that_the_screen_can_not_open(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            path = self.server.path / "config/keyturn/config.json"
            configuration = json.loads(path.read_text())
            for profile in configuration["profiles"].values():
                profile["redirectUri"] = f"http://localhost:{other.getsockname()[1]}"
            path.write_text(json.dumps(configuration))
            self.connect()
            terminal = self.screen()
            terminal.read_until(b"Your computer doesn't carry this")
            # Escape cancels it as any other.
            terminal.press(b"\x1b")
            terminal.read_until(b"No accounts")

    def test_the_connection_ends(self):
        connection, process, port = self.started()
        connection.terminate()
        process.wait(PATIENCE)
        self.assertEqual(process.returncode, 4)
        self.assertIn("has ended. Connect again", " ".join(process.stderr.read().split()))
        wait_until(lambda: not listens(port), PATIENCE, "the port is open")

    def test_the_sign_in_is_cancelled(self):
        _, process, port = self.started()
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        wait_until(lambda: not listens(port), PATIENCE, "the port is open")
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.WANG)
        self.connect()
        self.assertIn(person.WANG[0], self.there("sign-in"))

    def test_what_opens_no_page(self):
        opened = self.workspace.path / "opened"
        self.workspace.environment["BROWSER"] = f"touch {opened}"
        self.connect()
        origin = self.authority.address
        for name, changes in {
            "prompt": {"prompt": "none"}, "redirect": {"redirect": "http://build1:4000/"}, "port": {"redirect": "http://localhost:80/"},
            "no port": {"redirect": "http://localhost/"}, "https": {"redirect": "https://localhost:4000/"}, "short": {"state": "a"},
            "other redirect": {"redirect_uri": "http://localhost:4000/"}, "no redirect": {"redirect_uri": ""},
            "no client": {"client_id": ""}, "user": {"page": "https://login.example@evil.example/"},
            "file": {"page": "file:///etc/passwd"}, "script": {"page": "javascript:alert(1)"}, "http": {"page": "http://evil.example/"},
            "letters": {"page": "https://l\u043egin.example%2f/"}, "long": {"login_hint": "a" * 20_000},
        }.items():
            with self.subTest(name):
                self.assertIn("isn't one of a Keyturn", self.send(self.request(**changes)))
        request = self.request()
        for name, changed in {
            "other state": {**request, "state": uuid.uuid4().hex}, "no state": {"page": request["page"], "redirect": request["redirect"]},
            "a token too": {**request, "scope": "User.Read"},
        }.items():
            with self.subTest(name):
                self.assertIn("isn't one of a Keyturn", self.send(changed))
        # Another program of this computer, another authority, another client.
        self.assertIn("opens only for an authority", self.send(self.request(page=self.origin.address + "/reset")))
        for changes in ({"page": "https://login.example/authorize"}, {"client_id": "another"}):
            self.assertIn("no terminal to ask on", self.send(self.request(**changes)))
        self.assertFalse(opened.exists())
        self.assertIn(f"{urllib.parse.urlsplit(origin).netloc}/contoso", self.request()["page"])

    def test_responses_of_other_sign_ins(self):
        self.workspace.environment["BROWSER"] = "true"
        self.connect()
        request = self.request()
        responses = self.waiting(request)
        self.assertEqual(self.open(f"{request['redirect']}?code=of-another&state=of-another-sign-in"), 400)
        self.assertEqual(self.open(f"{request['redirect']}other?code=a&state={request['state']}"), 404)
        # One at a time.
        self.assertIn("waiting here", self.send(self.request()))
        self.assertEqual(self.open(f"{request['redirect']}?code=its-own&state={request['state']}"), 200)
        wait_until(lambda: responses, PATIENCE, "no response")
        self.assertIn("code=its-own", json.loads(responses[0].partition("\r\n\r\n")[2])["response"])

    def test_a_port_that_another_program_has(self):
        self.connect()
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            response = self.send(self.request(redirect=f"http://localhost:{port}/"))
        # The server doesn't learn which program that is.
        self.assertIn(f"no response came to http://localhost:{port}/ there", response)
        self.assertNotIn("python", response)
        self.assertIn("python", self.log)

    def test_three_windows_in_an_hour(self):
        self.workspace.environment["BROWSER"] = "true"
        self.connect()
        for _ in range(3):
            request = self.request()
            responses = self.waiting(request)
            self.open(f"{request['redirect']}?error=access_denied&state={request['state']}")
            wait_until(lambda: responses, PATIENCE, "no response")
        self.assertIn("no terminal to ask on", self.send(self.request()))


class SSHSignInQuestion(SignInCase):
    rule = {"host": "build1", "scopes": ["User.Read"]}

    def terminal(self, *command):
        port = urllib.parse.urlsplit(self.authority.address).port
        terminal = PseudoTerminal(
            [KEYTURN, "ssh", *self.server.words, "-t", "-R", f"{port}:127.0.0.1:{port}", *command], self.workspace.environment)
        self.addCleanup(terminal.close)
        return terminal

    def test_a_yes_and_a_no(self):
        terminal = self.terminal(f"{KEYTURN} sign-in; {KEYTURN} sign-in; {KEYTURN} sign-in; echo finished")
        place = urllib.parse.urlsplit(self.authority.address).netloc
        text = terminal.read_until(b"A sign-in that leaves a refresh token on build1 waits.", b"or n for no: ")
        self.assertIn(f"Allow a sign-in at {place} for the client {person.DEMO_CLIENT_ID} to build1 this", text.decode().replace("\r\n", ""))
        terminal.press(re.search(rb"Type (\d{4})", text).group(1) + b"\n")
        terminal.read_until(person.WANG[0].encode(), b"A sign-in that leaves", b"or n for no: ")
        terminal.press(b"n\n")
        text = terminal.read_until(b"finished")
        self.assertEqual((text.count(b"asked, and said no"), text.count(b" waits.")), (2, 0))

    def test_an_ordinary_session(self):
        terminal = self.terminal()
        terminal.read_until(b"open here after your yes")
        terminal.press(b"stty size; sleep 100\n")
        terminal.read_until(b"24 80")
        terminal.press(b"\x03")
        terminal.press(b"echo $((40 + 2)); exit 7\n")
        terminal.read_until(b"42")
        terminal.read_to_end()
        wait_until(lambda: terminal.exit_status() is not None, PATIENCE, "it doesn't end")
        self.assertEqual(terminal.exit_status(), 7)

    def test_no_terminal(self):
        self.connect("--scope", "User.Read")
        errors = " ".join(self.there("sign-in", status=4).split())
        self.assertIn("Asking your own computer to open the page", errors)
        self.assertNotIn("opened", errors)
        self.assertIn("Your computer doesn't carry this: There is no terminal to ask on", errors)
        self.assertIn("Or use another method (--method paste).", errors)
        # Without the connection, it is an ordinary sign-in.
        self.assertNotIn("your computer", self.there("sign-in", "--method", "paste", status=4, KEYTURN_CARRY="no").lower())
