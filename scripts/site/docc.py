"""The content of DocC's pages as HTML: paragraphs, lists, tables, code and links."""
import highlighting
from pages import Heading, escape, one_line, relative


def plain(content):
    """The text of blocks or of inline parts without marks."""
    return "".join(plain_part(part) for part in content or [])


def plain_part(part):
    match part["type"]:
        case "text":
            return part["text"]
        case "codeVoice":
            return part["code"]
        case "codeListing":
            return "\n".join(part["code"]) + " "
        case "heading":
            return part["text"] + " "
        case "reference":
            return part["identifier"].rpartition("/")[2]
        case "unorderedList" | "orderedList":
            return "".join(plain(item["content"]) for item in part["items"])
        case "table":
            return "".join(plain(cell) + " " for row in part["rows"] for cell in row)
        case "paragraph":
            return plain(part["inlineContent"]) + " "
    return plain(part.get("inlineContent")) + plain(part.get("content"))


def without_overview(content):
    """The content without the heading that DocC gives its first part. The headings in that part go up by one level."""
    is_first = False
    for part in content:
        if part["type"] == "heading":
            if part["text"] in ("Overview", "Discussion") and part["level"] == 2:
                is_first = True
                continue
            is_first = is_first and part["level"] > 2
            part = {**part, "level": part["level"] - is_first}
        yield part


class Content:
    """The content of one page of the site. `deeper` is what is added to the levels of headings."""

    def __init__(self, archive, page, path):
        self.archive, self.page, self.path = archive, page, path
        self.anchors = dict(archive.anchors(path))

    def blocks(self, content, deeper=0):
        return "".join(self.block(part, deeper) for part in without_overview(content))

    def block(self, part, deeper):
        match part["type"]:
            case "paragraph":
                return f"<p>{self.inline(part['inlineContent'])}</p>\n"
            case "heading" if deeper:
                level = min(part["level"] + deeper, 6)
                return f"<h{level}>{escape(part['text'])}</h{level}>\n"
            case "heading":
                return self.heading(part["level"], self.anchors[part["anchor"]], escape(part["text"]), part["text"])
            case "codeListing":
                return highlighting.block("\n".join(part["code"]), part.get("syntax"))
            case "aside":
                name = part.get("name") or part["style"].capitalize()
                label = f'<p class="label">{escape(name)}</p>\n'
                return f'<div class="note" role="note">{label}{self.blocks(part["content"], deeper)}</div>\n'
            case "unorderedList" | "orderedList":
                tag = "ul" if part["type"] == "unorderedList" else "ol"
                items = "".join(f"<li>{self.item(item['content'], deeper)}</li>\n" for item in part["items"])
                return f"<{tag}>\n{items}</{tag}>\n"
            case "termList":
                items = "".join(f"<dt>{self.inline(item['term']['inlineContent'])}</dt>\n"
                                f"<dd>{self.blocks(item['definition']['content'], deeper)}</dd>\n" for item in part["items"])
                return f"<dl>\n{items}</dl>\n"
            case "table":
                return self.table(part)
            case "thematicBreak":
                return "<hr>\n"
        raise SystemExit(f"site: {self.path} has a block of the kind {part['type']}, which docc.py does not know")

    def heading(self, level, anchor, content, text):
        self.page.headings.append(Heading(level, anchor, text))
        return f'<h{level} id="{escape(anchor)}"><a href="#{escape(anchor)}">{content}</a></h{level}>\n'

    def item(self, content, deeper):
        if len(content) == 1 and content[0]["type"] == "paragraph":
            return self.inline(content[0]["inlineContent"])
        return self.blocks(content, deeper)

    def table(self, part):
        rows = ""
        for index, row in enumerate(part["rows"]):
            tag = "th" if index == 0 and part["header"] in ("row", "both") else "td"
            cells = "".join(f"<{tag}>{self.item(cell, 0)}</{tag}>" if cell or tag == "td" else "<td></td>" for cell in row)
            rows += f"<tr>{cells}</tr>\n"
        return f'<div class="table" tabindex="0" role="group" aria-label="Table">\n<table>\n{rows}</table>\n</div>\n'

    def inline(self, content):
        text = ""
        for part in content:
            match part["type"]:
                case "text":
                    text += escape(part["text"])
                case "codeVoice":
                    text += f"<code>{escape(part['code'])}</code>"
                case "emphasis" | "strong" | "strikethrough" | "newTerm" | "inlineHead":
                    tag = {"strong": "strong", "inlineHead": "strong", "strikethrough": "s"}.get(part["type"], "em")
                    text += f"<{tag}>{self.inline(part['inlineContent'])}</{tag}>"
                case "reference":
                    text += self.reference(part)
                case "link":
                    text += f'<a href="{escape(part["destination"])}">{escape(part["title"])}</a>'
                case _:
                    raise SystemExit(f"site: {self.path} has text of the kind {part['type']}, which docc.py does not know")
        return text

    def reference(self, part):
        identifier = part["identifier"]
        reference = self.archive.references.get(identifier, {})
        title = part.get("overridingTitle") or reference.get("title") or identifier.rpartition("/")[2]
        if reference.get("type") == "link":
            return f'<a href="{escape(reference["url"])}">{escape(title)}</a>'
        text = escape(title)
        if reference.get("kind") == "symbol" and "overridingTitle" not in part:
            text = f"<code>{text}</code>"
        place = self.archive.find(identifier)
        return f'<a href="{escape(relative(self.page.path, place))}">{text}</a>' if place else text

    def abstract(self, node):
        return f'<p class="abstract">{self.inline(node["abstract"])}</p>\n' if node.get("abstract") else ""

    def text(self, node):
        """What the search finds of a symbol or an article."""
        text = plain(node.get("abstract")) + " "
        for section in node.get("primaryContentSections", []):
            text += plain(section.get("content")) + " "
            for parameter in section.get("parameters", []):
                text += f"{parameter['name']}: {plain(parameter['content'])} "
        return one_line(text)
