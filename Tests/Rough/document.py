"""The document with the latest figures."""

import datetime
import os
import platform


def write(document, mark, taken, rows):
    """Replaces the text between the marks of the file: date and machine of the measurement, and a table.

    `rows` are lists of cells, the head first.
    """
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    lines = [
        f"Measured on {datetime.date.today()} in {taken}, on {platform.machine()} with {os.cpu_count()} processors,",
        f"Linux {platform.release()}. Load at the end: {load} (averages over 1, 5 and 15 minutes).",
        "",
        row(rows[0]),
        "|" + "---|" * len(rows[0]),
        *map(row, rows[1:]),
    ]
    before, rest = document.read_text().split(f"<!-- {mark} -->\n")
    _, after = rest.split(f"<!-- /{mark} -->\n")
    document.write_text(f"{before}<!-- {mark} -->\n" + "\n".join(lines) + f"\n<!-- /{mark} -->\n{after}")


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"
