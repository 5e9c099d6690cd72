"""Seals or opens Web Push bodies with the PyPI package http_ece, as a peer for tests.

Reads a file of JSON lines and prints one line of JSON for each. A case is
{"do": "seal" | "open", "private_key", "public_key", "auth_secret", "salt"?, "rs"?, "content"}, all bytes
in base64url without padding. `seal` uses a new sender key for the device's public key.
"""

import base64
import json
import sys

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def answer(case):
    content = decode(case["content"])
    auth_secret = decode(case["auth_secret"])
    if case["do"] == "seal":
        return http_ece.encrypt(
            content,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode(case["public_key"]),
            auth_secret=auth_secret,
            rs=case["rs"],
        )
    scalar = int.from_bytes(decode(case["private_key"]), "big")
    return http_ece.decrypt(
        content,
        private_key=ec.derive_private_key(scalar, ec.SECP256R1()),
        auth_secret=auth_secret,
    )


for line in open(sys.argv[1]):
    try:
        print(json.dumps({"content": encode(answer(json.loads(line)))}))
    except Exception as error:
        print(json.dumps({"error": repr(error)}))
