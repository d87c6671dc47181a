"""Draws the cost by the number of accounts as an SVG picture, without external resources."""

import html
import math

WIDTH, HEIGHT = 800, 420
LEFT, TOP, RIGHT, BOTTOM = 90, 20, 240, 60
COLOURS = ["#0b6e4f", "#1f5fbf", "#b3541e", "#8a2f8f", "#6b6b00", "#b00030", "#444444"]
# Distinguishable without colour too.
DASHES = ["", "8 4", "2 4", "10 3 2 3", "14 3", "1 2", "6 2 2 2 2 2"]


def drawing(curves):
    """`curves`: the points of each curve by its name, as accounts and microseconds. Both axes are logarithmic."""
    points = [point for curve in curves.values() for point in curve]
    across = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        "<title>Microseconds of a call by the number of accounts in the cache</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for value in across.decades:
        x = across.place(value)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(text(x, HEIGHT - BOTTOM + 18, f"{value:,.0f}", "middle"))
    for value in up.decades:
        y = up.place(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, duration(value), "end"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 15, "accounts in the cache", "middle"))
    for index, (name, curve) in enumerate(curves.items()):
        parts += line(curve, across, up, COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)])
        parts += legend(index, name)
    return "\n".join(parts) + "\n</svg>\n"


class Axis:
    """A logarithmic scale over whole decades."""

    def __init__(self, values, start, end):
        low = math.floor(math.log10(min(values)))
        high = max(low + 1, math.ceil(math.log10(max(values))))
        self._low, self._high, self._start, self._end = low, high, start, end
        self.decades = [10.0**power for power in range(low, high + 1)]

    def place(self, value):
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)


def line(curve, across, up, colour, dash):
    places = [(across.place(x), up.place(y)) for x, y in curve]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'


def legend(index, name):
    y = TOP + 20 + index * 22
    x = WIDTH - RIGHT + 15
    colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
    yield f'<path d="M{x} {y}h28" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    yield text(x + 36, y + 4, name, "start")


def text(x, y, words, anchor):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222">{html.escape(words)}</text>'


def duration(microseconds):
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:g} {unit}"
    return f"{microseconds:g} \N{MICRO SIGN}s"
