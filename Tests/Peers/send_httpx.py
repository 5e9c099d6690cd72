"""Sends pushes with httpx: HOST PORT CA AUTHORIZATION TOKEN...; prints the version and status of each."""
import ssl
import sys

import httpx

host, port, authority, authorization, *tokens = sys.argv[1:]
headers = {"authorization": authorization, "apns-topic": "com.example.app"}
context = ssl.create_default_context(cafile=authority)
with httpx.Client(http2=True, verify=context, headers=headers, timeout=30) as client:
    for token in tokens:
        answer = client.post(
            f"https://{host}:{port}/3/device/{token}", json={"aps": {"alert": "httpx"}})
        reason = answer.json()["reason"] if answer.content else "-"
        print(answer.http_version, answer.status_code, reason)
