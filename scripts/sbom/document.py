"""A document in SPDX 2.3, as JSON: packages, how they belong together, and the texts of licences."""
import collections
import hashlib
import json
import re
import sys
from datetime import datetime, timezone


class Document:
    def __init__(self, name, namespace, epoch):
        self.packages, self.relationships, self.texts = {}, set(), {}
        self.parts = collections.defaultdict(set)
        self.head = {
            "spdxVersion": "SPDX-2.3",
            "SPDXID": "SPDXRef-DOCUMENT",
            "dataLicense": "CC0-1.0",
            "name": name,
            "documentNamespace": namespace,
            "creationInfo": {
                "created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": ["Organization: the authors of Martlet", "Tool: scripts/sbom/make"],
            },
        }

    def package(self, identifier, name, version, licence, **more):
        """Adds a package once, and returns its identifier. A licence of `None` is unknown."""
        identifier = "SPDXRef-" + re.sub("[^A-Za-z0-9.]+", "-", identifier)
        package = {
            "SPDXID": identifier,
            "name": name,
            "versionInfo": version,
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False,
            "licenseDeclared": licence or "NOASSERTION",
            "licenseConcluded": licence or "NOASSERTION",
            "copyrightText": "NOASSERTION",
        } | more
        package = {key: value for key, value in package.items() if value}
        if self.packages.setdefault(identifier, package) != package:
            sys.exit(f"sbom: two packages have the identifier {identifier}")
        return identifier

    def relate(self, first, kind, second):
        self.relationships.add((first, kind, second))

    def contains(self, whole, part):
        """Says that a part is in an artifact, which then has the part's licence too."""
        self.relate(whole, "CONTAINS", part)
        self.parts[whole].add(part)

    def text(self, name, text):
        """Adds the text of a licence that is not on SPDX's list, and returns its identifier."""
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        identifier = f"LicenseRef-{re.sub('[^A-Za-z0-9.]+', '-', name)}-{digest}"
        self.texts[identifier] = {"licenseId": identifier, "name": name, "extractedText": text}
        return identifier

    def write(self, path):
        for whole, parts in self.parts.items():
            declared = [self.packages[key]["licenseDeclared"] for key in parts | {whole}]
            licences = {licence for expression in declared for licence in expression.split(" AND ")} - {"NOASSERTION"}
            expression = " AND ".join(sorted(licences))
            self.packages[whole] |= {"licenseDeclared": expression, "licenseConcluded": expression}
        document = self.head | {
            "packages": [self.packages[key] for key in sorted(self.packages)],
            "relationships": [
                {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}
                for first, kind, second in sorted(self.relationships)
            ],
            "hasExtractedLicensingInfos": [self.texts[key] for key in sorted(self.texts)],
        }
        with open(path, "w") as file:
            json.dump(document, file, indent=1, ensure_ascii=False)
            file.write("\n")
