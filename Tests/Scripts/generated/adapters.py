"""Calls the API with clients that were generated from its document.

Each adapter has `call`: it makes the generated type of an operation's body from JSON, sends it, and answers with the status and
with the JSON of the generated type of the answer. A body or an answer that a generated type changes is a failure.
"""
import base64, copy, datetime, enum, importlib, inspect, json, re, typing

import httpx

SECONDS = 60  # for one request


class Failed(Exception):
    """A step or a call that did not do what it should."""


def snake(operation):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


def plain(value):
    """The JSON of a value of a generated type, without members that are null."""
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items() if member is not None}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else value


def moment(text):
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return text


def same(value, other):
    """Whether two values are the same JSON, whatever the form of a date."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(same(member, other[key]) for key, member in value.items())
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(same(*pair) for pair in zip(value, other))
    if isinstance(value, str) and isinstance(other, str):
        return moment(value) == moment(other)
    return value == other


def keeps(what, given, value):
    """Fails where a generated type has changed what it was made of."""
    if not same(plain(given), plain(value)):
        raise Failed(f"{what} {json.dumps(plain(given))} becomes {json.dumps(plain(value))}")


class Adapter:
    """A generated client. `url` is that of the server, and `document` the document that the client was made of."""

    def __init__(self, url, document):
        self.url = url
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, item in document["paths"].items() for method, operation in item.items()}


class OpenAPIGenerator(Adapter):
    """The client of openapi-generator for Python: a class for each tag, with a method for each operation."""
    name = "openapi-generator"

    def call(self, operation, key, body=None, content_type=None, **parameters):
        api, tag = importlib.import_module("openapi_client"), self.operations[operation][2]["tags"][0]
        with api.ApiClient(api.Configuration(host=self.url, username="", password=key)) as client:
            method = getattr(getattr(api, tag.title() + "Api")(client), snake(operation) + "_with_http_info")
            if body is not None:
                name, kind = self.body(method, parameters)
                given = body if kind is str else kind.from_dict(body)
                keeps("the body", body, given)
                parameters[name] = given
            try:
                answer = method(**parameters, _content_type=content_type)
            except api.ApiException as refused:
                return refused.status, json.loads(refused.body)
        keeps("the answer", json.loads(answer.raw_data), answer.data)
        return answer.status_code, plain(answer.data)

    @staticmethod
    def body(method, parameters):
        """The name and the type of the parameter that is the body."""
        hints = typing.get_type_hints(inspect.unwrap(method))
        for name, kind in hints.items():
            if name not in parameters and (hasattr(kind, "from_dict") or name == "body"):
                return name, kind
        raise Failed(f"{method.__name__} takes no body")


class OpenAPIPythonClient(Adapter):
    """The client of openapi-python-client: a module for each operation, with the function `sync_detailed`."""
    name = "openapi-python-client"

    def call(self, operation, key, body=None, content_type=None, **parameters):
        if content_type:  # It makes no function of a body of several text types, only the connection.
            return self.send(operation, key, parameters, content=body, headers={"Content-Type": content_type})
        tag = self.operations[operation][2]["tags"][0]
        function = importlib.import_module(f"martlet_client.api.{tag}.{snake(operation)}").sync_detailed
        hints = typing.get_type_hints(function)
        for name, value in parameters.items():
            for kind in typing.get_args(hints[name]):
                if issubclass(kind, enum.Enum):
                    parameters[name] = kind(value)
        if body is not None:
            parameters["body"] = hints["body"].from_dict(copy.deepcopy(body))
            keeps("the body", body, parameters["body"])
        with self.client(key) as client:
            answer = function(client=client, **parameters)
        keeps("the answer", json.loads(answer.content), answer.parsed)
        return answer.status_code, plain(answer.parsed)

    def client(self, key):
        token = base64.b64encode(f":{key}".encode()).decode()
        return importlib.import_module("martlet_client").AuthenticatedClient(
            base_url=self.url, token=token, prefix="Basic", timeout=httpx.Timeout(SECONDS))

    def send(self, operation, key, parameters, **content):
        method, path, described = self.operations[operation]
        with self.client(key) as client:
            answer = client.get_httpx_client().request(method, path, params=parameters, **content)
        return answer.status_code, answer.json()


class DataModelCodeGenerator(Adapter):
    """The types of datamodel-code-generator, which makes no functions; httpx sends them."""
    name = "datamodel-code-generator"

    def call(self, operation, key, body=None, content_type=None, **parameters):
        method, path, described = self.operations[operation]
        if content_type:
            content = {"content": body, "headers": {"Content-Type": content_type}}
        elif body is not None:
            schema = described["requestBody"]["content"]["application/json"]["schema"]
            given = self.model(operation, "Request", schema).model_validate(body)
            keeps("the body", body, self.json(given))
            content = {"json": self.json(given)}
        else:
            content = {}
        for name in re.findall(r"{(\w+)}", path):
            path = path.replace(f"{{{name}}}", parameters.pop(name))
        headers = {name.replace("_", "-"): parameters.pop(name) for name in list(parameters) if name.startswith("martlet_")}
        content["headers"] = content.get("headers", {}) | headers
        answer = httpx.request(method, self.url + path, auth=("", key), params=parameters, timeout=SECONDS, **content)
        success = described["responses"].get(str(answer.status_code), {})
        if "content" not in success:
            return answer.status_code, answer.json()
        schema = success["content"]["application/json"]["schema"]
        parsed = self.model(operation, "Response", schema).model_validate(answer.json())
        keeps("the answer", answer.json(), self.json(parsed))
        return answer.status_code, plain(self.json(parsed))

    @staticmethod
    def model(operation, kind, schema):
        """The type of a body or an answer: that of the schema's name, or one with the operation's name."""
        name = schema["$ref"].split("/")[-1] if "$ref" in schema else operation[0].upper() + operation[1:] + kind
        return getattr(importlib.import_module("martlet_models"), name)

    @staticmethod
    def json(model):
        return model.model_dump(mode="json", by_alias=True, exclude_unset=True)
