"""The program inside other programs: signals, closed streams, parallel calls, Kubernetes, and its secrets."""

import json
import os
import re
import shutil
import signal
import subprocess
import unittest
import urllib.parse

import requests

from support import person
from support.case import JourneyCase
from support.provider import start_authority
from support.waiting import wait_until
from support.workspace import KEYTURN, ROOT, SLOW_REQUEST, needs_release

NOBODY = 65534


class ScriptJourney(JourneyCase):
    def setUp(self):
        super().setUp()
        self.authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(self.authority.address, cache={"key": "keyFile"})

    def start(self, *arguments, **others):
        process = subprocess.Popen(
            [str(KEYTURN), *arguments], stdout=subprocess.PIPE, text=True, env=self.workspace.environment,
            **{"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **others})

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def sign_in(self):
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)
        signed_in = self.workspace.run("sign-in")
        self.assertEqual(signed_in.returncode, 0, signed_in.stderr)

    def shell(self, line):
        environment = {**self.workspace.environment, "PATH": f"{KEYTURN.parent}:{os.environ['PATH']}"}
        return subprocess.run(
            ["bash", "-c", line], capture_output=True, text=True, env=environment, timeout=30, check=False,
            stdin=subprocess.DEVNULL)

    def test_signals(self):
        self.workspace.use_recording_browser()
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(number.name):
                self.workspace.forget_browser()
                process = self.start("sign-in", "-o", "json")
                address = self.opened_address()
                process.send_signal(number)
                output, errors = process.communicate(timeout=10)
                self.assertEqual((process.returncode, output), (status, ""))
                error = json.loads(errors)["error"]
                self.assertEqual((error["name"], error["url"]), ("interrupted", address))
                self.assertIn("Run the command again.", error["nextStep"])
                self.assertNotIn("code=", errors)

    def test_a_signal_at_a_command_without_clean_up(self):
        """A command that waits for its input ends at once, with the JSON object."""
        process = self.start("claims", "--token", "-", "-o", "json", stdin=subprocess.PIPE)

        def watches_signals():
            caught = re.search(r"SigCgt:\s*([0-9a-f]+)", self.proc(process, "status"))
            return caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1

        wait_until(watches_signals, 10, "the program does not watch signals")
        process.send_signal(signal.SIGTERM)
        # Before the end of the input, which would end the command too.
        process.wait(timeout=10)
        output, errors = process.communicate(timeout=10)
        self.assertEqual((process.returncode, output), (143, ""))
        self.assertEqual(json.loads(errors)["error"]["name"], "interrupted")

    def test_a_piped_token_is_verified(self):
        """The issuer's keys verify it, and no audience is expected."""
        self.sign_in()
        token = json.loads(self.workspace.run("token", "-o", "json").stdout)["idToken"]
        head, claims, signature = token.split(".")
        changed = ("B" if signature.startswith("A") else "A") + signature[1:]
        for text, signed in ((token, "passed"), (f"{head}.{claims}.{changed}", "failed")):
            result = self.workspace.run("claims", "--token", "-", "-o", "json", input=text)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            verdicts = {each["rule"]: each for each in json.loads(result.stdout)["verdicts"]}
            self.assertEqual(verdicts["Signature"]["outcome"], signed)
            for rule in ("Audience", "Nonce", "Access token hash", "Clock"):
                self.assertEqual(verdicts[rule]["outcome"], "skipped", verdicts[rule])
            self.assertNotRegex(result.stdout, "from the cache|isn't kept|token arrived")

    def test_a_closed_reader(self):
        self.sign_in()
        result = self.shell('keyturn token | true; echo "${PIPESTATUS[0]}"')
        self.assertIn(result.stdout, ("0\n", "1\n"), result.stderr)
        self.assertEqual(result.stderr, "")
        result = self.shell('{ sleep 0.3; keyturn token; echo $? >&2; } | true')
        self.assertEqual(result.stderr, "1\n")

    def test_closed_streams(self):
        """Output for a closed stream is dropped, and never goes to a file that got its number."""
        self.sign_in()
        for line, status in (
            ("keyturn token >&-", 1), ("keyturn token 2>&-", 0), ("keyturn token <&-", 0),
            ("keyturn token <&- >&- 2>&-", 1), ("keyturn token --force-refresh >&- 2>&-", 1),
        ):
            with self.subTest(line):
                result = self.shell(line)
                self.assertEqual(result.returncode, status, result.stderr)
                if ">&-" in line.replace("2>&-", ""):
                    self.assertEqual(result.stdout, "")
        for path, content in self.files().items():
            self.assertNotIn(b"eyJ", content, path)
        self.assertEqual(self.workspace.run("token").returncode, 0)

    def files(self):
        """The store's content, without the journals that SQLite creates and removes."""
        state = self.workspace.path / "state"
        return {path: path.read_bytes() for path in state.rglob("*") if path.is_file() and not re.search("-(wal|shm)$", path.name)}

    def test_a_full_disk(self):
        self.sign_in()
        for command in ("token", "demo --tour"):
            result = self.shell(f"keyturn {command} > /dev/full")
            self.assertEqual(result.returncode, 1)
            self.assertIn("Can't write the output: No space left on device.", result.stderr)

    def test_parallel_calls_share_one_sign_in(self):
        opened = self.workspace.path / "opened.log"
        command = person.browser_command(self.workspace, *person.ANN)
        counting = self.workspace.path / "counting"
        gate = self.workspace.path / "gate"
        os.mkfifo(gate)
        # The user is slow, so that later calls still find the sign-in running.
        counting.write_text(f'#!/bin/sh\necho opened >>{opened}\nread -r _ <{gate}\nexec {command} "$1"\n')
        counting.chmod(0o700)
        self.workspace.environment["BROWSER"] = str(counting)
        told = [self.workspace.path / f"told-{number}" for number in range(5)]
        processes = []
        for path in told:
            with path.open("w") as errors:
                processes.append(self.start("token", "-o", "header", stderr=errors))
        waiting = re.compile(r"Waiting for keyturn \(process \d+\), which is signing in\.")
        wait_until(lambda: sum(bool(waiting.search(path.read_text())) for path in told) == 4, 60, "four calls wait for the fifth")
        gate.write_text("go\n")
        outputs = [process.communicate(timeout=60)[0] for process in processes]
        errors = [path.read_text() for path in told]
        self.assertEqual([process.returncode for process in processes], [0] * 5, errors)
        self.assertEqual(len(set(outputs)), 1)
        self.assertTrue(outputs[0].startswith("Authorization: Bearer "))
        self.assertEqual(opened.read_text(), "opened\n")

    def test_a_failed_sign_in_opens_no_second_one(self):
        self.workspace.use_recording_browser()
        first = self.start("token")
        self.opened_address()
        second = self.start("token")
        line = next(line for line in second.stderr if not SLOW_REQUEST.match(line))
        self.assertEqual(line, f"Waiting for keyturn (process {first.pid}), which is signing in.\n")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.workspace.opened_address).query)
        self.workspace.forget_browser()
        place, state = query["redirect_uri"][0], query["state"][0]
        issuer = urllib.parse.quote(f"{self.authority.address}/common/v2.0", safe="")
        requests.get(f"{place}?error=access_denied&state={state}&iss={issuer}", timeout=20)
        _, errors = second.communicate(timeout=20)
        self.assertEqual(second.returncode, 4)
        self.assertIn("ended without a token", errors)
        self.assertIsNone(self.workspace.opened_address)

    def test_who_waits_takes_over(self):
        """The first process ends while its user signs in: that is no answer of the user."""
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(number.name):
                self.workspace.use_recording_browser()
                self.workspace.forget_browser()
                first = self.start("token", "--force-refresh")
                self.opened_address()
                second = self.start("token", "-o", "header")
                line = next(line for line in second.stderr if not SLOW_REQUEST.match(line))
                self.assertIn("which is signing in", line)
                self.workspace.forget_browser()
                first.send_signal(number)
                self.opened_address()
                second.terminate()
                second.communicate(timeout=20)

    def test_prompts_without_a_terminal_are_in_the_error_object(self):
        for method, words in [("paste", "/authorize?"), ("device", "/device")]:
            with self.subTest(method):
                process = subprocess.Popen(
                    [str(KEYTURN), "sign-in", "--method", method, "-o", "json"], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.workspace.environment,
                    start_new_session=True)
                first = [process.stderr.readline(), process.stderr.readline()]
                self.assertIn(words, first[1])
                if method == "device":
                    process.terminate()
                output, rest = process.communicate(timeout=30)
                self.assertEqual(output, "")
                document = json.loads("".join(first) + rest)
                self.assertIn(words, document["prompts"][0])
                if method == "paste":
                    self.assertEqual(process.returncode, 4)
                    self.assertEqual(document["error"]["name"], "nothingPasted")
                else:
                    self.assertEqual(process.returncode, 143)
                    self.assertEqual(document["error"]["name"], "interrupted")
                    self.assertIn(words, document["error"]["url"])

    def test_without_a_user_nothing_opens(self):
        """Without a terminal, a display and a browser command, and when Kubernetes says so."""
        self.workspace.use_recording_browser()
        info = {"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential", "spec": {"interactive": False}}
        result = self.workspace.run("token", "-o", "exec-credential", KUBERNETES_EXEC_INFO=json.dumps(info))
        self.assertEqual(result.returncode, 4, result.stderr)
        del self.workspace.environment["BROWSER"]
        self.assertEqual(self.workspace.run("token").returncode, 4)
        self.assertIsNone(self.workspace.opened_address)

    def test_a_shell_reads_the_assignments(self):
        self.sign_in()
        result = self.shell('eval "$(keyturn token -o env)"; sh -c \'echo "$KEYTURN_TOKEN_TYPE ${KEYTURN_ACCESS_TOKEN%%.*}"\'')
        self.assertRegex(result.stdout, r"^Bearer eyJ\w+\n$")

    def test_curl_reads_the_header(self):
        self.sign_in()
        result = self.shell(
            f"keyturn token -o header | curl --silent --include -H @- {self.authority.address}/contoso/openid/userinfo")
        self.assertNotEqual(result.stdout, "")
        self.assertEqual(result.stderr, "")

    def test_no_secret_in_arguments_and_no_core(self):
        self.workspace.use_recording_browser()
        process = self.start("sign-in")
        self.opened_address()
        self.assertEqual(self.proc(process, "cmdline").split("\0")[1:], ["sign-in", ""])
        # The hard limit stays for programs that `exec` starts: the process isn't dumpable besides.
        self.assertRegex(self.proc(process, "limits"), r"Max core file size +0 ")

    def test_a_crash_shows_no_memory(self):
        """Swift's runtime would start its backtracer, which prints memory that registers point to; a script replaces it
        here."""
        seen = self.workspace.path / "seen"
        backtracer = self.workspace.path / "swift-backtrace"
        backtracer.write_text(f"#!/bin/sh\ntouch {seen}\n")
        backtracer.chmod(0o755)
        self.workspace.environment["SWIFT_BACKTRACE"] = f"enable=yes,swift-backtrace={backtracer}"
        self.workspace.use_recording_browser()
        folder = self.workspace.path / "folder"
        folder.mkdir()
        for number in (signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(number.name):
                self.workspace.forget_browser()
                process = self.start("sign-in", cwd=folder)
                address = self.opened_address()
                process.send_signal(number)
                output, errors = process.communicate(timeout=10)
                self.assertEqual((process.returncode, output), (-number, ""))
                self.assertEqual(errors.replace(address, "").count("rash"), 0, errors)
                self.assertFalse(seen.exists())
                self.assertEqual(list(folder.iterdir()), [])

    def proc(self, process, name):
        with open(f"/proc/{process.pid}/{name}", encoding="utf-8") as file:
            return file.read()

    @unittest.skipUnless(os.geteuid() == 0, "needs to become another user")
    def test_no_other_process_of_the_user_can_read_its_memory(self):
        """The kernel gives the files of a process that is not dumpable to root, who alone may trace it."""
        program = self.workspace.path / "keyturn"
        shutil.copy(KEYTURN, program)
        program.chmod(0o755)
        self.workspace.path.chmod(0o755)
        home = self.workspace.path / "absent"
        home.mkdir()
        os.chown(home, NOBODY, NOBODY)
        for arguments, owner in (([str(program), "authority", "--port", "0"], 0), (["sleep", "60"], NOBODY)):
            process = subprocess.Popen(
                arguments, user=NOBODY, group=NOBODY, env={"HOME": str(home), "PATH": "/usr/bin"},
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                wait_until(lambda: os.stat(f"/proc/{process.pid}/environ").st_uid == owner, 10, str(arguments))
            finally:
                process.kill()
                process.wait()


@needs_release
class BinaryCheck(unittest.TestCase):
    """Build options that limit the effect of a memory error in a C library."""

    def readelf(self, option):
        return subprocess.run(
            ["readelf", "--wide", option, str(KEYTURN)], capture_output=True, text=True, check=True).stdout

    def test_it_is_hardened(self):
        self.assertRegex(self.readelf("--file-header"), r"Type: +DYN ")
        segments = self.readelf("--program-headers")
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(segments, r"(?m)GNU_STACK .* RW +0")
        self.assertNotRegex(segments, r"LOAD .* RWE ")
        dynamic = self.readelf("--dynamic")
        self.assertRegex(dynamic, r"FLAGS_1.*NOW.*PIE")
        self.assertNotIn("RUNPATH", dynamic)
        symbols = self.readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)

    def test_it_needs_no_swift_runtime(self):
        needed = re.findall(r"NEEDED.*\[(.*)\]", self.readelf("--dynamic"))
        self.assertTrue(needed)
        self.assertEqual([name for name in needed if "swift" in name.lower() or "Foundation" in name], [])
        # Libraries of some commands are loaded on demand.
        self.assertEqual([name for name in needed if re.match("lib(curl|microhttpd|secret|qrencode|gio)", name)], [])


if __name__ == "__main__":
    unittest.main()
