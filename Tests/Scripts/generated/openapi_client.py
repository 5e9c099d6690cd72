"""Drives a server with the Python client that openapi-generator generated: openapi_client.py FILE."""

import json
import sys

import openapi_client as api


def main(path: str) -> None:
    with open(path) as file:
        given = json.load(file)
    configuration = api.Configuration(host=given["url"], username="", password=given["keys"]["push"])
    with api.ApiClient(configuration) as client:
        devices, notifications = api.DevicesApi(client), api.NotificationsApi(client)
        attribute = api.NewAttribute(
            api.NewIntegerAttribute(type="integer", value=api.NewIntegerAttributeValue(40)))
        update = api.DeviceUpdate(
            user_id="kim", tags=["blue"], push_token="22dd", user_attributes={"age": attribute})
        answer = devices.update_device("phone-3", api.UpdateDeviceRequest(device=update))
        assert answer.device.user_id == "kim" and answer.dropped == [], answer
        # The constructor leaves out the members that it is not given; from_dict would set them to null, which removes their values.
        devices.update_device("phone-3", api.UpdateDeviceRequest(device=api.DeviceUpdate(badge=2)))
        device = devices.read_device("phone-3").devices.actual_instance
        assert isinstance(device, api.Device) and device.user_id == "kim" and device.erased_at is None, device

        tag = api.Filter(name="tags", criteria=["blue"])
        payload = api.Payload(alert=api.Alert("Hello"), additional_properties={"screen": "offers"})
        notification = api.NewNotification(to=api.Target([tag]), payload=payload)
        created = notifications.create_notification(api.CreateNotificationRequest(notification=notification))
        assert created.notification.payload == {"alert": "Hello", "screen": "offers"}, created
        sent = notifications.read_notification(created.notification.id)
        assert sent.counts.targeted == 1 and sent.counts.expired == 0, sent
        try:
            notifications.read_notification("0" * 24)
        except api.ApiException as error:
            assert error.status == 404
        else:
            raise AssertionError("a notification that is not there was read")


main(sys.argv[1])
