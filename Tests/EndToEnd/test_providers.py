"""OpenID providers that others wrote: sign in with Chromium, verified claims, silent renewal, removal."""

import unittest

from support.case import SIZES, JourneyCase
from support.provider import start_provider
from support.waiting import wait_until

# Shorter than the margin within which a token counts as expired, so every silent acquisition has to renew.
SOON = "60"


class ProviderJourney(JourneyCase):
    def test_django_allauth(self):
        self.journey("allauth", SIZES[0])

    def test_django_oauth_toolkit(self):
        self.journey("toolkit", SIZES[1])

    def journey(self, name, size):
        provider = self.closing(start_provider(name, AT_TTL=SOON))
        self.configure_for_provider(provider.address)
        self.workspace.use_person("alice", "password1")
        terminal = self.open_keyturn(size=size)

        terminal.press("i")
        landed = self.browser_result(terminal)
        self.assertNotIn("code=", landed["address"])
        self.wait_for_claims(terminal)
        self.close_claims(terminal)
        self.wait_for_account(terminal, "alice")
        self.assertIn("grant authorization_code 200", provider.lines)

        for _ in range(2):
            # The second time with the refresh token that the first renewal rotated in.
            before = provider.lines.count("grant refresh_token 200")
            claims = self.read_claims(terminal)
            self.assertIn("from the authority", claims)
            wait_until(
                lambda: provider.lines.count("grant refresh_token 200") > before, 10, lambda: f"not renewed: {provider.lines}"
            )
            self.close_claims(terminal)

        self.remove_account(terminal, "alice")
        self.quit(terminal)
        self.assert_sane(terminal)
        self.assert_no_secrets(terminal)


if __name__ == "__main__":
    unittest.main()
