"""The pages of the site, before they have a layout, and small helpers for their text."""
import dataclasses, html, posixpath, re


@dataclasses.dataclass
class Heading:
    """A heading with its text, and the plain text up to the next one, for the search."""
    level: int
    id: str
    title: str
    text: str = ""


@dataclasses.dataclass
class Page:
    """A page: its path in the site, its title, and its section, a folder of docs.

    `kind` is guide, article, module, type, list or file. `group` is the title under which the page list has it, if any. `source`
    is the path in the repository. `render` makes the body, when all pages are known, and fills `headings`, the first of which is
    the page.
    """

    path: str
    title: str
    section: str
    kind: str
    source: str = ""
    group: str = ""
    summary: str = ""
    render: object = None
    headings: list = dataclasses.field(default_factory=list)
    listed: bool = True
    body: str = ""

    @property
    def name(self):
        """The title as HTML: that of a type is code."""
        return f"<code>{breakable(self.title)}</code>" if self.kind == "type" else escape(self.title)


def relative(origin, target):
    """The link from a page to a path of the site, which may have an anchor."""
    path, _, anchor = target.partition("#")
    if path == origin and anchor:
        return "#" + anchor
    link = posixpath.relpath(path, posixpath.dirname(origin) or ".")
    return link + ("#" + anchor if anchor else "")


def slug(title, taken):
    """The anchor that GitHub gives a heading, and another one each time."""
    base = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name


def escape(text):
    return html.escape(text, quote=True)


def breakable(name):
    """A name of code that may be broken before its words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[.:_])(?=\w)", "<wbr>", escape(name))


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def first_sentence(text):
    """The first sentence of a plain text, without the mark at its end where that is a colon."""
    text = one_line(text)
    match = re.match(r".*?\S[.!?:](?=\s|$)", text)
    sentence = match.group() if match else text
    return sentence[:-1] + "." if sentence.endswith(":") else sentence
