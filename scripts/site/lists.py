"""The pages that the generator writes itself: the list of a folder without a README, of the modules, and of all headings."""
import posixpath

from guides import section_title, sections
from pages import Heading, Page, escape, relative


def items(page, pages):
    """Links to pages, each with its first sentence."""
    rows = "".join(
        f'<dt><a href="{escape(relative(page.path, other.path))}">{other.name}</a></dt>\n<dd>{escape(other.summary)}</dd>\n'
        for other in pages)
    return f'<dl class="topic">\n{rows}</dl>\n'


def folder(path, title, section, pages, group=""):
    """A page that lists others."""
    page = Page(path, title, section, "list", group=group, summary=f"The pages of {title}.")

    def render():
        page.headings = [Heading(1, "", title)]
        return f"<h1>{escape(title)}</h1>\n{items(page, pages)}"

    page.render = render
    return page


def missing(pages):
    """Lists for the sections and groups of guides that have no README; each comes before the pages that it lists."""
    result = []
    for section in sections(pages):
        mine = [page for page in pages if page.section == section]
        paths = {page.path for page in mine}
        groups = list(dict.fromkeys(page.group for page in mine if page.group and page.kind == "guide"))
        if section not in ("home", "reference") and f"{section}/index.html" not in paths:
            shown = [page for page in mine if not page.group or page.kind == "article"]
            heads = []
            for group in groups:
                heads += [page for page in mine if page.group == group and posixpath.basename(page.path) == "index.html"]
            result.append(folder(f"{section}/index.html", section_title(section), section, shown + heads))
        for group in groups:
            inside = [page for page in mine if page.group == group and page.kind == "guide"]
            path = posixpath.dirname(inside[0].path) + "/index.html"
            if path not in paths:
                result.append(folder(path, group, section, inside, group))
    return result


def modules(pages, products):
    """The first page of the reference: the modules, by the section of their articles."""
    page = Page("reference/index.html", "Reference", "reference", "list", summary="The modules, with every public declaration.")

    def render():
        page.headings = [Heading(1, "", page.title)]
        body = f"<h1>{escape(page.title)}</h1>\n<p>{escape(page.summary)}</p>\n"
        for section in dict.fromkeys(section for section, _ in products.values()):
            page.headings.append(Heading(2, section, section_title(section)))
            shown = [other for other in pages if other.kind == "module" and products[other.title][0] == section]
            body += f'<h2 id="{section}"><a href="#{section}">{section_title(section)}</a></h2>\n{items(page, shown)}'
        return body

    page.render = render
    return page


def headings(pages):
    """A page with every heading, for readers without scripts."""
    page = Page("headings.html", "All headings", "home", "list", summary="Every page with its headings.", listed=False)

    def render():
        page.headings = [Heading(1, "", page.title)]
        body = f"<h1>{escape(page.title)}</h1>\n"
        for section in sections(pages):
            body += f"<h2>{escape(section_title(section))}</h2>\n<ul>\n"
            for other in (other for other in pages if other.section == section and other.listed):
                address = escape(relative(page.path, other.path))
                body += f'<li><a href="{address}">{escape(other.title)}</a>'
                inner = "".join(f'<li><a href="{address}#{escape(heading.id)}">{escape(heading.title)}</a></li>\n'
                                for heading in other.headings[1:] if heading.id)
                body += f"<ul>\n{inner}</ul>" * bool(inner) + "</li>\n"
            body += "</ul>\n"
        return body

    page.render = render
    return page
