"""What was issued stays usable: parallel programs, signals, full disks, registrations, other writers."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import threading
import time
import unittest

from field import CURL, FieldCase, complaint
from strict_provider import StrictProvider
from support.crowd import unified_cache
from support.waiting import wait_until
from support.workspace import KEYTURN


class RefreshRow(FieldCase):
    """Refresh tokens for one use."""

    def setUp(self):
        super().setUp()
        self.setUpProvider(StrictProvider())
        self.sign_in()

    @complaint(
        "https://github.com/anomalyco/opencode/issues/49439",
        "Seven processes share one sign-in with tokens of five minutes. One day two of them refresh at the same time, the "
        "provider sees a used token and revokes the family: signed out until somebody notices",
        "One process refreshes, the others take its result")
    def test_seven_processes_refresh_at_once(self):
        self.provider.lifetime = 60
        for _ in range(2):
            processes = [self.start("token", "--force-refresh", "--no-interaction") for _ in range(7)]
            results = [self.end(process) for process in processes]
            self.assertEqual([status for status, _, _ in results], [0] * 7, results)
        self.assertEqual(self.provider.revoked, set())
        self.refresh()

    def stop_during_refresh(self, number):
        """Sends a signal when the provider has used the token and not yet responded. The sign-in must survive."""
        self.provider.holds = True
        process = self.start("token", "--force-refresh", "--no-interaction")
        self.assertTrue(self.provider.has_used.wait(20))
        process.send_signal(number)
        # The response comes after the signal, as on a slow network.
        self.provider.may_respond.set()
        status, _, errors = self.end(process)
        self.assertIn(status, (128 + number, -number), errors)
        self.refresh()
        self.assertEqual(self.provider.revoked, set())

    @complaint(
        "https://github.com/googleworkspace/cli/pull/52",
        "Ctrl-C while the program replaces its credentials leaves it signed out for good",
        "The response of a refresh is awaited and stored first. The exit status is that of the signal")
    def test_interrupt_during_a_refresh(self):
        self.stop_during_refresh(signal.SIGINT)

    @complaint(
        "https://github.com/anthropics/claude-code/issues/93537",
        "A supervisor ends idle sessions. If one is in the middle of a refresh, the stored token is one that the provider "
        "has already consumed",
        "The same for SIGTERM")
    def test_termination_during_a_refresh(self):
        self.stop_during_refresh(signal.SIGTERM)

    @complaint(
        "https://github.com/damianvtran/local-operator/pull/945",
        "A request has a time limit that includes the refresh. When it passes, the refresh is abandoned and the rotated "
        "token with it: every session must sign in again",
        "`timeout 1 keyturn token` keeps the new refresh token")
    def test_a_time_limit_around_a_refresh(self):
        self.provider.holds = True
        command = ["timeout", "1", str(KEYTURN), "token", "--force-refresh", "--no-interaction"]
        process = subprocess.Popen(
            command, env=self.workspace.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        # Responds only after the signal: `timeout` ends when the program does, so wait for the signal's time to pass.
        responding = threading.Timer(1.5, self.provider.may_respond.set)
        responding.start()
        self.addCleanup(responding.cancel)
        self.assertEqual(process.wait(30), 124)
        self.refresh()
        self.assertEqual(self.provider.revoked, set())

    @complaint(
        "https://github.com/D00mch/souz/pull/711",
        "A refresh response without a refresh token erases the stored one",
        "The stored refresh token stays (RFC 6749 §6)")
    def test_a_response_without_a_refresh_token(self):
        self.provider.omits_refresh_token = True
        self.refresh()
        self.refresh()
        self.assertEqual(self.provider.refreshes, 2)

    @complaint(
        "https://github.com/neondatabase/neon-pkgs/pull/385",
        "The refresh succeeds, the API request after it fails, and the new tokens are never saved; a 401 of the API even "
        "deletes the credentials",
        "Tokens are saved before the API is called. A 401 deletes nothing")
    def test_an_api_that_fails_after_the_refresh(self):
        for status in (500, 401):
            self.refresh()
            self.provider.api_status = status
            self.workspace.run("call", "--scope", "email", f"{self.provider.issuer}/api", "--no-interaction")
            self.refresh()
        self.assertEqual(self.provider.revoked, set())

    @complaint(
        "https://github.com/can1357/oh-my-pi/issues/870",
        "A provider's error text contains the refresh token, and the log that quotes it goes to a shared service",
        "Error texts of servers are masked and cut, also with -vv")
    def test_an_error_text_with_tokens(self):
        def quotes(token):
            # The access token's tail has no form that a program could know.
            access = self.provider.secrets[-3 if self.provider.secrets[-1].count(".") == 2 else -1]
            text = f"duplicate key value (refresh_token)=({token}) in row ({access[-24:]})"
            return 500, "application/json", json.dumps({"error": "server_error", "error_description": text})

        for detail in ([], ["-v"], ["-vv"]):
            self.provider.refuses = quotes
            result = self.workspace.run("token", "--force-refresh", "--no-interaction", *detail)
            self.assertNotEqual(result.returncode, 0)
            for secret in self.provider.secrets:
                self.assertNotIn(secret[-20:], result.stderr + result.stdout)


class FullDiskRow(FieldCase):
    def setUp(self):
        super().setUp()
        self.setUpProvider(StrictProvider())
        self.sign_in()

    def run_on_full_disk(self, *arguments):
        """No file can become larger than the largest one is, as on a full disk."""
        largest = max(file.stat().st_size for file in (self.workspace.path / "state").rglob("*") if file.is_file())

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))

        # The pipes are not files.
        return self.end(self.start(*arguments, preexec_fn=limit))

    @complaint(
        "https://github.com/openclaw/openclaw/pull/88029",
        "The disk is full while the credentials are rewritten. The file is empty or cut afterwards, and no sign-in is left",
        "No refresh token is sent that could not be replaced; the cache stays as it was")
    def test_a_refresh_on_a_full_disk(self):
        status, output, errors = self.run_on_full_disk("token", "--force-refresh", "--no-interaction")
        self.assertTrue(status == 7 and self.provider.refreshes == 0 or output, errors)
        self.assertEqual(len(json.loads(self.succeed("accounts", "-o", "json"))), 1)
        if self.provider.refreshes == 0:
            self.refresh()

    @complaint(
        "https://github.com/google/google-authenticator/issues/390",
        "With a full disk nobody can sign in to make room, because the program must write a file first",
        "A cached token needs no write")
    def test_a_cached_token_on_a_full_disk(self):
        cached = self.succeed("token", "--no-interaction")
        status, output, errors = self.run_on_full_disk("token", "--no-interaction")
        self.assertEqual((status, output), (0, cached), errors)


@unittest.skipUnless(os.geteuid() == 0, "only root can act as a user whom permissions stop")
class ClosedFolderRow(FieldCase):
    """A user with a signed-in account, whose cache can't be written any more."""

    USER = 61003

    def setUp(self):
        super().setUp()
        self.setUpProvider(StrictProvider())
        self.requests = []
        usual = self.provider.post
        self.provider.post = lambda handler, body: (self.requests.append(handler.path), usual(handler, body))
        (self.workspace.path / "msal.json").write_text(unified_cache(2))
        for path in [self.workspace.path, *self.workspace.path.rglob("*")]:
            os.chown(path, self.USER, self.USER)
        self.assertEqual(self.run_as_user("sign-in", "--method", "device")[0], 0)
        self.state = self.workspace.path / "state/keyturn"

    def run_as_user(self, *arguments):
        return self.end(self.start(*arguments, user=self.USER, group=self.USER, extra_groups=[]))

    def must_spend_nothing(self, reason):
        file = str(self.workspace.path / "msal.json")
        for command in (
            ["sign-in", "--method", "device"], ["sign-in", "--method", "browser"], ["import", "unified", file],
            ["token", "--force-refresh", "--no-interaction"],
        ):
            self.requests.clear()
            status, _, errors = self.run_as_user(*command)
            self.assertEqual((status, self.requests), (7, []), errors)
            self.assertIn(reason, " ".join(errors.split()))

    @complaint(
        "https://github.com/Azure/azure-cli/issues/12392",
        "Another user, such as root once, owns the file or the folder of the tokens. The sign-in begins nevertheless, and ends with "
        "a stack trace",
        "Nothing is requested and no page opens: exit status 7, the file and the reason")
    def test_files_without_permission(self):
        files = list(self.state.iterdir())
        for path in files:
            path.chmod(0o400)
        self.must_spend_nothing("Permission denied")
        for path in files:
            path.chmod(0o600)
        self.state.chmod(0o500)
        # All files are there.
        self.assertEqual(self.run_as_user("sign-in", "--method", "device")[0], 0)
        for companion in self.state.glob("*.db-*"):
            companion.unlink()
        self.must_spend_nothing("Permission denied")
        self.state.chmod(0o700)
        self.assertEqual(self.run_as_user("token", "--force-refresh", "--no-interaction")[0], 0)


class OtherWriterRow(FieldCase):
    """A cache file that other programs write, with their sample code."""

    def setUp(self):
        super().setUp()
        self.file = self.workspace.path / "shared.json"
        self.content = unified_cache(60)
        self.file.write_text(self.content)
        self.file.chmod(0o600)
        self.workspace.configure(
            clientId="6731de76-14a6-49ae-97bc-6eba6914391e", authority="https://login.microsoftonline.com/common",
            scopes=["User.Read"], cache={"kind": "unified", "path": str(self.file)})

    def number_of_accounts(self):
        return len(json.loads(self.succeed("accounts", "-o", "json")))

    @complaint(
        "https://github.com/Azure/azure-cli/issues/21848",
        "The shared token cache is cut after a kill in the middle of a write. Every command fails with a parser's error, and "
        "the advice is to delete all sign-ins",
        "The command names the file and exits with 7. It changes nothing")
    def test_a_cache_that_is_cut(self):
        cut = self.content[: len(self.content) // 2]
        self.file.write_text(cut)
        for command in (["accounts"], ["token", "--no-interaction"]):
            result = self.workspace.run(*command)
            self.assertEqual(result.returncode, 7, result.stderr)
            self.assertIn(str(self.file), result.stderr)
        self.assertEqual(self.file.read_text(), cut)

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-extensions-for-python/pull/150",
        "While one process rewrites the cache, another reads it empty and says that the user doesn't exist",
        "An empty file is read again until it has content")
    def test_a_reader_beside_a_writer(self):
        ended = threading.Event()

        def rewrite():
            while not ended.is_set():
                with open(self.file, "w") as handle:
                    ended.wait(0.005)
                    handle.write(self.content)
                ended.wait(0.005)

        writer = threading.Thread(target=rewrite)
        writer.start()
        self.addCleanup(writer.join)
        self.addCleanup(ended.set)
        self.assertEqual([self.number_of_accounts() for _ in range(20)], [60] * 20)

    @complaint(
        "https://github.com/bman654/clodex/pull/15",
        "'Empty' and 'unreadable' have the same result, so a list that can't be read for a moment counts as one without "
        "sign-ins, and what depends on it is deleted",
        "A file that another program has emptied is an error (7), not a list without accounts")
    def test_an_emptied_cache(self):
        self.assertEqual(self.number_of_accounts(), 60)
        # Still open: its writer was stopped after it had emptied the file.
        with open(self.file, "w"):
            result = self.workspace.run("accounts")
            self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
        self.assertEqual(self.file.read_bytes(), b"")


class RegistrationRow(FieldCase):
    """Clients that register themselves."""

    def setUp(self):
        super().setUp()
        self.provider = self.closing(StrictProvider())
        self.workspace._use_browser(CURL)

    def has_token(self, name):
        return self.workspace.run("token", "--resource", self.provider.resource(name), "--no-interaction").returncode == 0

    @complaint(
        "https://github.com/anthropics/claude-code/issues/84614",
        "The server forgot the client. Every further sign-in sends the same dead client ID, and the browser shows raw JSON",
        "A sign-in that brought no response makes the registration suspect: the next one registers again")
    def test_a_server_that_forgot_the_client(self):
        resource = ["--resource", self.provider.resource("mcp")]
        self.succeed("sign-in", *resource)
        self.provider.clients = {"native"}
        process = self.start("sign-in", *resource)
        # The browser got an error page, so the user gives up.
        wait_until(lambda: process.poll() is not None or self.is_waiting(process), 20, "no sign-in")
        process.send_signal(signal.SIGINT)
        self.assertIn(self.end(process)[0], (130, -signal.SIGINT))
        self.succeed("sign-in", *resource)
        self.assertEqual(self.provider.registrations, 2)
        self.assertTrue(self.has_token("mcp"))

    def is_waiting(self, process):
        """Whether the program listens for the browser."""
        with contextlib.suppress(OSError):
            sockets = [os.readlink(entry.path) for entry in os.scandir(f"/proc/{process.pid}/fd")]
            listening = {
                f"socket:[{line.split()[9]}]" for table in ("tcp", "tcp6")
                for line in open(f"/proc/net/{table}").readlines()[1:] if line.split()[3] == "0A"}
            return bool(listening & set(sockets))
        return False

    @complaint(
        "https://github.com/anthropics/claude-code/issues/15320",
        "Several servers start at once and sign in. All want the same port: the first succeeds, the others crash",
        "The second sign-in waits for the first. All succeed, with one registration")
    def test_sign_ins_that_start_at_once(self):
        names = ["one", "two", "three"]
        processes = [self.start("sign-in", "--resource", self.provider.resource(name)) for name in names]
        results = [self.end(process) for process in processes]
        self.assertEqual([status for status, _, _ in results], [0, 0, 0], results)
        self.assertEqual([self.has_token(name) for name in names], [True] * 3)
        self.assertEqual(self.provider.registrations, 1)


class TurnRow(FieldCase):
    """Programs that need the same sign-in."""

    def setUp(self):
        super().setUp()
        self.setUpProvider(StrictProvider())

    @complaint(
        "https://github.com/int128/kubelogin/issues/389",
        "Three commands start at once and all sign in. Two of them fail because the port is in use",
        "One signs in, the others use its token")
    def test_three_commands_without_a_sign_in(self):
        self.workspace._use_browser(CURL)
        processes = [self.start("token") for _ in range(3)]
        results = [self.end(process) for process in processes]
        self.assertEqual([status for status, _, _ in results], [0, 0, 0], results)
        self.assertEqual(len({output for _, output, _ in results}), 1)

    @complaint(
        "https://github.com/int128/kubelogin/issues/1366",
        "After a while every command hangs without a word, also when it is run by hand. An earlier one holds the lock",
        "The wait has a limit. The error names the process that holds the turn, and says that it is suspended")
    def test_a_stopped_program_holds_the_turn(self):
        self.sign_in()
        self.provider.holds = True
        holder = self.start("token", "--force-refresh", "--no-interaction")
        self.assertTrue(self.provider.has_used.wait(20))
        holder.send_signal(signal.SIGSTOP)
        self.addCleanup(holder.send_signal, signal.SIGCONT)
        result = self.workspace.run("token", "--force-refresh", "--no-interaction", seconds=60)
        self.assertEqual(result.returncode, 6, result.stderr)
        self.assertIn(str(holder.pid), result.stderr)
        self.assertIn("is suspended", result.stderr)


if __name__ == "__main__":
    unittest.main()


NO_LOCKS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static int refused(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

#define STAND_IN(name)                                                  \
    int name(int file, int command, ...) {                              \
        va_list rest;                                                   \
        va_start(rest, command);                                        \
        void *argument = va_arg(rest, void *);                          \
        va_end(rest);                                                   \
        if (refused(command)) { errno = ERROR; return -1; }             \
        int (*real)(int, int, ...) = dlsym(RTLD_NEXT, #name);           \
        return real(file, command, argument);                           \
    }
STAND_IN(fcntl)
STAND_IN(fcntl64)

int flock(int file, int operation) { errno = ERROR; return -1; }
"""


class LockRow(FieldCase):
    """A network file system without locks, simulated between the program and the C library."""

    @complaint(
        "https://github.com/SwissDataScienceCenter/renku-python/issues/3669",
        "On a home directory over NFS the program waits, and then blames another program for a lock that can't be had",
        "Says at once that the file system has no locks, and how to put the cache elsewhere")
    def test_a_file_system_without_locks(self):
        self.setUpProvider(StrictProvider())
        for error in ("ENOLCK", "ENOSYS"):
            shim = self.workspace.path / f"{error}.so"
            subprocess.run(
                ["clang", "-shared", "-fPIC", f"-DERROR={error}", "-x", "c", "-", "-o", shim], input=NO_LOCKS, text=True,
                check=True)
            for cache in ({"key": "keyFile"}, {"kind": "unified", "path": str(self.workspace.path / "shared.json")}):
                with self.subTest(error=error, cache=cache):
                    self.configure_for_provider(self.provider.issuer, cache=cache)
                    self.workspace.environment["LD_PRELOAD"] = str(shim)
                    started = time.monotonic()
                    result = self.workspace.run("sign-in", "--method", "device")
                    del self.workspace.environment["LD_PRELOAD"]
                    self.assertEqual(result.returncode, 7, result.stderr)
                    self.assertIn("has no file locks", result.stderr)
                    self.assertIn("XDG_STATE_HOME", result.stderr)
                    self.assertLess(time.monotonic() - started, 5)
