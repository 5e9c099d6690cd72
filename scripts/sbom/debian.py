"""Debian's packages with their versions and licences: those of this system, and those in an image."""
import json
import os
import re
import tarfile


class Packages:
    """The packages that a file of dpkg lists as installed, and their files `copyright`."""

    def __init__(self, status, copyright):
        self.copyright = copyright
        self.fields = {}
        for paragraph in status.split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+): (.*)$", paragraph, re.MULTILINE))
            if fields.get("Status", "").endswith(" installed"):
                self.fields[fields["Package"]] = fields

    def add(self, document, name):
        """Adds a package to a document and returns its identifier. One that is not installed has no version."""
        fields = self.fields.get(name, {})
        version = fields.get("Version")
        text = self.copyright(name) if fields else None
        source = fields.get("Source", name).split(" ")[0]
        names = sorted(set(re.findall(r"^License: *(\S.*?) *$", text or "", re.MULTILINE)))
        locator = f"pkg:deb/debian/{name.replace('+', '%2B')}"
        if version:
            locator += f"@{version.replace('+', '%2B').replace(':', '%3A')}?arch={fields['Architecture']}"
        return document.package(
            f"Debian-{name.replace('+', 'plus')}-{version or ''}", name, version,
            document.text(f"Debian-{source}", text) if text else None,
            supplier="Organization: Debian",
            homepage=fields.get("Homepage"),
            licenseComments="Named by Debian: " + ", ".join(names) if names else None,
            externalRefs=[{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}])


def system():
    def copyright(name):
        try:
            with open(f"/usr/share/doc/{name}/copyright", encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return None

    with open("/var/lib/dpkg/status") as file:
        return Packages(file.read(), copyright)


def image(path):
    """The packages of an image in an OCI archive, by the files of its layers, of which a later one counts."""
    files, links = {}, {}
    with tarfile.open(path) as archive:

        def blob(descriptor):
            return archive.extractfile(f"blobs/{descriptor['digest'].replace(':', '/')}")

        index = json.load(archive.extractfile("index.json"))
        for layer in json.load(blob(index["manifests"][0]))["layers"]:
            with tarfile.open(fileobj=blob(layer), mode="r:*") as entries:
                for entry in entries:
                    name = os.path.normpath(entry.name)
                    wanted = name == "var/lib/dpkg/status" or re.fullmatch("usr/share/doc/[^/]+/copyright", name)
                    if wanted and entry.isfile():
                        files[name] = entries.extractfile(entry).read().decode(errors="replace")
                    elif entry.issym() and name.startswith("usr/share/doc/"):
                        links[name] = os.path.normpath(os.path.join(os.path.dirname(name), entry.linkname))

    def copyright(name):
        folder = f"usr/share/doc/{name}"
        file = f"{links.get(folder, folder)}/copyright"
        return files.get(links.get(file, file))

    return Packages(files["var/lib/dpkg/status"], copyright)
