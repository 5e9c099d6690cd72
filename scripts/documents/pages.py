"""The pages with their entries in pages.toml."""
import sys, tomllib

import blocks

KEYS = {"excuse": {"command", "reason"}, "prepare": {"before", "run"}, "serve": {"command"}, "status": {"command", "status"},
        "elsewhere": {"block", "by"}}
SECONDS_A_COMMAND = 120


class Page:
    """A page, what of it runs, in order, and what is excused.

    A job is a dictionary: the `text` of a command and the `line` where it stands, its `limit` in seconds, its exit `status`,
    the `output` that the page shows, whether it `serves` until it is ended, and whether it only `prepares` others. `block_output` is
    what the page shows of the last `block_length` commands together.
    """

    def __init__(self, path, entries):
        self.path, self.name = path, str(path.relative_to(blocks.root))
        self.jobs, self.excused, self.wrong = [], [], []
        # The numbers of blocks of which something runs, and of which nothing does.
        self.running_blocks, self.excused_blocks = 0, 0
        self.entries = [(kind, entry) for kind in KEYS for entry in entries.get(kind, [])]
        self.needed = set()
        for kind, entry in self.entries:
            if set(entry) != KEYS[kind]:
                sys.exit(f"pages.toml: {kind} of {self.name} has {sorted(entry)}, and needs {sorted(KEYS[kind])}")
        if unknown := set(entries) - set(KEYS):
            sys.exit(f"pages.toml: {self.name} has {sorted(unknown)}, which nothing reads")
        before = []
        for block in blocks.read(path):
            if not block.is_labelled:
                self.wrong.append(f"{self.name}:{block.line}: a block without a label; write sh, console or text after ```")
            if block.output is not None and not before:
                self.wrong.append(f"{self.name}:{block.line}: the output of a block of which nothing runs")
            elif block.output is not None:
                before[-1]["block_output"], before[-1]["block_length"] = block.output, len(before)
            start = len(self.jobs)
            if block.commands and self.is_elsewhere(block):
                self.excused_blocks += 1
                continue
            for command in block.commands:
                self.add(command)
            before = [job for job in self.jobs[start:] if not job["prepares"]]
            self.running_blocks += bool(before)
            self.excused_blocks += bool(block.commands) and not before
        for index, (kind, entry) in enumerate(self.entries):
            if index not in self.needed:
                self.wrong.append(f"pages.toml: {self.name} has no command for this {kind}: {entry}")

    def matching(self, kind, command):
        """The entries of a kind whose text begins the command."""
        for index, (other, entry) in enumerate(self.entries):
            text = next(entry[key] for key in ["command", "before", "block"] if key in entry)
            if other == kind and command.text.startswith(text):
                yield index, entry

    def is_elsewhere(self, block):
        """Whether a test runs the block, which must name the page."""
        for index, entry in self.matching("elsewhere", block.commands[0]):
            self.needed.add(index)
            test = blocks.root / entry["by"]
            if not test.exists() or self.name not in test.read_text():
                self.wrong.append(f"{self.name}:{block.line}: {entry['by']} does not read this page")
            self.excused += [(f"{self.name}:{command.line}", command.text, f"{entry['by']} runs it") for command in block.commands]
            return True
        return False

    def add(self, command):
        excuse = next(self.matching("excuse", command), None)
        if excuse:
            self.needed.add(excuse[0])
            self.excused.append((f"{self.name}:{command.line}", command.text, excuse[1]["reason"]))
            return
        # A preparation is made once, before the first command that needs it.
        for index, entry in self.matching("prepare", command):
            if index not in self.needed:
                self.needed.add(index)
                self.jobs.append(self.job(command.line, entry["run"], prepares=True))
        job = self.job(command.line, command.text, output=command.output)
        for index, _ in self.matching("serve", command):
            self.needed.add(index)
            job["serves"] = True
        for index, entry in self.matching("status", command):
            self.needed.add(index)
            job["status"] = entry["status"]
        self.jobs.append(job)

    @staticmethod
    def job(line, text, output=None, prepares=False):
        return {"line": line, "text": text, "output": output, "prepares": prepares, "serves": False, "status": 0,
                "limit": SECONDS_A_COMMAND}


def read(names):
    """The pages of these names; all without a name."""
    table = tomllib.loads((blocks.root / "scripts/documents/pages.toml").read_text())
    found = [path for path in blocks.documents()]
    paths = {str(path.relative_to(blocks.root)): path for path in found}
    for name in [*table, *names]:
        if name not in paths:
            sys.exit(f"documents: {name} is not a page")
    for name, path in paths.items():
        if not names or name in names:
            yield Page(path, table.get(name, {}))
