"""Programs of others: the Info.plist of an Xcode project, redirect URIs, and sign-ins that nobody completes."""

import json
import plistlib
import signal
import unittest

from field import FieldCase, complaint
from support.provider import start_authority

GUID = "11111111-2222-3333-4444-555555555555"
SETTING = "$(PRODUCT_BUNDLE_IDENTIFIER)"
PLACE = "CFBundleURLTypes › CFBundleURLSchemes"


class XcodeProjectTests(FieldCase):
    def check(self, *arguments, scheme="msauth.com.example.app", identifier="com.example.app", **others):
        """The exit status and the findings by subject, for the Info.plist of an application for iOS."""
        plist = self.workspace.path / "Info.plist"
        application = {
            "CFBundleIdentifier": identifier, "LSRequiresIPhoneOS": True,
            "CFBundleURLTypes": [{"CFBundleURLSchemes": [scheme] if scheme else []}],
            "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"], **others,
        }
        plist.write_bytes(plistlib.dumps(application))
        result = self.workspace.run(
            "check", "--offline", "--info-plist", str(plist), "--client-id", GUID, "-o", "json", *arguments)
        findings = [finding for section in json.loads(result.stdout)["sections"] for finding in section["findings"]]
        return result.returncode, {finding["subject"]: finding for finding in findings}

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-objc/issues/1431",
        "The error asks for a scheme that the Info.plist already has, with a build setting in the place of the bundle ID.",
        "Takes the bundle ID from the redirect URI, says so, and finds the scheme.")
    def test_build_setting(self):
        code, findings = self.check(scheme=f"msauth.{SETTING}", identifier=SETTING)
        self.assertEqual(code, 0, findings)
        self.assertIn("this is the source file", findings["Bundle identifier"]["fact"])
        self.assertEqual(findings["Scheme in the Info.plist"]["verdict"], "passed")
        code, findings = self.check(
            "--redirect-uri", "msauth.com.arby.app://auth", scheme=f"msauth.{SETTING}", identifier=SETTING)
        self.assertEqual(code, 0, findings)
        self.assertIn("becomes com.arby.app", findings["Bundle identifier"]["fact"])
        self.assertEqual(findings["Broker redirect"]["verdict"], "passed")

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-objc/issues/2866",
        "\"The bundle ID does not match\", for a redirect URI that only looks wrong in another place.",
        "Names the difference: slash, path, query, host.")
    def test_near_miss(self):
        for ending, words in (
            ("auth/", 'a "/" at its end'), ("auth/callback", "the path"), ("auth?x=y", "a query"), ("login", 'the host "login"'),
        ):
            with self.subTest(ending=ending):
                _, findings = self.check("--redirect-uri", f"msauth.com.example.app://{ending}")
                self.assertIn(words, findings["Broker redirect"]["fact"])
                self.assertEqual(findings["Broker redirect"]["fix"], "Use msauth.com.example.app://auth.")

    @complaint(
        "https://github.com/microsoftconnect/ms-intune-app-sdk-ios/issues/152",
        "msauth.[BUNDLE_ID]://auth was copied from the instructions, and no message says what is wrong with it.",
        "Names the placeholder and the URI to write.")
    def test_placeholder(self):
        code, findings = self.check("--redirect-uri", "msauth.[BUNDLE_ID]://auth")
        self.assertEqual(code, 3)
        self.assertIn('"[BUNDLE_ID]" in the place of the bundle identifier', findings["Redirect URI"]["fact"])
        self.assertEqual(findings["Redirect URI"]["fix"], 'Write "msauth.com.example.app://auth".')

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-objc/issues/2183",
        "The Info.plist lists msauth alone. Sign-in fails, and the App Store rejects the application.",
        "Says what to replace it with.")
    def test_scheme_without_bundle(self):
        code, findings = self.check(scheme="msauth")
        self.assertEqual(code, 3)
        self.assertEqual(
            findings["Scheme in the Info.plist"]["fix"], f"Replace msauth with msauth.com.example.app in {PLACE}.")

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-objc/pull/182",
        "A blank in the scheme of the Info.plist: the error asks for the scheme that one sees there.",
        "Quotes the scheme, so that the blank is visible, and says what to replace it with.")
    def test_blank(self):
        _, findings = self.check(scheme="msauth.com.example.app ")
        self.assertEqual(
            findings["Scheme in the Info.plist"]["fix"],
            f'Replace "msauth.com.example.app " with msauth.com.example.app in {PLACE}.')

    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/1620",
        "A redirect URI that iOS can't return to isn't noticed before the broker stays on the screen.",
        "Checks an iOS application by the rules of iOS, without advice that holds on Linux only.")
    def test_ios_rules(self):
        code, findings = self.check("--redirect-uri", "http://localhost")
        self.assertEqual(code, 3)
        self.assertEqual(findings["Redirect URI"]["fix"], "Use msauth.com.example.app://auth.")
        _, findings = self.check(scheme=None)
        self.assertNotIn("localhost", str(findings["Redirect URI"]))

    @complaint(
        "https://github.com/Azure-Samples/ms-identity-mobile-apple-swift-objc/issues/2",
        "The scheme is missing in the Info.plist, and the instructions don't say where it belongs.",
        "Names the scheme, the key of the Info.plist and the URI to register; explain says the same of the file.")
    def test_missing_scheme(self):
        code, findings = self.check(scheme=None)
        self.assertEqual(code, 3)
        self.assertEqual(findings["Scheme in the Info.plist"]["fix"], f"Add msauth.com.example.app in {PLACE}.")
        explained = self.workspace.run("explain", str(self.workspace.path / "Info.plist")).stdout
        self.assertIn(f"Add msauth.com.example.app in {PLACE}.", " ".join(explained.split()))


class AbandonedSignInTests(FieldCase):
    @complaint(
        "https://github.com/AzureAD/microsoft-authentication-library-for-dotnet/issues/5552",
        "The user closes the browser, and the sign-in waits for ever without a word.",
        "Says after 15 seconds what to do and when it times out. Ctrl-C ends it at once.")
    def test_closed_browser(self):
        authority = self.closing(start_authority(self.workspace))
        self.configure_for_authority(authority.address, cache={"key": "keyFile"})
        self.workspace.environment["BROWSER"] = "true"
        process = self.start("sign-in", "--method", "browser")
        told = next((line for line in process.stderr if "Times out" in line), "")
        self.assertIn("Times out after 15 min.", told)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.end(process)[0], 130)


if __name__ == "__main__":
    unittest.main()
