"""Requests at random to every group of routes: the operations with one tag in the documents of the API's versions."""
import itertools
import json
import math
import os
import re
import subprocess
import urllib.error
import urllib.request

import servers

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMATHESIS = os.path.join(ROOT, ".build/python/bin/st")
VERSIONS = ("v4", "v5", "v6")
METHODS = ("get", "put", "post", "delete", "patch")
# These take away what the others need: the devices, the pushes in quiet hours, the key that APNs accepts.
LAST = ("devices", "limits", "apps")
# Of the roles that may call an operation, the first of these does; a device does so too.
ROLES = ("push", "analytics", "admin", "server", "device")


class Operation:
    def __init__(self, version, path, method, document):
        self.version, self.path, self.method, self.id = version, path, method.upper(), document["operationId"]
        self.tag = document["tags"][0]
        roles = re.findall(r"\w+", document["description"].split("Role: ")[1].split(".")[0].replace("with its secret", ""))
        callers = [role for role in ROLES if role in roles] or ["push"]
        self.roles = callers[:1] + [role for role in callers[1:] if role == "device"]


class RouteGroups:
    """The groups of a server's API, and how often its own metrics say that each was called."""

    def __init__(self, api, ids, folder):
        self.api, self.ids, self.folder = api, ids, folder
        self.groups = {}
        for version in VERSIONS:
            with urllib.request.urlopen(f"{api.url}/{version}/openapi.json", timeout=servers.patience) as answer:
                paths = json.load(answer)["paths"]
            for path, operations in paths.items():
                for method in set(operations) & set(METHODS):
                    operation = Operation(version, path, method, operations[method])
                    self.groups.setdefault(operation.tag, []).append(operation)

    def ask(self, least):
        """Calls every group at least that often."""
        for tag in sorted(self.groups, key=lambda tag: (LAST.index(tag) if tag in LAST else -1, tag)):
            operations = self.groups[tag]
            for version, role in itertools.product(VERSIONS, ROLES):
                chosen = sorted(each.id for each in operations if each.version == version and role in each.roles)
                if chosen:
                    self.make_up(version, tag, role, chosen, math.ceil(least / len(operations)))
        # Some operations have few requests that differ.
        counts = self.counts()
        for tag, operations in self.groups.items():
            reading = [each for each in operations if each.method == "GET" and "/stream" not in each.path]
            for number in range(least - counts[tag][0] if reading else 0):
                self.read(reading[number % len(reading)])

    def make_up(self, version, tag, role, operations, examples):
        """Has schemathesis make up requests for operations; a 5xx is an error."""
        configuration = os.path.join(self.folder, f"{version}-{tag}-{role}.toml")
        with open(configuration, "w") as file:
            file.write(self.configuration(role))
        line = [SCHEMATHESIS, "--no-color", "--config-file", configuration, "run", "--phases", "examples,fuzzing"]
        line += ["--checks", "not_a_server_error", "--max-examples", str(examples), "--request-timeout", str(servers.patience)]
        line += ["--suppress-health-check", "all"]
        line += [word for operation in operations for word in ("--include-operation-id", operation)]
        done = subprocess.run([*line, f"{self.api.url}/{version}/openapi.json"], capture_output=True, text=True, cwd=self.folder)
        # At times it cannot negate a body, and says so; what it has asked until then counts.
        problems = set(re.findall(r"^ *(?:🚫|❌) +([A-Z][\w ]+): \d+$", done.stdout, re.MULTILINE))
        is_its_limit = "Schemathesis does not support" in done.stdout and problems == {"Schema Error"}
        if done.returncode and not is_its_limit:
            servers.fail(f"schemathesis, {version} {tag} as {role}:\n{done.stdout[-4000:]}{done.stderr}")

    def configuration(self, role):
        scripts = os.path.join(ROOT, "Tests/Scripts")
        common = open(os.path.join(scripts, "schemathesis.toml")).read()
        # A few requests may all ask for what is not there.
        lines = [f'hooks = "{scripts}/schemathesis_hooks.py"', re.sub(r"\[warnings\]\nfail-on = .*", "", common)]
        lines += ["[auth.basic]", f'username = "{role}"', f'password = "{self.api.keys[role]}"']
        for name, values in sorted(self.ids.items()):
            lines += [f"[dictionaries.{name}]", f"values = {json.dumps(values)}"]
        return "\n".join(lines)

    def read(self, operation):
        def value(match):
            return self.ids.get(match[1], ["nothing"])[0]

        request = urllib.request.Request(self.api.url + re.sub(r"{(\w+)}", value, operation.path))
        request.add_header("Authorization", self.api.authorization(operation.roles[0]))
        try:
            urllib.request.urlopen(request, timeout=servers.patience).read()
        except urllib.error.HTTPError as error:
            error.close()

    def counts(self):
        """The answers of each group, and how many of them were 2xx."""
        counted = {}
        for method, route, status, count in requests(self.api):
            calls = counted.setdefault((method, route), [0, 0])
            calls[0] += count
            calls[1] += count if status.startswith("2") else 0
        return {
            tag: [sum(counted.get((each.method, each.path), [0, 0])[part] for each in operations) for part in (0, 1)]
            for tag, operations in self.groups.items()}


def requests(api):
    """The method, route, status and count of what a server has answered, by its metrics."""
    request = urllib.request.Request(api.url + "/metrics")
    request.add_header("Authorization", api.authorization("server"))
    with urllib.request.urlopen(request, timeout=servers.patience) as answer:
        text = answer.read().decode()
    sample = re.compile(r'^martlet_http_requests_total{method="(\w+)",route="(.*)",status="(\d+)"} (\d+)', re.MULTILINE)
    return [(method, route, status, int(count)) for method, route, status, count in sample.findall(text)]
