"""OpenSSH's server on loopback, with keys and homes of its own, for one test."""

import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import unittest
import urllib.parse

from . import person
from .case import JourneyCase
from .origin import Origin
from .provider import start_authority
from .waiting import wait_until
from .workspace import KEYTURN

PATIENCE = 60

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin")
needs_sshd = unittest.skipUnless(SSHD and os.geteuid() == 0, "skipped: needs openssh-server, and root to run it")


class SSHServer:
    """The host build1, where the user has empty folders and no browser."""

    #: Users of a server that is apart.
    users = {"dev": 20_001, "eve": 20_002}

    def __init__(self, workspace, *options, is_apart=False, user=None):
        """Only ssh's connection leads to a server that is apart: it has a loopback network of its own. Without a user, root works there."""
        self.workspace, self.path = workspace, workspace.path / "server"
        self.options, self.process, self.is_apart, self.user = options, None, is_apart, user or getpass.getuser()
        for name in ("", "runtime", "state", "config", "cache", "home"):
            (self.path / name).mkdir(mode=0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path / name], check=True)
        # The user's login shell is sh -c, and the variables are those of a login session.
        self.variables = {
            "XDG_RUNTIME_DIR": self.path / "runtime", "XDG_STATE_HOME": self.path / "state", "XDG_CACHE_HOME": self.path / "cache",
            "XDG_CONFIG_HOME": self.path / "config", "PATH": f"{KEYTURN.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8",
        }
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        settings = [
            f"Port {self.port}", "ListenAddress 127.0.0.1", f"HostKey {self.path}/host", f"AuthorizedKeysFile {self.path}/user.pub",
            "StrictModes no", "UsePAM no", "PasswordAuthentication no", "PermitRootLogin yes", "PidFile none",
            "SetEnv " + " ".join(f"{name}={value}" for name, value in self.variables.items()), *self.options,
        ]
        (self.path / "sshd_config").write_text("\n".join(settings) + "\n")
        (self.path / "ssh_config").write_text(
            f"Host build1\n HostName 127.0.0.1\n Port {self.port}\n User {self.user}\n IdentityFile {self.path}/user\n"
            f" IdentitiesOnly yes\n UserKnownHostsFile {self.path}/known\n StrictHostKeyChecking no\n LogLevel ERROR\n")
        command = [SSHD, "-D", "-f", self.path / "sshd_config", "-E", self.path / "sshd.log"]
        if not self.is_apart:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
            wait_until(self.listens, 20, "sshd doesn't listen")
            return
        lines = [f"{name}:*:{number}:{number}::{self.path}/home:/bin/sh\n" for name, number in self.users.items()]
        (self.path / "passwd").write_text(pathlib.Path("/etc/passwd").read_text() + "".join(lines))
        mount = f"mount --make-rprivate / && mount --bind {self.path}/passwd /etc/passwd"
        self.process = subprocess.Popen(
            ["unshare", "-n", "-m", "sh", "-c", f"ip link set lo up && {mount} && echo up && exec sleep 600"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        with self.process.stdout as output:
            if output.readline() != b"up\n":
                raise unittest.SkipTest("skipped: needs a network namespace")
        if self.user in self.users:
            self.path.parent.chmod(0o711)
            for path in (self.path, *(self.path / name for name in ("runtime", "state", "config", "cache", "home"))):
                os.chown(path, self.users[self.user], self.users[self.user])
        command[1] = "-i"
        with open(self.path / "ssh_config", "a") as config:
            config.write(f" ProxyCommand {' '.join(map(str, [*self.by('root'), *command]))}\n")

    @property
    def inside(self):
        """The words before a command on the server."""
        return self.by(self.user) if self.is_apart else []

    def by(self, user):
        """The words before a command of a user on a server that is apart."""
        identity = [f"--re{kind}={self.users[user]}" for kind in ("uid", "gid") if user in self.users]
        return ["nsenter", "-t", str(self.process.pid), "-n", "-m", *(["setpriv", *identity, "--clear-groups"] if identity else [])]

    def listens(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def words(self):
        """The words after 'keyturn ssh OPTIONS'."""
        return ["build1", "-F", str(self.path / "ssh_config")]

    @property
    def environment(self):
        """That of a program which outlives the connection, as in tmux."""
        return {**{name: str(value) for name, value in self.variables.items()}, "HOME": str(self.path / "home")}

    @property
    def sockets(self):
        return sorted((self.path / "runtime/keyturn/carry").glob("*"))

    @property
    def files(self):
        """All that the user has there."""
        folders = ("runtime", "state", "config", "cache", "home")
        return sorted(str(path.relative_to(self.path)) for folder in folders for path in (self.path / folder).rglob("*"))

    def cut(self):
        """Ends all connections at once."""
        if not self.is_apart:
            subprocess.run(["pkill", "-KILL", "-P", str(self.process.pid)], check=False)
            return
        network = os.readlink(f"/proc/{self.process.pid}/ns/net")
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/net") == network and process.name != str(self.process.pid):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:
                pass

    def close(self):
        self.cut()
        self.process.kill()
        self.process.wait()


@needs_sshd
class SSHCase(JourneyCase):
    """A user who is signed in on a laptop, and a server."""

    is_apart, user = False, None

    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.origin = self.closing(Origin())
        self.configure_for_authority(
            self.authority.address, cache={"key": "keyFile"}, resources={self.origin.address: ["User.Read"]})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        self.server = self.closing(SSHServer(self.workspace, is_apart=self.is_apart, user=self.user))

    def ssh(self, command, *options, status=0):
        """The standard output of a command on the server, and the standard error."""
        result = self.workspace.run("ssh", *(options or ("--scope", "User.Read")), *self.server.words, command)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout, result.stderr

    def connect(self, *options, words=()):
        """A connection that lasts until the test ends; returns its process."""
        process = subprocess.Popen(
            [KEYTURN, "ssh", *(options or ("--scope", "User.Read")), *self.server.words, *words, "echo connected; exec sleep 100"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.workspace.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        self.assertEqual(process.stdout.readline(), "connected\n")
        return process

    def there(self, *arguments, status=0, **variables):
        """A command of the server's user outside the connection."""
        result = subprocess.run(
            [*self.server.inside, KEYTURN, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
            env={**self.server.environment, **variables}, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout or result.stderr

    def raw(self, data):
        """What the socket sends back to these bytes."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE)
            client.connect(str(self.server.sockets[0]))
            client.sendall(data)
            parts = []
            while part := client.recv(1 << 16):
                parts.append(part)
        return b"".join(parts).decode(errors="replace")

    @property
    def answers(self):
        """Whether the socket on the server leads anywhere."""
        with socket.socket(socket.AF_UNIX) as client:
            return bool(self.server.sockets) and client.connect_ex(str(self.server.sockets[0])) == 0

    @property
    def log(self):
        return (self.workspace.path / "state/keyturn/carry.log").read_text()


class SignInCase(SSHCase):
    """A server with a configuration of its own, whose sign-ins open their page on the laptop."""

    is_apart = True
    #: What the laptop's configuration says of the server.
    rule = {"host": "build1", "signIn": True}

    def setUp(self):
        super().setUp()
        path = self.workspace.path / "config/keyturn/config.json"
        configuration = json.loads(path.read_text())
        (self.server.path / "config/keyturn").mkdir()
        (self.server.path / "config/keyturn/config.json").write_text(json.dumps(configuration))
        path.write_text(json.dumps({**configuration, "carry": [self.rule]}))
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.WANG)

    def connect(self, *options):
        # The authority is at a port of the laptop, so that it needs no certificate.
        port = urllib.parse.urlsplit(self.authority.address).port
        return super().connect(*(options or ("-q",)), words=("-R", f"{port}:127.0.0.1:{port}"))
