"""What programs draw of an SVG recording: for each cell of its screen, whether there is something in it."""

import base64
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import zlib

from .browser import start_chromium

COLUMN, ROW, MARGIN, SCALE = 8.4, 18, 12, 1
# The least difference in brightness between a letter and what is behind it.
CONTRAST = 50


def still(svg):
    """The recording without its motion."""
    return re.sub(r"\.strip\{animation:[^}]*\}", "", svg)


def drawn(svg, program):
    """The cells that `program` (rsvg, chromium or firefox) draws something in, as (column, row); None if it isn't installed."""
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    size = round(width * SCALE), round(height * SCALE)
    with tempfile.TemporaryDirectory(prefix="keyturn-picture-", ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        path = folder / "still.svg"
        path.write_text(still(svg), encoding="utf-8")
        page = folder / "page.html"
        page.write_text(
            f'<body style="margin:0"><img src="still.svg" style="display:block" width="{size[0]}" height="{size[1]}">')
        image = {"rsvg": rsvg, "chromium": chromium, "firefox": firefox}[program](path, page, size, folder)
    if image is None:
        return None
    columns, rows = round((width - 2 * MARGIN) / COLUMN), round((height - 2 * MARGIN) / ROW)
    picture = brightness(image)
    return {(x, y) for x in range(columns) for y in range(rows) if has_ink(picture, x, y)}


def rsvg(path, _page, size, _folder):
    return subprocess.run(["rsvg-convert", "--width", str(size[0]), str(path)], capture_output=True, check=True).stdout


def chromium(_path, page, size, folder):
    driver = start_chromium(folder / "chromium")
    try:
        driver.set_window_size(size[0] + 50, size[1] + 300)
        driver.get(page.as_uri())
        return base64.b64decode(driver.get_screenshot_as_base64())
    finally:
        driver.quit()


def firefox(_path, page, size, folder):
    program = shutil.which("firefox-esr")
    if program is None:
        return None
    shot = folder / "firefox.png"
    subprocess.run(
        [program, "--headless", "--profile", str(folder), "--screenshot", str(shot),
         f"--window-size={size[0] + 50},{size[1] + 50}", page.as_uri()],
        capture_output=True, check=True, timeout=90, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
    return shot.read_bytes()


def brightness(png):
    """The rows of an 8-bit PNG, each with one number for a pixel."""
    width, height, _depth, kind = struct.unpack(">IIBB", png[16:26])
    channels = {0: 1, 2: 3, 6: 4}[kind]
    place, data = 8, b""
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place:place + 8])
        if name == b"IDAT":
            data += png[place + 8:place + 8 + length]
        place += length + 12
    data = zlib.decompress(data)
    stride = width * channels
    before, rows = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        before = unfiltered(data[start], bytearray(data[start + 1:start + 1 + stride]), before, channels)
        rows.append([before[i] + before[i + min(1, channels - 1)] + before[i + min(2, channels - 1)]
                     for i in range(0, stride, channels)])
    return rows


def unfiltered(kind, line, before, step):
    for i in range(len(line)):
        left, up, corner = line[i - step] if i >= step else 0, before[i], before[i - step] if i >= step else 0
        if kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            near = (0, left, up, (left + up) // 2)[kind]
        line[i] = (line[i] + near) & 255
    return line


def has_ink(picture, x, y):
    left, right = (round((MARGIN + (x + part) * COLUMN) * SCALE) for part in (0.15, 0.85))
    top, bottom = (MARGIN + y * ROW) * SCALE, (MARGIN + (y + 1) * ROW) * SCALE
    pixels = [pixel for row in picture[top + 1:bottom - 1] for pixel in row[left:right]]
    return max(pixels) - min(pixels) > CONTRAST * 3
