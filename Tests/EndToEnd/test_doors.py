"""Programs that get tokens from Keyturn, and never the refresh token."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import unittest

from support import person
from support.case import JourneyCase
from support.git_server import GitServer
from support.provider import start_authority
from support.rotating_provider import RotatingProvider
from support.tokens import decoded
from support.waiting import wait_until
from support.workspace import KEYTURN

PROOF = r"""
import json, os, resource, sys
print(json.dumps({
    "token": os.environ.get("KEYTURN_ACCESS_TOKEN", ""), "graph": os.environ.get("GRAPH", ""), "argv": sys.argv,
    "core": resource.getrlimit(resource.RLIMIT_CORE), "files": sorted(os.listdir("/proc/self/fd")),
    "blocked": [line for line in open("/proc/self/status") if line.startswith("SigBlk")][0].split()[1]}))
sys.exit(7)
"""


class DoorJourney(JourneyCase):
    def keyturn(self, *arguments, **others):
        return self.workspace.run(*arguments, **others)

    def start(self, *arguments):
        process = subprocess.Popen(
            [str(KEYTURN), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.workspace.environment, start_new_session=True)

        def end():
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.communicate()

        self.addCleanup(end)
        return process


class AuthorityCase(DoorJourney):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})

    def sign_in(self):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        self.assertEqual(self.keyturn("sign-in").returncode, 0)


class AuthorityDoorJourney(AuthorityCase):
    def test_headers_of_an_agent(self):
        """The helper's environment has only HOME and PATH."""
        failed = self.keyturn("token", "-o", "headers", "--no-interaction")
        self.assertEqual((failed.returncode, failed.stdout), (4, ""))
        self.sign_in()
        printed = self.keyturn("token", "-o", "headers")
        headers = json.loads(printed.stdout)
        self.assertEqual(list(headers), ["Authorization"])
        self.assertRegex(headers["Authorization"], r"^Bearer eyJ[\w.-]+$")
        self.assertEqual(printed.stdout.count("\n"), 1)

    def test_a_program_in_place(self):
        self.sign_in()
        script = self.workspace.path / "proof.py"
        script.write_text(PROOF)
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        result = self.keyturn("exec", "--", "python3", str(script), "--env", "-o")
        self.assertEqual(result.returncode, 7, result.stderr)
        seen = json.loads(result.stdout)
        self.assertRegex(seen["token"], r"^eyJ")
        self.assertEqual(seen["argv"][1:], ["--env", "-o"])
        self.assertEqual(seen["core"][1], hard)
        # Python itself opens the folder that it lists.
        self.assertEqual(seen["files"][:3], ["0", "1", "2"])
        self.assertLessEqual(len(seen["files"]), 4)
        self.assertEqual(int(seen["blocked"], 16), 0)

    def test_several_variables(self):
        self.sign_in()
        script = self.workspace.path / "proof.py"
        script.write_text(PROOF)
        result = self.keyturn("exec", "--env", "GRAPH=User.Read", "--", "python3", str(script))
        seen = json.loads(result.stdout)
        self.assertEqual((seen["token"], seen["graph"][:3]), ("", "eyJ"))

    def test_nothing_runs_without_a_token(self):
        mark = self.workspace.path / "mark"
        (self.workspace.path / "taken").write_text("precious")
        failed = self.keyturn("exec", "--no-interaction", "--", "touch", str(mark))
        self.assertEqual((failed.returncode, mark.exists()), (4, False))
        self.sign_in()
        for arguments, status in (
            (["--", "no-such-program-here"], 127), (["--", str(self.workspace.path / "taken")], 126), (["--env", "1A", "--", "true"], 2), (["--env", "A=", "--", "true"], 2),
            (["--"], 2), (["--token-file", str(self.workspace.path / "taken"), "--", "touch", str(mark)], 1), (["--token-file", "/proc/nowhere/token", "--", "touch", str(mark)], 1),
        ):
            failed = self.keyturn("exec", *arguments)
            self.assertEqual((failed.returncode, failed.stdout, mark.exists()), (status, "", False), failed.stderr)
            self.assertIn("keyturn: ", failed.stderr)
        self.assertEqual((self.workspace.path / "taken").read_text(), "precious")
        # A file that the program put there is the program's.
        own = self.workspace.path / "own"
        self.keyturn("exec", "--token-file", str(own), "--", "sh", "-c", f"rm {own}; echo mine >{own}")
        self.assertEqual(own.read_text(), "mine\n")

    def test_signals_reach_a_program_beside_keyturn(self):
        self.sign_in()
        for number in (signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGHUP):
            file, ready = self.workspace.path / "token", self.workspace.path / f"ready{number}"
            process = self.start(
                "exec", "--token-file", file, "--", "sh", "-c", f"trap 'exit 9' {int(number)}; touch {ready}; while :; do sleep 0.1; done")
            wait_until(ready.exists, 10, "the program doesn't run")
            process.send_signal(number)
            self.assertEqual((process.wait(timeout=10), file.exists()), (9, False), number)

    def test_a_signal_at_the_start(self):
        """The program itself sends it, as soon as it runs."""
        self.sign_in()
        for number in range(12):
            file = self.workspace.path / f"token-{number}"
            result = self.keyturn("exec", "--token-file", str(file), "--", "sh", "-c", "kill -TERM $PPID; exec sleep 30")
            self.assertEqual((result.returncode, file.exists()), (143, False), result.stderr)

    def test_a_program_that_a_signal_ends(self):
        self.sign_in()
        self.assertEqual(self.keyturn("exec", "--", "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)
        file = self.workspace.path / "token"
        result = self.keyturn("exec", "--token-file", str(file), "--", "sh", "-c", "kill -KILL $$")
        self.assertEqual((result.returncode, file.exists()), (137, False))


    def test_a_file_of_a_program_that_stays(self):
        self.sign_in()
        file, ready, gone = (self.workspace.path / name for name in ("token", "ready", "gone"))
        process = self.start(
            "exec", "--token-file", file, "--", "sh", "-c",
            f"trap '' TERM; touch {ready}; while [ -e {file} ]; do sleep 0.1; done; touch {gone}; while :; do sleep 0.1; done")
        # The file is there before the program ignores the signal.
        wait_until(ready.exists, 10, "the program doesn't run")
        process.send_signal(signal.SIGTERM)
        wait_until(gone.exists, 10, "the file stays")
        self.assertEqual(process.wait(timeout=20), 128 + signal.SIGKILL)


class OpenDoorJourney(AuthorityCase):
    """What the terminal program shows of the doors of this user."""

    def test_a_door_is_listed_and_closed(self):
        self.sign_in()
        file = self.workspace.path / "token"
        process = self.start("exec", "--token-file", file, "--", "sleep", "60")
        wait_until(file.exists, 10, "no file")
        for size in self.sizes:
            with self.subTest(size=size):
                terminal = self.open_keyturn(size=size, shows="ann@contoso")
                terminal.press("O")
                terminal.wait_for("DOOR", "token file", str(file)[:20])
                self.quit_all(terminal)
        terminal = self.open_keyturn(shows="ann@contoso")
        terminal.press("O")
        terminal.wait_for("token file")
        terminal.press("D")
        terminal.wait_for("Close this door?", f"process {process.pid}")
        self.assertIsNone(process.poll())
        terminal.press("y")
        terminal.wait_for("No doors are open")
        self.assertEqual(process.wait(timeout=10), 143)
        self.assertFalse(file.exists())

    def test_a_door_of_a_killed_process_is_gone(self):
        self.sign_in()
        file = self.workspace.path / "token"
        process = self.start("exec", "--token-file", file, "--", "sleep", "60")
        wait_until(file.exists, 10, "no file")
        folder = self.workspace.path / "runtime/keyturn/doors"
        folder = next(iter(self.workspace.path.rglob("keyturn/doors")), folder)
        wait_until(lambda: list(folder.iterdir()), 5, "no door")
        process.kill()
        process.wait()
        terminal = self.open_keyturn(shows="ann@contoso")
        terminal.press("O")
        terminal.wait_for("No doors are open")
        self.assertEqual(list(folder.iterdir()), [])

    def quit_all(self, terminal):
        terminal.press("Escape")
        terminal.wait_until_gone("DOOR")
        self.quit(terminal)


class RenewalJourney(DoorJourney):
    """A provider whose tokens live for seconds."""

    def test_the_file_is_renewed_and_deleted(self):
        provider = RotatingProvider.of(self)
        provider.lifetime = 3
        self.assertEqual(self.keyturn("sign-in", "--method", "device").returncode, 0)
        file = self.workspace.path / "token"
        process = self.start("exec", "--token-file", file, "--", "sh", "-c", "trap 'exit 9' TERM; while :; do sleep 0.1; done")
        wait_until(file.exists, 10, "no file")
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        first = file.read_text()
        wait_until(lambda: file.read_text() != first, 15, "the token wasn't renewed")
        self.assertRegex(file.read_text(), r"^access-\d+$")
        environment = pathlib.Path(f"/proc/{self.child(process)}/environ").read_bytes()
        self.assertNotIn(b"access-", environment)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), 9)
        self.assertFalse(file.exists())

    @staticmethod
    def child(process):
        tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
        return next(int(number) for task in tasks for number in (task / "children").read_text().split())


class GitJourney(AuthorityCase):
    """Debian's git against git's own http-backend."""

    def setUp(self):
        super().setUp()
        self.rejected = set()
        self.server = self.closing(
            GitServer(self.workspace.path, lambda token: token.startswith("eyJ") and token not in self.rejected))
        self.server.add("one.git")
        self.workspace.environment.update(
            GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0", GIT_AUTHOR_NAME="A", GIT_AUTHOR_EMAIL="a@b.example",
            GIT_COMMITTER_NAME="A", GIT_COMMITTER_EMAIL="a@b.example")
        installed = self.keyturn("git-credential", "install", "--host", self.server.address)
        self.assertEqual((installed.returncode, installed.stdout), (0, ""), installed.stderr)

    def git(self, *arguments, status=0):
        result = subprocess.run(
            ["git", *map(str, arguments)], capture_output=True, text=True, env=self.workspace.environment, timeout=60,
            stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(result.returncode == 0, status == 0, result.stderr)
        return result

    def test_clone_and_push(self):
        self.sign_in()
        copy = self.workspace.path / "copy"
        self.git("clone", f"{self.server.address}/one.git", copy)
        self.git("-C", copy, "commit", "--quiet", "--allow-empty", "-m", "First")
        self.git("-C", copy, "push", "--quiet", "origin", "HEAD:main")
        self.assertEqual({(scheme, user) for scheme, user, _ in self.server.seen}, {("Basic", "oauth2")})

    def test_a_rejected_token_is_replaced(self):
        """git asks once, and erases: the next command gets another token."""
        self.sign_in()
        self.git("ls-remote", f"{self.server.address}/one.git")
        self.rejected.add(self.server.seen[-1][2])
        self.git("ls-remote", f"{self.server.address}/one.git", status=128)
        self.git("ls-remote", f"{self.server.address}/one.git")
        state = (pathlib.Path(self.workspace.environment["XDG_STATE_HOME"]) / "keyturn" / "rejected").read_text()
        self.assertRegex(state, r"^[0-9a-f]{64}$")

    def test_nothing_is_given_without_a_sign_in(self):
        failed = self.git("ls-remote", f"{self.server.address}/one.git", status=128)
        self.assertIn("Run 'keyturn sign-in'", failed.stderr)
        self.assertEqual(self.server.seen, [])
        silent = self.keyturn("git-credential", "get", "--host", "https://a.example", input="protocol=https\nhost=a.example\n\n")
        self.assertEqual(silent.stdout, "")

    def test_two_accounts(self):
        self.sign_in()
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.WANG)
        self.assertEqual(self.keyturn("sign-in", "--prompt", "select_account").returncode, 0)
        for name in (person.ANN[0], person.WANG[0]):
            self.git("ls-remote", self.server.address.replace("//", f"//{name.replace('@', '%40')}@") + "/one.git")
            _, user, token = self.server.seen[-1]
            self.assertEqual(user, name)
            self.assertEqual(decoded(token.split(".")[1])["preferred_username"], name)

    def test_install_puts_itself_before_other_helpers(self):
        self.sign_in()
        other = self.workspace.path / "other"
        other.write_text("#!/bin/sh\necho called >> " + str(self.workspace.path / "called") + "\n")
        other.chmod(0o755)
        install = ["git-credential", "install", "--host", self.server.address]
        self.assertEqual(self.keyturn(*install, "--remove").returncode, 0)
        self.git("config", "--global", "credential.helper", other)
        self.assertEqual(self.keyturn(*install).returncode, 0)
        self.git("ls-remote", f"{self.server.address}/one.git")
        self.assertFalse((self.workspace.path / "called").exists())
        twice = self.keyturn(*install, "--account", person.ANN[0], "--ca-file", "ca.pem")
        self.assertEqual(twice.returncode, 0)
        helpers = self.git("config", "--global", "--get-all", f"credential.{self.server.address}.helper").stdout
        self.assertEqual(helpers.count("git-credential"), 1)
        # git runs it in any folder.
        self.assertRegex(helpers, r" '--ca-file' '/\S*/ca\.pem'\n")
        self.assertEqual(self.keyturn(*install).returncode, 0)
        removed = self.keyturn(*install, "--remove")
        self.assertIn("no longer", removed.stderr)
        self.git("ls-remote", f"{self.server.address}/one.git", status=128)
        self.assertTrue((self.workspace.path / "called").exists())

    def test_the_protocol(self):
        self.sign_in()

        def get(*lines):
            return dict(line.split("=", 1) for line in self.keyturn(
                "git-credential", "get", "--host", "https://a.example", input="".join(f"{line}\n" for line in ("protocol=https", "host=a.example", *lines, ""))
            ).stdout.splitlines())

        self.assertEqual(set(get()), {"username", "password", "password_expiry_utc"})
        bearer = get("capability[]=authtype", "wwwauth[]=Bearer realm=\"a\"")
        self.assertEqual(bearer["authtype"], "Bearer")
        self.assertNotIn("password", bearer)
        self.assertIn("password", get("capability[]=authtype", "wwwauth[]=Basic realm=\"a\""))
        self.assertIn("password", get("wwwauth[]=Bearer realm=\"a\""))
        for other in ("protocol=http\nhost=a.example", "protocol=https\nhost=b.example", "protocol=https\nhost=a.example:8443", ""):
            refused = self.keyturn("git-credential", "get", "--host", "https://a.example", input=f"{other}\n\n")
            self.assertEqual((refused.returncode, refused.stdout), (0, ""))
        self.assertEqual(self.keyturn("git-credential", "get", input="protocol=https\nhost=a.example\n\n").returncode, 2)
        self.assertEqual(self.keyturn("git-credential", "store", input="password=x\n\n").stdout, "")
        self.assertEqual(self.keyturn("git-credential", "capability").stdout, "version 0\ncapability authtype\n")
        later = self.keyturn("git-credential", "rotate", input="\n")
        self.assertEqual((later.returncode, later.stdout), (0, ""))
        for arguments in (["install"], ["install", "--host", "git.example.com"], ["install", "--host", "https://a/b"],
                          ["install", "--host", "http://git.example.com"], ["install", "--host", "https://*.example.com"],
                          ["install", "--host", "https://a%0ab.example"], ["install", "--host", "https://a.example?x"]):
            self.assertEqual(self.keyturn("git-credential", *arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main()
