"""Markdown as HTML, as GitHub shows it: tables, and the same anchors of headings."""
import re

from markdown_it import MarkdownIt

import highlighting
from pages import Heading, escape, one_line, slug

parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def plain(inline):
    """The text of an inline token without marks."""
    return "".join(
        plain(child) if child.children else child.content if child.type in ("text", "code_inline") else
        " " if child.type in ("softbreak", "hardbreak") else "" for child in inline.children or [])


def title(text):
    """The text of the first heading."""
    tokens = parser.parse(text)
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            return one_line(plain(tokens[index + 1]))
    return ""


def summary(text):
    """The text of the first paragraph after the first heading that is neither a picture nor a record's date, without a label."""
    tokens = parser.parse(text)
    for index, token in enumerate(tokens):
        paragraph = one_line(plain(tokens[index + 1])) if token.type == "paragraph_open" and token.level == 0 else ""
        if paragraph and not paragraph.startswith("Date: "):
            return re.sub(r"^Context\. ", "", paragraph)
    return ""


class Rendering:
    """One page. `link` gives the address for a link's target, or nothing if it has none; `image` the attributes of a picture."""

    def __init__(self, link, image):
        self.link, self.image, self.taken, self.headings = link, image, set(), []

    def page(self, text):
        tokens = parser.parse(text)
        self.find_headings(tokens)
        for token in tokens:
            self.change(token)
        return self.blocks(tokens)

    def find_headings(self, tokens):
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                text = one_line(plain(tokens[index + 1]))
                token.attrSet("id", slug(text, self.taken))
                self.headings.append(Heading(int(token.tag[1]), token.attrs["id"], text))
            elif self.headings and token.type == "inline" and tokens[index - 1].type != "heading_open":
                self.headings[-1].text += plain(token) + " "
            elif self.headings and token.type == "fence":
                self.headings[-1].text += token.content + " "

    def change(self, token):
        """Replaces targets, and what the Content-Security-Policy or a page's outline refuses."""
        for child in token.children or []:
            self.change(child)
        if token.type in ("th_open", "td_open") and "style" in token.attrs:
            token.attrSet("class", token.attrs.pop("style").partition(":")[2])
        if token.type in ("html_block", "html_inline"):
            token.content = COMMENT.sub("", token.content)
        if token.type == "image":
            token.attrs = {**self.image(token.attrs["src"]), "alt": plain(token) or token.content}
            token.hidden = not token.attrs.get("src")
        for child, end in self.pairs(token.children or []):
            address = self.link(child.attrs["href"])
            if address:
                child.attrs = {"href": address}
            else:
                child.type = end.type = "text"
                child.content = end.content = ""
                child.nesting = end.nesting = 0

    @staticmethod
    def pairs(children):
        """Each link's first and last token."""
        opened = None
        for child in children:
            if child.type == "link_open":
                opened = child
            elif child.type == "link_close" and opened:
                yield opened, child
                opened = None

    def blocks(self, tokens):
        output, index = [], 0
        render = parser.renderer
        while index < len(tokens):
            token = tokens[index]
            if token.type in ("fence", "code_block"):
                output.append(highlighting.block(token.content, token.info))
            elif token.type == "table_open":
                output.append('<div class="table" tabindex="0" role="group" aria-label="Table">\n<table>\n')
            elif token.type == "table_close":
                output.append("</table>\n</div>\n")
            elif token.type == "th_open" and not plain(tokens[index + 1]).strip():
                output.append("<td></td>")
                index += 2
            elif token.type == "heading_open":
                inline = tokens[index + 1]
                content = render.renderInline(inline.children, parser.options, {})
                if not any(child.type == "link_open" for child in inline.children):
                    content = f'<a href="#{escape(token.attrs["id"])}">{content}</a>'
                output.append(f'<{token.tag} id="{escape(token.attrs["id"])}">{content}</{token.tag}>\n')
                index += 2
            elif token.type == "inline":
                output.append(render.renderInline(token.children, parser.options, {}))
            else:
                is_html = token.type == "html_block"
                output.append(token.content if is_html else render.renderToken(tokens, index, parser.options, {}))
            index += 1
        return "".join(output)
