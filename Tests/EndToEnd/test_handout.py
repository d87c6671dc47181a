"""Handouts: one HTML file that plays in Chromium by keys and clicks, on paper and in the dark, and that loads and runs nothing
of a server's."""

import json
import re
import unittest
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support.reading import ReadingCase

HOSTILE = [
    "<script>document.title = 'attacked'</script>", "</script><script>document.title = 'attacked'</script>",
    "\"><img src=x onerror=\"document.title='attacked'\">", "' autofocus onfocus='document.title=1'",
    "<svg onload=\"document.title='attacked'\">", "javascript:document.title='attacked'", "<base href=//evil.example>",
    "<meta http-equiv=refresh content=\"0;url=//evil.example\">", "\u202etxt.exe\u2066",
]
ROLES = {"button", "heading", "status", "image", "article", "region", "columnheader", "rowheader", "navigation"}


class HandoutJourney(ReadingCase):
    def tearDown(self):
        self.emulate("screen", "light")
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    def emulate(self, media, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def opened(self, *arguments):
        """Opens what the command prints. Nothing that it has may have run but its own script."""
        written = self.workspace.run(*arguments)
        self.assertEqual(written.returncode, 0, written.stderr)
        self.open(written.stdout)
        return written.stdout

    def open(self, page):
        self.assertNotIn("eyJ", page)
        path = self.workspace.path / "handout.html"
        path.write_text(page, encoding="utf-8")
        self.driver.get_log("browser")
        self.driver.get(path.as_uri())
        self.assertEqual([entry for entry in self.driver.get_log("browser") if "favicon" not in entry["message"]], [])
        self.assertEqual(self.driver.execute_script("return performance.getEntriesByType('resource').length"), 0)

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def shown(self):
        """The indices of the parts that the reader sees."""
        return [index for index, part in enumerate(self.all(".part")) if part.is_displayed()]

    def place(self):
        return self.driver.find_element(By.CSS_SELECTOR, "nav output").text

    def test_it_plays_by_keys(self):
        self.opened("demo", "step-up", "--diagram", "html")
        count = len(self.all(".part"))
        self.assertGreater(count, 20)
        self.assertEqual(self.shown(), [0])
        keys = ["n", Keys.ARROW_RIGHT, Keys.PAGE_DOWN, " "]
        for index in range(1, count):
            self.press(keys[index % len(keys)])
            self.assertEqual(self.shown(), [index])
            self.assertTrue(self.place().startswith(f"{index + 1} of {count}"))
            # The arrow of the message stands out, and later ones aren't drawn yet.
            marked = [arrow.get_attribute("data-part") for arrow in self.all("svg g.now")]
            self.assertIn(marked, ([str(index)], []))
            self.assertFalse([arrow for arrow in self.all("svg g.later text") if arrow.is_displayed()])
        self.press("n")
        self.assertEqual(self.shown(), [count - 1])
        for key in ("b", Keys.ARROW_LEFT, Keys.PAGE_UP):
            self.press(key)
        self.assertEqual(self.shown(), [count - 4])
        self.press(Keys.HOME)
        self.assertEqual(self.shown(), [0])
        self.press(Keys.END)
        self.assertEqual(self.shown(), [count - 1])
        self.press("a")
        self.assertEqual(len(self.shown()), count)

    def test_it_plays_by_clicks(self):
        self.opened("demo", "plain-sign-in", "--diagram", "html")
        back, following, everything = self.all("nav button")
        self.assertEqual(back.get_attribute("aria-disabled"), "true")
        following.click()
        following.click()
        self.assertEqual(self.shown(), [2])
        back.click()
        self.assertEqual(self.shown(), [1])
        # Space presses the button, once.
        back.send_keys(" ")
        self.assertEqual(self.shown(), [0])
        following.click()
        self.press(Keys.END, "a")
        ActionChains(self.driver).move_to_element(self.all("svg g")[0]).click().perform()
        everything.click()
        self.assertEqual(self.shown(), [1])
        self.assertEqual(everything.get_attribute("aria-pressed"), "false")

    def test_on_paper_and_without_its_script(self):
        """Everything is there, and the controls aren't."""
        page = self.opened("demo", "plain-sign-in", "--diagram", "html")
        count = len(self.all(".part"))
        self.emulate("print", "dark")
        self.assertEqual(len(self.shown()), count)
        self.assertFalse(self.driver.find_element(By.TAG_NAME, "nav").is_displayed())
        self.assertEqual(self.colour("background-color"), (255, 255, 255))
        printed = self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
        self.assertGreater(len(printed), 10000)
        self.emulate("screen", "light")
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.driver.refresh()
        self.assertEqual(len(self.shown()), count)
        self.assertFalse(self.driver.find_element(By.TAG_NAME, "nav").is_displayed())
        self.assertIn("<nav", page)

    def colour(self, name, selector="body"):
        value = self.driver.find_element(By.CSS_SELECTOR, selector).value_of_css_property(name)
        return tuple(int(number) for number in re.findall(r"\d+", value)[:3])

    def test_light_and_dark(self):
        """Each text has a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3)."""
        self.opened("demo", "step-up", "--diagram", "html")
        self.press("a")
        backgrounds = []
        for scheme in ("light", "dark"):
            self.emulate("screen", scheme)
            backgrounds.append(self.colour("background-color"))
            for selector, name in (("body", "color"), ("small", "color"), ("h3.bad", "color"), ("svg .muted", "fill")):
                self.assertGreater(contrast(self.colour(name, selector), backgrounds[-1]), 4.5, (scheme, selector))
        self.assertNotEqual(*backgrounds)

    def test_its_accessibility_tree(self):
        """Controls, headings, tables and the picture have names; a failure has a sign and words, not only a colour."""
        self.opened("demo", "step-up", "--diagram", "html")
        self.press("n")
        nodes = [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"] if not node["ignored"]]
        for role, name in nodes:
            if role in ROLES - {"status"}:
                self.assertTrue(name, (role, nodes))
        named = {role: [name for other, name in nodes if other == role] for role in ROLES}
        self.assertEqual([name.strip("←→ ") for name in named["button"]], ["Back", "Next", "Show all"])
        self.assertEqual(named["navigation"], ["Playback"])
        self.assertTrue(named["status"] or "2 of" in str(nodes), nodes)
        self.assertEqual(len(named["image"]), 1)
        self.assertTrue([name for name in named["heading"] if name.startswith("1. ")], named["heading"])
        told = self.driver.find_element(By.CSS_SELECTOR, "nav output").get_attribute("textContent")
        self.assertRegex(told, r"^2 of \d+: 1\. \w+")
        self.press("a")
        for failed in self.all("h3.bad"):
            self.assertIn("✗", failed.text)

    def test_a_case_of_a_hostile_server(self):
        """The texts of a server stay texts. A redacted copy keeps few of them."""
        for index, text in enumerate(HOSTILE):
            recording = self.workspace.path / f"customer-{index}.har"
            recording.write_text(json.dumps({"log": {"entries": [
                entry("GET", "https://login.example/authorize", {
                    "client_id": text, "response_type": "code", "redirect_uri": f"https://app.example/{text}", "scope": text,
                    text: text, "state": "s"}, 302, headers=[("Location", f"javascript:{text}")]),
                entry("POST", "https://login.example/token", {"grant_type": "authorization_code", "code": text}, 400, json.dumps(
                    {"error": "invalid_grant", "error_description": f"AADSTS54005: {text}", text: text})),
            ]}}), encoding="utf-8")
            with self.subTest(text=text):
                page = self.opened("explain", str(recording), "--diagram", "html")
                self.assertNotEqual(self.driver.title, "attacked")
                self.assertEqual(len(self.all("script")), 1)
                self.assertEqual(self.all("iframe, img, a, form, input, object, embed, base, link, [onload], [onerror]"), [])
                self.assertFalse(re.search("[\u202a-\u202e\u2066-\u2069]", page))
                self.press(Keys.END)
                self.assertEqual(len(self.shown()), 1)

    def test_its_policy_holds(self):
        """What somebody adds to the page later neither runs nor loads."""
        self.opened("demo", "plain-sign-in", "--diagram", "html")
        blocked = self.driver.execute_async_script("""
            const [done, seen] = [arguments[0], []];
            document.addEventListener("securitypolicyviolation", (event) => {
                seen.push(event.effectiveDirective);
                if (seen.length === 3) done(seen.sort());
            });
            const script = document.createElement("script");
            script.textContent = "document.title = 'attacked'";
            const image = document.createElement("img");
            image.src = "https://evil.example/x.png";
            const style = document.createElement("style");
            style.textContent = "* { display: none }";
            document.body.append(script, image, style);
            """)
        self.assertEqual(blocked, ["img-src", "script-src-elem", "style-src-elem"])
        self.assertNotEqual(self.driver.title, "attacked")

    def test_it_is_exported_where_others_are(self):
        """A scenario and a flow of it from the screen, and a case by --case."""
        terminal = self.open_keyturn("demo", "plain-sign-in", size=(120, 40), shows="Plain sign-in")
        terminal.press("u")
        terminal.wait_for("The scenario's user signs in.")
        terminal.press("n")
        terminal.wait_for("Note:", seconds=30)
        scenario, flow, case = (self.workspace.path / f"{name}.html" for name in ("scenario", "flow", "case"))
        self.export(terminal, scenario, "Wrote the handout to")
        terminal.press("f")
        terminal.wait_for("Inspector")
        self.export(terminal, flow, "Wrote the flow to")
        recording = self.workspace.path / "customer.har"
        recording.write_text(json.dumps({"log": {"entries": [
            entry("POST", "https://login.example/token", {"grant_type": "authorization_code", "code": "planted"}, 400,
                  '{"error":"invalid_grant"}')]}}), encoding="utf-8")
        written = self.workspace.run("explain", str(recording), "--case", str(case))
        self.assertEqual(written.returncode, 0, written.stderr)
        for path in (scenario, flow, case):
            with self.subTest(path=path.name):
                page = path.read_text(encoding="utf-8")
                self.open(page)
                self.assertNotIn("planted", page)
                self.assertGreater(len(self.all(".part")), 2)
        self.assertNotIn("ann@contoso.example", flow.read_text(encoding="utf-8"))
        # Its archive explains as the recording does.
        archive = self.workspace.path / "case.zip"
        self.assertEqual(self.workspace.run("explain", str(recording), "--case", str(archive)).returncode, 0)
        explained = self.workspace.run("explain", str(archive))
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertIn("invalid_grant", explained.stdout)


def entry(method, url, parameters, status, body="", headers=()):
    """An entry of a recording. The parameters are those of a POST's form, or of the URL."""
    form = urllib.parse.urlencode(parameters)
    request = {"method": method, "url": url if method == "POST" else f"{url}?{form}", "headers": []}
    if method == "POST":
        request["postData"] = {"mimeType": "application/x-www-form-urlencoded", "text": form}
    response = {"status": status, "headers": [{"name": name, "value": value} for name, value in headers]}
    if body:
        response["content"] = {"mimeType": "application/json", "text": body}
    return {"startedDateTime": "2026-11-23T00:00:00Z", "request": request, "response": response}


def contrast(one, other):
    """The ratio of two colours' relative luminances (WCAG 2.2)."""
    def luminance(colour):
        parts = [part / 255 for part in colour]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


if __name__ == "__main__":
    unittest.main()
