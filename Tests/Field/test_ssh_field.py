"""Work on servers: what went wrong where each server needs a sign-in of its own, or a forwarded agent gives all it has."""

import json
import os
import stat
import subprocess

from field import complaint
from support.ssh_server import PATIENCE, SSHCase
from support.waiting import wait_until
from support.workspace import KEYTURN

GIT = ["git", "-c", "credential.helper=", "-c", f"credential.https://git.example.com.helper=!{KEYTURN} git-credential --host https://git.example.com"]


class SSHRow(SSHCase):
    def git(self, **variables):
        """What git on the server gets for a host."""
        result = subprocess.run(
            [*GIT, "credential", "fill"], input="protocol=https\nhost=git.example.com\n\n", capture_output=True, text=True,
            timeout=PATIENCE, env={**self.server.environment, **variables}, check=False)
        return result.stdout

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/1908",
        "On a Linux server reached by ssh, git asks for a password: no browser opens for the sign-in",
        "git on the server gets a token of the sign-in on the user's own computer")
    def test_git_on_a_server(self):
        self.connect()
        self.assertIn("password=eyJ", self.git())

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/2317",
        "Without a display, git's helper can't sign in at all, and password tokens are disabled",
        "Nobody signs in on the server: the helper needs neither a display nor a terminal")
    def test_no_terminal(self):
        self.connect()
        self.assertIn("password=eyJ", self.git(GIT_TERMINAL_PROMPT="0", GCM_INTERACTIVE="never"))

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/2368",
        "The helper offers a device code, which the tenant's policy blocks",
        "The sign-in is the one of the browser at home; the server makes no request to the authority")
    def test_no_device_code(self):
        self.connect()
        self.authority.close()
        self.assertTrue(self.there("token").startswith("eyJ"))

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/2411",
        "The helper decides by the variables of one vendor whether the browser is elsewhere",
        "No variable is needed: the socket is found in the runtime folder")
    def test_no_variable(self):
        self.connect()
        names = {"XDG_RUNTIME_DIR", "HOME", "PATH"}
        environment = {name: value for name, value in self.server.environment.items() if name in names}
        result = subprocess.run([KEYTURN, "token"], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertTrue(result.stdout.startswith("eyJ"), result.stderr)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/49136",
        "The sign-in on a shared server is in a file there, which its root can read, also later",
        "No file: after the connection, the user has nothing but an empty folder there")
    def test_nothing_is_left(self):
        output, _ = self.ssh(f"{KEYTURN} token; {KEYTURN} exec -- true")
        self.assertTrue(output.startswith("eyJ"))
        self.assertEqual(self.server.files, ["runtime/keyturn", "runtime/keyturn/carry"])

    @complaint(
        "https://github.com/indigo-dc/oidc-agent/pull/401",
        "A forwarded agent gives root on the server each account and scope that it has",
        "The server gets what was named for it, and each other request is a line in the log")
    def test_limits(self):
        self.connect()
        for arguments in (["--scope", "Mail.Read"], ["--profile", "other"], ["--account", "bob@contoso.example"]):
            self.assertIn("don't include", self.there("token", *arguments, status=4))
        self.assertEqual(self.log.count(" 403: "), 3)

    @complaint(
        "https://github.com/indigo-dc/oidc-agent/issues/191",
        "To forward the agent, users choose a path in /tmp, and edit the shell's files on both sides",
        "One command; the socket is private, in the folder of the login session")
    def test_private_socket(self):
        self.connect()
        socket, = self.server.sockets
        self.assertEqual(stat.S_IMODE(os.stat(socket).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(socket.parent).st_mode), 0o700)

    @complaint(
        "https://github.com/microsoft/vscode-remote-release/issues/9819",
        "After the laptop slept, the variable names a dead socket until the server's programs restart",
        "One sentence says that the connection has ended; the next one works in the same shell")
    def test_a_dead_socket(self):
        first = self.connect()
        variables = {"KEYTURN_CARRY": str(self.server.sockets[0])}
        self.server.cut()
        first.wait(PATIENCE)
        wait_until(lambda: not self.answers, PATIENCE, "the connection goes on")
        self.assertIn("has ended", self.there("token", status=4, **variables))
        self.connect()
        self.assertTrue(self.there("token", **variables).startswith("eyJ"))

    @complaint(
        "https://github.com/microsoft/vscode-remote-release/issues/1455",
        "Terminals from before a reconnection have no agent",
        "With two connections, one can end: the other one answers")
    def test_two_connections(self):
        first, _ = self.connect(), self.connect()
        first.terminate()
        first.wait(PATIENCE)
        self.assertTrue(self.there("token").startswith("eyJ"))

    @complaint(
        "https://github.com/dev-sec/ansible-ssh-hardening/issues/197",
        "A forwarded socket stays on the server, and sshd can't replace it without an option that hardened servers lack",
        "Each connection has a name of its own and removes its socket")
    def test_sockets_that_stay(self):
        for _ in range(2):
            self.ssh("true")
            self.assertEqual(self.server.sockets, [])

    @complaint(
        "https://github.com/stacklok/toolhive/issues/6357",
        "Over ssh, the sign-in expects a browser that reaches the server's localhost; the user falls back to a key that never expires",
        "The server gets a token with an expiry")
    def test_expiry(self):
        output, _ = self.ssh(f"{KEYTURN} token -o json")
        self.assertIn("expiresOn", json.loads(output))

    @complaint(
        "https://github.com/warp-tech/warpgate/issues/1242",
        "Where the server doesn't forward Unix sockets, programs only say that they can't connect",
        "The connection fails with the reason, and the setting to change")
    def test_no_forwarding(self):
        self.server.options = ("AllowStreamLocalForwarding no",)
        self.server.close()
        self.server.start()
        _, errors = self.ssh("true", status=1)
        self.assertIn("doesn't forward Unix sockets. Set AllowStreamLocalForwarding", " ".join(errors.split()))
