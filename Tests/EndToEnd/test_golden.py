"""The screens recorded from memory are what a real terminal shows."""

import unittest

from support.case import JourneyCase
from support.waiting import wait_until
from support.workspace import ROOT

SIZES = [(120, 40), (80, 24), (60, 20), (40, 12)]


class GoldenJourney(JourneyCase):
    def test_the_empty_account_list(self):
        self.workspace.configure(
            name="contoso",
            clientId="11111111-2222-3333-4444-555555555555",
            authority="https://login.contoso.example/common",
            authorityType="aad",
            knownAuthorities=["https://login.contoso.example/common"],
            scopes=["User.Read"],
        )
        for columns, rows in SIZES:
            with self.subTest(columns=columns, rows=rows):
                golden = ROOT / f"Tests/ConsoleTests/Screens/accounts-empty-{columns}x{rows}.screen"
                expected = [line.rstrip() for line in golden.read_text().splitlines()]
                terminal = self.open_keyturn(size=(columns, rows), shows="No account yet.")
                wait_until(
                    lambda: terminal.screen.split("\n") == expected,
                    10,
                    lambda: f"expected:\n{golden.read_text()}\nshown:\n{terminal.screen}",
                )
                self.quit(terminal)
                terminal.close()


if __name__ == "__main__":
    unittest.main()
