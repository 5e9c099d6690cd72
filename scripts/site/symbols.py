"""The pages of the reference: a module, a type with all its members, and an article, each from DocC's JSON."""
import pathlib

import highlighting
from docc import Content, plain, without_overview
from pages import Heading, Page, breakable, escape, first_sentence, one_line, relative, slug

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What every type is, unless it says that it is not.
IMPLICIT = {"SendableMetatype", "Copyable", "Escapable", "Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable"}
SYSTEMS = ["iOS", "Mac Catalyst", "macOS", "visionOS", "watchOS"]


def systems(node):
    """The systems of Apple's that have a declaration which Linux lacks, as in iOS 16.1+."""
    entries = node["metadata"].get("platforms", [])
    found = {entry["name"]: entry.get("introducedAt", "").removesuffix(".0") for entry in entries}
    names = [f"{name} {found[name]}+" if found[name] else name for name in SYSTEMS if name in found]
    return f'<p class="systems">{escape(", ".join(names))}</p>\n' if names else ""


class Symbols:
    """Makes the pages of an archive. `products` has the section of the articles of each module, and what it is for."""

    def __init__(self, archive, products):
        self.archive, self.products, self.shown = archive, products, set()

    def pages(self):
        """The pages, without bodies: a module, then its articles and types as its topics list them."""
        for product, (section, summary) in self.products.items():
            module = "/documentation/" + product.lower()
            for path in self.in_order(module):
                node, kind = self.archive.nodes[path], self.archive.kind(path)
                text = first_sentence(plain(node.get("abstract"))) or (summary if kind == "module" else "")
                title = node["metadata"]["title"]
                page = Page(self.archive.places[path], title, section if kind == "article" else "reference", kind, group=product,
                            summary=text)
                if kind in ("module", "article") and (name := self.source(product, path)):
                    page.source = name
                page.render = (lambda page=page, path=path: self.render(page, path))
                yield page

    @staticmethod
    def source(product, path):
        """The article's file, in lower case, by which links find its page; empty if the module has no catalog."""
        catalogs = [catalog.relative_to(ROOT) for catalog in ROOT.glob(f"Sources/**/{product}.docc")]
        return f"{catalogs[0]}/{path.rpartition('/')[2]}.md".lower() if catalogs else ""

    def in_order(self, path):
        """A page's path and those of the pages under it, in the order of its topics."""
        yield path
        for _, identifiers in self.topics(path):
            for child in identifiers:
                if child != path and self.archive.kind(child) in ("type", "article") and self.archive.parent(child) == path:
                    yield from self.in_order(child)

    def topics(self, path):
        """The titles of a page's topics with the paths of what they list."""
        node = self.archive.nodes[path]
        for section in node.get("topicSections", []) + node.get("defaultImplementationsSections", []):
            paths = [self.archive.references[identifier]["url"] for identifier in section["identifiers"]
                     if identifier in self.archive.references and "url" in self.archive.references[identifier]]
            yield section["title"], [path for path in paths if path in self.archive.nodes]

    def render(self, page, path):
        node, content = self.archive.nodes[path], Content(self.archive, page, path)
        kind = self.archive.kind(path)
        self.shown.add(path)
        page.headings = [Heading(1, "", page.title, content.text(node) if kind != "article" else plain(node.get("abstract")))]
        role = {"module": "Module", "article": ""}.get(kind, node["metadata"]["roleHeading"])
        body = f'<p class="role">{escape(role)}</p>\n' if role else ""
        body += f"<h1>{page.name}</h1>\n" + systems(node)
        # A module without an article says what it is for.
        body += content.abstract(node) or (f'<p class="abstract">{escape(page.summary)}</p>\n' if kind == "module" else "")
        body += self.declarations(node, content) + self.relationships(node, content)
        for section in node.get("primaryContentSections", []):
            if section["kind"] == "content":
                body += self.article(section, page, content) if kind == "article" else content.blocks(section["content"])
            elif section["kind"] == "parameters":
                body += self.parameters(section, content, 2)
        taken = {heading.id for heading in page.headings}
        for title, paths in self.topics(path) if kind != "article" else []:
            body += content.heading(2, slug(title, taken), escape(title), title) + self.topic(page, content, paths)
        return body

    def article(self, section, page, content):
        """The content of an article, whose text the search finds by its headings."""
        body = ""
        for part in without_overview(section["content"]):
            body += content.block(part, 0)
            if part["type"] != "heading":
                page.headings[-1].text += " " + one_line(plain([part]))
        return body

    def topic(self, page, content, paths):
        """What a topic lists: members in full, and links to what has a page."""
        body, items = "", ""
        for path in paths:
            kind, node = self.archive.kind(path), self.archive.nodes[path]
            if kind in ("member", "group") and self.archive.places[path].partition("#")[0] == page.path:
                body += self.member(page, content, path)
                continue
            title = node["metadata"]["title"]
            title = f"<code>{escape(title)}</code>" if kind != "article" else escape(title)
            address = escape(relative(page.path, self.archive.places[path]))
            items += f'<dt><a href="{address}">{title}</a></dt>\n<dd>{content.inline(node.get("abstract", []))}</dd>\n'
        return body + (f'<dl class="topic">\n{items}</dl>\n' if items else "")

    def member(self, page, content, path):
        """A member with all that is said of it; of a group, its members."""
        if path in self.shown:
            return ""
        self.shown.add(path)
        node = self.archive.nodes[path]
        if self.archive.kind(path) == "group":
            anchor = self.archive.places[path].partition("#")[2]
            return f'<div id="{escape(anchor)}">\n' + "".join(
                self.member(page, content, child) for _, paths in self.topics(path) for child in paths) + "</div>\n"
        title, anchor = node["metadata"]["title"], self.archive.places[path].partition("#")[2]
        heading = content.heading(3, anchor, f"<code>{breakable(title)}</code>", title)
        page.headings[-1].text = content.text(node)
        body = f'<section class="member">\n{heading}'
        required = node["metadata"].get("required")
        # What its type has too is said once.
        where = systems(node)
        body += where * (where != systems(self.archive.nodes[content.path]))
        body += '<p class="systems">Required</p>\n' if required else ""
        body += self.declarations(node, content) + content.abstract(node)
        for section in node.get("primaryContentSections", []):
            if section["kind"] == "parameters":
                body += self.parameters(section, content, 4)
            elif section["kind"] == "content":
                body += content.blocks(section["content"], 2)
        body += "".join(self.member(page, content, child) for title, paths in self.topics(path) for child in paths
                        if self.archive.places[child].startswith(page.path + "#"))
        return body + "</section>\n"

    def declarations(self, node, content):
        def link(token):
            place = self.archive.find(token.get("identifier")) or self.archive.symbols.get(token.get("preciseIdentifier"))
            return relative(content.page.path, place) if place and token.get("preciseIdentifier") else None

        return "".join(highlighting.declaration(declaration["tokens"], link) for section in node.get("primaryContentSections", [])
                       if section["kind"] == "declarations" for declaration in section["declarations"])

    @staticmethod
    def parameters(section, content, level):
        title = f"<h{level}>Parameters</h{level}>\n" if level > 2 else ""
        items = "".join(f"<dt><code>{escape(parameter['name'])}</code></dt>\n<dd>{content.item(parameter['content'], 2)}</dd>\n"
                        for parameter in section["parameters"])
        return f'{title}<dl class="parameters">\n{items}</dl>\n'

    def relationships(self, node, content):
        items = ""
        for section in node.get("relationshipsSections", []):
            names = []
            for identifier in section["identifiers"]:
                title = self.archive.references.get(identifier, {}).get("title", "")
                if title and title not in IMPLICIT:
                    names.append(content.reference({"identifier": identifier, "overridingTitle": title.removeprefix("Swift.")}))
            if names:
                items += f"<dt>{escape(section['title'].capitalize())}</dt>\n"
                items += f"<dd>{', '.join(f'<code>{name}</code>' for name in names)}</dd>\n"
        return f'<dl class="relations">\n{items}</dl>\n' if items else ""

    def check(self):
        """All that DocC has is on a page."""
        missing = sorted(set(self.archive.nodes) - self.shown)
        if missing:
            raise SystemExit(f"site: no page has {', '.join(missing[:5])}")
