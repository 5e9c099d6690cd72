"""The table of planted faults: files of blocks such as

    [lease-is-not-renewed] A lease is not renewed while its batch is sent.
    Sources/Server/PushServer/Delivery/Sender.swift
    -    try await lease.renew()
    +    if !PLANTED { try await lease.renew() }

The lines after "-" stand in the file exactly once. PLANTED is replaced by a condition that is true while this fault is planted.
A block may change several files or places. A last line "? reason" says why no world finds the fault.
"""

import pathlib
import re
from dataclasses import dataclass, field


class TableError(Exception):
    pass


@dataclass
class Change:
    file: str
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


@dataclass
class Fault:
    name: str
    summary: str
    changes: list[Change] = field(default_factory=list)
    unfound: str = ""


def read(folder: pathlib.Path) -> list[Fault]:
    """The faults of all tables in a folder, in the order of their files."""
    faults: list[Fault] = []
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                _read_line(line, faults)
            except TableError as error:
                raise TableError(f"{path}:{number}: {error}") from None
    names = [fault.name for fault in faults]
    for fault in faults:
        if names.count(fault.name) > 1:
            raise TableError(f"two faults have the name {fault.name}")
        for change in fault.changes:
            if not change.old or "PLANTED" not in "\n".join(change.new):
                raise TableError(f"{fault.name}: a change needs lines of the file, and others with PLANTED")
        if not fault.changes:
            raise TableError(f"{fault.name} changes no file")
    return faults


def _read_line(line: str, faults: list[Fault]):
    if not line.strip() or line.startswith("#"):
        return
    if head := re.fullmatch(r"\[([a-z0-9-]+)\] (.+)", line):
        faults.append(Fault(*head.groups()))
        return
    if not faults:
        raise TableError("a table begins with [name] and what is wrong")
    changes = faults[-1].changes
    if re.fullmatch(r"Sources/\S+\.swift", line):
        changes.append(Change(line))
    elif line[0] in "-+" and changes:
        if line[0] == "-" and changes[-1].new:
            changes.append(Change(changes[-1].file))
        (changes[-1].old if line[0] == "-" else changes[-1].new).append(line[1:])
    elif line.startswith("? "):
        faults[-1].unfound = line[2:]
    else:
        raise TableError("a line is [name] and text, a Swift file, - or + and code, or ? and a reason")


def planted(root: pathlib.Path, faults: list[Fault]) -> dict[str, str]:
    """The texts of the files that have faults, with all of them behind conditions."""
    texts: dict[str, list[tuple[int, int, str]]] = {}
    for fault in faults:
        for change in fault.changes:
            lines = (root / change.file).read_text().splitlines()
            count = len(change.old)
            places = [at for at in range(len(lines)) if lines[at : at + count] == change.old]
            if len(places) != 1:
                raise TableError(f"{fault.name}: its lines stand {len(places)} times in {change.file}")
            new = "\n".join(change.new).replace("PLANTED", f'isPlanted("{fault.name}")')
            texts.setdefault(change.file, []).append((places[0], places[0] + count, new))
    results = {}
    for file, places in texts.items():
        lines = (root / file).read_text().splitlines()
        end = len(lines)
        for first, last, new in sorted(places, reverse=True):
            if last > end:
                raise TableError(f"{file}:{first + 1}: two faults change the same line")
            lines[first:last] = [new]
            end = first
        results[file] = "\n".join(lines) + "\n"
    return results
