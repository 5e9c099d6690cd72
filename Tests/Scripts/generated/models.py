"""Drives a server with the models that datamodel-code-generator generated: models.py FILE."""

import json
import sys
from typing import Any

import httpx
import martlet_models as models
import pydantic


def wire(model: pydantic.BaseModel) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


def main(path: str) -> None:
    with open(path) as file:
        given = json.load(file)
    client = httpx.Client(base_url=given["url"], auth=("", given["keys"]["push"]), timeout=30)

    update = models.DeviceUpdate.model_validate({
        "user_id": "grace", "tags": ["silver"], "push_token": "11ee", "future": 1,
        "user_attributes": {"seen": {"type": "date", "value": "2026-01-01"}}})
    answer = client.put("/v6/devices/phone-2", json={"device": wire(update)})
    assert answer.status_code == 200, answer.text
    updated = models.UpdatedDevice.model_validate(answer.json()["device"])
    assert updated.user_id == "grace" and updated.erased_at is None
    dropped = [models.DroppedMember.model_validate(member) for member in answer.json()["dropped"]]
    assert [member.path for member in dropped] == ["$.device.future"]

    seen = models.Filter(name="custom.date.seen", criteria=[{"gte": "2025-12-31", "lt": "now"}])
    payload = models.Payload.model_validate({"alert": {"loc-key": "HELLO"}, "screen": 5})
    notification = models.NewNotification(
        to=models.Target.model_validate([wire(seen)]), payload=payload, throttle_per_second=10)
    answer = client.post("/v6/notifications", json={"notification": wire(notification)})
    assert answer.status_code == 201, answer.text
    created = models.CreatedNotification.model_validate(answer.json())
    assert created.notification.payload == {"alert": {"loc-key": "HELLO"}, "screen": 5}
    sent = models.Notification.model_validate(client.get(f"/v6/notifications/{created.notification.id}").json())
    assert sent.counts.targeted == 1, sent

    erased = client.post("/v6/devices/phone-2/erase").json()["device"]
    assert models.ErasedDevice.model_validate(erased).user_id is None

    # What the server refuses the models refuse too.
    for wrong in ({"payload": {"alert": "Hi"}}, {"to": "*", "payload": {"alert": "Hi"}, "schedule_at": "2100-01-01"}):
        try:
            models.NewNotification.model_validate(wrong)
        except pydantic.ValidationError:
            pass
        else:
            raise AssertionError(wrong)
        assert client.post("/v6/notifications", json={"notification": wrong}).status_code == 422


main(sys.argv[1])
