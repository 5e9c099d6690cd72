"""Generates clients for Python and TypeScript with openapi-generator, checks their types and runs them.

openapi_generator.py FILE FOLDER, where FILE is a JSON of the server's URL and a key for each role.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import urllib.request

HERE = pathlib.Path(__file__).parent
BIN = pathlib.Path(sys.executable).parent

# A generated function gives one variable the elements of lists of two types.
MYPY = """
[mypy]
[mypy-openapi_client.models.target_object]
disable_error_code = arg-type
"""


def run(*words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=1500)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stdout[-4000:]}{done.stderr[-4000:]}")


def main(given, folder):
    folder = pathlib.Path(folder)
    url = json.loads(pathlib.Path(given).read_text())["url"]
    with urllib.request.urlopen(url + "/v6/openapi.json", timeout=30) as answer:
        (folder / "openapi.json").write_bytes(answer.read())
    # With names of its own, typescript-fetch sends the members of open objects twice, under both names.
    for generator, options in (("python", []), ("typescript-fetch", ["-p", "modelPropertyNaming=original"])):
        run(BIN / "openapi-generator-cli", "generate", "-i", "openapi.json", "-g", generator, "-o", generator, *options,
            folder=folder)

    python = folder / "python"
    shutil.copy(HERE / "openapi_client.py", python / "drive.py")
    (python / "mypy.ini").write_text(MYPY)
    run(BIN / "mypy", "--config-file", "mypy.ini", "openapi_client", "drive.py", folder=python)
    run(BIN / "python", "drive.py", given, folder=python)

    typescript = folder / "typescript-fetch"
    shutil.copy(HERE / "openapi_client.ts", typescript / "drive.ts")
    # Debian's TypeScript 4.8 does not narrow objects by `in`, which the generated code counts on.
    run("tsc", "--strict", "--noImplicitAny", "false", "--target", "es2020", "--module", "commonjs", "--lib",
        "es2020,dom", "--outDir", "built", "index.ts", "drive.ts", folder=typescript)
    run("node", "built/drive.js", given, folder=typescript)


main(*sys.argv[1:])
