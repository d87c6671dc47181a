"""Diagrams, recordings and device codes as they are shown: whole, alike everywhere, and with what happens meanwhile."""

import html
import json
import re

from field import FieldCase, complaint
from support.picture import drawn


class SceneRow(FieldCase):
    def record(self, scenario, ending, *options):
        path = self.workspace.path / f"scene.{ending}"
        self.succeed("demo", scenario, "--record", str(path), "--replace", *options)
        return path.read_text(encoding="utf-8")

    @complaint(
        "https://github.com/mermaid-js/mermaid/issues/1483",
        "Long messages of a sequence diagram are cut at the edge of the picture.",
        "In SVG, the lifelines stand as far apart as their labels need, longer texts have several lines, and nothing is cut")
    def test_long_messages_of_a_diagram(self):
        svg = self.succeed("demo", "consent-declined", "--diagram", "svg")
        self.assertNotIn("…", svg)
        width = int(re.search(r'viewBox="0 0 (\d+) ', svg).group(1))
        texts = re.findall(r'<text x="(\d+)"[^>]*?(?: text-anchor="(middle)")?[^>]*>([^<]*)<', svg)
        self.assertIn("untick Read your mail (Mail.Read), Accept", [text for _x, _anchor, text in texts])
        for x, anchor, text in texts:
            length = len(html.unescape(text)) * 8
            self.assertLessEqual(int(x) + (length // 2 if anchor else length), width, text)

    @complaint(
        "https://github.com/datalust/seq-tickets/issues/249",
        "Texts are truncated although there is plenty of room beside them.",
        "On the screen, the label of an arrow goes on across free lanes; no label of a scenario is cut in 80 columns")
    def test_room_beside_a_label(self):
        for size in ("80x24", "120x40"):
            cast = self.record("consent-declined", "cast", "--size", size)
            shown = "".join(json.loads(line)[2] for line in cast.splitlines()[1:])
            self.assertIn("untick Read your mail (Mail.Read), Accept", shown)

    @complaint(
        "https://github.com/asciinema/asciinema-server/issues/413",
        "In the SVG and PNG of a terminal recording, block characters have gaps and don't line up.",
        "Blocks and lines are shapes on the grid: rsvg and Chromium draw something in the same cells")
    def test_blocks_of_a_recording(self):
        svg = self.record("device-code", "svg", "--size", "120x40")
        self.assertFalse(set("█▀▄─│┌┐└┘├┤") & set(svg))
        rsvg, chromium = drawn(svg, "rsvg"), drawn(svg, "chromium")
        self.assertLess(len(rsvg ^ chromium), len(rsvg) / 100)

    @complaint(
        "https://github.com/nbedos/termtosvg/issues/30",
        "A recording always has the terminal's size, so that scripts must resize the terminal first.",
        "--size chooses the size of the recorded window; without a terminal it is always 80x24")
    def test_the_size_of_a_recording(self):
        for options, size in (((), (80, 24)), (("--size", "120x40"), (120, 40))):
            header = json.loads(self.record("plain-sign-in", "cast", *options).splitlines()[0])
            self.assertEqual((header["width"], header["height"]), size)

    @complaint(
        "https://github.com/github/copilot-cli/issues/957",
        "A device code sign-in spins for a long time, because of a slow_down response that nobody can see.",
        "The scenario's device shows the result of each poll and the new interval; the client adds five seconds and gets its tokens")
    def test_polls_in_sight(self):
        cast = self.record("device-code", "cast", "--size", "120x40")
        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", "".join(json.loads(line)[2] for line in cast.splitlines()[1:]))
        for words in ("Poll 1  400 authorization_pending", "Poll 2  400 slow_down", "It polls every 6 seconds.",
                      "Poll 3  200 tokens"):
            self.assertIn(words, shown)
