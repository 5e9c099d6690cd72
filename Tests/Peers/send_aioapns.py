"""Sends pushes with aioapns: HOST PORT CA KEY TOKEN...; prints the status and reason of each."""
import asyncio
import ssl
import sys

import aioapns
from aioapns.connection import APNsDevelopmentClientProtocol

host, port, authority, key, *tokens = sys.argv[1:]


async def main():
    context = ssl.create_default_context(cafile=authority)
    APNsDevelopmentClientProtocol.APNS_SERVER = host
    APNsDevelopmentClientProtocol.APNS_PORT = int(port)
    client = aioapns.APNs(
        key=open(key).read(), key_id="KEY1234567", team_id="TEAM123456",
        topic="com.example.app", use_sandbox=True, ssl_context=context)
    for token in tokens:
        request = aioapns.NotificationRequest(
            device_token=token, message={"aps": {"alert": "aioapns"}})
        answer = await client.send_notification(request)
        print(answer.status, answer.description or "-")


asyncio.run(asyncio.wait_for(main(), 30))
