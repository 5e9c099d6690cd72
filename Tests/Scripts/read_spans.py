"""Reads a trace document by the definition of the protocol in opentelemetry-proto, and prints what it has."""
import base64
import json
import sys

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

with open(sys.argv[1]) as file:
    document = json.load(file)
# Ids are hexadecimal in the JSON of OTLP, and base64 in that of Protocol Buffers.
for resource in document["resourceSpans"]:
    for scope in resource["scopeSpans"]:
        for span in scope["spans"]:
            for name in ("traceId", "spanId", "parentSpanId"):
                if name in span:
                    span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
request = ParseDict(document, ExportTraceServiceRequest())


def attributes(values):
    return [f"{a.key}={a.value.string_value or a.value.int_value}" for a in values]


for resource in request.resource_spans:
    print(*attributes(resource.resource.attributes))
    for scope in resource.scope_spans:
        for span in scope.spans:
            words = [
                span.name, f"kind={span.kind}", f"trace={span.trace_id.hex()}", f"span={span.span_id.hex()}",
                f"parent={span.parent_span_id.hex()}",
                f"{span.start_time_unix_nano}-{span.end_time_unix_nano}",
                *attributes(span.attributes), f"status={span.status.code}", span.status.message,
            ]
            print(" ".join(words).rstrip())
