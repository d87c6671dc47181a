"""A terminal with `keyturn step`, for journeys and complaints."""

import json
import re

from .case import JourneyCase
from .waiting import wait_until

HELD = "Not sent yet."


class StepCase(JourneyCase):
    def step(self, *arguments, size=(80, 24)):
        return self.open_keyturn("step", *arguments, size=size, shows=HELD)

    def send_until(self, terminal, heading):
        """Sends requests until one with this path is held."""
        for _ in range(8):
            screen = terminal.wait_for("held before request", HELD)
            if heading in screen:
                return screen
            before = re.search(r"held before request (\d+)", screen).group(1)
            terminal.press("n")
            wait_until(
                lambda: HELD in terminal.screen and f"held before request {before} " not in terminal.screen, 20,
                lambda: terminal.screen,
            )
        self.fail(terminal.screen)

    def change(self, terminal, title):
        """Makes the change with this title."""
        terminal.press("E")
        terminal.wait_for("WHAT FOLLOWS")
        for _ in range(20):
            if re.search(rf"› {re.escape(title)}  ", terminal.screen):
                break
            before = terminal.screen
            terminal.press("Down")
            wait_until(lambda: terminal.screen != before, 5, before)
        terminal.press("Enter")
        terminal.wait_for(f"{title}.")

    def accounts(self, *arguments):
        return json.loads(self.workspace.run("accounts", "-o", "json", *arguments).stdout or "[]")
