"""Sandboxes: user namespaces, filters of system calls, and other users' folders on the path."""

import ctypes
import errno
import os
import platform
import shutil
import struct
import subprocess
import unittest

from field import FieldCase, complaint
from support.provider import start_authority
from support.secure_provider import SecureProvider, make_authority
from support.workspace import KEYTURN

# No account has these numbers; the kernel needs no names.
USER, COLLEAGUE = 61003, 61004
CALLS = {
    "x86_64": {"clone3": 435, "bind": 49, "socketpair": 53}, "aarch64": {"clone3": 435, "bind": 200, "socketpair": 199}
}.get(platform.machine())


def forbid(name, code=errno.EPERM):
    """For `preexec_fn`: the system call fails with this error (seccomp(2))."""
    load, equal, result = 0x20, 0x15, 0x06
    number = CALLS[name]
    program = b"".join(
        struct.pack("HBBI", *line) for line in [
            (load, 0, 0, 0), (equal, 0, 1, number), (result, 0, 0, 0x0005_0000 | code), (result, 0, 0, 0x7FFF_0000)])
    memory = ctypes.create_string_buffer(program)
    filters = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(memory))
    library = ctypes.CDLL(None, use_errno=True)

    def enter():
        # PR_SET_NO_NEW_PRIVS, and PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
        if library.prctl(38, 1, 0, 0, 0) != 0 or library.prctl(22, 2, filters, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no filter")
        return memory

    return enter


def can_unshare():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "-Ur", "true"], user=USER, group=USER, extra_groups=[], capture_output=True,
        check=False).returncode == 0


class NamespaceRow(FieldCase):
    """A user without privileges, whose home is below root's folders."""

    def setUp(self):
        super().setUp()
        # https: in a namespace, nothing tells root's process from another user's.
        make_authority(self.workspace.path)
        self.provider = self.closing(SecureProvider(self.workspace.path))
        self.configure_for_provider(
            self.provider.issuer, cache={"key": "keyFile"}, caFile=str(self.workspace.path / "ca.pem"))
        self.own(USER)

    def own(self, user, path=None):
        place = path or self.workspace.path
        for each in [place, *place.rglob("*")]:
            os.chown(each, user, user)

    def run_as_user(self, *command, **variables):
        return subprocess.run(
            [str(part) for part in command], env={**self.workspace.environment, **variables}, user=USER, group=USER,
            extra_groups=[], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def assert_works(self, *sandbox):
        for command in (["sign-in", "--method", "device"], ["token", "--force-refresh"], ["accounts"]):
            result = self.run_as_user(*sandbox, KEYTURN, *command)
            self.assertEqual(result.returncode, 0, (sandbox[:1], command, result.stdout + result.stderr))

    @complaint(
        "https://github.com/netblue30/firejail/issues/1082",
        "In a sandbox, root's files belong to nobody, and programs that check owners refuse to work there",
        "Judges such a file by who can write it, and works; the user's own files must still be the user's")
    @unittest.skipUnless(can_unshare(), "skipped: needs root and user namespaces")
    def test_a_user_namespace(self):
        self.assert_works("unshare", "-Ur")
        if shutil.which("bwrap"):
            self.assert_works(
                "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-user", "--bind",
                self.workspace.path, self.workspace.path)
        # A folder that the user can write isn't root's.
        folder = self.workspace.path / "shared"
        folder.mkdir()
        os.chown(folder, COLLEAGUE, USER)
        folder.chmod(0o775)
        shutil.copy(self.workspace.path / "config/keyturn/config.json", folder)
        self.own(USER, folder / "config.json")
        result = self.run_as_user("unshare", "-Ur", KEYTURN, "accounts", "--config", folder / "config.json")
        self.assertEqual(result.returncode, 3, result.stderr)
        # A private file of another user isn't the user's own.
        os.chown(self.workspace.path / "state/keyturn", COLLEAGUE, COLLEAGUE)
        result = self.run_as_user("unshare", "-Ur", KEYTURN, "accounts")
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)

    @complaint(
        "https://github.com/canonical/authd/pull/985",
        "A check of who owns a home folder locks out users who can't change that, when a warning would do",
        "Says which user to trust with KEYTURN_TRUSTED_OWNERS, and then works")
    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root can give files away")
    def test_a_home_below_a_colleagues_folder(self):
        os.chown(self.workspace.path, COLLEAGUE, COLLEAGUE)
        self.workspace.path.chmod(0o755)
        result = self.run_as_user(KEYTURN, "accounts")
        self.assertEqual(result.returncode, 3, result.stderr)
        advice = " ".join(result.stderr.split())
        self.assertIn(f"{self.workspace.path} belongs to another user", advice)
        self.assertIn(f"set KEYTURN_TRUSTED_OWNERS={COLLEAGUE}", advice)
        for owners, status in (("61005", 3), (f"root, {COLLEAGUE}", 0)):
            result = self.run_as_user(
                KEYTURN, "sign-in", "--method", "device", KEYTURN_TRUSTED_OWNERS=owners)
            self.assertEqual(result.returncode, status, result.stderr)


@unittest.skipUnless(CALLS, "skipped: unknown numbers of system calls")
class FilterRow(FieldCase):
    """A filter of system calls, as in sandboxes and old container engines."""

    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.use_recording_browser()

    def fail_without(self, name, *arguments, code=errno.EPERM):
        status, output, errors = self.end(self.start(*arguments, preexec_fn=forbid(name, code)))
        self.assertNotIn(status, (0, None), output)
        self.assertNotIn("ulimit", errors)
        return " ".join(errors.split())

    @complaint(
        "https://github.com/moby/moby/issues/42680",
        "An old container engine forbids a call that threads need; the error names threads, names or limits, not the filter",
        "Says that a filter of system calls forbids it, and to update the container engine")
    def test_threads_that_a_filter_forbids(self):
        for name in ("clone3", "socketpair"):
            with self.subTest(name):
                errors = self.fail_without(name, "sign-in", "--method", "browser")
                self.assertIn("A filter of system calls (seccomp) forbids it", errors)
                self.assertIn("update the container engine", errors)

    @complaint(
        "https://github.com/serverless/serverless/issues/6515",
        "The login can't listen (EACCES); users learn neither why nor what to do, and suspect a program that has the port",
        "Says that a policy of the computer or sandbox forbids to listen, not that a port is below 1024")
    def test_a_listener_that_a_policy_forbids(self):
        errors = self.fail_without("bind", "sign-in", "--method", "browser", code=errno.EACCES)
        self.assertIn("a policy of this computer or sandbox forbids it (Permission denied)", errors)
        self.assertNotIn("1024", errors)
