"""Machines on which something is missing or limited: each has its own reason and exit status."""

import os
import resource
import shutil
import subprocess
import unittest

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.pseudo_terminal import PseudoTerminal
from support.waiting import wait_until
from support.workspace import KEYTURN, needs_release

IS_ROOT = os.geteuid() == 0


class MachineJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})

    def shell(self, line, *arguments, **environment):
        return subprocess.run(
            ["/bin/sh", "-c", line, str(KEYTURN), *arguments], capture_output=True, text=True, timeout=60, check=False,
            stdin=subprocess.DEVNULL, env={**self.workspace.environment, **environment})

    def sign_in(self):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        signed_in = self.workspace.run("sign-in")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)

    def limited(self, kind, value, *arguments, **environment):
        """Runs the program with a limit of the process. One that hangs fails the test."""
        return subprocess.run(
            [KEYTURN, *arguments], capture_output=True, text=True, timeout=45, check=False, stdin=subprocess.DEVNULL,
            env={**self.workspace.environment, **environment},
            preexec_fn=lambda: resource.setrlimit(kind, (value, value)))

    def test_few_descriptors(self):
        """Whatever needs the next descriptor, the limit is named, and nothing else is blamed."""
        self.sign_in()
        for limit in range(7, 20):
            for command in (["token", "--force-refresh", "--no-interaction"], ["demo"]):
                with self.subTest(limit=limit, command=command):
                    result = self.limited(resource.RLIMIT_NOFILE, limit, *command)
                    if result.returncode == 0:
                        continue
                    said = " ".join((result.stdout + result.stderr).split())
                    self.assertIn("Too many open files", said)
                    self.assertIn("ulimit -n 256", said)
                    for wrong in ("another user", "Install", "free space", "OAuthCore", "LoopbackServer"):
                        self.assertNotIn(wrong, said)

    @needs_release
    def test_little_memory(self):
        """Without memory for its threads, the program ends with the reason."""
        self.sign_in()
        for megabytes in range(60, 210, 10):
            with self.subTest(megabytes):
                result = self.limited(
                    resource.RLIMIT_AS, megabytes << 20, "token", "--force-refresh", "--no-interaction")
                # The Swift runtime and GnuTLS themselves end the process if they get no memory.
                reasons = "ulimit -v|failed to allocate|Error in GnuTLS initialization"
                if result.returncode != 0:
                    self.assertRegex(" ".join(result.stderr.split()), reasons)

    @needs_release
    def test_limits_on_a_terminal(self):
        """The screen needs threads and descriptors of its own. The terminal isn't to blame."""
        for option, value in (*(("-n", number) for number in range(9, 14)), ("-v", 66_000)):
            with self.subTest(option):
                terminal = PseudoTerminal(
                    ["/bin/sh", "-c", f'ulimit {option} {value}; exec "$0" demo', KEYTURN], self.workspace.environment)
                self.addCleanup(terminal.close)
                shown = terminal.read_until(f"ulimit {option}".encode())
                self.assertNotIn(b"another terminal", shown)
                wait_until(lambda: terminal.exit_status() is not None, 10, "the program does not end")
                self.assertEqual(terminal.exit_status(), 1)

    def without_library(self, name, *arguments):
        """Runs the program where a library is damaged."""
        folder = self.workspace.path / "libraries"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("")
        result = self.workspace.run(*arguments, LD_LIBRARY_PATH=str(folder))
        (folder / name).unlink()
        return result

    def test_without_the_http_library(self):
        """Trying again doesn't help. The loader may lack a library that the HTTP library needs."""
        for file, package in (("libcurl.so.4", "libcurl4"), ("libssl.so.3", "libssl3"), ("libnghttp2.so.14", "libnghttp2-14")):
            for command in (["sign-in", "--method", "device"], ["call", "--no-interaction", "https://api.example/"]):
                with self.subTest(file, command=command):
                    self.workspace.forget_documents()
                    result = self.without_library(file, *command)
                    self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
                    self.assertIn(file, result.stderr)
                    self.assertIn(f"Install {package}, or", " ".join(result.stderr.split()))
                    self.assertNotIn("try again", result.stderr)

    def test_without_the_web_server_library(self):
        """Another port doesn't help, but another method does."""
        result = self.without_library("libmicrohttpd.so.12", "sign-in", "--method", "browser")
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        self.assertIn("Install libmicrohttpd12.", result.stderr)
        self.assertIn("--method device", result.stderr)
        self.assertNotIn("--listen", result.stderr)

    def test_a_limit_on_the_size_of_the_output(self):
        """The signal of this limit would end the program without a word."""
        result = self.shell(f'ulimit -f 0; exec "$0" help > {self.workspace.path}/help')
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("Can't write the output: File too large.", result.stderr)
        self.sign_in()
        result = self.shell('ulimit -f 0; exec "$0" token')
        self.assertEqual((result.returncode, result.stdout), (7, ""), result.stderr)
        self.assertIn("ulimit -f", result.stderr)

    def test_a_home_that_is_no_folder(self):
        """Nothing can be cached there: the error names the variable."""
        environment = {"HOME": "/dev/null", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        options = ["--client-id", person.DEMO_CLIENT_ID, "--authority", f"{self.authority.address}/contoso"]
        for command in (["sign-in", "--method", "device", *options], ["token", *options]):
            with self.subTest(command):
                result = subprocess.run(
                    [KEYTURN, *command], capture_output=True, text=True, timeout=30, check=False, env=environment,
                    stdin=subprocess.DEVNULL)
                self.assertEqual((result.returncode, result.stdout), (7, ""), result.stderr)
                self.assertIn("/dev/null is not a folder", result.stderr)
                self.assertIn("Set HOME", result.stderr)

    def test_check_of_a_place_that_no_sign_in_can_write(self):
        """The check ends as a sign-in would, and leaves nothing."""
        for place in ("/proc", "/dev/null"):
            with self.subTest(place):
                checked = self.workspace.run("check", XDG_STATE_HOME=place)
                self.assertEqual(checked.returncode, 7, checked.stdout + checked.stderr)
                self.assertIn(place, checked.stdout)
                self.assertEqual(self.workspace.run("sign-in", XDG_STATE_HOME=place).returncode, 7)
        checked = self.workspace.run("check")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertEqual(list((self.workspace.path / "state").rglob(".keyturn-check*")), [])

    @unittest.skipUnless(IS_ROOT, "skipped: only root can hide /proc")
    def test_without_proc(self):
        result = subprocess.run(
            ["unshare", "--mount", "/bin/sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"', KEYTURN, "--version"],
            capture_output=True, text=True, timeout=30, check=False, env=self.workspace.environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^keyturn \d")

    @unittest.skipUnless(IS_ROOT and shutil.which("ip"), "skipped: only root can switch IPv6 off")
    def test_without_ipv6(self):
        """The redirect URI's host is out of reach: another one is needed, and not another port."""
        script = self.workspace.path / "without-ipv6"
        script.write_text(
            'ip link set lo up && echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 || exit 99\n'
            f'"$0" authority --port 8400 >{self.workspace.path}/authority &\n'
            f'while ! grep -q http {self.workspace.path}/authority; do sleep 0.1; done\n'
            '"$0" sign-in --method browser --redirect-uri "$1"\nstatus=$?; kill $!; exit $status\n')
        self.configure_for_authority("http://127.0.0.1:8400", cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        results = [
            subprocess.run(
                ["unshare", "--net", "/bin/sh", "-c", script.read_text(), KEYTURN, address], capture_output=True, text=True,
                timeout=60, check=False, env=self.workspace.environment)
            for address in ("http://[::1]", "http://localhost")]
        self.assertEqual((results[0].returncode, results[0].stdout), (1, ""), results[0].stderr)
        self.assertIn("needs IPv6, which is off on this computer", results[0].stderr)
        self.assertIn("Use http://127.0.0.1", results[0].stderr)
        self.assertEqual(results[1].returncode, 0, results[1].stderr)


if __name__ == "__main__":
    unittest.main()
