"""The parts of Swift's toolchain that `--static-swift-stdlib` links into a program."""
import collections
import glob
import os
import re
import subprocess
import sys

SWIFT = "Apache-2.0 WITH Swift-exception"
# A project, the static libraries that it makes, and its licence.
PROJECTS = [
    ("swift", "libswift(?!Dispatch).*", f"{SWIFT} AND Apache-2.0 WITH LLVM-exception"),
    ("swift-corelibs-libdispatch", "libdispatch|libswiftDispatch|libBlocksRuntime", SWIFT),
    ("swift-corelibs-foundation", "libFoundation|libFoundationNetworking|libFoundationXML|lib_?CF.*|libCoreFoundation", SWIFT),
    ("swift-foundation", "libFoundationEssentials|libFoundationInternationalization|lib_FoundationCShims", SWIFT),
    ("swift-collections", "lib_FoundationCollections", SWIFT),
    ("swift-foundation-icu", "lib_FoundationICU", None),
]


def output(*line):
    return subprocess.run(line, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def symbols(path, kinds):
    """The defined symbols of a program or a static library, of the kinds that nm names by these letters."""
    return {name for name, kind in re.findall(r"^(\S+) (\w) ", output("nm", "-P", path), re.MULTILINE) if kind in kinds}


def libraries(program, folder):
    """The names of the static libraries in a folder of which a program has a symbol that no other of them defines."""
    defined = {os.path.basename(path)[:-2]: symbols(path, "TDRB") for path in glob.glob(f"{folder}/*.a")}
    owners = collections.Counter(name for names in defined.values() for name in names)
    linked = symbols(program, "TtDdRrBb")
    return {library for library, names in defined.items() if any(owners[name] == 1 for name in names & linked)}


def packages(document, program, licences):
    """Adds the toolchain and the parts of it that a program has; returns the toolchain's identifier and theirs."""
    version = re.search(r"Swift version (\S+) \((\S+)\)", output("swift", "--version"))
    runtime = os.path.dirname(os.path.realpath(output("which", "swift").strip())) + "/../lib/swift_static"
    with open(f"{runtime}/_foundation_unicode/uvernum.h") as file:
        icu = re.search(r'define U_ICU_VERSION "(.*)"', file.read())[1]
    with open(f"{licences}/icu") as file:
        icu_text = file.read()

    def add(name, licence):
        return document.package(
            f"Swift-{name}", name, icu if name.endswith("-icu") else version[2],
            licence or document.text("ICU", icu_text),
            supplier="Organization: Swift",
            copyrightText="Copyright Apple Inc. and the Swift project authors" if licence
            else "Copyright Unicode, Inc. and others",
            comment=f"As in the toolchain {version[2]}")

    parts, left = [], libraries(program, f"{runtime}/linux")
    for name, pattern, licence in PROJECTS:
        found = {library for library in left if re.fullmatch(pattern, library)}
        left -= found
        if found:
            parts.append(add(name, licence))
    if left or len(parts) == 0:
        sys.exit(f"sbom: {program} has {sorted(left) or 'no symbols'} of Swift; name their project in scripts/sbom/swift.py")
    toolchain = document.package(
        "Swift-toolchain", "Swift toolchain", version[1], SWIFT, supplier="Organization: Swift", comment=version[0])
    return toolchain, parts
