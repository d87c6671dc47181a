"""The styles of a terminal's cells: read from tmux, and from the golden screens of the Swift tests."""

import re

COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
ATTRIBUTES = {1: "bold", 2: "dim", 7: "reverse", 4: "underline"}
PLAIN = "plain"


class Look:
    """The state set by escape sequences. What Keyturn never sets has a look too: a picture may be taken while a shell's
    mark is on the screen."""

    def __init__(self):
        self._attributes = set()
        self._foreign = []
        self._ink = self._paper = None

    def take(self, parameters):
        codes = [int(code or 0) for code in re.split("[;:]", parameters)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in ATTRIBUTES:
                self._attributes.add(ATTRIBUTES[code])
            elif code == 22:
                self._attributes -= {"bold", "dim"}
            elif code in (24, 27):
                self._attributes.discard(ATTRIBUTES[code - 20])
            elif code in (38, 48):
                self._foreign.append(f"SGR {parameters}")
                return
            elif 30 <= code <= 39:
                self._ink = COLOURS[code - 30] if code < 39 else None
            elif 40 <= code <= 49:
                self._paper = COLOURS[code - 40] if code < 49 else None
            else:
                self._foreign.append(f"SGR {parameters}")

    def __str__(self):
        words = [name for name in ATTRIBUTES.values() if name in self._attributes]
        words += [self._ink] * (self._ink is not None) + [f"on {self._paper}"] * (self._paper is not None)
        words += self._foreign
        return " ".join(words) or PLAIN


def cells_of(captured):
    """The rows of `tmux capture-pane -e` as lists of (character, look)."""
    look, rows = Look(), []
    for line in captured.split("\n"):
        row = []
        for sequence, character in re.findall(r"\x1b\[([\d;:]*)m|([^\x1b])", line):
            if character:
                row.append((character, str(look)))
            else:
                look.take(sequence)
        rows.append(row)
    return rows


def visible(look):
    """The part of the look that is visible on a blank."""
    if "reverse" in look or "SGR" in look:
        return look
    return ("underline " if "underline" in look else "") + "".join(re.findall(r"on \w+", look))


def settled(row):
    """The row with blanks in their neighbour's look where the difference is invisible, and without invisible trailing
    blanks."""
    out = []
    for character, look in row:
        if character == " " and out and visible(look) == visible(out[-1][1]):
            look = out[-1][1]
        out.append((character, look))
    while out and out[-1][0] == " ":
        out.pop()
    return out


def runs(row):
    """`1-9 dim, 10-17 bold`: the styled parts, by character number."""
    found = []
    for index, (_, look) in enumerate(row):
        if found and found[-1][2] == look:
            found[-1][1] = index
        else:
            found.append([index, index, look])
    return ", ".join(f"{first}-{last} {look}" for first, last, look in found if look != PLAIN)


class GoldenScreens:
    """A golden file of the Swift tests: the rows at each size, the styles at the first, and each theme's attributes."""

    def __init__(self, path):
        self.sizes, self.styles = {}, {}
        sections = re.findall(r"(?ms)^== (\d+)x(\d+), [^\n]*\n(.*?)(?=^== |\Z)", path.read_text())
        for columns, height, body in sections:
            rows, _, styles = body.partition("-- styles\n")
            self.sizes[int(columns), int(height)] = self._rows(rows)
            if styles:
                self.styles[int(columns), int(height)] = self._styles(styles)
        themes, *looks = path.with_name("looks.screen").read_text().splitlines()
        themes = themes.removeprefix("== looks: ").split(" | ")
        self.looks = {}
        for line in looks:
            style, looks = line.split(": ", 1)
            self.looks[style] = dict(zip(themes, looks.split(" | ")))

    @staticmethod
    def _rows(text):
        rows = []
        for line in text.split("\n")[:-1]:
            blank = re.fullmatch(r"\((\d+) blank rows\)", line)
            rows += [""] * int(blank[1]) if blank else [line]
        return rows

    @staticmethod
    def _styles(text):
        """(first column, last column, style) by row."""
        rows = {}
        for line in text.splitlines():
            place, spans = line.split(": ", 1)
            first, last = (place.split("-") * 2)[:2]
            found = [(int(a), int(b), style) for a, b, style in re.findall(r"(\d+)-(\d+) (\S+?)(?:,|$)", spans)]
            rows.update({row: found for row in range(int(first), int(last) + 1)})
        return rows

    def cells(self, size, theme):
        """Rows of (character, look), of text without wide characters."""
        rows = []
        for number, text in enumerate(self.sizes[size]):
            styles = ["text"] * size[0]
            for first, last, style in self.styles[size].get(number, []):
                styles[first:last + 1] = [style] * (last - first + 1)
            rows.append([(c, self.looks[style][theme]) for c, style in zip(text.ljust(size[0]), styles)])
        return rows
