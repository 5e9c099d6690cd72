"""A program under valgrind's memcheck, and what memcheck has found in each of its processes."""
import glob
import os
import re
import subprocess

from servers import fail, run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPTIONS = [
    # The program's allocator is jemalloc, in whose place memcheck puts its own.
    "--soname-synonyms=somalloc=*jemalloc*",
    # What is asked for is reads, writes and frees of what is not owned. A value that was never set is another matter.
    "--undef-value-errors=no",
    "--fair-sched=yes", "--num-callers=20", "--trace-children=yes", "--child-silent-after-fork=yes",
]
# What a program runs as a child of itself, and kills when it is done.
CHILDREN = ("card-process", "extension-host")
KINDS = {"read": "Invalid read", "write": "Invalid write", "free": "Invalid free|Mismatched free"}
OTHER = "Syscall param|Jump to the invalid|Source and destination overlap|Argument .* has a fishy|realloc.. with size 0"
FAULT = re.compile(rf"^==\d+== ({'|'.join(KINDS.values())}|{OTHER})", re.MULTILINE)


class Memcheck:
    """A copy of a program in a folder, and a script `martlet` that runs it under memcheck."""

    def __init__(self, program, folder):
        self.logs, self.program = os.path.join(folder, "logs"), os.path.join(folder, "martlet")
        preload, copy = os.path.join(folder, "preload.so"), os.path.join(folder, "program")
        os.makedirs(self.logs)
        source = os.path.join(ROOT, "scripts/memcheck-preload.c")
        run("clang", "-shared", "-fPIC", "-O1", f'-DPROGRAM="{self.program}"', "-o", preload, source)
        # valgrind 3.19 cannot read the debug information of Swift 6.3; the symbols stay.
        run("strip", "--strip-debug", "-o", copy, program)
        # ffmpeg and env run as they are, and the script starts valgrind itself. Process ids come again; the time is that of the
        # first process of a family.
        options = [*OPTIONS, f"--trace-children-skip=/usr/*,/bin/*,{self.program}", f"--log-file={self.logs}/$(date +%s%N)-%p"]
        words = " ".join(f'"{option}"' for option in options)
        with open(self.program, "w") as script:
            script.write(f'#!/bin/sh\nLD_PRELOAD={preload} exec valgrind {words} {copy} "$@"\n')
        os.chmod(self.program, 0o755)

    def processes(self):
        """What memcheck has written of each process, the first one first."""
        return [Checked(path) for path in sorted(glob.glob(self.logs + "/*"))]


class Checked:
    """The log of one process."""

    def __init__(self, path):
        log = self.log = open(path, errors="replace").read()
        self.process = int(re.search(r"\d+$", path)[0])
        self.command = (re.search(r"Command: \S+ ?(.*)", log) or ["", "unknown"])[1]
        faults = FAULT.findall(log)
        self.counts = {name: sum(bool(re.match(kind, fault)) for fault in faults) for name, kind in KINDS.items()}
        self.other = len(faults) - sum(self.counts.values())
        end = re.search(r"ERROR SUMMARY: (\d+) errors .*suppressed: (\d+) from", log)
        self.errors = int(end[1]) if end else len(faults)
        self.suppressed = int(end[2]) if end else 0
        self.allocations = int((re.search(r"total heap usage: ([\d,]+)", log) or ["", "0"])[1].replace(",", ""))
        self.has_ended = bool(end) or self.command.startswith(CHILDREN)

    def problem(self):
        """Why this process proves nothing, as a text; `None` if it ran to its end under memcheck's eyes."""
        if "the 'impossible' happened" in self.log or "Process terminating with" in self.log or not self.has_ended:
            return "it ended too early"
        if self.allocations == 0 and "ERROR SUMMARY" in self.log:
            return "memcheck has seen none of its allocations: is its allocator still jemalloc?"
        return None


def compiler_fault(folder):
    """The number of accesses to memory that is not owned, in a program that Swift 6.3.1 miscompiles; see decision 54."""
    program, log = os.path.join(folder, "released-twice"), os.path.join(folder, "log-0")
    source = os.path.join(ROOT, "Tests/Compiler/ReleasedTwice.swift")
    run("swiftc", "-O", "-wmo", "-swift-version", "6", source, "-o", program, "-Xlinker", "--no-as-needed", "-ljemalloc")
    subprocess.run(["valgrind", *OPTIONS, f"--log-file={log}", program], capture_output=True)
    checked = Checked(log)
    if checked.allocations == 0:
        fail("memcheck does not see what jemalloc allocates")
    return sum(checked.counts.values())
