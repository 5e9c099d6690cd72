import os

from apns2.client import APNsClient
from apns2.credentials import TokenCredentials
from apns2.payload import Payload, PayloadAlert

os.environ["SSL_CERT_FILE"] = "martlet-sandbox/ca.pem"


class Sandbox(APNsClient):
    LIVE_SERVER, DEFAULT_PORT = "127.0.0.1", 2197


client = Sandbox(TokenCredentials("AuthKey.p8", "KEY1234567", "TEAM123456"))
payload = Payload(
    alert=PayloadAlert(title="Rain until noon", body="Take an umbrella."),
    mutable_content=True, custom={"image_url": "https://example.com/rain.jpg"})
client.send_notification("00ff", payload, topic="com.example.app")
print("accepted")
