"""Runs what a CI service would of a file: the steps of a composite GitHub Action, or the script of a GitLab job.

run_ci.py action action.yml INPUT=VALUE...
run_ci.py gitlab template.yml JOB VARIABLE=VALUE...

Steps that use another action are left out. GitHub runs a step with `sh -e FILE`, GitLab a script line by line and ends at
the first that fails.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml


def run(script, variables):
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(script)
        file.flush()
        return subprocess.run(["sh", "-e", file.name], env={**os.environ, **variables}).returncode


def action(document, folder, given):
    declared = document["inputs"]
    if unknown := given.keys() - declared.keys():
        sys.exit(f"no such input: {unknown}")
    if missing := {name for name, spec in declared.items() if spec.get("required")} - given.keys():
        sys.exit(f"missing input: {missing}")
    values = {name: given.get(name, spec.get("default", "")) for name, spec in declared.items()}

    def filled(text):
        return re.sub(r"\$\{\{ inputs\.([a-z0-9-]+) \}\}", lambda match: values[match[1]], text)

    for step in document["runs"]["steps"]:
        if "run" not in step:
            continue
        # A value in the text of a script could be code.
        if "${{" in step["run"]:
            sys.exit("a script holds an expression")
        variables = {name: filled(value) for name, value in step.get("env", {}).items()}
        if code := run(step["run"], {"GITHUB_ACTION_PATH": folder, **variables}):
            return code
    return 0


def gitlab(document, job, given):
    variables = {**document[job].get("variables", {}), **given, "CI_PROJECT_DIR": os.getcwd()}
    variables = {
        name: value.replace("$CI_PROJECT_DIR", os.getcwd()) for name, value in variables.items()
    }
    return run("\n".join(document[job]["script"]), variables)


def main():
    kind, path, *words = sys.argv[1:]
    with open(path) as file:
        document = yaml.safe_load(file)
    if kind == "action":
        given = dict(word.split("=", 1) for word in words)
        return action(document, os.path.dirname(os.path.abspath(path)), given)
    return gitlab(document, words[0], dict(word.split("=", 1) for word in words[1:]))


sys.exit(main())
