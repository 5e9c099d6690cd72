"""Generates two clients from a server's document, checks their types and runs them: generate.py FILE FOLDER.

FILE is a JSON of the server's URL and a key for each role. The clients are those of openapi-python-client and of
datamodel-code-generator; what they do is in client.py and models.py beside this file.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import urllib.request

HERE = pathlib.Path(__file__).parent
BIN = pathlib.Path(sys.executable).parent

# openapi-python-client has no bodies of several text types, and no answers of newline-delimited JSON.
EXPECTED_WARNINGS = {
    "WARNING parsing POST /v6/devices/import within devices. Endpoint will not be generated.",
    "WARNING parsing GET /v6/audiences/{audience_id}/devices.ndjson within audiences.",
}

MYPY = """
[mypy]
strict_equality = True
disallow_untyped_defs = True
warn_unreachable = True
[mypy-martlet_client.*]
disallow_untyped_defs = False
warn_unreachable = False
# This file is the same for every document.
[mypy-martlet_client.client]
ignore_errors = True
"""


def run(*words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=1500)
    if done.returncode != 0:
        sys.exit(f"{words[0]}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr


def main(given, folder):
    folder = pathlib.Path(folder)
    url = json.loads(pathlib.Path(given).read_text())["url"]
    with urllib.request.urlopen(url + "/v6/openapi.json", timeout=30) as answer:
        (folder / "openapi.json").write_bytes(answer.read())
    (folder / "client.yml").write_text("post_hooks: []\n")
    said = run(
        BIN / "openapi-python-client", "generate", "--path", "openapi.json", "--output-path", "martlet_client",
        "--meta", "none", "--config", "client.yml", folder=folder)
    warnings = {line for line in said.splitlines() if line.startswith(("WARNING", "ERROR", "Unable", "Invalid"))}
    if warnings != EXPECTED_WARNINGS:
        sys.exit(said)
    run(
        BIN / "datamodel-codegen", "--input", "openapi.json", "--input-file-type", "openapi",
        "--output", "martlet_models.py", "--output-model-type", "pydantic_v2.BaseModel", "--use-annotated",
        "--formatters", "builtin", "--disable-timestamp", folder=folder)
    for script in ("client.py", "models.py"):
        shutil.copy(HERE / script, folder / script)
    (folder / "mypy.ini").write_text(MYPY)
    run(
        BIN / "mypy", "--config-file", "mypy.ini", "martlet_client", "martlet_models.py", "client.py", "models.py",
        folder=folder)
    for script in ("client.py", "models.py"):
        run(BIN / "python", script, given, folder=folder)


main(*sys.argv[1:])
