"""Validates SARIF logs, one file an argument, against the schema beside this file."""
import json
import pathlib
import sys

import jsonschema

schema = json.loads((pathlib.Path(__file__).parent / "sarif-schema-2.1.0.json").read_text())
validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
for name in sys.argv[1:]:
    errors = list(validator.iter_errors(json.loads(pathlib.Path(name).read_text())))
    for error in errors:
        print(f"{name}: {error.json_path}: {error.message[:200]}")
    print("invalid" if errors else "valid")
