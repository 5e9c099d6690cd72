"""Renders templates with the PyPI package python-liquid, as a peer for tests.

Reads a JSON file: an array of {"context": {...}, "templates": ["...", ...]}. Prints one line of JSON
for each template, in order: what it renders.
"""

import json
import sys

import liquid

environment = liquid.Environment()
with open(sys.argv[1], encoding="utf-8") as file:
    groups = json.load(file)
for group in groups:
    for template in group["templates"]:
        print(json.dumps(environment.from_string(template).render(**group["context"])))
