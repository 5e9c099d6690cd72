"""What links to files of the repository lead to: the repository on the web, if the remote `origin` is there, or copies as pages."""
import re, shutil, subprocess

from PIL import Image

import highlighting
from pages import Heading, Page, escape, relative

LARGEST = 200_000
LANGUAGES = {".swift": "swift", ".yml": "yaml", ".yaml": "yaml", ".json": "json", ".py": "python", ".sh": "sh", ".m": "objc",
             ".h": "objc", ".toml": "toml", ".plist": "xml", ".js": "js"}


def git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def web_address(remote):
    """The web page of a repository, by the address of its remote; nothing if that is a path."""
    remote = re.sub(r"^(ssh://)?git@([^:/]+)[:/]", r"https://\2/", remote)
    return re.sub(r"\.git/?$", "", remote).rstrip("/") if re.match(r"https?://", remote) else ""


class Files:
    """The files that pages link to. `pages` are the copies that links have asked for."""

    def __init__(self, root, site):
        self.root, self.site, self.pages = root, site, {}
        self.address, self.revision = web_address(git(root, "remote", "get-url", "origin")), git(root, "rev-parse", "HEAD")
        self.tracked = set(git(root, "ls-files", "--cached", "--others", "--exclude-standard").splitlines())

    def link(self, origin, path):
        """The address of a file or folder of the repository; nothing if there is none, or if it is no text."""
        path = path.rstrip("/")
        is_folder = (self.root / path).is_dir()
        if path not in self.tracked and not (is_folder and any(name.startswith(path + "/") for name in self.tracked)):
            return None
        if self.address:
            return f"{self.address}/{'tree' if is_folder else 'blob'}/{self.revision}/{path}"
        page = self.page(path, is_folder)
        return relative(origin, page.path) if page else None

    def page(self, path, is_folder):
        if path not in self.pages:
            if "/." in "/" + path or not is_folder and self.text(path) is None:
                return None  # What publishes the site leaves names with a dot out.
            page = Page(f"files/{path}.html", path, "contributing", "file", path, listed=False)
            page.summary = f"The files in {path}." if is_folder else f"The file {path} of the repository."
            page.render = (lambda: self.folder(page)) if is_folder else (lambda: self.file(page))
            self.pages[path] = page
        return self.pages[path]

    def text(self, path):
        data = (self.root / path).read_bytes()
        try:
            return data.decode() if len(data) <= LARGEST else None
        except UnicodeDecodeError:
            return None

    def file(self, page):
        page.headings = [Heading(1, "", page.title)]
        text, suffix = self.text(page.source), "." + page.source.rpartition(".")[2]
        language = LANGUAGES.get(suffix) or ("sh" if text.startswith(("#!/usr/bin/env bash", "#!/bin/sh")) else
                                             "python" if text.startswith("#!/usr/bin/env python") else "text")
        return f"<h1>{escape(page.title)}</h1>\n<p>A file of the repository.</p>\n{highlighting.block(text, language)}"

    def folder(self, page):
        page.headings = [Heading(1, "", page.title)]
        items = ""
        for name in sorted(name for name in self.tracked if name.startswith(page.source + "/")):
            link = self.link(page.path, name)
            text = escape(name[len(page.source) + 1:])
            items += f'<li><a href="{escape(link)}">{text}</a></li>\n' if link else f"<li>{text}</li>\n"
        return f"<h1>{escape(page.title)}</h1>\n<p>A folder of the repository.</p>\n<ul>\n{items}</ul>\n"

    def image(self, origin, path):
        """Copies a picture, and returns its address and size."""
        if path not in self.tracked or not (self.root / path).exists():
            raise SystemExit(f"site: {origin} shows {path}, which is not in the repository")
        target = path.removeprefix("docs/")
        (self.site / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / path, self.site / target)
        if path.endswith(".svg"):
            width, height = map(int, re.search(r'<svg [^>]*width="(\d+)" height="(\d+)"', (self.root / path).read_text()).groups())
        else:
            with Image.open(self.root / path) as picture:
                width, height = picture.size
        return {"src": relative(origin, target), "width": width, "height": height, "loading": "lazy"}
