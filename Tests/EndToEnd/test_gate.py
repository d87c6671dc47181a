"""A door to one API, for programs that must not hold its token."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import termios
import unittest

import requests

from support import person
from support.case import JourneyCase
from support.git_server import GitServer
from support.origin import Origin
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.rotating_provider import RotatingProvider
from support.tmux import Terminal
from support.waiting import wait_until
from support.workspace import KEYTURN

PATIENCE = 30


class GateCase(JourneyCase):
    """A signed-in user, an API, and gates to it."""

    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.origin = self.closing(Origin())
        self.configure_for_authority(
            self.authority.address, cache={"key": "keyFile"}, resources={self.origin.address: ["User.Read"]})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)

    def open(self, *arguments, url=None):
        """Starts a gate without a program; returns its process and what it printed."""
        self.log = self.workspace.path / "log"
        with open(self.log, "w") as log:
            process = subprocess.Popen(
                [str(KEYTURN), "gate", url or self.origin.address, *map(str, arguments)], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=log, text=True, env=self.workspace.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        line = process.stdout.readline().strip()
        self.assertTrue(line, self.log.read_text())
        return process, line

    def within(self, *arguments, status=0, gate=()):
        """The output of a program within a gate."""
        result = self.workspace.run("gate", *map(str, gate), self.origin.address, "--", *map(str, arguments))
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout

    def raw(self, address, text, waits=True, encoding="utf-8"):
        """What a gate sends back to these bytes."""
        port = int(re.search(r":(\d+)", address).group(1))
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(text.replace("\n", "\r\n").encode(encoding))
            parts = []
            while waits and (part := client.recv(1 << 16)):
                parts.append(part)
        return b"".join(parts).decode(errors="replace")

    def problem(self, response, status):
        self.assertEqual((response.status_code, response.headers["Content-Type"]), (status, "application/problem+json"))
        self.assertNotIn("eyJ", response.text)
        return response.json()["detail"]


class RejectsAll:
    def __contains__(self, _):
        return True


class GateJourney(GateCase):
    def test_a_program_that_never_sees_the_token(self):
        proof = "import os, sys; print(os.environ['KEYTURN_GATE_URL'].count('/'), 'eyJ' in str(os.environ)); sys.exit(7)"
        self.assertEqual(self.within("python3", "-c", proof, status=7), "3 False\n")
        seen = json.loads(self.within("sh", "-c", 'curl -sS "$KEYTURN_GATE_URL/mail/1?x=%2F+y"'))
        self.assertEqual((seen["method"], seen["path"]), ("GET", "/mail/1?x=%2F+y"))
        self.assertRegex(seen["headers"]["Authorization"], r"^Bearer eyJ")
        self.assertEqual(seen["headers"]["Host"], self.origin.address.removeprefix("http://"))

    def test_what_passes_and_what_does_not(self):
        _, address = self.open()
        sent = {
            "Authorization": "Basic eDp5", "Proxy-Authorization": "Basic eDp5", "Cookie": "a=b", "X-Mine": "1",
            "X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/admin", "X-Override-URL": "/admin", "Impersonate-User": "root",
            "X-Real-IP": "10.0.0.1", "True-Client-IP": "10.0.0.1", "CF-Connecting-IP": "10.0.0.1", "X-Client-Original-URL": "/admin",
            "HTTP2-Settings": "AAMAAABk", "X-MS-Original-URL": "/admin", "X-Sendfile": "/admin", "X-Accel-Redirect": "/admin",
            "X-Lighttpd-Send-File": "/admin", "X-Sendfile-Type": "x",
            "Connection": "X-Hop", "X-Hop": "1"}
        seen = requests.post(f"{address}/a", data="body", headers=sent, timeout=PATIENCE).json()
        self.assertEqual((seen["method"], seen["body"]), ("POST", "body"))
        got = {name.lower(): value for name, value in seen["headers"].items()}
        self.assertRegex(got["authorization"], r"^Bearer eyJ")
        self.assertEqual(got["x-mine"], "1")
        for name in ("proxy-authorization", "cookie", "x-http-method-override", "x-original-url", "x-override-url", "impersonate-user", "x-hop",
                     "x-real-ip", "true-client-ip", "cf-connecting-ip", "x-client-original-url", "http2-settings",
                     "x-ms-original-url", "x-sendfile", "x-accel-redirect", "x-lighttpd-send-file", "x-sendfile-type"):
            self.assertNotIn(name, got)
        cookies = requests.get(f"{address}/cookies", timeout=PATIENCE)
        self.assertEqual(cookies.headers["X-Kept"], "yes")
        self.assertEqual([name for name in cookies.headers if name.lower().startswith(("set-cookie", "access-control"))], [])
        self.assertEqual(requests.head(f"{address}/a", timeout=PATIENCE).status_code, 200)

    def test_names_that_are_made_on_the_way(self):
        """A folded line, a space or an underscore can't make a field that the gate has removed."""
        _, address = self.open("--allow", "POST /a", "--allow", "GET /a")
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()
        for fields in (
            "X-Original-: x\n URL: /secret?", "Cook: ;\n ie: session=1", "Autho: x\n rization: Bearer evil",
            "Content-: x\n Length: 0", "X-A: a\n b", "X-A: a\n\tb", "Content-Len: 54\n gth", "Transfer-Enco: chunked\n ding", "Transfer-: x\n Encoding: chunked", "Content-:\n Length: 3", "AUTHORIZATION : Bearer mine",
            "Transfer-Encoding : chunked", "Host : evil", "A B: c", "(x): c", '"q": c',
            "X-Id: 1\x01", "X-Id: \x1b[2J", "X-Id: 1\x7f",
        ):
            with self.subTest(fields):
                answer = self.raw(
                    address, f"GET /{secret}/a HTTP/1.1\nHost: 127.0.0.1:{port}\nConnection: close\n{fields}\n\n")
                self.assertIn(" 400 ", answer.splitlines()[0])
        self.assertEqual(self.origin.seen, [])
        sent = {
            "X_Original_URL": "/admin", "X_HTTP_Method_Override": "DELETE", "X-Original-Method": "DELETE",
            "X-Forwarded-Prefix": "/b", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example", "Cookie_": "1",
            "Proxy_Authorization": "Basic eDp5"}
        seen = requests.get(f"{address}/a", headers=sent, timeout=PATIENCE).json()
        names = {name.lower().replace("_", "-") for name in seen["headers"]}
        self.assertEqual(names & {name.lower().replace("_", "-") for name in sent}, {"cookie-"})

    def test_one_origin_only(self):
        elsewhere = self.closing(Origin())
        _, address = self.open("--allow", "GET /to/*", "--allow", "GET /here")
        away = requests.get(f"{address}/to/a?={elsewhere.address}/x", allow_redirects=False, timeout=PATIENCE)
        self.assertEqual((away.status_code, away.headers["Location"]), (302, f"{elsewhere.address}/x"))
        followed = requests.get(f"{address}/to/a?={elsewhere.address}/x", timeout=PATIENCE)
        self.assertEqual(followed.status_code, 200)
        self.assertNotIn("Authorization", elsewhere.seen[-1][2])
        secret = address.rsplit("/", 1)[1]
        for place in ("/here", f"{self.origin.address}/here"):
            back = requests.get(f"{address}/to/a?={place}", allow_redirects=False, timeout=PATIENCE)
            self.assertEqual(back.headers["Location"], f"/{secret}/here")
        self.assertEqual(requests.get(f"{address}/to/a?=/here", timeout=PATIENCE).json()["path"], "/here")
        absolute = self.raw(address, f"GET {elsewhere.address}/{secret}/here HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n")
        self.assertIn(" 400 ", absolute.splitlines()[0])

    def test_no_request_within_a_request(self):
        """The end of a body is where both sides see it."""
        _, address = self.open("--allow", "POST /send")
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()
        inner = "GET /admin HTTP/1.1\nHost: a\n\n"
        size = len(inner.replace("\n", "\r\n"))
        for fields, body in (
            ("Content-Length: 4\nTransfer-Encoding: chunked", f"{size:x}\n{inner}\n0\n\n"),
            ("Content-Length: 4", f"body{inner}"), (f"Content-Length: 4\nContent-Length: {size}", f"body{inner}"),
            ("Transfer-Encoding: chunked\nTransfer-Encoding: identity", f"{size:x}\n{inner}\n0\n\n"),
            ("Transfer-Encoding: x", inner), ("Content-Length: -1", inner), ("Content-Length: +4", f"body{inner}"),
        ):
            self.raw(address, f"POST /{secret}/send HTTP/1.1\nHost: 127.0.0.1:{port}\nConnection: close\n{fields}\n\n{body}")
        self.assertEqual({path for _, path, _ in self.origin.seen} - {"/send"}, set())
        empty = requests.post(f"{address}/send", timeout=PATIENCE).json()
        self.assertNotIn("Content-Type", empty["headers"])

    def test_methods_and_paths(self):
        _, address = self.open("--allow", "GET /mail/*", "--allow", "POST /send")
        allowed = [("GET", "/mail/1"), ("HEAD", "/mail/1"), ("GET", "/mail/"), ("GET", "/mail/a%2Fb"), ("POST", "/send"), ("GET", "/mail/%25")]
        rejected = [
            ("GET", "/admin", 403), ("DELETE", "/mail/1", 403), ("POST", "/send/1", 403), ("GET", "/mailbox", 403),
            ("GET", "/mail", 403), ("GET", "//mail/1", 403), ("GET", "/Mail/1", 403),
            ("GET", "/mail/../admin", 400), ("GET", "/mail/%2e%2e/admin", 400), ("GET", "/mail/..%2fadmin", 400),
            ("GET", "/mail/%252e%252e%252fadmin", 400), ("GET", "/mail/..;/admin", 400), ("GET", "/mail/%2e/1", 400),
            ("GET", "/mail/%5c..%5cadmin", 400), ("GET", "/mail/%00", 400), ("PROPFIND", "/mail/1", 403), ("TRACE", "/mail/1", 405),
            ("GET", "/mail/%c0%ae%c0%ae/admin", 400), ("GET", "/mail/..%20/admin", 400), ("GET", "/mail/%ef%bc%8e%ef%bc%8e/admin", 400),
            ("GET", "/mail/..%ad/admin", 400), ("GET", "/mail/..%c2%ad/admin", 400), ("GET", "/mail/%ff.%80./admin", 400),
            ("GET", "/mail/..%3f/admin", 400), ("GET", "/mail/...", 400)]
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()

        def status(method, path):
            client = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE)
            client.request(method, f"/{secret}{path}")
            response = client.getresponse()
            response.read()
            client.close()
            return response.status

        for method, path in allowed:
            self.assertEqual(status(method, path), 200, path)
        self.assertEqual(len(self.origin.seen), len(allowed))
        for method, path, wanted in rejected:
            self.assertEqual(status(method, path), wanted, path)
        self.assertEqual(len(self.origin.seen), len(allowed))
        self.assertIn("Ask the user", self.problem(requests.get(f"{address}/admin", timeout=PATIENCE), 403))

    def test_a_web_page(self):
        _, address = self.open()
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()
        rebound = [
            "Host: evil.example", f"Host: evil.example:{port}", "Host: 127.0.0.1:1", f"Host: 127.0.0.1:{port}\nOrigin: null",
            f"Host: 127.0.0.1:{port}\nOrigin: https://evil.example", f"Host: 127.0.0.1:{port}\nSec-Fetch-Site: cross-site"]
        for fields in rebound:
            for method in ("GET", "POST", "OPTIONS"):
                answer = self.raw(address, f"{method} /{secret}/a HTTP/1.1\n{fields}\nConnection: close\n\n")
                self.assertRegex(answer.splitlines()[0], " 4(03|21) ")
                self.assertNotIn("access-control", answer.lower())
        guesses = ["/", "/a", f"/{secret[:-1]}/a", f"/{secret}x/a", f"//{secret}/a", f"/%{ord(secret[0]):x}{secret[1:]}/a"]
        for path in guesses:
            answer = self.raw(address, f"GET {path} HTTP/1.1\nHost: 127.0.0.1:{port}\nConnection: close\n\n")
            self.assertRegex(answer.splitlines()[0], " 401 ")
        self.assertEqual(self.origin.seen, [])
        self.assertNotIn(secret, self.log.read_text())

    @unittest.skipUnless(os.geteuid() == 0, "needs root to become another user")
    def test_another_user(self):
        _, address = self.open()
        path = self.workspace.path / "door"
        self.workspace.path.chmod(0o755)
        _, _ = self.open("--socket", path)
        attempts = [["curl", "-sS", f"{address}/a"], ["curl", "-sS", "--unix-socket", str(path), "http://localhost/a"]]
        for attempt in attempts:
            # Root may use the door of any user.
            self.assertEqual(subprocess.run(attempt, capture_output=True, check=False).returncode, 0)
            path.chmod(0o777)
            foreign = subprocess.run(attempt, capture_output=True, check=False, user=65534, group=65534, extra_groups=[])
            self.assertNotEqual(foreign.returncode, 0, foreign.stdout)
        self.assertEqual(len(self.origin.seen), 2)

    def test_a_unix_socket(self):
        path = self.workspace.path / "door"
        process, line = self.open("--socket", path)
        self.assertEqual((line, path.stat().st_mode & 0o777), (str(path), 0o600))
        curl = ["curl", "-sS", "--unix-socket", str(path), "http://localhost/a"]
        self.assertIn('"path": "/a"', subprocess.run(curl, capture_output=True, text=True, check=True).stdout)
        second = self.workspace.run("gate", self.origin.address, "--socket", str(path))
        self.assertEqual((second.returncode, second.stdout), (1, ""))
        self.assertIn("another program", second.stderr)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        self.assertFalse(path.exists())
        killed, _ = self.open("--socket", path)
        killed.kill()
        killed.wait()
        self.assertTrue(path.exists())
        self.open("--socket", path)
        self.assertIn('"path": "/a"', subprocess.run(curl, capture_output=True, text=True, check=True).stdout)

    def test_the_socket_of_a_program_that_has_ended(self):
        path = self.workspace.path / "door"
        for status in (0, 7):
            self.within("sh", "-c", f"test -S {path} && exit {status}", status=status, gate=["--socket", path])
            self.assertFalse(path.exists())

    def test_two_gates_on_one_port(self):
        _, address = self.open()
        port = re.search(r":(\d+)", address).group(1)
        second = self.workspace.run("gate", self.origin.address, "--port", port, "--", "echo", "ran")
        self.assertEqual((second.returncode, second.stdout), (1, ""))
        self.assertRegex(second.stderr, rf"^keyturn: Port {port} of 127\.0\.0\.1 is taken by keyturn \(process \d+\)\.\n +Choose another port")

    def test_the_log(self):
        _, address = self.open()
        requests.get(f"{address}/mail/1?code=secret", timeout=PATIENCE)
        wait_until(lambda: "\n" in self.log.read_text(), PATIENCE, "no line")
        requests.get(f"{address}/cut", timeout=PATIENCE, stream=True).close()
        wait_until(lambda: self.log.read_text().count("\n") == 2, PATIENCE, "no line")
        lines = self.log.read_text().splitlines()
        self.assertRegex(lines[0], r"^20\d\d-\d\d-\d\dT[\d:]+Z GET /mail/1 200 \d+ B \d+ ms$")
        self.assertNotIn("secret", lines[0])
        quiet = self.workspace.run("gate", "-q", self.origin.address, "--", "sh", "-c", 'curl -sS "$KEYTURN_GATE_URL/a"')
        self.assertEqual(quiet.stderr, "")

    def test_events_come_at_once(self):
        _, address = self.open()
        with requests.get(f"{address}/events", stream=True, timeout=PATIENCE) as response:
            self.assertEqual(response.headers["Content-Type"], "text/event-stream")
            lines = response.iter_lines(chunk_size=1)
            for number in range(3):
                self.origin.step.release()
                self.assertEqual(next(lines), f"data: {number}".encode())
                next(lines)
        # The client has left. The origin learns of it by an event that it can't send.
        def has_left():
            self.origin.step.release()
            return self.origin.left.wait(0.05)

        wait_until(has_left, PATIENCE, "the origin is not told that the client left")

    def test_a_gigabyte_both_ways(self):
        process, address = self.open("-q")
        size = 1 << 30
        requests.get(f"{address}/bytes/1000000", timeout=PATIENCE)
        requests.put(f"{address}/a", data=iter([b"a", b"b"]), timeout=PATIENCE)
        before = self.memory(process, "VmHWM")
        self.origin.received = 0
        with requests.get(f"{address}/bytes/{size}", stream=True, timeout=60) as response:
            self.assertEqual(sum(len(piece) for piece in response.iter_content(1 << 20)), size)

        def pieces():
            for _ in range(1 << 10):
                yield bytes(1 << 20)

        self.assertEqual(requests.put(f"{address}/sink", data=pieces(), timeout=60).status_code, 200)
        self.assertEqual(self.origin.received, size)
        # The rest is pages of the program's file (docs/performance.md).
        self.assertLessEqual(self.memory(process, "VmHWM") - before, 3000)
        self.assertLessEqual(self.memory(process, "RssAnon"), 10_000)

    @staticmethod
    def memory(process, kind):
        """Kilobytes."""
        return int(re.search(rf"{kind}:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text()).group(1))

    def test_clients_that_leave_or_flood(self):
        process, address = self.open("-q")
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()
        huge = self.raw(address, f"GET /{secret}/a HTTP/1.1\nHost: 127.0.0.1:{port}\nX: {'x' * (1 << 20)}\n\n", waits=False)
        self.assertEqual(huge, "")
        head = f"POST /{secret}/a HTTP/1.1\nHost: 127.0.0.1:{port}\nContent-Length: 1000\n\nbody"
        for _ in range(50):
            self.raw(address, head, waits=False)
            self.raw(address, f"GET /{secret}/silent HTTP/1.1\nHost: 127.0.0.1:{port}\n\n", waits=False)
        idle = [socket.create_connection(("127.0.0.1", int(port))) for _ in range(300)]
        for client in idle:
            client.sendall(b"GET / HT")
        wait_until(
            lambda: requests.get(f"{address}/a", timeout=PATIENCE).status_code == 200, PATIENCE, "no answer in a flood")
        for client in idle:
            client.close()
        descriptors = pathlib.Path(f"/proc/{process.pid}/fd")
        wait_until(lambda: len(list(descriptors.iterdir())) < 60, PATIENCE, "connections stay open")

    def test_a_giant_header(self):
        _, address = self.open()
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()
        client = socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE)
        client.sendall(f"GET /{secret}/a HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: ".encode())
        try:
            for _ in range(64):
                client.sendall(b"x" * (1 << 14))
        except OSError:
            pass
        self.assertIn(b" 431 ", client.recv(1 << 16).splitlines()[0])
        client.close()
        self.problem(requests.get(f"{address}/header", timeout=PATIENCE), 502)

    def test_an_origin_that_fails(self):
        _, address = self.open()
        with self.assertRaises(requests.exceptions.RequestException):
            requests.get(f"{address}/cut", timeout=PATIENCE)
        self.origin.close()
        detail = self.problem(requests.get(f"{address}/a", timeout=PATIENCE), 502)
        self.assertIn("127.0.0.1", detail)
        wait_until(lambda: "502" in self.log.read_text(), PATIENCE, "no line")

    def test_git_through_a_gate(self):
        server = self.closing(GitServer(self.workspace.path, lambda token: token.startswith("eyJ"), ("Bearer",)))
        server.add("one.git")
        self.workspace.environment.update(
            GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0", GIT_AUTHOR_NAME="A", GIT_AUTHOR_EMAIL="a@b.example",
            GIT_COMMITTER_NAME="A", GIT_COMMITTER_EMAIL="a@b.example")
        copy = self.workspace.path / "copy"
        script = (
            f'git clone -q "$KEYTURN_GATE_URL/one.git" {copy} && cd {copy} && head -c 3000000 /dev/urandom > big && git add big'
            " && git commit -q -m First && git push -q origin HEAD:main && git ls-remote origin")
        result = self.workspace.run("gate", "-q", "--scope", "User.Read", server.address, "--", "sh", "-c", script)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("refs/heads/main", result.stdout)

    def test_a_question(self):
        """Asked once for each kind of request, on the terminal."""
        self.assertEqual(self.workspace.run("gate", self.origin.address, "--ask", seconds=PATIENCE).returncode, 2)
        script = 'for p in /mail/1 /mail/2 /admin; do curl -s -o /dev/null -w "%{http_code} " "$KEYTURN_GATE_URL$p"; done; echo'
        terminal = self.asking("sh", "-c", script)

        def question(kind):
            return terminal.read_until(f"Allow {kind} until the gate closes? Type ".encode(), b"or n for no: ")

        terminal.press(self.number(question("GET /mail/*")) + b"\n")
        self.assertRegex(question("GET /admin"), rb"(?s)200 200 \x18.*Allow")
        terminal.press(b"n\n")
        self.assertIn(b"403", terminal.read_to_end())

    ASKING = """
import os, sys, threading, time, urllib.error, urllib.request
def wait_for_go():
    while not os.path.exists(os.environ["HOME"] + "/go"):
        time.sleep(0.05)
def ask(method, path):
    try:
        request = urllib.request.Request(os.environ["KEYTURN_GATE_URL"] + path, method=method)
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code
"""

    def in_shell(self, program, tail="", **options):
        """A shell in a terminal, and there a program in a gate that asks."""
        file = self.workspace.path / f"program-{secrets.token_hex(4)}.py"
        file.write_text(self.ASKING + program)
        terminal = self.open_terminal(shell=Terminal.BASH, **options)
        terminal.enter(f"clear; {KEYTURN} gate -q --ask {self.origin.address} -- python3 {file} {tail}")
        return terminal

    # Its rows break anywhere, and a screen loses the blank at the end of a row.
    LAST = r"Allow (\S+) (\S+?) ?until ?the ?gate ?closes\? ?(?:Type )?(\d{4})(?: and Enter)?, or n(?: for no)?:"

    def last_rows(self, terminal, typed=""):
        """What the question at the end of the screen is about, and its number; `None` if there is none."""
        found = re.search(rf"{self.LAST} ?{typed}\Z", "".join(terminal.screen.rstrip().splitlines()[-5:]))
        return found and (f"{found[1]} {found[2]}", found[3])

    def last_row(self, terminal, typed="", types=True):
        """Waits for the question at the end of the screen, and types something at it."""
        if types:
            wait_until(lambda: self.last_rows(terminal), PATIENCE, lambda: f"no question:\n{terminal.screen}")
            terminal.type(typed)
        return wait_until(lambda: self.last_rows(terminal, typed), PATIENCE, lambda: f"no question:\n{terminal.screen}")

    def test_a_question_that_its_program_hides(self):
        """Whatever the program has set on the terminal, the whole question is in the last row."""
        hiding = {
            "scrolling": "\\x1b[H\\x1b[2JAllow GET /inbox/*? \\x1b[23;24r\\x1b[24;1H",
            "top": "\\x1b[1;2r\\x1b[1;1H", "origin": "\\x1b[2;3r\\x1b[?6h\\x1b[?7l", "concealed": "\\x1b[8;30;40m\\x1b[?25l",
            "insert": "\\x1b[4h\\x1b[Hxxxxx\\x1b[H", "charset": "\\x1b(0\\x1b)0\\x0e", "title": "\\x1b]0;", "string": "\\x1bP",
            "sequence": "\\x1b[1;2", "alternate": "\\x1b[?1049h\\x1b[5;6r"}
        for name, bytes_ in hiding.items():
            for columns in (80, 40) if name == "scrolling" else (40,):
                with self.subTest(name, columns=columns):
                    program = f'os.write(1, b"{bytes_}")\nprint("status", ask("DELETE", "/{"i" * 190}/1"))'
                    terminal = self.in_shell(program, columns=columns)
                    kind, _ = self.last_row(terminal, "no")
                    self.assertRegex(kind, r"^DELETE /i+…\+\d+…i+/\*$")
                    self.assertEqual(int(kind.split("+")[1].split("…")[0]) + kind.count("i"), 190)
                    self.assertTrue(terminal.is_cursor_visible)
                    # Neither invisible nor reversed: no look at all.
                    looks = {look for row in terminal.cells for character, look in row if character == "…"}
                    self.assertEqual(len(looks), 1)
                    self.assertNotIn("conceal", str(looks))
                    terminal.press("Enter")
                    terminal.wait_for("status 403")
                    terminal.close()

    def test_output_through_a_pipe_waits(self):
        """What would reach the terminal by way of another program comes after the answer, and in order."""
        program = """
answer = []
asking = threading.Thread(target=lambda: answer.append(ask("GET", "/mail/1")))
asking.start()
wait_for_go()
for number in range(300):
    sys.stdout.write(f"out {number}\\n")
    sys.stdout.flush()
    sys.stderr.write(f"err {number}\\n")
    sys.stderr.flush()
    if not asking.is_alive():
        break
open(os.environ["HOME"] + "/written", "w").close()
asking.join()
print("status", *answer, "at", number)
"""
        for tail in ("| cat", "2>&1 | cat", "2> >(cat >&2)", "2> >(cat >&2) | cat"):
            with self.subTest(tail):
                home = pathlib.Path(self.workspace.environment["HOME"])
                for name in ("go", "written"):
                    (home / name).unlink(missing_ok=True)
                terminal = self.in_shell(program, tail)
                question = self.last_row(terminal)
                (home / "go").touch()
                wait_until((home / "written").exists, PATIENCE, "the program waits for its output")
                terminal.type("x")
                self.assertEqual(self.last_row(terminal, typed="x", types=False), question)
                number = question[1]
                terminal.press("C-u")
                terminal.enter(number)
                terminal.wait_for("status 200 at 299")
                terminal.close()

    def test_streams_through_a_gate_that_asks(self):
        """The same bytes, status and end as without it."""
        data = self.workspace.path / "data"
        data.write_bytes(os.urandom(20_000_000))
        gate = f"{KEYTURN} gate -q --ask {self.origin.address} --"
        for line, shown in (
            (f"{gate} cat {data} | cmp - {data} && echo same", "same"),
            (f"{gate} sh -c 'cat {data} >&2' 2>&1 >/dev/null | cmp - {data} && echo same", "same"),
            (f"{gate} sh -c 'echo a; echo b >&2; echo c; exit 7' 2>&1 | tr '\\n' ' '; echo ${{PIPESTATUS[0]}}", "a b c 7"),
            (f"{gate} yes | head -n 1; echo ${{PIPESTATUS[0]}}", "y\n141"),
            (f"{gate} sh -c 'sleep 1000 & echo a' | cat; echo ended", "a\nended"),
            (f"{gate} head -c 300000 /dev/zero | (sleep 1; wc -c)", "300000"),
        ):
            with self.subTest(line):
                terminal = self.open_terminal(columns=200, shell=Terminal.BASH)
                self.assertIn(shown, terminal.ask_shell(line))
                terminal.close()

    def test_keys_at_a_question(self):
        """Ctrl-Z stops the gate as a job, the shell gets the keys, and fg asks again. Ctrl-C and Ctrl-\\ are a no."""
        program = 'print("status", *[ask("GET", f"/{place}/1") for place in ("a", "b", "c", "d")])'
        terminal = self.in_shell(program)
        _, number = self.last_row(terminal, "12")
        terminal.press("C-z")
        terminal.wait_for("Stopped")
        terminal.enter(f"echo {number} was for the shell")
        terminal.wait_for(f"\n{number} was for the shell")
        terminal.enter("clear; fg")
        self.assertEqual(self.last_row(terminal), ("GET /a/*", number))
        terminal.enter(number)

        def wait_for_question(place):
            wait_until(
                lambda: (self.last_rows(terminal) or [None])[0] == f"GET /{place}/*", PATIENCE,
                lambda: f"no question about {place}:\n{terminal.screen}")

        for place, key in (("b", "C-c"), ("c", "C-\\"), ("d", "C-d")):
            wait_for_question(place)
            # A shell tells a job that already runs nothing.
            terminal.press("C-z")
            terminal.wait_for("Stopped")
            terminal.enter("clear; bg")
            terminal.wait_for("&")
            terminal.enter("clear; fg")
            wait_for_question(place)
            terminal.press(key)
        terminal.wait_for("status 200 403 403 403")

    def test_a_question_whose_client_has_left(self):
        """It is marked, and its number is no answer to the next one."""
        program = """
import socket
url = os.environ["KEYTURN_GATE_URL"]
port, path = url.split(":")[2].split("/")
client = socket.create_connection(("127.0.0.1", int(port)))
client.sendall(f"GET /{path}/mail/1 HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
wait_for_go()
client.close()
print("status", ask("GET", "/mail/2"))
"""
        terminal = self.in_shell(program, columns=100)
        _, first = self.last_row(terminal)
        pathlib.Path(self.workspace.environment["HOME"], "go").touch()
        terminal.wait_for("(withdrawn)")
        _, second = self.last_row(terminal)
        self.assertEqual(len(self.origin.seen), 0)
        if first != second:
            terminal.enter(first)
            self.last_row_again(terminal)
        terminal.enter("n")
        terminal.wait_for("status 403")

    def last_row_again(self, terminal):
        terminal.wait_for_match(r"Type \d{4} and Enter, or n for no:\s*\Z")

    def test_a_question_whose_program_has_ended(self):
        program = """
threading.Thread(target=lambda: ask("GET", "/mail/1"), daemon=True).start()
wait_for_go()
os._exit(5)
"""
        terminal = self.in_shell(program, "; echo ended $?", columns=100)
        self.last_row(terminal)
        pathlib.Path(self.workspace.environment["HOME"], "go").touch()
        terminal.wait_for("(withdrawn)", "ended 5")

    def test_the_log_waits_for_the_answer(self):
        """Requests that the rules reject, whose paths the program chooses, write no line over the question."""
        program = """
threading.Thread(target=lambda: ask("GET", "/mail/1")).start()
wait_for_go()
for number in range(200):
    ask("GET", f"/other/{number}")
open(os.environ["HOME"] + "/written", "w").close()
"""
        home = pathlib.Path(self.workspace.environment["HOME"])
        file = self.workspace.path / "program.py"
        file.write_text(self.ASKING + program)
        terminal = self.open_terminal(shell=Terminal.BASH)
        terminal.enter(
            f"clear; {KEYTURN} gate --ask --allow 'GET /mail/*' {self.origin.address} -- python3 {file}")
        self.last_row(terminal)
        (home / "go").touch()
        wait_until((home / "written").exists, PATIENCE, "the requests wait")
        terminal.type("x")
        _, number = self.last_row(terminal, "x", types=False)
        terminal.press("C-u")
        terminal.enter(number)
        terminal.wait_for("100 more requests during the question", "GET /mail/1 200")

    def asking(self, *program):
        """A terminal with a gate that asks there, and a program."""
        command = [KEYTURN, "gate", "-q", "--ask", self.origin.address, "--", *program]
        return self.closing(PseudoTerminal(command, self.workspace.environment, columns=500))

    @staticmethod
    def number(shown):
        return re.findall(rb"Type (\d{4}) and Enter", shown)[-1]

    def answered(self, program, *wrapper):
        """What the terminal shows of a program that tries to answer the question by itself, before the user says no."""
        typed = self.workspace.path / f"typed-{secrets.token_hex(4)}"
        terminal = self.asking(*wrapper, "python3", "-c", program, typed)
        seen = terminal.read_until(b"or n for no: ")
        wait_until(typed.exists, PATIENCE, "the program types nothing")
        terminal.press(b"n\r")
        return (seen + terminal.read_to_end()).decode(errors="replace")

    HOSTILE = """
import fcntl, os, sys, termios, threading, time, tty, urllib.error, urllib.request
terminal = os.open("/dev/tty", os.O_RDWR)
RAW
status = []
def ask():
    try:
        status.append(urllib.request.urlopen(os.environ["KEYTURN_GATE_URL"] + "/mail/1").status)
    except urllib.error.HTTPError as error:
        status.append(error.code)
asking = threading.Thread(target=ask)
asking.start()
rounds = 0
while asking.is_alive():
    for byte in b"y\\nyes\\r0000\\n":
        try:
            fcntl.ioctl(terminal, termios.TIOCSTI, bytes([byte]))
        except OSError:
            pass
    time.sleep(0.05)
    rounds += 1
    if rounds == 3:
        open(sys.argv[1], "w").close()
print("status", *status, flush=True)
"""

    def test_a_program_that_answers_the_question(self):
        """TIOCSTI types at the program's own terminal, and nobody else answers."""
        wrappers = [[]]
        sandbox = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev"]
        if shutil.which("bwrap") and subprocess.run([*sandbox, "true"], check=False, capture_output=True).returncode == 0:
            wrappers.append(sandbox)
        for wrapper in wrappers:
            for raw in ("", "tty.setraw(terminal)"):
                with self.subTest(wrapper=wrapper, raw=raw):
                    seen = self.answered(self.HOSTILE.replace("RAW", raw), *wrapper)
                    self.assertIn("status 403", seen)
                    # A key of the program would have repeated the question.
                    self.assertEqual(seen.count("or n for no: "), 1)
        self.assertEqual(self.origin.seen, [])

    def test_a_program_on_a_terminal_of_its_own(self):
        """It gets no key of the question, its output waits, Ctrl-C reaches it, and the size is passed on."""
        program = """
import os, select, sys, threading, tty, urllib.request
tty.setraw(0)
threading.Thread(target=lambda: (urllib.request.urlopen(os.environ["KEYTURN_GATE_URL"] + "/mail/1").read(), print("done", flush=True))).start()
while True:
    key = os.read(0, 1)
    print("key", key, os.get_terminal_size(0).columns, os.getsid(0) == os.getpid(), flush=True)
    if key == b"q":
        break
"""
        terminal = self.asking("python3", "-c", program)
        shown = terminal.read_until(b"or n for no: ")
        terminal.press(self.number(shown) + b"\r")
        self.assertNotIn(b"key", shown + terminal.read_until(b"done"))
        terminal.resize(91, 24)
        # The signal and the key take different ways.
        while b"91 True" not in shown:
            terminal.press(b"x")
            shown = terminal.read_until(b"True")
        terminal.press(b"\x03q")
        terminal.read_until(b"key b'\\x03'", b"key b'q'")
        terminal.read_to_end()
        wait_until(lambda: terminal.exit_status() is not None, PATIENCE, "the gate does not end")
        self.assertEqual(terminal.exit_status(), 0)
        side = terminal.open_program_side()
        self.addCleanup(os.close, side)
        self.assertTrue(termios.tcgetattr(side)[3] & termios.ICANON)

    def test_a_token_that_is_rejected_in_any_words(self):
        """One refresh for a 401, whatever the challenge says; then the server's own words, and the command that helps."""
        for challenge in ({}, {"WWW-Authenticate": "Bearer"}, {"WWW-Authenticate": 'Basic realm="a"'}):
            with self.subTest(challenge):
                self.origin.challenge, self.origin.rejected = challenge, set()
                self.origin.reason = b'{"error": {"message": "Ann has no seat"}}'
                _, address = self.open()
                first = requests.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"]
                self.origin.rejected.add(first)
                second = requests.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"]
                self.assertNotEqual(first, second)
                self.origin.rejected.add(second)
                detail = self.problem(requests.get(f"{address}/a", timeout=PATIENCE), 401)
                self.assertIn("Ann has no seat", detail)
                result = self.workspace.run("call", "--no-interaction", "--scope", "User.Read", f"{self.origin.address}/a")
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_truth_after_every_token(self):
        self.origin.challenge, self.origin.reason = {"WWW-Authenticate": "Bearer"}, b'{"detail": "Ann has no seat"}'
        self.origin.rejected = RejectsAll()
        result = self.workspace.run("call", "--no-interaction", "--scope", "User.Read", f"{self.origin.address}/a")
        self.assertEqual((result.returncode, len(self.origin.seen)), (1, 2), result.stderr)
        self.assertIn("Ann has no seat", result.stdout)
        self.assertNotIn("name an account", result.stderr)

    def test_the_destination_of_a_copy(self):
        """It is a path for the rules, and an address of the gate."""
        _, address = self.open("--allow", "COPY /files/*")
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()

        def copy(destination):
            return requests.request("COPY", f"{address}/files/a", headers={"Destination": destination}, timeout=PATIENCE)

        for destination in (f"{address}/files/b%20c", f"/{secret}/files/b%20c"):
            seen = copy(destination).json()
            self.assertEqual(seen["headers"]["Destination"], f"{self.origin.address}/files/b%20c")
        sent = len(self.origin.seen)
        for destination, status in (
            (f"{address}/admin/b", 403), (f"{address}/files/%2e%2e/admin/b", 400), (f"{address}/files/../admin/b", 400),
            (f"http://127.0.0.1:{port}/files/b", 401), (f"{self.origin.address}/files/b", 502), ("//evil.example/files/b", 401),
            ("https://evil.example/files/b", 502), ("%", 502), ("b", 502), (f"/{secret}/files/%", 502),
        ):
            with self.subTest(destination=destination):
                self.problem(copy(destination), status)
        self.assertEqual(len(self.origin.seen), sent)

    def test_what_http_allows(self):
        _, address = self.open("--allow", "PROPFIND /*", "--allow", "GET /*", "--allow", "POST /*")
        port, secret = re.search(r":(\d+)/(\w+)", address).groups()
        self.assertEqual(requests.request("PROPFIND", f"{address}/a", timeout=PATIENCE).json()["method"], "PROPFIND")
        head = f"Host: 127.0.0.1:{port}\nConnection: close"
        self.raw(address, f"GET /{secret}/latin-in HTTP/1.1\n{head}\nX-Name: caf\u00e9\n\n", encoding="latin-1")
        self.assertEqual(self.origin.seen[-1][2]["X-Name"], "caf\u00e9")
        self.assertEqual(requests.get(f"{address}/latin", timeout=PATIENCE).headers["X-Name"], "caf\u00e9")
        lengths = requests.get(f"{address}/two-lengths", timeout=PATIENCE)
        self.assertEqual((lengths.text, lengths.headers.get("Content-Length")), ("hello", None))
        both = self.raw(address, f"POST /{secret}/a HTTP/1.1\n{head}\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n")
        self.assertIn(" 400 ", both.splitlines()[0])
        self.assertIn("another protocol", self.problem(requests.get(f"{address}/switch", timeout=PATIENCE), 502))
        socket_request = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x"}
        self.assertIn("WebSocket", requests.get(f"{address}/a", headers=socket_request, timeout=PATIENCE).json()["title"])
        both = self.raw(address, f"GET /{secret}/a HTTP/1.1\n{head}\nUpgrade: h2c\nUpgrade: websocket\n\n")
        self.assertIn(" 501 ", both.splitlines()[0])
        self.assertEqual(self.workspace.run("gate", self.origin.address, "--allow", "TRACE /a").returncode, 2)

    def test_a_socket_of_two_gates(self):
        """The end of the first leaves the socket of the second."""
        path = self.workspace.path / "door"
        first, _ = self.open("--socket", path)
        path.unlink()
        self.open("--socket", path)
        first.send_signal(signal.SIGTERM)
        first.wait(timeout=PATIENCE)
        self.assertTrue(path.exists())

    def test_a_closed_door_of_a_program_that_stays(self):
        """From the signal on, the door gives nothing, and its program is ended after a while."""
        ready, refused = self.workspace.path / "ready", self.workspace.path / "refused"
        program = (
            "trap '' TERM; curl -s -o /dev/null $KEYTURN_GATE_URL/a; touch {ready}; "
            "while curl -s -o /dev/null -m 5 $KEYTURN_GATE_URL/a; do sleep 0.1; done; touch {refused}; while :; do sleep 0.1; done"
        ).format(ready=ready, refused=refused)
        process = subprocess.Popen(
            [str(KEYTURN), "gate", "-q", self.origin.address, "--", "sh", "-c", program], env=self.workspace.environment,
            stdin=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        wait_until(ready.exists, PATIENCE, "the program doesn't run")
        process.send_signal(signal.SIGTERM)
        wait_until(refused.exists, PATIENCE, "the door stays open")
        self.assertEqual(process.wait(timeout=PATIENCE), 128 + signal.SIGKILL)

    @unittest.skipUnless(shutil.which("bwrap"), "needs bubblewrap")
    def test_a_hostile_program_in_a_sandbox(self):
        """It has no network but the socket, and no file of Keyturn's."""
        if subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], check=False).returncode != 0:
            self.skipTest("bubblewrap can't create a sandbox here")
        door = self.workspace.path / "door"
        hostile = (
            "curl -s --unix-socket $KEYTURN_GATE_SOCKET -o /dev/null -w '%{http_code} ' $KEYTURN_GATE_URL/mail/1; "
            "curl -s --unix-socket $KEYTURN_GATE_SOCKET -o /dev/null -w '%{http_code} ' $KEYTURN_GATE_URL/admin; "
            "curl -s --unix-socket $KEYTURN_GATE_SOCKET -o /dev/null -w '%{http_code} ' -X DELETE $KEYTURN_GATE_URL/mail/1; "
            f"curl -s -m 5 -o /dev/null {self.origin.address}/mail/1 || echo -n 'no network '; "
            f"cat {self.workspace.path}/state/keyturn/* 2>/dev/null || echo -n 'no store '; "
            "cat /proc/*/environ 2>/dev/null | grep -c eyJ")
        result = self.workspace.run(
            "gate", "-q", self.origin.address, "--allow", "GET /mail/*", "--socket", str(door), "--",
            "bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
            "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--bind", str(door), str(door),
            "--unshare-all", "sh", "-c", hostile)
        self.assertEqual(result.stdout, "200 403 403 no network no store 0\n", result.stderr)
        self.assertFalse(door.exists())
        self.assertEqual(len(self.origin.seen), 1)

    def test_many_clients(self):
        _, address = self.open("-q")
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            statuses = list(pool.map(
                lambda number: requests.post(f"{address}/a", data=str(number), timeout=PATIENCE).json()["body"] == str(number),
                range(200)))
        self.assertTrue(all(statuses))


class ExpiryJourney(GateCase):
    """A provider whose tokens are short-lived, or revoked."""

    def setUp(self):
        JourneyCase.setUp(self)
        self.provider = RotatingProvider.of(self)
        self.origin = self.closing(Origin())

    def sign_in(self):
        self.assertEqual(self.workspace.run("sign-in", "--method", "device").returncode, 0)

    def test_a_rejected_token_is_replaced_once(self):
        self.sign_in()
        _, address = self.open()
        first = requests.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"]
        self.origin.rejected.add(first)
        again = requests.post(f"{address}/a", data="body", timeout=PATIENCE).json()
        self.assertNotEqual(again["headers"]["Authorization"], first)
        self.assertEqual(again["body"], "body")
        # Rejected at once: no storm of refreshes.
        redeemed = self.provider.redeemed
        self.origin.rejected.add(again["headers"]["Authorization"])
        for _ in range(3):
            response = requests.get(f"{address}/a", timeout=PATIENCE)
            self.assertIn("keyturn sign-in", self.problem(response, 401))
            self.assertNotIn("WWW-Authenticate", response.headers)
        self.assertEqual(self.provider.redeemed, redeemed)

    def test_a_large_body_is_sent_once(self):
        self.sign_in()
        _, address = self.open()
        first = requests.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"]
        self.origin.rejected.add(first)
        self.origin.seen.clear()
        self.problem(requests.post(f"{address}/sink", data=bytes(1 << 20), timeout=PATIENCE), 401)
        self.assertEqual(len(self.origin.seen), 1)

    def test_tokens_that_expire_in_the_middle(self):
        self.provider.lifetime = 3
        self.sign_in()
        _, address = self.open("-q")
        with requests.Session() as session:
            seen = set()

            def next_token():
                seen.add(session.get(f"{address}/a", timeout=PATIENCE).json()["headers"]["Authorization"])
                return len(seen) == 3

            wait_until(next_token, PATIENCE, "the token wasn't refreshed")

    def test_a_sign_in_that_has_ended(self):
        self.provider.lifetime = 2
        self.sign_in()
        _, address = self.open("-q")
        self.provider.is_revoked = True

        def detail():
            response = requests.get(f"{address}/a", timeout=PATIENCE)
            return response.status_code == 401 and response.json()["detail"]

        self.assertIn("keyturn sign-in", wait_until(detail, PATIENCE, "the token still works"))

    def test_nothing_runs_without_a_token(self):
        mark = self.workspace.path / "mark"
        failed = self.workspace.run("gate", "--no-interaction", self.origin.address, "--", "touch", str(mark))
        self.assertEqual((failed.returncode, failed.stdout, mark.exists()), (4, "", False))


if __name__ == "__main__":
    unittest.main()
