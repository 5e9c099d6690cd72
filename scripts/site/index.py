"""What is written beside the pages: the index of the search, and llms.txt."""
import json

from guides import section_title, sections
from pages import one_line

LONGEST = 6_000


def search(pages):
    """A script that hands search.js every heading with its text: [page, anchor, heading, text]."""
    listed = [page for page in pages if page.listed and page.kind != "list"]
    entries = []
    for number, page in enumerate(listed):
        for heading in page.headings:
            name = ["", ""] if heading is page.headings[0] else [heading.id, heading.title]
            entries.append([number, *name, one_line(heading.text)[:LONGEST]])
    names = [[page.path, page.title, page.group if page.section == "reference" else section_title(page.section)]
             for page in listed]
    text = json.dumps({"pages": names, "entries": entries}, ensure_ascii=False, separators=(",", ":"))
    return f"window.searchIndex = {text};\n"


def llms(pages, summary):
    """The list of pages for language models, as llmstxt.org describes it."""
    text = f"# Martlet\n\n> {summary}\n"
    for section in sections(pages):
        text += f"\n## {section_title(section)}\n\n"
        for page in (page for page in pages if page.section == section and page.listed and page.kind not in ("type", "list")):
            text += f"- [{page.title}]({page.path})" + (f": {page.summary}" if page.summary else "") + "\n"
    return text
