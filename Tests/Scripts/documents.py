"""The documents that a program makes: commands whose output, exit code and files are compared."""
import os
import re
import shutil
import subprocess
import tarfile

import app_bundle

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXTURES = os.path.join(ROOT, "Tests/Fixtures")


class Maker:
    """A program in a folder of its own, which has the inputs under names that are the same for each program."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        os.symlink(FIXTURES, os.path.join(folder, "fixtures"))
        app_bundle.write(folder)
        with tarfile.open(os.path.join(FIXTURES, "versions/0.1.0/sqlite.tar.gz")) as archive:
            archive.extractall(folder)

    def documents(self, line):
        """Runs a command in the folder; returns what it printed, and the files it wrote into `out`, by their names."""
        out = os.path.join(self.folder, "out")
        os.makedirs(out)
        for name in os.listdir(FIXTURES + "/xcode"):
            if f"out/{name}/App.xcodeproj" in line:
                project = os.path.join(out, name, "App.xcodeproj")
                os.makedirs(project)
                shutil.copy(f"{FIXTURES}/xcode/{name}", project + "/project.pbxproj")
        done = subprocess.run([self.program, *line], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL)
        name = "martlet " + " ".join(line)
        printed = b"exit code %d\n%b%b" % (done.returncode, done.stdout, done.stderr)
        found = {name: printed.replace(self.folder.encode(), b"FOLDER")}
        for folder, _, files in os.walk(out):
            for file in files:
                path = os.path.join(folder, file)
                with open(path, "rb") as content:
                    found[f"{name}: {os.path.relpath(path, out)}"] = content.read()
        shutil.rmtree(out)
        return found


def commands(maker, app):
    """The command lines, of which those for help, rules and tools follow from what a program says itself."""

    def said(*line):
        return subprocess.run([maker.program, *line], capture_output=True, text=True).stdout

    yield ["--version"]
    yield ["help"]
    words = re.findall(r"^  (\S+(?: \S+)?)  +\S", said("help"), re.MULTILINE)
    for name in sorted({*words, *(name.split()[0] for name in words)}):
        yield ["help", *name.split()]
    for shell in ("bash", "zsh", "fish"):
        yield ["completions", shell]
    yield ["man", "out"]
    yield ["config", "print"]
    yield ["lint", "--rules"]
    for code in sorted(set(re.findall(r"\bM\d{3}\b", said("lint", "--rules")))):
        yield ["lint", "--explain", code]
    for form in ("text", "json", "sarif"):
        # With SARIF come the rules of doctor.
        yield ["doctor", "--format", form, "App.app"]
        for folder in ("lint", "dialects", "templates"):
            yield ["lint", "--format", form, "fixtures/" + folder]
    for kind in ("dialects", "templates"):
        for folder in sorted(os.listdir(f"{FIXTURES}/{kind}")):
            yield ["simulate", "--json", "--stable", "--render", "out/card.png", f"fixtures/{kind}/{folder}"]
    names = ["--app-name", "Weather", "--bundle-id", "com.example.app"]
    yield ["init", *names, "out/NotificationService"]
    yield ["init", *names, "--content-extension", "out/NotificationContent"]
    tools = re.search(r"--for TOOL +the lines for ([^(]+)\(", said("help", "init"))[1]
    for tool in re.findall(r"\w+", tools):
        yield ["init", *names, "--for", tool, "out/NotificationService"]
    for name in sorted(name for name in os.listdir(FIXTURES + "/xcode") if name.endswith(".pbxproj")):
        yield ["init", *names[2:], "--project", f"out/{name}/App.xcodeproj", f"out/{name}/NotificationService"]
    for what in ("apps", "keys", "accounts"):
        yield [what, "list", "--data", "data"]
    for what in ("keys", "identity-keys"):
        yield [what, "list", "--app", app, "--data", "data"]
    yield ["devices", "export", "--app", app, "--data", "data", "out/devices.ndjson"]
