"""Sign-ins on servers: what went wrong where the browser is on another computer than the program."""

import json
import pathlib
import socket
import subprocess
import urllib.parse

from field import complaint
from support import person
from support.ssh_server import PATIENCE, SignInCase
from support.waiting import wait_until
from support.workspace import KEYTURN


class SSHSignInRow(SignInCase):
    def program(self, name):
        """A program in the server's PATH that notes its use; returns the note, and the variable."""
        folder = self.server.path / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\necho used >{folder}/note\n")
        (folder / name).chmod(0o755)
        return folder / "note", {"PATH": f"{folder}:{self.server.variables['PATH']}"}

    def configure(self, **members):
        """Changes the profile on the server."""
        path = self.server.path / "config/keyturn/config.json"
        configuration = json.loads(path.read_text())
        for profile in configuration["profiles"].values():
            profile.update(members)
        path.write_text(json.dumps(configuration))

    def sign_in(self, **variables):
        """What a sign-in on the server prints on standard error."""
        assignments = [f"{name}={value}" for name, value in variables.items()]
        result = subprocess.run(
            [*self.server.inside, "env", *assignments, KEYTURN, "sign-in"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE, env=self.server.environment, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(person.WANG[0], result.stdout)
        return result.stderr

    @complaint(
        "https://github.com/cli/cli/issues/6927",
        "Over ssh, the login starts a browser of the server, which finds no display",
        "The page opens in the browser of the user's computer, and no program of the server starts")
    def test_no_browser_of_the_server(self):
        note, variables = self.program("xdg-open")
        self.connect()
        self.sign_in(**variables)
        self.assertFalse(note.exists())

    @complaint(
        "https://github.com/cli/cli/issues/13445",
        "A text browser of the server opens in the terminal, and the login seems stuck",
        "A text browser of the server isn't used while the user's computer is connected")
    def test_no_text_browser(self):
        note, variables = self.program("w3m")
        self.connect()
        self.sign_in(**variables, SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22")
        self.assertFalse(note.exists())

    @complaint(
        "https://github.com/Azure/azure-cli/issues/26556",
        "After the sign-in, the browser goes to a port of localhost where nothing listens: the program is on the server",
        "The user's computer listens at that port, and takes the response to the server")
    def test_the_way_back(self):
        self.connect()
        self.sign_in()
        self.assertTrue(self.there("token", "--no-interaction").startswith("eyJ"))

    @complaint(
        "https://github.com/tursodatabase/turso-cli/issues/634",
        "The user copies the last URL, opens a second connection and fetches the URL there",
        "There is nothing to copy: the sign-in ends by itself, without input")
    def test_nothing_to_copy(self):
        self.connect()
        self.assertNotIn("Paste the final URL", self.sign_in())

    @complaint(
        "https://github.com/eneskirca/nodeterm/issues/292",
        "Users forward a port by hand for each login, because each has another one",
        "No port is forwarded: it works where the server forbids 'ssh -L'")
    def test_no_forwarded_port(self):
        self.server.options = ("AllowTcpForwarding remote",)
        self.server.close()
        self.server.start()
        self.connect()
        self.sign_in()

    @complaint(
        "https://github.com/can1357/oh-my-pi/pull/1360",
        "If another program has the port on the user's computer, the login fails before it starts, and doesn't say which port",
        "The error names the port, and the program that has it is named on the user's computer only")
    def test_a_taken_port(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            self.configure(redirectUri=f"http://localhost:{port}")
            self.connect()
            errors = " ".join(self.there("sign-in", status=1).split())
        self.assertIn(f"no response came to http://localhost:{port} there", errors)
        self.assertIn("python", self.log)

    @complaint(
        "https://github.com/openai/codex/issues/5673",
        "In a remote session, a login with a fixed port never ends",
        "A fixed redirect URI works as any other")
    def test_a_fixed_redirect_uri(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.configure(redirectUri=f"http://localhost:{port}")
        self.connect()
        self.assertIn(f"localhost%3A{port}&", self.sign_in())

    @complaint(
        "https://github.com/bstadt/cc_daemon/pull/135",
        "A helper publishes the listener through a public tunnel, so that the browser reaches it",
        "Both listeners are on the loopback interface only, and the response passes through ssh")
    def test_no_public_listener(self):
        def addresses(network="self"):
            """The addresses that programs listen on."""
            lines = pathlib.Path(f"/proc/{network}/net/tcp").read_text().splitlines()[1:]
            return {line.split()[1] for line in lines if line.split()[3] == "0A"}

        def public(addresses):
            return [address for address in addresses if not address.startswith("0100007F:")]

        self.workspace.environment["BROWSER"] = "true"
        # The machine's own services are no concern of this test.
        before = addresses()
        self.connect()
        process = subprocess.Popen(
            [*self.server.inside, KEYTURN, "sign-in"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=self.server.environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: addresses() - before or "asks for" in self.log, PATIENCE, "the page doesn't open")
        self.assertEqual(public(addresses() - before), [])
        self.assertEqual(public(addresses(self.server.process.pid)), [])

    @complaint(
        "https://github.com/scgopi/GraphCode/pull/208",
        "A clicked URL decides which ports are forwarded; the limits are the program's own",
        "Only an authorization request opens, with an unprivileged loopback port and its own state")
    def test_limits_of_a_page(self):
        self.connect()
        page = f"{self.authority.address}/contoso/oauth2/v2.0/authorize?client_id={person.DEMO_CLIENT_ID}&state={'a' * 32}"
        for redirect in ("http://localhost:80", "http://192.0.2.1:4000", "https://localhost:4000", "http://localhost:4000@evil.example:4000"):
            query = urllib.parse.urlencode({
                "page": f"{page}&{urllib.parse.urlencode({'redirect_uri': redirect})}", "redirect": redirect, "state": "a" * 32})
            self.assertIn("isn't one of a Keyturn", self.raw(f"GET /1/carry?{query} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()))

    @complaint(
        "https://github.com/microsoft/vscode-remote-release/issues/9794",
        "The browser's way back fails, and a device code gives no token, because the device must be managed",
        "Without --method, the sign-in uses the browser of the user's computer, also if the authority offers device codes")
    def test_no_device_code(self):
        self.connect()
        self.assertNotIn("/device", self.sign_in())

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/1778",
        "Without xdg-open, the URL isn't shown, so that the user can't open it elsewhere",
        "The URL is shown, too, and the user's computer listens for its response")
    def test_the_url_is_shown(self):
        self.connect()
        self.assertIn("/oauth2/v2.0/authorize?", self.sign_in())

    @complaint(
        "https://github.com/tursodatabase/turso-cli/issues/585",
        "Over ssh, a login begins with ten lines about browsers that don't exist",
        "No line is about a browser of the server")
    def test_no_noise(self):
        self.connect()
        errors = self.sign_in(PATH="/nonexistent")
        self.assertNotIn("xdg-open", errors)
        self.assertNotIn("not found", errors)

    @complaint(
        "https://github.com/NousResearch/hermes-agent/pull/21482",
        "A job without a user starts a login, and waits for a browser",
        "A command with --no-interaction asks the user's computer for no page")
    def test_no_page_without_a_user(self):
        self.connect()
        self.there("token", "--no-interaction", status=4)
        self.assertEqual(self.log, "")
