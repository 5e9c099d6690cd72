"""Python's packages in the lists of scripts/python, with the licences that they name themselves."""
import email
import glob
import re
import sys

LICENCES = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}


def licence(document, name, folder, metadata):
    """By the expression that the package declares, the text that it brings, or what it says of itself, in this order."""
    if metadata["License-Expression"]:
        return metadata["License-Expression"]
    texts = sorted(
        path for pattern in ("LICEN[CS]E*", "licenses/**/LICEN[CS]E*", "COPYING*", "licenses/**/COPYING*")
        for path in glob.glob(f"{glob.escape(folder)}/{pattern}", recursive=True))
    if texts:
        return document.text(f"PyPI-{name}", "\n".join(open(path, errors="replace").read() for path in texts))
    for classifier in metadata.get_all("Classifier") or []:
        if classifier.split(" :: ")[-1] in LICENCES:
            return LICENCES[classifier.split(" :: ")[-1]]
    said = metadata["License"]
    return document.text(f"PyPI-{name}", said) if said and said != "UNKNOWN" else None


def packages(document, python):
    """Adds the packages of the lists and yields the identifier of each; `python` is the environment that has them."""
    installed = {}
    for path in glob.glob(f"{python}/lib/python3*/site-packages/*.dist-info/METADATA"):
        with open(path, encoding="utf-8", errors="replace") as file:
            metadata = email.message_from_file(file)
        installed[re.sub("[-_.]+", "-", metadata["Name"]).lower(), metadata["Version"]] = path, metadata
    for list in sorted(glob.glob("scripts/python/*.txt")):
        with open(list) as file:
            for name, version in re.findall(r"^([\w.-]+)==(\S+)", file.read(), re.MULTILINE):
                if (name, version) not in installed:
                    sys.exit(f"sbom: {name} {version} of {list} is not in {python}; run scripts/bootstrap verify")
                path, metadata = installed[name, version]
                yield document.package(
                    f"PyPI-{name}-{version}", name, version,
                    licence(document, name, path.removesuffix("/METADATA"), metadata),
                    externalRefs=[{
                        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                        "referenceLocator": f"pkg:pypi/{name}@{version}"}])
