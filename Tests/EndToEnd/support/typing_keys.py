"""Keys for the program in a terminal, as slow lines send them."""

import time

from .provider import start_authority


class TypingMixin:
    """For a JourneyCase."""

    def start_screen(self, *arguments, shows="No accounts yet.", **environment):
        self.workspace.environment.update(environment)
        self.terminal = self.open_keyturn(*arguments, shows=shows)

    def start_sign_in(self, **environment):
        """A sign-in that waits for a device code."""
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address)
        self.start_screen(**environment)
        self.terminal.send(b"m")
        self.terminal.wait_for("Code expires in")

    def send_slowly(self, keys, seconds):
        """Each byte on its own."""
        for index, byte in enumerate(keys):
            if index:
                time.sleep(seconds)
            self.terminal.send(bytes([byte]))
