"""What DocC has made of the modules: its pages as JSON, and where each is on the site.

A module, an article and a type are pages of the site. A member of a type is a section of the type's page, so a type is read as a
whole.
"""
import json

from pages import slug

OWN_PAGES = {"module", "class", "struct", "enum", "protocol", "actor", "extension"}


class Archive:
    """All modules' pages, by DocC's path, such as /documentation/martletkit/pushdevice."""

    def __init__(self, folder, products):
        self.nodes, self.places, self.symbols, self.references = {}, {}, {}, {}
        for product in products:
            data = folder / f"{product}.doccarchive" / "data"
            for path in sorted(data.rglob("*.json")):
                name = "/" + str(path.relative_to(data).with_suffix(""))
                self.nodes[name] = json.loads(path.read_text())
        for path, node in self.nodes.items():
            self.places[path] = self.place(path)
            self.symbols.setdefault(node["metadata"].get("externalID"), self.places[path])
            for identifier, reference in node["references"].items():
                self.references.setdefault(identifier, reference)

    @staticmethod
    def parent(path):
        return path.rpartition("/")[0]

    def kind(self, path):
        """module, type, article, member, or group: members of which DocC makes a list of their own."""
        node = self.nodes[path]
        symbol, role = node["metadata"].get("symbolKind"), node["metadata"].get("role")
        if symbol == "module":
            return "module"
        if symbol in OWN_PAGES or symbol and self.nodes[self.parent(path)]["metadata"].get("symbolKind") == "module":
            return "type"
        return {"article": "article", "collectionGroup": "group"}.get(role, "member")

    def place(self, path):
        """The path in the site, with the anchor of a member."""
        kind, name = self.kind(path), path.removeprefix("/documentation/")
        if kind == "module":
            return f"reference/{name}/index.html"
        if kind in ("type", "article"):
            return f"reference/{name}.html"
        return self.place(self.parent(path)) + "#" + name.rpartition("/")[2]

    def find(self, identifier):
        """The place of a reference's target, by its identifier; nothing if it is of another module."""
        reference = self.references.get(identifier, {})
        path, _, anchor = reference.get("url", "").partition("#")
        if path not in self.places:
            return None
        return self.places[path] + ("#" + self.anchor(path, anchor) if anchor else "")

    def anchor(self, path, anchor):
        """The anchor of a heading as the site has it, for one as DocC has it."""
        return next((ours for theirs, ours in self.anchors(path) if theirs == anchor), anchor)

    def anchors(self, path):
        """The anchors of a page's headings, each as DocC and as the site has it, which is as GitHub has it."""
        taken = {slug(self.nodes[path]["metadata"]["title"], set())}
        for section in self.nodes[path].get("primaryContentSections", []):
            for part in section.get("content", []):
                if part["type"] == "heading":
                    yield part["anchor"], slug(part["text"], taken)
