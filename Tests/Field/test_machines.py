"""Machines as they are: terminals with short lines, browsers with cookies or https alone, proxies, quotes and closed input."""

import base64
import datetime
import json
import os
import re
import resource
import socket
import ssl
import subprocess
import termios
import time
import urllib.error
import urllib.parse
import urllib.request

from field import FieldCase, complaint
from strict_provider import StrictProvider
from support import person
from support.clock import Clock
from support.provider import PageServer, start_authority
from support.pseudo_terminal import PseudoTerminal
from support.secure_provider import HOST, Proxy, SecureProvider, make_authority
from support.waiting import wait_until
from support.workspace import IS_RELEASE, KEYTURN


class ClockRow(FieldCase):
    @complaint(
        "https://github.com/openssl/openssl/issues/14771",
        "`certificate is not yet valid` is nearly always a wrong clock, and nothing in the message hints at it",
        "The message has this computer's date and how to set the clock, and so does `check`")
    def test_a_certificate_at_another_time(self):
        make_authority(self.workspace.path)
        provider = self.closing(SecureProvider(self.workspace.path))
        self.configure_for_provider(provider.issuer, cache={"key": "keyFile"})
        clock = Clock(self.workspace.path / "clock")
        for days in (-400, 400):
            clock.set(days * 86400)
            date = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)).strftime("%Y-%m-")
            for command in (["sign-in", "--method", "device"], ["check"]):
                result = self.workspace.run(
                    *command, "--ca-file", str(self.workspace.path / "ca.pem"), **clock.environment)
                text = " ".join((result.stdout + result.stderr).split())
                self.assertEqual(result.returncode, 6, text)
                self.assertIn(f"This computer's clock says {date}", text)
                self.assertIn("Synchronise the clock", text)


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
            # Not so few that the error can't be told.
            limits.append((resource.RLIMIT_AS, 72 << 20, "-v"))
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


    def prepare_browser(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.use_recording_browser()

    def wait_at_browser(self, *arguments):
        """A sign-in whose browser is opened, and never returns. Gives the landing page's URL, too."""
        (self.workspace.path / "opened").unlink(missing_ok=True)
        terminal = self.start_typing(*arguments)
        return terminal, person.landing_of(self.opened_address(), *person.ANN)

    @complaint(
        "https://github.com/coder/coder-v1-cli/issues/107",
        "Over ssh, the browser's redirect doesn't arrive, and the waiting command takes no paste: users request the URL by hand",
        "Takes the final URL while it waits for the browser, also with a terminal's marks, escaped, or as code#state")
    def test_a_paste_while_the_browser_is_open(self):
        self.prepare_browser()
        quoted = urllib.parse.quote
        forms = [
            lambda url, code, state: url, lambda url, code, state: f"\x1b[200~{url}\x1b[201~",
            lambda url, code, state: url.replace("&", "&amp;"), lambda url, code, state: quoted(url, safe=""),
            lambda url, code, state: f"{code}#{state}"]
        for form in forms:
            terminal, landing = self.wait_at_browser("sign-in", "--method", "browser")
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(landing).query)
            terminal.press(b"what is this?\r")
            terminal.read_until(b"neither a URL nor a code")
            terminal.press(form(landing, query["code"][0], query["state"][0]).encode() + b"\r")
            terminal.read_until(b"ann@contoso.example")

    @complaint(
        "https://github.com/earendil-works/pi/pull/468",
        "After a sign-in, the prompt for a paste must go away: it takes what the user types next",
        "Reads the terminal only until the response has come, and leaves what is typed to the program that follows")
    def test_the_next_program_gets_what_is_typed(self):
        self.prepare_browser()
        file = self.workspace.path / "token"
        terminal, landing = self.wait_at_browser(
            "exec", "--token-file", file, "--", "sh", "-c", 'echo "read""y"; read line && echo "got <$line>"')
        urllib.request.urlopen(landing, timeout=10).close()
        terminal.read_until(b"ready")
        terminal.press(b"one\r")
        terminal.read_until(b"got <one>")

    def assert_code_is_shown(self):
        """Where nobody can paste."""
        process = self.start("sign-in", "--timeout", "30")
        self.assertTrue(any("enter the code" in line for line in process.stderr))

    @complaint(
        "https://github.com/Azure/azure-cli/issues/20315",
        "In a workspace whose editor runs in the browser, sign-in opens a page that returns to localhost, where nothing listens",
        "Starts with a method that needs no listener there; --method browser is still possible")
    def test_an_editor_in_the_browser(self):
        self.prepare_browser()
        self.workspace.environment["CODESPACES"] = "true"
        # At Entra, a pasted URL comes first, for which somebody must type.
        terminal = self.start_typing("sign-in")
        terminal.read_until(b"Paste the final URL")
        self.assert_code_is_shown()
        self.assertFalse((self.workspace.path / "opened").exists())

    @complaint(
        "https://github.com/Azure/azure-cli/issues/32809",
        "On a remote Linux machine, sign-in uses a device code, which the organisation's policy blocks after all the work",
        "Over ssh at Entra, asks for the final URL first if somebody can paste it, and otherwise shows a code")
    def test_a_paste_before_a_device_code_over_ssh(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        del self.workspace.environment["BROWSER"]
        self.workspace.environment["SSH_CONNECTION"] = "192.0.2.1 50000 192.0.2.2 22"
        terminal = self.start_typing("sign-in")
        terminal.read_until(b"Paste the final URL")
        self.assert_code_is_shown()


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


    @complaint(
        "https://github.com/cloudfoundry/cli/issues/577",
        "A proxy that takes only NTLM rejects every request; nothing says that a password can't help",
        "Says that the proxy accepts only Negotiate or NTLM, and which kind of proxy in between helps")
    def test_a_proxy_with_a_domains_sign_in_only(self):
        for offered, isTicket in ((["Negotiate", "NTLM"], True), (["NTLM"], True), (["NTLM", 'Basic realm="p"'], False)):
            with self.subTest(offered):
                proxy = self.closing(PageServer(status=407, fields=[("Proxy-Authenticate", one) for one in offered]))
                result = self.sign_in_by(HTTPS_PROXY=proxy.address.replace("http://", "http://ann:secret@"))
                self.assertEqual(result.returncode, 6, result.stderr)
                words = " ".join(result.stderr.split())
                self.assertEqual("accepts only Negotiate or NTLM" in words, isTicket, words)
                self.assertEqual("rejects the username and password" in words, not isTicket, words)
                self.assertNotIn("secret", result.stderr)

    @complaint(
        "https://github.com/nextdns/nextdns/issues/983",
        "Behind a network's login page nothing works, and only the user's own idea to open some page in a browser helps",
        "Takes HTTP 511 for the network's, and says to sign in to the network in a browser")
    def test_a_network_that_requires_a_sign_in(self):
        portal = self.closing(PageServer("<title>Hotel</title>", status=511))
        self.configure_for_provider(portal.address, cache={"key": "keyFile"})
        result = self.workspace.run("sign-in", "--method", "device")
        self.assertEqual(result.returncode, 6, result.stderr)
        words = " ".join(result.stderr.split())
        self.assertIn("The network requires a sign-in on its own page (HTTP 511)", words)
        self.assertIn("Open any web page in a browser, sign in to the network", words)


class AuthoritiesRow(FieldCase):
    """Certificates to trust."""

    def setUp(self):
        super().setUp()
        make_authority(self.workspace.path)
        self.provider = self.closing(SecureProvider(self.workspace.path))
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"})

    def sign_in_with(self, **variables):
        self.workspace.forget_documents()
        result = self.workspace.run("sign-in", "--method", "device", **variables)
        return result.returncode, " ".join(result.stderr.split())

    @complaint(
        "https://github.com/abiosoft/caddy-docker/pull/41",
        "Without ca-certificates in a container, https fails with a message that doesn't say what to install",
        "Names the file that is missing or isn't PEM, and the package; a wrong configuration, not a network")
    def test_no_certificates_or_not_in_pem(self):
        der = self.workspace.path / "ca.der"
        subprocess.run(
            ["openssl", "x509", "-in", self.workspace.path / "ca.pem", "-outform", "DER", "-out", der], check=True)
        status, errors = self.sign_in_with(SSL_CERT_FILE=str(der))
        self.assertEqual(status, 3, errors)
        self.assertIn(f"The CA file {der} is in DER form, not PEM", errors)
        (self.workspace.path / "empty.pem").touch()
        status, errors = self.sign_in_with(SSL_CERT_FILE=str(self.workspace.path / "empty.pem"))
        self.assertEqual(status, 3, errors)
        self.assertIn("empty.pem contains no certificate", errors)
        if os.geteuid() != 0:
            return
        hidden = "mount -t tmpfs none /etc/ssl && exec \"$0\" \"$@\""
        result = subprocess.run(
            ["unshare", "--mount", "/bin/sh", "-c", hidden, KEYTURN, "sign-in", "--method", "device"],
            env=self.workspace.environment, capture_output=True, text=True, timeout=60, check=False)
        words = " ".join(result.stderr.split())
        self.assertEqual(result.returncode, 3, words)
        self.assertIn("The CA file /etc/ssl/certs/ca-certificates.crt is unreadable: No such file", words)
        self.assertIn("install the package ca-certificates", words)

    @complaint(
        "https://github.com/h0tbird/docker-portus/pull/9",
        "Whether SSL_CERT_DIR adds to the system's certificates, replaces them or does nothing differs between programs",
        "Counts it as it counts SSL_CERT_FILE: its certificates replace the system's, and other users must not write there")
    def test_a_folder_of_certificates(self):
        folder = self.workspace.path / "hashed"
        folder.mkdir()
        (folder / "ca.pem").write_bytes((self.workspace.path / "ca.pem").read_bytes())
        subprocess.run(["openssl", "rehash", folder], check=True, capture_output=True)
        status, errors = self.sign_in_with(SSL_CERT_DIR=f"{self.workspace.path}/home:{folder}")
        self.assertEqual(status, 0, errors)
        (folder / "ca.pem").chmod(0o666)
        status, errors = self.sign_in_with(SSL_CERT_DIR=str(folder))
        self.assertEqual(status, 3, errors)
        self.assertIn("every user of this computer can change", errors)
        status, errors = self.sign_in_with(SSL_CERT_DIR=f"{folder}/none")
        self.assertEqual(status, 3, errors)
        self.assertIn("Can't read the CA folder", errors)


class SurroundingsRow(FieldCase):
    @complaint(
        "https://github.com/kubeshop/testkube/issues/5621",
        "A variable that is longer than Linux allows fails with `argument list too long`, which names neither",
        "Names the variable and the limit, and the option that passes the token in a file")
    def test_a_token_longer_than_a_variable(self):
        provider = self.setUpProvider(StrictProvider())
        provider.others = {"access_token": "a" * 140_000}
        self.sign_in()
        result = self.workspace.run("exec", "--", "true")
        self.assertEqual(result.returncode, 126, result.stderr)
        words = " ".join(result.stderr.split())
        self.assertIn("The value of the variable KEYTURN_ACCESS_TOKEN is too long for a program", words)
        self.assertIn("--token-file FILE", words)
        self.assertNotIn("a" * 100, words)
        self.succeed("exec", "--token-file", str(self.workspace.path / "token"), "--", "true")

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
