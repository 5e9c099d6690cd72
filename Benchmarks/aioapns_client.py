"""Sends pushes with aioapns and prints how many seconds it took: URL FOLDER TOKEN TOPIC COUNT."""
import asyncio
import json
import ssl
import sys
import time
import uuid
from urllib.parse import urlparse

from aioapns import APNs, NotificationRequest


async def main(url, folder, token, topic, count):
    with open(folder + "/push.p8") as key, open(folder + "/push.json") as body:
        key, body = key.read(), body.read()
    server = urlparse(url)
    client = APNs(
        key=key, key_id="K1L2M3N4O5", team_id="A1B2C3D4E5", topic=topic, max_connections=1,
        ssl_context=ssl.create_default_context(cafile=folder + "/ca.pem"))
    pool = client.pool
    pool.protocol_class.APNS_SERVER = server.hostname
    pool.protocol_class.APNS_PORT = server.port

    message = json.loads(body)

    async def send():
        request = NotificationRequest(
            device_token=token, message=message, notification_id=str(uuid.uuid4()), priority=10)
        return (await client.send_notification(request)).is_successful

    start = time.monotonic()
    results = await asyncio.gather(*(send() for _ in range(count)))
    assert all(results)
    print(time.monotonic() - start)


url, folder, token, topic, count = sys.argv[1:]
asyncio.run(main(url, folder, token, topic, int(count)))
