"""The Markdown pages: those of docs, whose folders are the sections, and those at the root of the repository."""
import pathlib, posixpath, re

import markdown
from pages import Heading, Page, first_sentence

# Pages outside of docs, each with its section.
ROOT_PAGES = {"README.md": "home", "docs/README.md": "home", "SECURITY.md": "home", "CHANGELOG.md": "home",
              "CONTRIBUTING.md": "contributing", "Examples/README.md": "app"}
# The order of the sections; a folder that is not here comes after them.
SECTIONS = ["app", "provider", "ci", "server", "contributing"]
TITLES = {"home": "About", "ci": "CI", "reference": "Reference"}


def section_title(section):
    return TITLES.get(section, section.replace("-", " ").capitalize())


def sections(pages):
    """The sections that have pages, in order; that of the reference is the last."""
    found = {page.section for page in pages} - {"home", "reference"}
    return ["home", *[name for name in SECTIONS if name in found], *sorted(found - set(SECTIONS)), "reference"]


def site_path(source):
    """Where the page of a Markdown file is: a README is the index of its folder."""
    path = pathlib.PurePosixPath(source)
    if source == "docs/README.md":
        return "documents.html"
    if path.parts[0] == "docs":
        path = path.relative_to("docs")
    elif len(path.parts) == 1 and path.name != "README.md":
        path = pathlib.PurePosixPath(path.name.lower())
    else:
        path = pathlib.PurePosixPath(str(path).replace("Examples", "examples"))
    return str(path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html"))


def links_in(text, source):
    """The files of the repository that a page links to, in order."""
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if ":" not in target:
            yield posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def read(root):
    """All Markdown pages, without bodies, in the order of the page list."""
    files = [name for name in ROOT_PAGES if (root / name).exists()]
    names = (str(path.relative_to(root)) for path in (root / "docs").rglob("*.md"))
    files += sorted(name for name in names if name not in ROOT_PAGES)
    pages = []
    for source in files:
        text = (root / source).read_text()
        parts = pathlib.PurePosixPath(source).parts
        section = ROOT_PAGES.get(source) or (parts[1] if len(parts) > 2 else "home")
        group = parts[2].capitalize() if parts[0] == "docs" and len(parts) > 3 else ""
        title = markdown.title(text) or parts[-1]
        pages.append(Page(site_path(source), title, section, "guide", source, group, first_sentence(markdown.summary(text))))
    return in_order(root, pages)


def in_order(root, pages):
    """Within a section a README first, then as the README of the folder or of the repository links to them, then by title."""
    def rank(page):
        folder = "docs/" + page.section + "/README.md"
        orders = [list(links_in((root / name).read_text(), name)) for name in [folder, "README.md"] if (root / name).exists()]
        places = [order.index(page.source) if page.source in order else len(order) for order in orders]
        first = {"README.md": 0, folder: 0, "CONTRIBUTING.md": 1, "Examples/README.md": 3}.get(page.source, 2)
        # Records keep the order of their numbers.
        return (page.group, first, [], page.source) if page.group else ("", first, places, page.title.lower())

    return sorted(pages, key=rank)


def render(root, page, link, image):
    rendering = markdown.Rendering(link, image)
    body = rendering.page((root / page.source).read_text())
    page.headings = rendering.headings or [Heading(1, "", page.title)]
    return body
