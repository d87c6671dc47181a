#!/usr/bin/env python3
"""Records the functions that the program runs at start-up, for the linker to place next to each other.

usage: record_order.py KEYTURN ORDER

KEYTURN has its symbols. callgrind records two starts: the screen up to its list of accounts, and a token from the
cache. At start-up, the kernel then reads only the pages of these functions.
"""

import os
import pathlib
import re
import sys
import tempfile

import bench
import measure
from support.provider import start_authority
from support.workspace import Workspace


def main():
    keyturn, order = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    workspace = Workspace()
    authority = start_authority(workspace)
    try:
        bench.prepare(workspace, authority.address)
        names = functions_of_screen(keyturn, workspace) | functions_of_token(keyturn, workspace)
    finally:
        authority.close()
        workspace.close()
    order.write_text("".join(f"{name}\n" for name in sorted(names)))
    print(f"{len(names)} functions; written to {order}")


def functions_of_token(keyturn, workspace):
    with tempfile.NamedTemporaryFile() as output:
        measure.run_time([*callgrind(output.name), keyturn, "token"], workspace.environment)
        return functions(output.name, keyturn)


def functions_of_screen(keyturn, workspace):
    with tempfile.NamedTemporaryFile() as output:
        program = measure.TerminalProgram([*callgrind(output.name), keyturn], workspace.environment)
        program.seconds_until(b"ann@contoso.example")
        program.press(b"q")
        program.wait()
        return functions(output.name, keyturn)


def callgrind(output):
    return ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={output}"]


def functions(output, program):
    """The program's own functions in callgrind's output, which names each file and function once, with a number."""
    files, names, found = {}, {}, set()
    file = None
    for line in pathlib.Path(output).read_text(errors="replace").splitlines():
        if match := re.match(r"(c?)ob=\((\d+)\)(?: (.*))?", line):
            called, number, path = match.groups()
            if path:
                files[number] = path
            if not called:
                file = files[number]
        elif match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
            called, number, name = match.groups()
            if name:
                # A recursive function has a name for each depth.
                names[number] = re.sub(r"'\d+$", "", name)
            if not called and file == os.fspath(program):
                found.add(names[number])
    # Functions without a name have an address or a description.
    return {name for name in found if not name.startswith(("0x", "("))}


if __name__ == "__main__":
    main()
