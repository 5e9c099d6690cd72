import asyncio
import ssl
from pathlib import Path

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol


class Sandbox(APNsTLSClientProtocol):
    APNS_SERVER, APNS_PORT = "127.0.0.1", 2197


async def main():
    client = APNs(
        key=Path("AuthKey.p8").read_text(),
        key_id="KEY1234567", team_id="TEAM123456", topic="com.example.app",
        ssl_context=ssl.create_default_context(cafile="martlet-sandbox/ca.pem"))
    client.pool.protocol_class = Sandbox
    message = {
        "aps": {"alert": {"title": "Rain until noon", "body": "Take an umbrella."},
                "mutable-content": 1},
        "image_url": "https://example.com/rain.jpg"}
    result = await client.send_notification(
        NotificationRequest("00ff", message, push_type=PushType.ALERT))
    print(result.status, result.notification_id)


asyncio.run(main())
