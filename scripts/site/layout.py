"""The HTML around a page's body: the bar, the page list at the left, and the headings at the right."""
from guides import section_title
from pages import breakable, escape, relative

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"


def link(page, target, text, is_current=False):
    current = ' aria-current="page"' if is_current else ""
    return f'<a href="{escape(relative(page.path, target))}"{current}>{text}</a>'


class Layout:
    """The layout of all pages. `landings` has the path of each section's first page, in order."""

    def __init__(self, pages, landings):
        self.landings = landings
        self.pages = [page for page in pages if page.listed]

    def html(self, page):
        title = page.title if page.path == "index.html" else f"{page.title} · Martlet"
        root = relative(page.path, "index.html").removesuffix("index.html")
        readers = "".join(f"<li>{self.reader(page, section)}</li>" for section in self.landings if section != "home")
        contents = self.contents(page)
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{escape(page.summary)}">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{root}style.css">
<link rel="icon" href="{root}icon.svg">
<script src="{root}search.js" defer></script>
</head>
<body class="{page.kind}">
<a class="skip" href="#_text">Skip to the text</a>
<header>
<a class="brand" href="{root}index.html"><img src="{root}icon.svg" alt="" width="24" height="24">Martlet</a>
<nav class="readers" aria-label="Sections"><ul>{readers}</ul></nav>
<div class="find" data-root="{root}"><a href="{root}headings.html">All headings</a></div>
<button class="menu" popovertarget="_pages">Menu</button>
</header>
<div class="columns">
<nav id="_pages" aria-label="Pages" popover>
<ul class="readers">{readers}</ul>
{self.page_list(page)}</nav>
<main id="_text" tabindex="-1">
{page.body}</main>
{contents}</div>
</body>
</html>
"""

    def reader(self, page, section):
        current = ' aria-current="true"' if section == page.section else ""
        return f'<a href="{escape(relative(page.path, self.landings[section]))}"{current}>{escape(section_title(section))}</a>'

    def page_list(self, page):
        """The pages of the page's section. Of groups only that of the page is open, except where they are articles."""
        if page.section == "home":
            return "".join(self.list_of(page, section_title(section), section) for section in self.landings)
        return self.list_of(page, section_title(page.section), page.section)

    def list_of(self, page, title, section):
        landing = self.landings[section]
        # The list of a section without a README is the link of its title.
        pages = [other for other in self.pages if other.section == section and (other.path, other.kind) != (landing, "list")]
        items, group = [], None
        for other in pages:
            if other.group and other.group != group:
                items += self.group(page, section, other)
            group = other.group
            if not other.group:
                items.append(self.item(page, other))
        is_current = landing == page.path and pages[0].path != landing
        heading = escape(title) if section == "home" else link(page, landing, escape(title), is_current)
        return f'<h2>{heading}</h2>\n<ul>\n{"".join(items)}</ul>\n'

    def group(self, page, section, first):
        """The line of a group, and its pages if they are to be seen."""
        pages = [other for other in self.pages if other.section == section and other.group == first.group]
        is_open = page.section == section and (first.kind == "article" or page.group == first.group)
        head = first if first.kind in ("module", "list") else None
        items = "".join(self.item(page, other) for other in pages if other is not head)
        name = link(page, head.path, escape(first.group), head.path == page.path) if head else f"<span>{escape(first.group)}</span>"
        return [f'<li>{name}{f"<ul>{items}</ul>" if is_open and items else ""}</li>\n'] if head or is_open else []

    def item(self, page, other):
        return f"<li>{link(page, other.path, other.name, other.path == page.path)}</li>\n"

    @staticmethod
    def contents(page):
        """The headings of the page, if there are some."""
        deepest = 3 if page.kind == "type" else 2
        headings = [heading for heading in page.headings[1:] if 2 <= heading.level <= deepest and heading.id]
        if len(headings) < 2:
            return ""
        text = breakable if page.kind == "type" else escape
        items = "".join(f'<li class="level{heading.level}"><a href="#{escape(heading.id)}">{text(heading.title)}</a></li>\n'
                        for heading in headings)
        title = '<h2 id="_contents">On this page</h2>'
        return f'<nav class="contents" aria-labelledby="_contents">{title}\n<ul>\n{items}</ul>\n</nav>\n'
