import PushPayload

/// Spans in the JSON encoding of the OpenTelemetry Protocol.
///
/// Ids are in hexadecimal, enumerations are numbers, and 64-bit numbers are strings.
enum SpanDocument {
  /// `instance` is the name of this node.
  static func json(_ spans: [Span], version: String, instance: String) -> JSONValue {
    let resource = attributes([
      "service.name": .text("martlet"), "service.version": .text(version),
      "service.instance.id": .text(instance),
    ])
    return [
      "resourceSpans": [
        [
          "resource": ["attributes": resource],
          "scopeSpans": [
            [
              "scope": ["name": "martlet", "version": .string(version)],
              "spans": .array(spans.map(json)),
            ]
          ],
        ]
      ]
    ]
  }

  private static func json(_ span: Span) -> JSONValue {
    var members: [String: JSONValue] = [
      "traceId": .string(span.context.traceID), "spanId": .string(span.context.spanID),
      "name": .string(span.name), "kind": .integer(Int64(span.kind.rawValue)),
      "startTimeUnixNano": .string(String(span.start)),
      "endTimeUnixNano": .string(String(span.end)), "attributes": attributes(span.attributes),
    ]
    if let parent = span.parent { members["parentSpanId"] = .string(parent) }
    if let failure = span.failure {
      // 2 is STATUS_CODE_ERROR.
      members["status"] = ["code": 2, "message": .string(failure)]
    }
    return .object(members)
  }

  private static func attributes(_ values: [String: Span.Value]) -> JSONValue {
    .array(
      values.sorted { $0.key < $1.key }.map { key, value in
        let json: JSONValue =
          switch value {
          case .text(let text): ["stringValue": .string(text)]
          case .number(let number): ["intValue": .string(String(number))]
          }
        return ["key": .string(key), "value": json]
      })
  }
}
