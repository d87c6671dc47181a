"""`keyturn call` as scripts use it: the headers of a response, limits of time, and output that nobody reads."""

import fcntl
import http.server
import json
import signal
import struct
import subprocess
import termios
import time
import unittest

from support.case import JourneyCase
from support.secure_provider import Threaded, make_authority
from support.waiting import wait_until
from support.workspace import KEYTURN

# What may pass between Ctrl-C and the end of the program.
SECONDS = 3


class API(Threaded):
    """Pages by their path; /silent never answers, and the body of /endless never ends."""

    def __init__(self, tls_folder=None):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if self.path == "/silent":
                    self.connection.recv(1)
                elif self.path == "/endless":
                    self.begin(200, Connection="close")
                    try:
                        while True:
                            self.wfile.write(bytes(65536))
                    except OSError:
                        pass
                elif self.path == "/moved":
                    self.begin(302, Location="/page", Content_Length="0")
                elif self.path == "/empty":
                    self.begin(204, Link="</next>")
                else:
                    self.begin(200, Content_Length="5", Link="</next>", X_Evil="a\x1b[2Jb")
                    self.wfile.write(b"hello")

            do_HEAD = do_GET

            def begin(self, status, **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()

            def log_message(self, format, *args):
                pass

        super().__init__(Handler, tls_folder)
        self.address = f"https://localhost:{self.port}" if tls_folder else f"http://127.0.0.1:{self.port}"


class CallJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.api = self.closing(API())

    def call(self, path, *options, **others):
        return self.workspace.run("call", "-q", "--no-interaction", *options, self.api.address + path, **others)

    def test_the_headers_before_the_body(self):
        result = self.call("/page", "-i")
        self.assertEqual(result.returncode, 0, result.stderr)
        head, body = result.stdout.split("\n\n")
        self.assertEqual(body, "hello")
        self.assertEqual(head.splitlines()[0], "HTTP/1.1 200")
        self.assertIn("Link: </next>", head.splitlines())
        # Of the last response, also without a body.
        self.assertIn("HTTP/1.1 200", self.call("/moved", "-i").stdout)
        self.assertNotIn("302", self.call("/moved", "-i").stdout)
        self.assertIn("Link: </next>", self.call("/empty", "-i").stdout)
        self.assertNotIn("hello", self.call("/page", "-i", "-X", "HEAD").stdout)

    def test_the_headers_in_a_file(self):
        head, body = self.workspace.path / "head", self.workspace.path / "body"
        result = self.call("/page", "--dump-header", str(head), "-o", str(body))
        self.assertEqual((result.returncode, result.stdout, body.read_text()), (0, "", "hello"), result.stderr)
        self.assertIn("Link: </next>\n", head.read_text())
        result = self.call("/page", "-D", "-", "-o", "/dev/null")
        self.assertIn("Link: </next>\n", result.stdout)
        # Nothing is sent if the file can't be written.
        result = self.call("/page", "-D", str(self.workspace.path / "none/head"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("none/head", result.stderr)
        result = self.call("/page", "-D", str(body), "-o", str(body))
        self.assertEqual(result.returncode, 2, result.stderr)

    def test_a_dash_is_standard_output(self):
        for options in (["-o", "-"], ["-o", "/dev/full", "-o", "-"], ["-o", "-", "-o", "json"]):
            result = self.call("/page", *options)
            self.assertEqual((result.returncode, result.stdout), (0, "hello"), result.stderr)

    def test_the_headers_on_a_terminal(self):
        terminal = self.open_terminal()
        terminal.start(KEYTURN, "call", "-i", "--no-interaction", self.api.address + "/page")
        screen = terminal.wait_for("HTTP/1.1 200", "Link: </next>", "hello")
        self.assertIn("a[2Jb", screen)
        self.assertEqual(terminal.exit_status(), 0)

    def test_a_limit_of_time(self):
        began = time.monotonic()
        result = self.call("/silent", "--timeout", "1", "-o", "json")
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual((result.returncode, json.loads(result.stderr)["error"]["name"]), (6, "timeout"))

    def test_output_that_nobody_reads(self):
        """A signal ends the program at once also while it waits for a reader."""
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number.name):
                process = self.start_endless()
                self.wait_until_blocked(process)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=SECONDS), status)

    def test_a_limit_of_time_while_nobody_reads(self):
        process = self.start_endless("--timeout", "1")
        self.assertEqual(process.wait(timeout=1 + 2 * SECONDS), 6)
        self.assertIn("The time limit (--timeout) has passed.", process.stderr.read())

    def start_endless(self, *options):
        process = subprocess.Popen(
            [KEYTURN, "call", "--no-interaction", *options, self.api.address + "/endless"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.workspace.environment)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_until_blocked(self, process):
        """The pipe is full: its capacity is 64 KiB."""
        def is_full():
            waiting = fcntl.ioctl(process.stdout.fileno(), termios.FIONREAD, bytes(4))
            return struct.unpack("i", waiting)[0] > 60_000

        wait_until(is_full, 30, "the pipe is not full")

    def test_the_certificates_of_the_environment(self):
        """The call, the resource's metadata and the token request trust the same file."""
        make_authority(self.workspace.path)
        secure = self.closing(API(self.workspace.path))
        command = ["call", "-q", "--no-interaction", secure.address + "/page"]
        result = self.workspace.run(*command)
        self.assertEqual((result.returncode, result.stdout), (6, ""), result.stderr)
        self.assertIn("isn't trusted", result.stderr)
        result = self.workspace.run(*command, SSL_CERT_FILE=str(self.workspace.path / "ca.pem"))
        self.assertEqual((result.returncode, result.stdout), (0, "hello"), result.stderr)


if __name__ == "__main__":
    unittest.main()
