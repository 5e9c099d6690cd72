"""Sends the pushes of a conformance rule with aioapns."""
import asyncio
import json
import ssl
from pathlib import Path

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol

import task


class Peer(APNsTLSClientProtocol):
    APNS_SERVER, APNS_PORT = task.host, task.port


async def main():
    client = APNs(
        key=Path(task.key_file).read_text(), key_id=task.key_id, team_id=task.team_id, topic=task.topic,
        max_connections=1, ssl_context=ssl.create_default_context(cafile=task.authority))
    client.pool.protocol_class = Peer

    async def send(token):
        try:
            push = NotificationRequest(token, json.loads(task.payload), push_type=PushType.ALERT)
            result = await asyncio.wait_for(client.send_notification(push), 8)
            # It gives an answer of its own where none came.
            answered = str(result.status).isdigit()
            task.report(token, result.status if answered else None, result.description if answered else None)
        except Exception:
            task.report(token)

    if task.together:
        await asyncio.gather(*map(send, task.tokens))
    else:
        for token in task.tokens:
            await send(token)


asyncio.run(main())
