"""Machines as they are: terminals with short lines, browsers with cookies or https alone, proxies, quotes and closed input."""

import base64
import json
import os
import re
import resource
import socket
import ssl
import termios
import time
import urllib.error
import urllib.parse
import urllib.request

from field import FieldCase, complaint
from support import person
from support.provider import PageServer, start_authority
from support.pseudo_terminal import PseudoTerminal
from support.secure_provider import HOST, Proxy, SecureProvider, make_authority
from support.waiting import wait_until
from support.workspace import IS_RELEASE, KEYTURN


class LimitRow(FieldCase):
    """Limits of the process."""

    @complaint(
        "https://github.com/irods/irods/issues/5074",
        "Under limits of `ulimit`, the program hangs or fails with errors that have nothing to do with them",
        "Ends with the limit that is too low, and how to raise it")
    def test_limits_that_are_too_low(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        limits = [(resource.RLIMIT_NOFILE, 9, "-n")]
        if IS_RELEASE:
            limits.append((resource.RLIMIT_AS, 76 << 20, "-v"))
        for kind, value, option in limits:
            with self.subTest(option):
                process = self.start(
                    "sign-in", "--method", "device", preexec_fn=lambda: resource.setrlimit(kind, (value, value)))
                status, _, errors = self.end(process)
                self.assertIn(status, (1, 7), errors)
                self.assertIn(f"ulimit {option}", " ".join(errors.split()))


class TerminalRow(FieldCase):
    """Long texts in the terminal of a command."""

    def start_typing(self, *arguments):
        terminal = PseudoTerminal([KEYTURN, *arguments], self.workspace.environment, columns=500)
        self.addCleanup(terminal.close)
        side = terminal.open_program_side()
        self.addCleanup(os.close, side)
        wait_until(lambda: not termios.tcgetattr(side)[3] & termios.ICANON, 15, "the program does not read")
        return terminal

    def start_paste(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        terminal = self.start_typing("sign-in", "--method", "paste")
        shown = terminal.read_until(b"Paste the final URL").decode()
        address = re.search(r"http://127\.0\.0\.1:\d+/[^\s\x1b]+/authorize\?[^\s\x1b]+", shown).group()
        return terminal, person.landing_of(address, *person.ANN)

    @complaint(
        "https://github.com/O365/python-o365/issues/932",
        "The response URL can't be pasted into the console: beyond 4,095 characters it only beeps.",
        "Reads a pasted URL of any length up to its limit")
    def test_a_url_longer_than_a_terminals_line(self):
        terminal, landing = self.start_paste()
        terminal.paste(f"{landing}&session_state={'x' * 6000}\r".encode())
        terminal.read_until(b"ann@contoso.example")

    @complaint(
        "https://github.com/rclone/rclone/issues/2732",
        "The text to paste is too long for terminals, which cut it without a word; the error then speaks of its content.",
        "Names the limit of a text that is beyond it, and waits for another paste")
    def test_a_text_beyond_every_limit(self):
        terminal, landing = self.start_paste()
        terminal.paste(f"{landing}&session_state={'x' * 70_000}\r".encode())
        terminal.read_until(b"longer than 65536 bytes")
        terminal.paste(f"{landing}\r".encode())
        terminal.read_until(b"ann@contoso.example")

    @complaint(
        "https://github.com/google-antigravity/antigravity-cli/issues/695",
        "The terminal cuts a pasted token at its line's length before the program reads it, and the token is then invalid.",
        "Reads the whole token, also at a terminal")
    def test_a_token_longer_than_a_terminals_line(self):
        def part(value):
            return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")

        terminal = self.start_typing("claims", "--token", "-", "-o", "json")
        terminal.paste(part({"alg": "none"}) + b"." + part({"sub": "x" * 6000}) + b".\r")
        terminal.press(b"\x04")
        terminal.read_until(b"x" * 6000)


class BrowserRow(FieldCase):
    """A waiting sign-in, and a browser that reaches it badly."""

    def start_sign_in(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.use_recording_browser()
        process = self.start("sign-in", "--method", "browser")
        return process, person.landing_of(self.opened_address(), *person.ANN)

    def assert_told(self, process, landing, *words):
        """Signs in after all."""
        urllib.request.urlopen(landing, timeout=10).close()
        status, output, errors = self.end(process)
        self.assertEqual(status, 0, errors)
        for word in words:
            self.assertIn(word, errors)

    @complaint(
        "https://github.com/PostHog/wizard/pull/1253",
        "The browser shows HTTP 431 because of localhost's many cookies, while the terminal waits without a reason.",
        "Reads 256 KiB; with more, the page and the terminal say which cookies to delete")
    def test_cookies_of_every_local_program(self):
        process, landing = self.start_sign_in()
        request = urllib.request.Request(landing, headers={"Cookie": "a=" + "b" * 300_000})
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request, timeout=10)
        with refusal.exception as page:
            self.assertIn("Delete this browser", page.read().decode())
        few = urllib.request.Request(landing, headers={"Cookie": "a=" + "b" * 200_000})
        self.assert_told(process, few, "Delete its cookies for that host")

    @complaint(
        "https://github.com/sanity-io/sanity/issues/7141",
        "The browser opens the callback with https, shows ERR_SSL_PROTOCOL_ERROR, and the terminal waits for ever.",
        "Says that the browser insists on https, and that http:// in its address bar finishes the sign-in")
    def test_a_browser_that_upgrades_to_https(self):
        process, landing = self.start_sign_in()
        port = urllib.parse.urlsplit(landing).port
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain, self.assertRaises(ssl.SSLError):
            ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
        self.assert_told(process, landing, "insists on https", "change https:// to http://")


class ProxyRow(FieldCase):
    def setUp(self):
        super().setUp()
        make_authority(self.workspace.path)
        self.provider = self.closing(SecureProvider(self.workspace.path, issuer=f"https://{HOST}"))
        self.configure_for_provider(
            self.provider.issuer, cache={"key": "keyFile"}, caFile=str(self.workspace.path / "ca.pem"))

    def sign_in_by(self, **variables):
        return self.workspace.run("sign-in", "--method", "device", **variables)

    @complaint(
        "https://github.com/Azure/azure-cli/issues/14812",
        "Sign-in fails with 403 because all_proxy is set; which variable has the proxy, only the user finds out.",
        "Names the proxy and the variable that it came from")
    def test_a_proxy_from_all_proxy(self):
        for status in (403, 407):
            proxy = self.closing(PageServer(status=status))
            result = self.sign_in_by(all_proxy=proxy.address)
            self.assertEqual(result.returncode, 6, result.stderr)
            self.assertIn(f"Can't use the proxy: 127.0.0.1:{proxy.port} ", result.stderr)
            self.assertIn(f"response {status}", result.stderr)
            self.assertIn("($all_proxy)", result.stderr)

    @complaint(
        "https://github.com/go-to-k/cdk-local/issues/669",
        "A plain proxy with an https:// URL gets a TLS greeting, and the error speaks of the server.",
        "Says that the proxy has no TLS, and to start its URL with http://")
    def test_a_plain_proxy_with_an_https_url(self):
        proxy = self.closing(Proxy(self.provider))
        began = time.monotonic()
        result = self.sign_in_by(HTTPS_PROXY=f"https://127.0.0.1:{proxy.port}")
        self.assertLess(time.monotonic() - began, 15)
        self.assertEqual(result.returncode, 6, result.stderr)
        self.assertIn(f"127.0.0.1:{proxy.port} doesn't respond with TLS. Start its URL with http://", result.stderr)
        self.assertIn("($HTTPS_PROXY)", result.stderr)

    @complaint(
        "https://github.com/npm/cli/issues/5594",
        "NO_PROXY=*.domain is read as letters, and requests to the domain go to the proxy.",
        "Excepts the subdomains; host:443 excepts a port")
    def test_stars_and_ports_in_no_proxy(self):
        proxy = self.closing(Proxy(self.provider))
        for entry in ("*.keyturn.invalid", f"{HOST}:443"):
            result = self.sign_in_by(HTTPS_PROXY=proxy.address, NO_PROXY=f"example.org,{entry}")
            # Only the proxy knows the host.
            self.assertIn(f"Can't resolve {HOST}", result.stderr)
        self.assertEqual(proxy.targets, [])
        result = self.sign_in_by(HTTPS_PROXY=proxy.address, NO_PROXY=f"*.{HOST},{HOST}:8443")
        self.assertEqual(result.returncode, 0, result.stderr)


class SurroundingsRow(FieldCase):
    @complaint(
        "https://github.com/cli/cli/issues/2551",
        "A browser whose path has spaces can't be named in $BROWSER with options: quotes work in one program and break others.",
        "Reads quotes and backslashes as a shell does, and an unquoted path with spaces if it names a program")
    def test_a_browser_with_spaces_in_its_path(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        script = self.workspace.path / "Program Files/fire fox"
        script.parent.mkdir()
        command = person.browser_command(self.workspace, *person.ANN)
        script.write_text(f'#!/bin/sh\n[ "$1" = --one ] && shift\nexec {command} "$1"\n')
        script.chmod(0o700)
        spaced = str(script).replace(" ", "\\ ")
        for browser in (f'"{script}"', f"'{script}' --one %s", spaced, str(script)):
            result = self.workspace.run("sign-in", "--method", "browser", "--timeout", "30", BROWSER=browser)
            self.assertEqual(result.returncode, 0, (browser, result.stderr))

    @complaint(
        "https://github.com/HKUDS/OpenSpace/pull/119",
        "A prompt whose standard input is closed spins or ends as if the user had cancelled; scripts learn nothing.",
        "Exits with 4 at once, as for every sign-in that nobody can complete, and says why")
    def test_a_closed_standard_input(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        result = self.workspace.run("sign-in", "--method", "paste")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("Standard input is closed or ended", result.stderr)
