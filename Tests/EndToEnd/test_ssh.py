"""One sign-in on the laptop, used on a server over ssh."""

import base64
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

from support import person
from support.pseudo_terminal import PseudoTerminal
from support.ssh_server import PATIENCE, SSHCase
from support.waiting import wait_until
from support.wake_ups import is_asleep, wake_ups, wake_ups_since
from support.workspace import KEYTURN


def is_open(path):
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


class SSHJourney(SSHCase):
    def test_the_commands_on_the_server(self):
        own = json.loads(self.workspace.run("token", "-o", "json").stdout)
        output, errors = self.ssh(
            f"{KEYTURN} token -o json; {KEYTURN} exec -- sh -c 'echo $KEYTURN_ACCESS_TOKEN'; "
            f"{KEYTURN} call --scope User.Read {self.origin.address}/echo >&2; "
            f"printf 'protocol=https\\nhost=git.example.com\\n\\n' | {KEYTURN} git-credential --host https://git.example.com get")
        self.assertIn("build1 can get tokens of this computer until you leave: User.Read. So can root there.", errors)
        token, _, rest = output.partition("\n}\n")
        carried = json.loads(token + "\n}")
        self.assertEqual(
            [carried[name] for name in ("accessToken", "expiresOn", "scopes", "tokenType")],
            [own[name] for name in ("accessToken", "expiresOn", "scopes", "tokenType")])
        # No more than the server can know.
        self.assertEqual(set(carried), {"accessToken", "expiresOn", "scopes", "tokenType", "account"})
        self.assertEqual(carried["account"], {"username": person.ANN[0]})
        lines = rest.splitlines()
        self.assertEqual(lines[0], own["accessToken"])
        self.assertIn(f"password={own['accessToken']}", lines)
        # Only the folders of the socket remain, and not one secret in the log.
        self.assertEqual(self.server.files, ["runtime/keyturn", "runtime/keyturn/carry"])
        self.assertEqual(self.log.count(" sent ("), 4, self.log)
        self.assertNotIn("eyJ", self.log)
        self.assertIn(f"build1 {person.ANN[0]} sent (build1 asks for", self.log)

    def test_the_status_of_the_command(self):
        self.ssh("exit 7", status=7)
        result = self.workspace.run("ssh", "--scope", "User.Read", *self.server.words, "-tp", "1", "exit 7")
        self.assertIn(f"Try 'ssh -F{self.server.words[-1]} -p1 build1' by itself.", result.stderr)
        self.assertEqual(list((self.workspace.path / "runtime/keyturn/ssh").iterdir()), [])

    def test_a_path_that_no_socket_can_have(self):
        folder = self.workspace.path / ("a" * 100)
        folder.mkdir(mode=0o700)
        result = self.workspace.run("ssh", "--scope", "User.Read", *self.server.words, "true", XDG_RUNTIME_DIR=str(folder))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("Set XDG_RUNTIME_DIR to a folder of your own with a short path.", result.stderr)

    def test_beyond_the_limits(self):
        self.connect()
        for arguments in (
            ["--scope", "Mail.Send"], ["--profile", "other"], ["--account", "bob@contoso.example"], ["--resource", self.origin.address],
        ):
            with self.subTest(arguments):
                self.assertIn("The limits for build1 don't include", self.there("token", *arguments, status=4))
        self.assertIn("carries access tokens only", self.there("token", "--token", "id", status=2))
        self.assertIn("requires a sign-in", self.there("token", "--tenant", "other", status=4))
        for command in (["gate", "https://a.example"], ["mcp", "https://a.example"], ["watch"], ["serve", "managed-identity"],
                        ["sign-in"], ["status"], ["accounts"]):
            with self.subTest(command):
                self.assertIn("carries none for", " ".join(self.there(*command, status=2).split()))
        self.assertNotIn(" sent (", self.log)
        self.assertTrue(self.there("token").startswith("eyJ"))

    def test_paths_that_leave_a_resource(self):
        self.connect("--resource", f"{self.origin.address}/api")
        for path in ("", "/apis", "/api/../a", "/api/%2e%2e/a", "/api/..%2fa", "/api/%5c..%5ca"):
            with self.subTest(path):
                errors = self.there("token", "--resource", f"{self.origin.address}{path}", status=4)
                self.assertIn("don't include the resource", " ".join(errors.split()))

    def test_what_else_comes_through_the_socket(self):
        self.connect()
        for data, says in (
            (b"GET /1/carry HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", '"accessToken":'),
            (b"GET /2/carry HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "Install the same version"),
            (b"GET /1/carry?refresh_token=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "isn't one of a Keyturn"),
            (b"GET /1/carry?profile=a&profile=test HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "isn't one of a Keyturn"),
            (b"POST /1/carry HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "Only GET"),
            (b"\x00\xff" * 1000 + b"\r\n\r\n", ""), (b"GET /1/carry?program=" + b"a" * (1 << 20) + b" HTTP/1.1\r\n\r\n", ""),
        ):
            with self.subTest(data[:40]):
                try:
                    response = self.raw(data)
                except ConnectionError:
                    response = ""
                self.assertIn(says, response)
                self.assertEqual("eyJ" in response, "accessToken" in says)
        # Connections that send nothing don't keep others out.
        idle = [socket.socket(socket.AF_UNIX) for _ in range(40)]
        for client in idle:
            self.addCleanup(client.close)
            client.connect(str(self.server.sockets[0]))
        self.assertTrue(self.there("token").startswith("eyJ"))

    def test_root_tries_everything(self):
        self.connect("--scope", "User.Read", "--account", person.ANN[0])
        values = {
            "profile": (None, "test", "other", "Test"), "account": (None, person.ANN[0], person.WANG[0]),
            "scope": (None, "User.Read", "Mail.Read", "offline_access", ".default", "https://graph.microsoft.com/.default"),
            "resource": (None, self.origin.address, "https://graph.microsoft.com"), "refresh": (None, "1"),
        }
        sent = 0
        for combination in itertools.product(*values.values()):
            query = {name: value for name, value in zip(values, combination) if value}
            response = self.raw(f"GET /1/carry?{urllib.parse.urlencode(query)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            body = json.loads(response.partition("\r\n\r\n")[2])
            if "accessToken" not in body:
                continue
            sent += 1
            self.assertLessEqual(set(query.get("scope", "User.Read").split()), {"User.Read", "offline_access"}, query)
            self.assertNotIn("resource", query)
            self.assertIn(query.get("profile", "test"), "test")
            claims = json.loads(base64.urlsafe_b64decode(body["accessToken"].split(".")[1] + "=="))
            self.assertEqual(claims["scp"].split(), ["User.Read"])
            self.assertEqual(set(body), {"accessToken", "tokenType", "expiresOn", "scopes", "account"})
        self.assertGreater(sent, 10)
        # A flood of rejections doesn't push the others out of the log.
        self.assertEqual(self.log.count(" sent ("), sent)
        self.assertLess(self.log.count(" 403: "), 200)
        self.assertIn(" more rejected", self.log)

    def test_another_user(self):
        """Who reaches the folders, as on a server whose administrator has opened them."""
        self.connect()
        here, = (self.workspace.path / "runtime/keyturn/ssh").glob("*.socket")
        script = (
            "import os, socket, sys; os.setgroups([]); os.setgid(23456); os.setuid(23456)\n"
            "client = socket.socket(socket.AF_UNIX); client.settimeout(20)\n"
            "client.connect(sys.argv[1]); client.sendall(b'GET /1/carry HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n')\n"
            "sys.stdout.write(client.recv(1 << 16).decode())")
        for path in (self.server.sockets[0], here):
            for folder in path.parents:
                if folder.is_relative_to(self.workspace.path):
                    folder.chmod(0o755)
            run = [sys.executable, "-c", script, path]
            result = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertIn("PermissionError", result.stderr)
            self.assertNotIn("eyJ", result.stdout)
        # Here, the user of the other side counts, too.
        here.chmod(0o666)
        self.assertNotIn("eyJ", subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout)
        self.assertNotIn(" sent (", self.log)

    def test_a_process_that_is_killed(self):
        first = self.connect()
        first.kill()
        first.wait()
        self.assertIn("has ended", " ".join(self.there("token", status=4).split()))
        second = self.connect()
        self.assertTrue(self.there("token").startswith("eyJ"))
        # Its connection ended with the next one.
        names = {path.name.split(".")[0] for path in (self.workspace.path / "runtime/keyturn/ssh").iterdir()}
        self.assertEqual(names, {str(second.pid)})
        old = self.server.sockets
        wait_until(lambda: sum(map(is_open, self.server.sockets)) == 1, PATIENCE, "the first connection goes on")
        for path in old:
            if not is_open(path):
                os.utime(path, (0, 0))
        second.kill()
        self.there("token", status=4)
        self.assertEqual(len(self.server.sockets), 1)

    def test_a_socket_that_never_answers(self):
        with socket.socket(socket.AF_UNIX) as silent:
            path = self.server.path / "silent"
            silent.bind(str(path))
            silent.listen()
            process = subprocess.Popen(
                [KEYTURN, "token"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                env={**self.server.environment, "KEYTURN_CARRY": str(path)})
            self.addCleanup(process.stderr.close)
            self.assertIn("Waiting up to 90 seconds for your computer.", process.stderr.readline())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(PATIENCE), -signal.SIGINT)

    def test_a_connection_that_has_ended(self):
        self.connect()
        self.server.cut()
        wait_until(lambda: not self.answers, PATIENCE, "the connection goes on")
        self.assertIn("has ended. Connect again with", " ".join(self.there("token", status=4).split()))
        self.connect()
        self.assertTrue(self.there("token").startswith("eyJ"))

    def test_the_configuration_of_the_server_counts_first(self):
        self.connect()
        (self.server.path / "config/keyturn").mkdir()
        profile = {"clientId": "a", "authority": f"{self.authority.address}/contoso"}
        (self.server.path / "config/keyturn/config.json").write_text(json.dumps({"profiles": {"own": profile}}))
        self.there("token", "--no-interaction", status=4)
        self.assertTrue(self.there("token", KEYTURN_CARRY="1").startswith("eyJ"))
        self.assertTrue(self.there("token", KEYTURN_CARRY=str(self.server.sockets[0])).startswith("eyJ"))
        self.assertTrue(self.there("token", KEYTURN_CARRY="/nowhere").startswith("eyJ"))

    def limit(self, **rule):
        """Sets the limits of the configuration."""
        path = self.workspace.path / "config/keyturn/config.json"
        rule = {"host": "build1", "scopes": ["User.Read"], **rule}
        path.write_text(json.dumps({**json.loads(path.read_text()), "carry": [rule]}))

    def test_limits_of_the_configuration(self):
        self.assertIn("No limits for build1", self.workspace.run("ssh", *self.server.words).stderr)
        self.limit()
        output, _ = self.ssh(f"{KEYTURN} token --profile test", "-q")
        self.assertTrue(output.startswith("eyJ"))
        # Other limits don't take the question away.
        self.limit(ask="host")
        result = self.workspace.run("ssh", "--scope", "User.Read", *self.server.words, "true")
        self.assertEqual(result.returncode, 2)
        self.assertIn("There is no terminal to ask on.", result.stderr)

    def test_the_account_of_the_command_line(self):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.WANG)
        self.assertEqual(self.workspace.run("sign-in").returncode, 0)
        (ann, wang), nobody = (person.ANN[0], person.WANG[0]), "nobody@contoso.example"
        self.limit()
        for name in (ann, wang):
            output, _ = self.ssh(f"{KEYTURN} token -o json", "-q", "--account", name)
            self.assertEqual(json.loads(output)["account"]["username"], name)
        # What the server learns has no names of the others, which the log has.
        _, errors = self.ssh(f"{KEYTURN} token", status=1)
        self.assertIn("Several accounts fit. Connect again with --account.", errors)
        self.limit(account=nobody)
        _, more = self.ssh(f"{KEYTURN} token", "-q", status=4)
        self.assertIn("No account for this token is signed in there.", more)
        process = self.connect()
        whole = self.raw(b"GET /1/carry?scope=User.Read HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        self.assertIn("Several accounts fit.", whole)
        process.terminate()
        process.wait()
        self.assertNotRegex(errors + more + whole, f"{ann}|{wang}")
        self.assertEqual(self.log.count(f": {ann}, {wang}") + self.log.count(f": {wang}, {ann}"), 3, self.log)
        # The options are checked before ssh connects.
        self.limit(account=wang)
        for options, status, says in (
            (["--account", ann], 2, f"No limits for build1 and the account {ann} are set"),
            (["--account", nobody], 4, f"{nobody} is not signed in. Accounts: "),
            (["--account", nobody, "--scope", "User.Read"], 4, f"{nobody} is not signed in. Accounts: "),
            (["--profile", "nope"], self.workspace.run("token", "--profile", "nope").returncode, 'no profile "nope"'),
        ):
            with self.subTest(options):
                result = self.workspace.run("ssh", *options, "nowhere.invalid" if "nope" in options else "build1", *self.server.words[1:])
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(says, result.stderr)

    def test_a_refresh_once_in_a_while(self):
        self.connect()
        first = self.there("token")
        second = self.there("token", "--force-refresh")
        self.assertNotEqual(second, first)
        # What the server demands next, by whatever means, gives the same token.
        self.assertEqual(self.there("token", "--force-refresh"), second)
        self.assertEqual(self.there("token", "--claims", '{"access_token":{"xms_cc":{"values":["cp1"]}}}'), second)
        self.assertIn("expires in less than", self.there("token", "--min-validity", "86400", status=1))

    def test_a_question_for_each_use(self):
        commands = f"{KEYTURN} token | cut -c1-3; {KEYTURN} token"
        terminal = PseudoTerminal(
            [KEYTURN, "ssh", "-q", "--ask", "use", "--scope", "User.Read", *self.server.words, "-t", commands],
            self.workspace.environment)
        self.addCleanup(terminal.close)
        number = re.search(rb"Type (\d{4})", terminal.read_until(b"Allow a token for User.Read to build1 this time?", b"or n for no: "))
        terminal.press(number.group(1) + b"\n")
        self.assertIn(b"eyJ", terminal.read_until(b"eyJ", b"Allow a token for", b"or n for no: "))
        terminal.press(b"n\n")
        terminal.read_until(b"The user was asked, and")

    def test_a_question_on_the_desktop(self):
        """ssh-askpass asks, as for ssh-add -c. The server reaches no display meanwhile."""
        asked, answers = self.workspace.path / "asked", self.workspace.path / "answers"
        program = self.workspace.path / "ssh-askpass"
        program.write_text(
            f'#!/bin/sh\necho "$SSH_ASKPASS_PROMPT: $1" >>{asked}\nread -r status text <{answers}\n'
            f'sed -i 1d {answers}\n[ -z "$text" ] || echo "$text"\nexit $status\n')
        program.chmod(0o755)
        self.workspace.environment |= {"SSH_ASKPASS": str(program), "SSH_ASKPASS_REQUIRE": "prefer", "DISPLAY": ":9"}
        answers.write_text("0\n0 a password\n1\n")
        shown = self.server.path / "shown"
        self.server.close()
        self.server.options = (
            "X11Forwarding yes", "XAuthLocation /bin/true",
            f'ForceCommand echo "${{DISPLAY-none}}" >>{shown}; eval "$SSH_ORIGINAL_COMMAND"')
        self.server.start()
        self.connect("-q", "--ask", "use", "--scope", "User.Read", words=("-o", "ForwardX11=yes", "-o", "ForwardX11Trusted=yes"))
        self.assertTrue(self.there("token").startswith("eyJ"))
        self.assertIn("The user was asked, and said no", self.there("token", status=4))
        self.assertEqual(
            asked.read_text(),
            "confirm: a token for User.Read to build1 waits.\nAllow a token for User.Read to build1 this time?\n" * 2)
        # Not while the connection is set up, either.
        self.assertEqual(shown.read_text(), "none\n" * 2)

    def test_a_window_that_can_not_ask(self):
        program = self.workspace.path / "ssh-askpass"
        program.write_text("#!/nowhere\n")
        words = ("--ask", "use", "--scope", "User.Read")
        self.workspace.environment |= {"SSH_ASKPASS": str(program), "SSH_ASKPASS_REQUIRE": "force"}
        result = self.workspace.run("ssh", *words, *self.server.words, "true")
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"SSH_ASKPASS names {program}, which is missing or not executable.", result.stderr)
        program.chmod(0o755)
        _, errors = self.ssh(f"{KEYTURN} token; {KEYTURN} token", *words, status=4)
        self.assertEqual(errors.count(f"{program} didn't start"), 1)
        self.assertEqual(errors.count("The question can't be shown there."), 2)
        program.write_text("#!/bin/sh\nkill $$\n")
        _, errors = self.ssh(f"{KEYTURN} token", "-q", *words, status=4)
        self.assertIn("The question can't be shown there.", errors)
        self.assertNotIn(str(program), errors)
        self.assertIn("was ended by signal 15", self.log)

    def test_no_question_in_a_window_that_the_server_reaches(self):
        self.workspace.environment |= {"SSH_ASKPASS": "/bin/true", "SSH_ASKPASS_REQUIRE": "force"}
        for words in (["-Y"], ["-vX"]):
            result = self.workspace.run("ssh", "--ask", "use", "--scope", "User.Read", *self.server.words, *words, "true")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("With -X or -Y, no window asks", result.stderr)

    def test_nothing_is_written_on_the_server(self):
        self.connect()
        trace = self.workspace.path / "trace"
        calls = "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,mknodat"
        subprocess.run(
            ["strace", "-f", "-o", trace, "-e", f"trace={calls}", KEYTURN, "token"], env=self.server.environment, check=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        lines = [line for line in trace.read_text().splitlines() if " = -1 E" not in line and "(" in line]
        self.assertTrue(lines)
        writing = [line for line in lines if not re.search(r" open(at)?\(", line) or re.search("O_WRONLY|O_RDWR|O_CREAT", line)]
        self.assertEqual([line for line in writing if '"/dev/' not in line], [])

    def test_idle(self):
        process = self.connect()
        self.there("token")
        wait_until(lambda: is_asleep(process.pid), 20, "the program doesn't rest")
        before = wake_ups(process.pid)
        time.sleep(2)
        self.assertEqual(wake_ups_since(before, process.pid), 0)


@unittest.skipUnless(all(path.stat().st_mode & 0o001 for path in KEYTURN.parents), "skipped: only this user can run the program")
class SSHUsers(SSHCase):
    is_apart, user = True, "dev"

    def by(self, user, *words, **variables):
        """A program of a user on the server."""
        environment = {"PATH": os.environ["PATH"], "HOME": "/", "LANG": "C.UTF-8", **variables}
        return subprocess.run(
            [*self.server.by(user), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
            env=environment, check=False)

    def test_two_users_on_a_server(self):
        self.connect()
        self.assertTrue(self.there("token").startswith("eyJ"))
        path, = self.server.sockets
        self.assertEqual(path.stat().st_uid, self.server.users["dev"])
        own = {"XDG_RUNTIME_DIR": str(self.server.path / "runtime")}
        for variables in ({}, {"KEYTURN_CARRY": str(path)}, own):
            result = self.by("eve", KEYTURN, "token", **variables)
            self.assertNotEqual(result.returncode, 0)
            self.assertNotIn("eyJ", result.stdout + result.stderr)
        # Not even if all can reach the folder.
        for folder in path.parents:
            if folder.is_relative_to(self.server.path):
                folder.chmod(0o777)
        curl = ["curl", "-s", "--unix-socket", path, "http://localhost/1/carry"]
        self.assertEqual(self.by("eve", *curl).returncode, 7)
        result = self.by("eve", KEYTURN, "token", KEYTURN_CARRY=str(path))
        self.assertEqual((result.returncode, result.stdout), (4, ""))
        self.assertEqual(self.log.count(" sent ("), 1)
        # Root can, and that is in the log.
        self.assertIn("accessToken", self.by("root", *curl).stdout)
        self.assertEqual(self.log.count(" sent ("), 2)
