"""The pushes of a conformance rule, from the environment that `martlet conformance --client` sets."""
import os
import time

import jwt

host, port = os.environ["APNS_HOST"], int(os.environ["APNS_PORT"])
authority, key_file = os.environ["APNS_CA"], os.environ["APNS_KEY"]
key_id, team_id = os.environ["APNS_KEY_ID"], os.environ["APNS_TEAM_ID"]
topic, payload = os.environ["APNS_TOPIC"], os.environ["APNS_PAYLOAD"]
tokens, together = os.environ["APNS_TOKENS"].split(), os.environ["APNS_TOGETHER"] == "1"


def provider_token():
    with open(key_file) as key:
        return jwt.encode(
            {"iss": team_id, "iat": int(time.time())}, key.read(), algorithm="ES256", headers={"kid": key_id})


def report(token, status=None, reason=None):
    print(token, status or "none", reason or "", flush=True)
