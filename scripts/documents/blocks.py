"""The shell commands of a page."""
import pathlib, re, subprocess

root = pathlib.Path(__file__).resolve().parents[2]
SHELL = ["sh", "bash", "shell", "console"]


class Command:
    """One command of a block, over as many lines as the shell needs to read it, with the output that the page shows."""

    def __init__(self, line, text, output=None):
        self.line, self.text, self.output = line, text, output


class Block:
    """A block of a page that is shell, or has no label.

    A `console` block is a session, whose commands begin with `$ `. Without commands it is the output of the block before it.
    """

    def __init__(self, line, language, lines):
        self.line, self.is_labelled, self.commands, self.output = line, language != "", [], None
        is_session = any(text.startswith("$ ") for text in lines)
        if language == "console" and not is_session:
            self.output = lines
        elif self.is_labelled:
            self.commands = list(session(line + 1, lines) if is_session else script(line + 1, lines))


def documents():
    """The pages that are checked, and the files whose first comment has commands."""
    for pattern in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md", "Sources/**/*.docc/**/*.md",
                    "Examples/**/*.md", "Packaging/**/*.md", "Packaging/Containerfile", "compose.yaml"]:
        yield from sorted(path for path in root.glob(pattern) if "/.build/" not in str(path))


def read(path):
    """The blocks of a page."""
    lines = path.read_text().split("\n")
    if path.suffix != ".md":
        yield from comments(lines)
        return
    language, start, found = None, 0, []
    for number, text in enumerate(lines, 1):
        fence = re.match(r" *(?:```|~~~)(.*)$", text)
        if language is None and fence:
            language, start, found = fence.group(1).strip(), number, []
        elif language is not None and fence:
            if language in [*SHELL, ""]:
                yield Block(start, language, found)
            language = None
        elif language is not None:
            found.append(text)


def comments(lines):
    """The indented lines of a file's comments."""
    for number, text in enumerate(lines, 1):
        if re.match(r"#   \S", text):
            yield Block(number - 1, "sh", [text[1:].strip()])


def is_complete(text):
    """Whether a shell has read a whole command: no quote, loop or here-document is open."""
    if text.endswith("\\"):
        return False
    parsed = subprocess.run(["bash", "-n"], input=text + "\n", capture_output=True, text=True)
    return parsed.returncode == 0 and not parsed.stderr


def script(start, lines):
    text, first = "", start
    for number, line in enumerate(lines, start):
        if not text:
            first = number
        text = f"{text}\n{line}" if text else line
        if not text.strip() or text.lstrip().startswith("#"):
            text = ""
        elif is_complete(text):
            yield Command(first, text.strip())
            text = ""
    if text:
        yield Command(first, text.strip())


def session(start, lines):
    command = None
    for number, line in enumerate(lines, start):
        if command and not is_complete(command.text):
            command.text += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            if command:
                yield command
            command = Command(number, line[2:], [])
        elif command:
            command.output.append(line)
        else:
            yield Command(number, line)
    if command:
        yield command
