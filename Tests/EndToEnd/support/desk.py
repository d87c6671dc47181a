"""Commands on a terminal, with two accounts."""

from . import person
from .provider import start_authority
from .pseudo_terminal import PseudoTerminal
from .waiting import wait_until
from .workspace import KEYTURN


class DeskMixin:
    """For a JourneyCase: Ann and Wang are signed in."""

    def setUp(self):
        super().setUp()
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        for user in (person.ANN, person.WANG):
            self.workspace.environment["BROWSER"] = person.browser_command(self.workspace, *user)
            result = self.workspace.run("sign-in")
            self.assertEqual(result.returncode, 0, result.stderr)
        del self.workspace.environment["BROWSER"]

    def start_on_terminal(self, *arguments, columns=80, **environment):
        terminal = PseudoTerminal(
            [KEYTURN, *arguments], {**self.workspace.environment, **environment}, columns=columns)
        self.addCleanup(terminal.close)
        return terminal

    def end_on_terminal(self, terminal):
        """The exit status, and all output as lines."""
        seen = b""

        def finished():
            nonlocal seen
            seen += terminal.read()
            return terminal.exit_status() is not None and terminal.is_at_end

        wait_until(finished, 30, lambda: f"the command does not end: {seen!r}")
        return terminal.exit_status(), seen.decode().replace("\r\n", "\n")

    def draw(self, *arguments, **others):
        """What a command prints on a terminal."""
        return self.end_on_terminal(self.start_on_terminal(*arguments, **others))[1]
