"""A user's home for one test: separate configuration, state, cache and runtime folders."""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
KEYTURN = pathlib.Path(os.environ.get("KEYTURN", ROOT / ".build/tests/debug/keyturn"))
# The debug program has the toolchain's libraries beside it, which need memory, and build options that differ.
IS_RELEASE = "release" in KEYTURN.parts
needs_release = unittest.skipUnless(IS_RELEASE, "needs the release build")
# A shell may start the tests in the background with these ignored, which the programs would inherit.
for number, action in (
    (signal.SIGHUP, signal.SIG_DFL), (signal.SIGQUIT, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)
):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, action)
BROWSER = pathlib.Path(__file__).with_name("browser.py")
SLOW_REQUEST = re.compile(r"^  Waiting for \S+ to (respond|send|register).*\n", re.MULTILINE)


class Workspace:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="keyturn-e2e-", ignore_cleanup_errors=True)
        self.path = pathlib.Path(self._folder.name)
        self.environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "HOME": self._make("home"),
            "XDG_CONFIG_HOME": self._make("config"),
            "XDG_STATE_HOME": self._make("state"),
            "XDG_CACHE_HOME": self._make("cache"),
            "XDG_RUNTIME_DIR": self._make("runtime"),
        }
        # Fails: a test that opens a browser without setting one up should notice.
        self._use_browser("exit 1")

    @classmethod
    def copy(cls, other):
        """Another home with a copy of an existing home's content."""
        workspace = cls()
        shutil.copytree(other.path, workspace.path, dirs_exist_ok=True)
        if "BROWSER" not in other.environment:
            del workspace.environment["BROWSER"]
        return workspace

    def close(self):
        self._folder.cleanup()

    def _make(self, name):
        folder = self.path / name
        folder.mkdir(mode=0o700)
        return str(folder)

    def configure(self, name="test", **profile):
        """Writes a configuration file with one profile."""
        folder = self.path / "config/keyturn"
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(
            json.dumps({"defaultProfile": name, "profiles": {name: profile}}, indent=2)
        )

    def use_person(self, username, password, **others):
        """Opens every URL of the program with a user in Chromium."""
        person = {"username": username, "password": password, "result": str(self.path / "browser.json"), **others}
        script = self.path / "person.json"
        script.write_text(json.dumps(person))
        self._use_browser(f'exec {shlex.quote(sys.executable)} {BROWSER} {script} "$1" 2>{self.path}/browser.err')

    def use_recording_browser(self):
        """Records every URL that the program opens, and does nothing else."""
        self._use_browser(f'printf %s "$1" >{self.path}/opened.part && mv {self.path}/opened.part {self.path}/opened')

    def _use_browser(self, line):
        browser = self.path / "browser"
        browser.write_text(f"#!/bin/sh\n{line}\n")
        browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
        self.environment["BROWSER"] = str(browser)

    @property
    def browser_result(self):
        """The result of the user's browser, or None while it runs."""
        try:
            return json.loads((self.path / "browser.json").read_text())
        except FileNotFoundError:
            return None

    @property
    def browser_trouble(self):
        """The standard error of the user's browser."""
        log = self.path / "browser.err"
        return log.read_text() if log.exists() else "no browser was started"

    @property
    def opened_address(self):
        """The URL that the recording browser got, or None."""
        try:
            return (self.path / "opened").read_text()
        except FileNotFoundError:
            return None

    def forget_documents(self):
        """Deletes the cached documents of authorities, so that the program fetches them again."""
        shutil.rmtree(self.path / "cache/keyturn", ignore_errors=True)
        for store in (self.path / "state/keyturn").glob("*.db"):
            with contextlib.closing(sqlite3.connect(store)) as database, database:
                database.execute("DELETE FROM credential WHERE kind = 'Document'")
            # The next command that reads the store reports the missing rows.
            self.run("accounts")

    def forget_browser(self):
        for name in ("browser.json", "opened"):
            (self.path / name).unlink(missing_ok=True)

    def run(self, *arguments, seconds=30, input="", keeps_waits=False, **environment):
        """Runs keyturn without a terminal. Leaves out what it waited for: a busy machine can make any request slow."""
        result = subprocess.run(
            [str(KEYTURN), *arguments],
            input=input,
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**self.environment, **environment},
            check=False,
        )
        if not keeps_waits:
            result.stderr = SLOW_REQUEST.sub("", result.stderr)
        return result
