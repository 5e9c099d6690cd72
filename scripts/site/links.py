"""Reads the pages of a site: which links and anchors have no target, and what a page must not have."""
import html.parser, pathlib, posixpath
from urllib.parse import unquote, urlsplit

# Only these may name other sites: a link is followed by the reader, not by the page.
ADDRESSES = {"href", "src", "srcset", "poster", "action", "data"}


class Reader(html.parser.HTMLParser):
    """A page's anchors, its addresses, the text of its headings, and what is wrong with it."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.addresses, self.wrong, self.levels = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ["id"] + ["name"] * (tag == "a"):
            if name in attributes:
                if attributes[name] in self.ids:
                    self.wrong.append(f"has the id {attributes[name]} twice")
                self.ids.add(attributes[name])
        if "style" in attributes or tag == "style" or tag == "script" and "src" not in attributes:
            self.wrong.append(f"has a style or a script of its own in <{tag}>, which its policy refuses")
        self.wrong += [f"has {name} in <{tag}>" for name in attributes if name.startswith("on")]
        self.levels += [tag] if tag == "h1" else []
        for name in ADDRESSES & set(attributes):
            self.addresses.append((tag, attributes[name]))


def check(site):
    """What is wrong with the links of a site, a line each, and the numbers of pages and of links."""
    pages = {str(path.relative_to(site)): Reader(path.read_text()) for path in sorted(site.rglob("*.html"))}
    files = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    wrong, links = [], 0
    for name, page in pages.items():
        wrong += [f"{name} {problem}" for problem in page.wrong]
        if len(page.levels) != 1:
            wrong.append(f"{name} has {len(page.levels)} headings of the first level")
        for tag, address in page.addresses:
            links += 1
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if tag != "a":
                    wrong.append(f"{name} loads {address}")
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            if target not in files:
                wrong.append(f"{name} links to {address}, which is not on the site")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                wrong.append(f"{name} links to {address}, where nothing has this anchor")
    text = (site / "llms.txt").read_text()
    for part in text.split("](")[1:]:
        links += 1
        if part.split(")")[0] not in files:
            wrong.append(f"llms.txt links to {part.split(')')[0]}, which is not on the site")
    return wrong, len(pages), links


if __name__ == "__main__":
    import sys
    problems, *_ = check(pathlib.Path(sys.argv[1]))
    sys.exit("\n".join(problems) or 0)
