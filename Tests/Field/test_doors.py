"""Programs that get tokens from Keyturn: what went wrong with other wrappers and credential helpers."""

import json
import os
import signal
import subprocess

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support import person
from support.git_server import GitServer
from support.provider import start_authority
from support.waiting import wait_until
from support.workspace import KEYTURN


class WrapperRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.setUpProvider(StrictProvider())
        self.sign_in()

    @complaint(
        "https://github.com/99designs/aws-vault/issues/24",
        "Credentials in the environment of a long job expire, and nothing can replace them there",
        "exec --token-file replaces a file before its token expires; the job reads it for each request")
    def test_a_long_job(self):
        self.provider.lifetime = 3
        self.refresh()
        file = self.workspace.path / "token"
        process = self.start("exec", "--token-file", file, "--", "sleep", "60")
        wait_until(file.exists, 10, "no file")
        first = file.read_text()
        wait_until(lambda: file.read_text() != first, 15, "the token wasn't replaced")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), 143)

    @complaint(
        "https://github.com/99designs/aws-vault/issues/472",
        "A wrapped program can't find out how long its credentials are valid",
        "exec sets KEYTURN_EXPIRES_ON")
    def test_the_expiry(self):
        self.assertRegex(self.succeed("exec", "--", "printenv", "KEYTURN_EXPIRES_ON"), r"^20\d\d-.*Z\n$")

    @complaint(
        "https://github.com/99designs/aws-vault/issues/629",
        "The failure of the wrapped program looks like one of the wrapper",
        "The program runs in the place of exec: its status and its output are the only ones")
    def test_the_status_is_the_programs(self):
        result = self.workspace.run("exec", "--", "sh", "-c", "echo no >&2; exit 42")
        self.assertEqual((result.returncode, result.stderr), (42, "no\n"))

    @complaint(
        "https://github.com/DopplerHQ/cli/issues/142",
        "The wrapped program gets Ctrl-C twice: from the terminal, and from the wrapper",
        "There is no wrapper left that could pass it on")
    def test_one_signal(self):
        script = "import signal, sys; n = []; signal.signal(signal.SIGINT, lambda *_: n.append(1)); " \
            "print('ready', flush=True); sys.stdin.read(); print(len(n))"
        process = subprocess.Popen(
            [str(KEYTURN), "exec", "--", "python3", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=self.workspace.environment, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.communicate(timeout=30)[0], "1\n")

    @complaint(
        "https://github.com/99designs/aws-vault/issues/863",
        "Nothing says that the credentials of an open shell have expired",
        "A program that asks exec again gets a fresh token, without a question")
    def test_a_second_call(self):
        self.provider.lifetime = 1
        self.refresh()
        first = self.succeed("exec", "--", "printenv", "KEYTURN_ACCESS_TOKEN")
        wait_until(lambda: self.succeed("exec", "--", "printenv", "KEYTURN_ACCESS_TOKEN") != first, 10, "the same token")

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/178",
        "The browser's own messages reach the helper's standard output, and git reads them as a credential",
        "Standard output has the token alone, whatever the browser prints")
    def test_a_talking_browser(self):
        self.succeed("remove", "--all")
        self.workspace.environment["BROWSER"] = f"sh -c 'echo Opening in existing browser session.; {CURL}' browser"
        headers = json.loads(self.succeed("token", "-o", "headers"))
        self.assertEqual(list(headers), ["Authorization"])


class GitRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})
        self.rejected = set()
        self.server = self.closing(GitServer(self.workspace.path, lambda token: token not in self.rejected))
        self.server.add("one.git")
        self.workspace.environment["GIT_CONFIG_NOSYSTEM"] = "1"
        self.succeed("git-credential", "install", "--host", self.server.address)
        self.sign_in_as(person.ANN)

    def sign_in_as(self, user, *options):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *user)
        self.succeed("sign-in", *options)
        self.workspace.use_recording_browser()

    def list(self, address=None):
        return subprocess.run(
            ["git", "ls-remote", f"{address or self.server.address}/one.git"], env=self.workspace.environment,
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, start_new_session=True, check=False)

    @complaint(
        "https://github.com/hickford/git-credential-oauth/issues/106",
        "Each git command opens the browser, because the helper keeps nothing",
        "The cache has the sign-in: a second command asks nobody")
    def test_no_browser_for_the_second_command(self):
        self.assertEqual([self.list().returncode, self.list().returncode], [0, 0])
        self.assertFalse((self.workspace.path / "opened").exists())

    @complaint(
        "https://github.com/microsoft/Git-Credential-Manager-for-Windows/issues/424",
        "An editor fetches in the background, and a window asks for the password again and again",
        "Without a terminal, the helper never asks: it says what to type, and git fails at once")
    def test_a_background_fetch(self):
        self.succeed("remove", "--all")
        self.workspace.environment["DISPLAY"] = ":99"
        failed = self.list()
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("Run 'keyturn sign-in'", failed.stderr)

    @complaint(
        "https://github.com/hickford/git-credential-oauth/issues/44",
        "A storage helper forgets when a token expires: every two hours a push fails, and works when repeated",
        "The helper gives the expiry with each token, and a rejected one only once")
    def test_the_expiry(self):
        given = self.succeed("git-credential", "get", "--host", "https://a.example", input="protocol=https\nhost=a.example\n\n")
        self.assertRegex(given, r"(?m)^password_expiry_utc=\d{10}$")
        self.assertEqual(self.list().returncode, 0)
        self.rejected.add(self.server.seen[-1][2])
        self.assertEqual([self.list().returncode != 0, self.list().returncode], [True, 0])

    @complaint(
        "https://github.com/microsoft/Git-Credential-Manager-for-Windows/issues/749",
        "Two accounts at one host: the helper gives the token of the other one",
        "The username in the repository's URL names the account")
    def test_two_accounts(self):
        self.sign_in_as(person.WANG, "--prompt", "select_account")
        for name in (person.ANN[0], person.WANG[0]):
            address = self.server.address.replace("//", f"//{name.replace('@', '%40')}@")
            self.assertEqual((self.list(address).returncode, self.server.seen[-1][1]), (0, name))

    @complaint(
        "https://github.com/git-ecosystem/git-credential-manager/issues/1762",
        "The helper crashes over ssh, where there is no display",
        "It prints nothing on standard output and one reason on standard error")
    def test_without_a_display(self):
        self.succeed("remove", "--all")
        failed = self.workspace.run("git-credential", "get", "--host", "https://a.example", input="protocol=https\nhost=a.example\n\n")
        self.assertEqual((failed.returncode, failed.stdout), (4, ""))
        self.assertTrue(failed.stderr.startswith("keyturn: "))
