"""Sends the pushes of a conformance rule with mopyapns, whose module is apns2."""
import json
import os

import task

os.environ["SSL_CERT_FILE"] = task.authority

from apns2 import errors  # noqa: E402
from apns2.client import APNsClient, NotificationPriority  # noqa: E402
from apns2.credentials import TokenCredentials  # noqa: E402
from apns2.payload import Payload  # noqa: E402


class Peer(APNsClient):
    LIVE_SERVER, DEFAULT_PORT = task.host, task.port


class Whole(Payload):
    def dict(self):
        return json.loads(task.payload)


# The statuses of the reasons, which its errors leave out.
STATUSES = {
    "BadDeviceToken": 400, "Unregistered": 410, "PayloadTooLarge": 413, "Forbidden": 403, "TooManyRequests": 429,
    "InternalServerError": 500, "ServiceUnavailable": 503, "InvalidProviderToken": 403, "ExpiredProviderToken": 403}

client = Peer(TokenCredentials(task.key_file, task.key_id, task.team_id))
for token in task.tokens:
    try:
        client.send_notification(
            token, Whole(alert="Hello"), topic=task.topic, priority=NotificationPriority.Immediate)
        task.report(token, 200)
    except errors.APNsException as error:
        reason = type(error).__name__
        task.report(token, STATUSES.get(reason), reason)
    except Exception:
        task.report(token)
