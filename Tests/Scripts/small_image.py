#!/usr/bin/env python3
"""Writes an OCI archive of two layers, which have the files of dpkg, and nothing else: small_image.py FILE"""
import gzip
import hashlib
import io
import json
import sys
import tarfile

STATUS = "Package: {}\nStatus: install ok installed\nArchitecture: all\nVersion: {}\n"
blobs = {}


def archive(files):
    """A tar archive of files by name, each bytes or the target of a symbolic link."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as entries:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                entry.size = len(content)
                entries.addfile(entry, io.BytesIO(content))
            else:
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                entries.addfile(entry)
    return data.getvalue()


def blob(data):
    digest = hashlib.sha256(data).hexdigest()
    blobs[f"blobs/sha256/{digest}"] = data
    return {"digest": f"sha256:{digest}"}


def status(*packages):
    return "\n".join(STATUS.format(*package) for package in packages).encode()


first = {"./var/lib/dpkg/status": status(("one", "1"), ("two", "1")), "./usr/share/doc/one": "common"}
second = {
    "./var/lib/dpkg/status": status(("one", "2"), ("martlet", "1.2.3")),
    "./usr/share/doc/common/copyright": b"the terms of one",
}
layers = [blob(gzip.compress(archive(layer))) for layer in (first, second)]
index = json.dumps({"manifests": [blob(json.dumps({"layers": layers}).encode())]}).encode()
with open(sys.argv[1], "wb") as file:
    file.write(archive({"index.json": index} | blobs))
