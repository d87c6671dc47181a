"""A place for one try after another: an authority, and a signed-in user."""

import json
import re
import signal
import subprocess
import tempfile

from authority import Authority
from support import person
from support.workspace import KEYTURN, Workspace
from tally import Hung, Lost

SOAK = KEYTURN.with_name("soak")
LIMIT = 60
# A signal needs no words.
ENDED_BY_SIGNAL = [128 + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)]


class Ending:
    """How a process ended."""

    def __init__(self, arguments, status, output, errors):
        self.arguments, self.status, self.output, self.errors = arguments, status, output, errors

    def __str__(self):
        return f"keyturn {' '.join(self.arguments)} ended with {self.status}: {self.errors.strip()[-300:]}"


class Lane:
    def __init__(self, **profile):
        self.authority = Authority(SOAK)
        self.interposer = self.authority.interposer
        self.ledger = self.interposer.ledger
        # The sign-ins that were lost to a limit of docs/reliability.md.
        self.spent = 0
        self.workspace = Workspace()
        authority = f"{self.authority.origin}/contoso"
        self.profile = {
            "clientId": person.DEMO_CLIENT_ID, "authority": authority, "authorityType": "aad",
            "knownAuthorities": [authority], "scopes": ["User.Read"], "cache": {"key": "keyFile"}, **profile}
        self.workspace.configure(**self.profile)
        self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *person.ANN)

    def close(self):
        self.authority.close()
        self.workspace.close()

    # The program.

    def start(self, *arguments, environment=None, program=(KEYTURN,), **options):
        # Output goes to a file, so that a process that still runs cannot hold a pipe open.
        files = [tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")]
        options = {"stdin": subprocess.DEVNULL, "stdout": files[0], "stderr": files[1], **options}
        process = subprocess.Popen(
            [*map(str, program), *arguments], env={**self.workspace.environment, **(environment or {})}, **options)
        process.files = files
        return process

    def end(self, process, seconds=LIMIT):
        """Waits until it ends by itself."""
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Hung(f"keyturn {' '.join(process.args[1:])} after {seconds} s") from None
        texts = []
        for file in process.files:
            file.seek(0)
            texts.append(re.sub(r"eyJ[\w.-]+", "…", file.read()))
            file.close()
        # As in a shell.
        return Ending(process.args[1:], 128 - status if status < 0 else status, *texts)

    def run(self, *arguments, allowed=None, seconds=LIMIT, **options):
        ending = self.end(self.start(*arguments, **options), seconds)
        if allowed is not None:
            require(ending, allowed)
        return ending

    def interrupt(self, process, seconds=20):
        """Ends it by Ctrl-C. A request that redeems a code or token is finished first, for ten seconds at most."""
        process.send_signal(signal.SIGINT)
        return self.end(process, seconds)

    # The committed records.

    def sign_in(self):
        self.run("sign-in", allowed={0})

    def commit(self):
        """Makes sure that a complete account exists."""
        if self.run("token", "--force-refresh", "--no-interaction").status != 0:
            self.sign_in()

    def must_hold(self, renewable=True):
        """The account, its token and an unused refresh token are there.

        Without `renewable`, the refresh token may be spent, as docs/reliability.md says, which is counted apart.
        """
        self.interposer.relent()
        listed = self.run("accounts", "-o", "json", allowed={0})
        if [one["username"] for one in json.loads(listed.output)] != [person.ANN[0]]:
            raise Lost(f"the account is gone: {listed.output}")
        self.run("token", "--no-interaction", allowed={0})
        if self.ledger.registrations > 1:
            raise Lost(f"{self.ledger.registrations} client registrations for one user and authority")
        refresh = ("token", "--no-interaction", "--force-refresh")
        allowed = {0} if renewable else None
        if not self.ledger.holds_successor(lambda: self.run(*refresh, allowed=allowed)):
            if renewable:
                raise Lost("the refresh token in the cache is spent")
            self.spent += 1


def require(ending, allowed):
    """It ended as documented: with an expected status, and a readable error if that is not 0."""
    if ending.status not in allowed:
        raise Lost(f"{ending} (expected {sorted(allowed)})")
    if ending.status not in (0, *ENDED_BY_SIGNAL) and not says_what_is_wrong(ending.errors):
        raise Lost(f"{ending}: without a word of what is wrong")


def says_what_is_wrong(errors):
    return re.search("^keyturn: ", errors, re.MULTILINE)
