"""The table of public complaints: what went wrong for users of other programs, tried with this one.

Each row is a test with the decorator `complaint`: the thread, the complaint in our words, and what Keyturn does instead. The
test is the experiment. `python Tests/Field/field.py` prints the table.
"""

import pathlib
import re
import subprocess
import sys
import unittest

if __name__ == "__main__":
    # Behind this folder, which has files of the same names.
    sys.path.append(str(pathlib.Path(__file__).parents[1] / "EndToEnd"))
    sys.modules["field"] = sys.modules["__main__"]

from support.case import JourneyCase
from support.workspace import KEYTURN

THREAD = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+")
# A browser without pages: the server redirects at once.
CURL = 'exec curl --noproxy "*" --silent --location --output /dev/null "$1"'


def complaint(thread, says, does):
    """A row of the table. `says`: the complaint in our words; `does`: what Keyturn does."""
    if not THREAD.fullmatch(thread):
        raise ValueError(f"not a public thread: {thread}")

    def mark(test):
        test.complaint = (thread, says, does)
        return test

    return mark


class FieldCase(JourneyCase):
    """A home with a profile for a provider, and programs that run at the same time."""

    def setUpProvider(self, provider):
        self.provider = self.closing(provider)
        self.configure_for_provider(self.provider.issuer, cache={"key": "keyFile"})
        return self.provider

    def sign_in(self):
        self.succeed("sign-in", "--method", "device")

    def succeed(self, *arguments, **others):
        result = self.workspace.run(*arguments, **others)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refresh(self):
        """Gets a new access token by the cached refresh token."""
        return self.succeed("token", "--force-refresh", "--no-interaction")

    def start(self, *arguments, **others):
        process = subprocess.Popen(
            [KEYTURN, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.workspace.environment, **others)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end(self, process, seconds=60):
        """Returns the exit status, standard output and standard error."""
        output, errors = process.communicate(timeout=seconds)
        return process.returncode, output, errors


def rows(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from rows(test)
        else:
            yield test


def table():
    """The rows as Markdown. Fails for a test without a complaint."""
    folder = pathlib.Path(__file__).parent
    found = sorted(rows(unittest.TestLoader().discover(str(folder), top_level_dir=str(folder))), key=lambda row: row.id())
    lines = ["| Thread | Complaint | Keyturn | Test |", "|---|---|---|---|"]
    for test in found:
        thread, says, does = getattr(test, test._testMethodName).complaint
        lines.append(f"| {thread} | {says} | {does} | {test.id().split('.')[-1]} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
