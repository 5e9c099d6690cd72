"""What schemathesis cannot know of Martlet: bodies that are not JSON, and what a run must not do to itself."""

import json

import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation

names = st.text("abcdefghijklmnopqrstuvwxyz0123456789", max_size=20)
tokens = st.binary(min_size=32, max_size=32).map(bytes.hex)
devices = st.lists(st.tuples(tokens, st.sampled_from(["iOS", "Android"]), names), max_size=20)


def csv(devices):
    return "\n".join(map(",".join, [("token", "os_name", "user_id"), *devices])).encode()


def lines(devices):
    keys = ("push_token", "platform", "user_id")
    return "\n".join(json.dumps(dict(zip(keys, device))) for device in devices).encode()


IMPORTS = {"text/csv": csv, "application/x-ndjson": lines}
for media_type, body in IMPORTS.items():
    schemathesis.openapi.media_type(media_type, st.one_of(devices.map(body), st.binary()))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Their examples are text, and a body of a type with a strategy of its own has to be bytes."""
    path = raw_schema["paths"].get("/v6/devices/import")
    for medium in path["post"]["requestBody"]["content"].values() if path else []:
        del medium["schema"]["examples"]


@schemathesis.hook
def before_call(context, case, kwargs):
    own, key = case.operation.schema.config.auth.basic
    operation = case.operation.definition.raw["operationId"]
    # The test's devices have this secret, which only the requests of a device key need.
    case.headers["Martlet-Device-Secret"] = "A" * 43
    if operation == "streamNotification":
        # A stream ends with its notification, which is ended first.
        url = case.operation.base_url.rstrip("/") + case.formatted_path.removesuffix("/stream")
        requests.delete(url, auth=(own, key), timeout=10)
    elif operation == "explainDelivery" and not case.meta.is_negative_at(ParameterLocation.QUERY):
        # A question has one subject and one recipient, which no document can say of parameters.
        for names in [("notification", "run", "campaign"), ("device", "user")]:
            given = [name for name in names if name in case.query]
            for name in given[1:]:
                del case.query[name]
            if not given:
                case.query[names[0]] = "another"
    elif operation == "revokeKey" and case.path_parameters.get("key_id") == own:
        # The key that asks is needed.
        case.path_parameters["key_id"] = "another"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Of a device, and of a user, what is valid is taken and the rest dropped: that is the contract."""
    operation = case.operation.definition.raw["operationId"].split("_")[0]
    name = {"updateDevice": "device", "syncDevice": "device", "updateUser": "user"}.get(operation)
    is_merge = isinstance(case.body, dict) and isinstance(case.body.get(name), dict)
    if operation == "syncDevice" and not case.meta.is_negative_at(ParameterLocation.BODY):
        # Each part may be absent, and the secret of the request was replaced by the right one.
        is_merge = True
    if response.status_code == 202 and response.json().get("dropped"):
        # Of a list of events or receipts, the answer names what was not stored.
        is_merge = True
    return failure.code != "ST201" or not is_merge or case.meta.is_negative_at(ParameterLocation.PATH)
