"""Drives a server with the client that openapi-python-client generated: client.py FILE."""

import base64
import datetime
import json
import sys

import httpx
from martlet_client import AuthenticatedClient
from martlet_client.api.audiences import create_audience, list_audiences, read_audience
from martlet_client.api.devices import read_device, update_device
from martlet_client.api.messages import create_message
from martlet_client.api.notifications import (
    cancel_notification, create_notification, list_notifications, preview_notification, read_notification)
from martlet_client.models.create_audience_body import CreateAudienceBody
from martlet_client.models.create_audience_body_audience import CreateAudienceBodyAudience
from martlet_client.models.create_message_body import CreateMessageBody
from martlet_client.models.create_notification_body import CreateNotificationBody
from martlet_client.models.created_message import CreatedMessage
from martlet_client.models.created_notification import CreatedNotification
from martlet_client.models.alert_object import AlertObject
from martlet_client.models.attached_notification import AttachedNotification
from martlet_client.models.device import Device
from martlet_client.models.device_update import DeviceUpdate
from martlet_client.models.device_update_user_attributes import DeviceUpdateUserAttributes
from martlet_client.models.error import Error
from martlet_client.models.filter_ import Filter
from martlet_client.models.new_integer_attribute import NewIntegerAttribute
from martlet_client.models.new_message import NewMessage
from martlet_client.models.new_notification import NewNotification
from martlet_client.models.notification import Notification
from martlet_client.models.payload import Payload
from martlet_client.models.preview_notification_body import PreviewNotificationBody
from martlet_client.models.update_device_body import UpdateDeviceBody
from martlet_client.models.update_device_response_200 import UpdateDeviceResponse200


def main(path: str) -> None:
    with open(path) as file:
        given = json.load(file)
    key = base64.b64encode(f":{given['keys']['push']}".encode()).decode()
    client = AuthenticatedClient(base_url=given["url"], token=key, prefix="Basic", timeout=httpx.Timeout(30))

    attributes = DeviceUpdateUserAttributes()
    attributes["age"] = NewIntegerAttribute(type_="integer", value=30)
    update = DeviceUpdate(user_id="ada", tags=["gold"], push_token="00ff", user_attributes=attributes)
    update["not_known_yet"] = True
    updated = update_device.sync("phone-1", client=client, body=UpdateDeviceBody(device=update))
    assert isinstance(updated, UpdateDeviceResponse200), updated
    assert updated.device.user_id == "ada" and updated.device.erased_at is None
    assert [dropped.path for dropped in updated.dropped] == ["$.device.not_known_yet"]

    found = read_device.sync("phone-1", client=client)
    assert found is not None and not isinstance(found, Error), found
    assert isinstance(found.devices, Device), found
    assert found.devices.tags == ["gold"] and found.devices.last_opened is None

    tag = Filter(name="tags", criteria=["gold"])
    age = Filter(name="custom.integer.age", criteria=[{"gte": 18, "lt": 99}])
    payload = Payload(alert=AlertObject(default="Hello"), badge=1)
    payload["screen"] = {"name": "offers"}
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    notification = NewNotification(to=[tag, age], payload=payload, scheduled_at=later)
    preview = preview_notification.sync(client=client, body=PreviewNotificationBody(notification=notification))
    assert preview is not None and not isinstance(preview, Error), preview
    assert preview.device_count == 1 and preview.payload["screen"] == {"name": "offers"}

    body = CreateNotificationBody(notification=notification)
    created = create_notification.sync(client=client, body=body, idempotency_key="generated")
    assert isinstance(created, CreatedNotification), created
    assert created == create_notification.sync(client=client, body=body, idempotency_key="generated")
    sent = read_notification.sync(created.notification.id, client=client)
    assert isinstance(sent, Notification) and sent.counts.targeted == 1 and sent.counts.expired == 0, sent
    canceled = cancel_notification.sync(created.notification.id, client=client)
    assert isinstance(canceled, Notification) and canceled.state == "canceled", canceled
    page = list_notifications.sync(client=client)
    assert page is not None and not isinstance(page, Error) and page.meta.total == 1 and page.meta.cursor is None

    attached = AttachedNotification(payload=Payload(alert="Hi"))
    message = create_message.sync(
        client=client, body=CreateMessageBody(message=NewMessage(to="*", title="T", notification=attached)))
    assert isinstance(message, CreatedMessage) and message.notification is not None, message

    gold = CreateAudienceBodyAudience(name="Gold", to=[tag])
    audience = create_audience.sync(client=client, body=CreateAudienceBody(audience=gold))
    assert audience is not None and not isinstance(audience, Error), audience
    again = read_audience.sync(audience.audience.id, client=client)
    assert again is not None and not isinstance(again, Error) and again.audience.device_count == 1
    audiences = list_audiences.sync(client=client, per=1, page=1)
    assert audiences is not None and not isinstance(audiences, Error) and len(audiences.audiences) == 1

    refused = read_notification.sync("0" * 24, client=client)
    assert isinstance(refused, Error) and refused.error.startswith("there is no"), refused


main(sys.argv[1])
