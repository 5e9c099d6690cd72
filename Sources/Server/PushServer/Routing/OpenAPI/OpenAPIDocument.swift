import PushModel
import PushPayload
import _HTTPServer

/// The OpenAPI 3.1 document of one version of the API, made from its routes.
///
/// Each of `/v4`, `/v5` and `/v6` has its own document, so that a generated client has each operation once. The
/// document of `/v6` also has the paths without a version.
enum OpenAPIDocument {
  /// The versions of the API, the newest last.
  static let apiVersions = ["v4", "v5", "v6"]

  /// `version` is the version of this program, and `apiVersion` one of ``apiVersions``.
  static func json(
    _ routes: [Route], version: String, apiVersion: String = "v6"
  ) -> JSONValue {
    let own = routes.filter { $0.apiVersion == apiVersion && $0.operation != nil }
    let ids = Set(own.compactMap(\.operation?.id))
    var paths: [String: [String: JSONValue]] = [:]
    for route in own {
      guard var operation = route.operation else { continue }
      operation.links.removeAll { !ids.contains($0.operation) }
      paths[route.path, default: [:]][route.method.lowercased()] = describe(operation, route)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Martlet", "version": .string(version),
        "description": "Rich push notifications for iOS, end to end, on your own machine.",
        "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      "tags": .array(Set(own.map(\.tag)).sorted().map { ["name": .string($0)] }),
      "paths": .object(paths.mapValues(JSONValue.object)),
      "components": [
        "securitySchemes": [
          "key": [
            "type": "http", "scheme": "basic",
            "description": "an API key, as the password or as the user name",
          ]
        ],
        "schemas": .object(schemas.mapValues(\.json)),
        "responses": .object(
          Dictionary(
            uniqueKeysWithValues: refusals.map { status, text in
              (name(of: status), refusal(status, text))
            })),
      ],
    ]
  }

  // MARK: Operations

  private static func describe(_ operation: Operation, _ route: Route) -> JSONValue {
    var members: [String: JSONValue] = [
      "operationId": .string(operation.id),
      "tags": [.string(route.tag)],
      "summary": .string(operation.summary),
      "description": .string("Role: \(route.access?.text ?? "none")."),
      "parameters": .array(parameters(operation, route)),
      "responses": .object(answers(operation, route)),
      "security": route.access == nil ? [] : [["key": []]],
    ]
    if !route.bodies.isEmpty {
      let content = route.bodies.map { type in
        let isJSON = type == "application/json"
        let schema = isJSON ? operation.body : operation.texts[type]
        var medium = ["schema": (schema ?? (isJSON ? .any : .string)).json]
        if isJSON, let example = operation.example { medium["example"] = example }
        return (type, JSONValue.object(medium))
      }
      members["requestBody"] = [
        "required": .bool(!operation.isBodyOptional),
        "content": .object(Dictionary(uniqueKeysWithValues: content)),
      ]
    }
    return .object(members)
  }

  private static func parameters(_ operation: Operation, _ route: Route) -> [JSONValue] {
    let inPath = route.pattern.filter { $0.hasPrefix(":") }.map { part in
      let name = String(part.dropFirst())
      return parameter(name, in: "path", pathSchema(name), isRequired: true)
    }
    let secret = route.access?.isForDevices == true ? [Operation.deviceSecret] : []
    return inPath
      + (secret + operation.parameters).map {
        parameter(
          $0.name, in: $0.isHeader ? "header" : "query", $0.schema, isRequired: $0.isRequired)
      }
  }

  private static func parameter(
    _ name: String, in place: String, _ schema: Schema, isRequired: Bool
  ) -> JSONValue {
    [
      "name": .string(name), "in": .string(place), "required": .bool(isRequired),
      "schema": schema.json,
    ]
  }

  private static func pathSchema(_ name: String) -> Schema {
    switch name {
    case "device_id": .named("DeviceID")
    case "activity_id": .named("ActivityID")
    case "activity_type": .named("ActivityType")
    case "user_id": .string(1...255, pattern: "^[^/]+$")
    case "group": Operation.group
    default: .string(1...255, pattern: "^[^/]+$")
    }
  }

  // MARK: Answers

  private static func answers(_ operation: Operation, _ route: Route) -> [String: JSONValue] {
    var answers: [String: JSONValue] = [:]
    var success: [String: JSONValue] = ["description": .string(operation.summary)]
    if let schema = operation.answer {
      success["content"] = [operation.answerType: ["schema": schema.json]]
    }
    if route.access?.isForDevices == true {
      let count = Schema.count.described("the unread messages of the one device, if it is proven")
      success["headers"] = .object([HTTPResponse.unreadHeader: ["schema": count.json]])
    }
    if !operation.links.isEmpty {
      success["links"] = .object(
        Dictionary(uniqueKeysWithValues: operation.links.map { ($0.operation, describe($0)) }))
    }
    answers[String(operation.status)] = .object(success)
    for status in statuses(operation, route) {
      answers[String(status)] = [
        "$ref": .string("#/components/responses/\(name(of: status))")
      ]
    }
    if let empty = operation.emptyRefusal {
      // From version 6 on, the refusal of an event's value has a reason.
      let body =
        route.pattern.first == "v6"
        ? Schema.object(["error": .string.optional]) : Schema.object([:])
      answers[String(empty)] = [
        "description": .string(
          "\(refusals[empty] ?? "") The body is an empty object if no event has a name."),
        "content": ["application/json": ["schema": body.json]],
      ]
    }
    return answers
  }

  /// Describes a link to another operation of the same document.
  private static func describe(_ link: Operation.Link) -> JSONValue {
    [
      "operationId": .string(link.operation),
      "parameters": .object(link.parameters.mapValues(JSONValue.string)),
    ]
  }

  private static func statuses(_ operation: Operation, _ route: Route) -> Set<Int> {
    var statuses = operation.refusals.union([400, 503])
    if route.access != nil { statuses.formUnion([401, 403, 429]) }
    if !route.bodies.isEmpty { statuses.formUnion([413, 415, 422]) }
    if !operation.parameters.isEmpty { statuses.insert(422) }
    if case .ownDevice? = route.access { statuses.insert(451) }
    if route.pattern.contains(where: { $0.hasPrefix(":") }) { statuses.formUnion([404, 422]) }
    return statuses
  }

  private static let refusals: [Int: String] = [
    400: "The request or its JSON cannot be read, or a value has the wrong JSON type.",
    401: "The request has no API key, or an unknown one.",
    403:
      "The key does not have the role that the operation needs, or the app sends nothing unapproved.",
    404: "There is no such object, or the cursor has expired.",
    409: "The state of the object does not allow the operation.",
    412: "Another version is the newest than If-Match or If-None-Match says.",
    413: "The body is larger than the limit of the path.",
    415: "The path does not accept the media type of the body.",
    422: "A value of the right JSON type is not valid; the error begins with its JSON path.",
    429: "Too many requests; Retry-After says how long to wait.",
    451: "The device was erased.",
    503: "The store is not available; Retry-After says how long to wait.",
  ]

  private static func name(of status: Int) -> String { "Status\(status)" }

  private static func refusal(_ status: Int, _ text: String) -> JSONValue {
    [
      "description": .string(text),
      "content": ["application/json": ["schema": Schema.named("Error").json]],
    ]
  }
}

extension Route {
  /// The version of the API that the route belongs to, or the newest if the path has no version.
  var apiVersion: String {
    let first = pattern.first.map(String.init) ?? ""
    return OpenAPIDocument.apiVersions.contains(first)
      ? first : OpenAPIDocument.apiVersions.last ?? ""
  }

  /// The resource of the route, from which generated clients make a class.
  var tag: String {
    guard OpenAPIDocument.apiVersions.contains(pattern.first.map(String.init) ?? ""),
      pattern.count > 1, pattern[1] != "openapi.json"
    else { return "server" }
    return String(pattern[1])
  }
}

extension Route.Access {
  /// The roles that may call a route, as a text.
  var text: String {
    switch self {
    case .app(let roles): roles.map(\.rawValue).sorted().joined(separator: ", ")
    case .ownDevice(let roles):
      (roles.map(\.rawValue).sorted() + ["device with its secret"]).joined(separator: ", ")
    case .server: "server"
    case .metrics: "metrics, server"
    case .serverOrAdmin: "server, the app's admin"
    }
  }

  /// Whether a device key may call the route, which then requires the device's own secret.
  var isForDevices: Bool {
    switch self {
    case .app(let roles): roles.contains(.device)
    case .ownDevice: true
    default: false
    }
  }
}
