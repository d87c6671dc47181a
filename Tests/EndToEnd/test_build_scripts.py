"""The scripts of a build on computers that lack something: each says so in one sentence. Programs of the computer are replaced."""

import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

from support.workspace import ROOT

SWIFT = 'echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"'
TOOLS = ["sh", "sed", "head", "grep", "mktemp", "rm", "cat", "tail", "env", "dirname", "stat", "git", "touch", "true"]


class BuildScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="keyturn-e2e-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.path.chmod(0o755)
        self.programs = self.path / "bin"
        self.programs.mkdir()
        for name in TOOLS:
            (self.programs / name).symlink_to(shutil.which(name))
        self.program("swift", SWIFT)
        self.program("id", "echo 1000")
        self.program("dpkg-query", "exit 1")
        self.program("apt-get", f"echo \"$@\" >>{self.path}/apt")

    def program(self, name, line):
        file = self.programs / name
        file.unlink(missing_ok=True)
        file.write_text(f"#!/bin/sh\n{line}\n")
        file.chmod(0o755)

    def run_script(self, name, *arguments, cwd=ROOT, stdin=subprocess.DEVNULL, **environment):
        return subprocess.run(
            [ROOT / "scripts" / name, *arguments], cwd=cwd, stdin=stdin, capture_output=True, text=True, check=False,
            env={"PATH": str(self.programs), "LANG": "C.UTF-8", "HOME": str(self.path), **environment})

    def assert_refuses(self, result, words):
        """One sentence, or two: what is wrong, and what to do."""
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"\Akeyturn: [^\n]+\n\Z")
        self.assertIn(words, result.stderr)

    def dependencies(self, **others):
        return self.run_script("install-dependencies", "build", **others)

    def was_changed(self):
        return (self.path / "apt").exists()

    def test_a_missing_or_old_toolchain_is_reported_before_anything_is_installed(self):
        self.program("swift", 'echo "Swift version 6.1.2 (swift-6.1.2-RELEASE)"')
        self.assert_refuses(self.dependencies(), "this Swift toolchain is 6.1. Install 6.2 or later")
        (self.programs / "swift").unlink()
        self.assert_refuses(self.dependencies(), "the Swift toolchain is missing")
        self.assert_refuses(self.dependencies(SUDO_USER="ann"), "Run make without sudo")
        self.assertFalse(self.was_changed())

    def test_a_toolchain_that_needs_packages_to_start_gets_them_first(self):
        self.program("id", "echo 0")
        self.program("swift", "echo 'swift: error while loading shared libraries: libxml2.so.2: cannot open' >&2; exit 127")
        self.assert_refuses(self.dependencies(), "this Swift toolchain does not start: swift: error while loading")
        self.assertTrue(self.was_changed())

    def test_a_small_disk_is_reported_before_the_build(self):
        self.program("df", 'echo Avail; echo " 900"')
        result = self.run_script("install-dependencies", "build", cwd=self.path)
        self.assert_refuses(result, "a build needs 1000 MB, and this folder's disk has only 900 MB.")
        self.assertFalse(self.was_changed())

    def test_without_privileges(self):
        self.assert_refuses(self.dependencies(), "only root can install packages, and sudo is missing. As root, run: apt-get update &&")
        self.program("sudo", 'echo "sudo: a password is required" >&2; exit 1')
        self.assert_refuses(self.dependencies(), "sudo needs a password, and there is no terminal to type it. As root, run:")
        self.assertFalse(self.was_changed())

    def test_sudo_asks_and_refuses_on_the_terminal(self):
        self.program("sudo", '[ "$1" = -v ] && echo "ann is not in the sudoers file." >&2; exit 1')
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, terminal)
        result = self.dependencies(stdin=terminal)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr, r"\Aann is not in the sudoers file\.\nkeyturn: sudo gave no permission to install packages\. As root, [^\n]*\n\Z")
        self.assertFalse(self.was_changed())

    def test_sudo_runs_apt(self):
        self.program("sudo", 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"')
        result = self.dependencies()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("libsqlite3-dev", (self.path / "apt").read_text())

    def test_what_apt_says_is_one_sentence(self):
        self.program("id", "echo 0")
        for said, words in (
            ("W: Failed to fetch http://x/InRelease  Temporary failure resolving 'x'", "apt can't reach its package servers"),
            ("E: You don't have enough free space in /var/cache/apt/archives/.", "the disk is too full"),
            ("dpkg: error processing archive x (--unpack): No space left on device", "the disk is too full"),
        ):
            with self.subTest(said):
                self.program("apt-get", f'echo "{said}" >&2; exit 100')
                self.assert_refuses(self.dependencies(), words)
        self.program("apt-get", 'echo "E: Unmet dependencies" >&2; exit 100')
        result = self.dependencies()
        self.assertIn("E: Unmet dependencies\nkeyturn: apt-get could not install: libncurses-dev", result.stderr)

    def prepare_install(self, folder, **others):
        self.program("make", f'echo "$@" >{self.path}/made')
        return self.run_script("prepare-install", ".build/release/keyturn", folder, cwd=self.path, **others)

    def test_the_release_is_built_before_an_installation(self):
        result = self.prepare_install(self.path / "new/prefix")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual((self.path / "made").read_text(), "--no-print-directory release\n")

    def test_a_folder_that_cant_be_written_is_reported_before_the_build(self):
        # Not even root can write there.
        self.assert_refuses(self.prepare_install("/dev/null/usr"), f"make install PREFIX={self.path}/.local")
        self.assertFalse((self.path / "made").exists())

    def test_root_installs_what_a_user_has_built(self):
        self.program("id", "echo 0")
        (self.programs / "swift").unlink()
        self.assert_refuses(self.prepare_install(self.path), "Run 'make release' without sudo")
        program = self.path / ".build/release/keyturn"
        program.parent.mkdir(parents=True)
        program.write_text("")
        program.chmod(0o755)
        result = self.prepare_install(self.path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertFalse((self.path / "made").exists())


class PackageVersion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="keyturn e2e-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "sources"
        (self.path / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "scripts/package-version", self.path / "scripts")
        self.plist = self.path / "Resources/Info.plist"
        self.plist.parent.mkdir()
        self.set("0.2.0")

    def set(self, version):
        self.plist.write_text(f"<key>CFBundleShortVersionString</key>\n<string>{version}</string>\n")

    def git(self, *words):
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@contoso.example")
        subprocess.run(["git", *identity, *words], cwd=self.path, check=True, capture_output=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--allow-empty", "--message", "Change it")

    def run_script(self, path=None, **environment):
        return subprocess.run(
            [(path or self.path) / "scripts/package-version"], capture_output=True, text=True, check=False,
            env={**os.environ, **environment})

    def version(self):
        result = self.run_script()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.strip()

    def test_it_grows_with_each_commit(self):
        self.assertEqual(self.version(), "0.2.0")
        self.git("init")
        self.commit()
        versions = [self.version()]
        self.assertEqual(versions, ["0.2.0"])
        for _ in range(11):
            self.commit()
            versions.append(self.version())
        self.assertRegex(versions[-1], r"\A0\.2\.0\+11\.g[0-9a-f]{10}\Z")
        self.set("0.2.1")
        self.assertRegex(self.version(), r"\A0\.2\.1\+\d+\.g[0-9a-f]{10}\.dirty\Z")
        self.commit()
        versions.append(self.version())
        self.assertEqual(versions[-1], "0.2.1")
        for former, later in zip(versions, versions[1:]):
            subprocess.run(["dpkg", "--compare-versions", former, "lt", later], check=True)

    def test_a_packager_chooses_another(self):
        self.assertEqual(self.run_script(KEYTURN_VERSION="0.2.0~rc1").stdout, "0.2.0~rc1\n")

    def test_a_clone_without_history(self):
        self.git("init")
        self.commit()
        self.commit()
        clone = self.path.parent / "clone"
        self.git("clone", "--depth", "1", f"file://{self.path}", clone)
        result = self.run_script(clone)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"\Akeyturn: [^\n]*'git fetch --unshallow' first\.\n\Z")


if __name__ == "__main__":
    unittest.main()


class UnsteadyTests(unittest.TestCase):
    """What fails beside others runs once more, alone."""

    def journeys(self, *bodies):
        """The exit status and the output of a run over a test with each body."""
        with tempfile.TemporaryDirectory(prefix="keyturn-e2e-") as folder:
            tests = "".join(f"    def test_{number}(self):\n        {body}\n" for number, body in enumerate(bodies))
            pathlib.Path(folder, "test_one.py").write_text(
                f"import pathlib, unittest\nmark = pathlib.Path({folder!r}, 'mark')\n"
                f"class Case(unittest.TestCase):\n{tests}"
            )
            run = subprocess.run(
                [sys.executable, ROOT / "scripts/run-journeys", folder], capture_output=True, text=True, check=False
            )
            return run.returncode, run.stdout

    def test_a_test_that_passes_alone(self):
        status, output = self.journeys("pass", "mark.exists() or (mark.touch(), self.fail('too slow'))")
        self.assertEqual(status, 0)
        self.assertIn("AssertionError: too slow", output)
        self.assertIn("UNSTEADY test_one.Case.test_1 failed beside other tests and passed alone.", output)
        self.assertNotIn("test_0 failed", output)

    def test_a_test_that_fails_twice(self):
        status, output = self.journeys("self.fail('always')")
        self.assertNotEqual(status, 0)
        self.assertEqual(output.count("AssertionError: always"), 2)
        self.assertNotIn("UNSTEADY", output)

    def test_several_failures_are_no_accident(self):
        status, output = self.journeys(*["self.fail('always')"] * 4)
        self.assertNotEqual(status, 0)
        self.assertNotIn("once more", output)

    def test_a_module_that_cannot_be_loaded(self):
        status, output = self.journeys("pass", "(")
        self.assertNotEqual(status, 0)
        self.assertIn("SyntaxError", output)
