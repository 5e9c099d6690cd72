import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The API's own document")
struct OpenAPITests {
  let document = OpenAPIDocument.json(Router.routes, version: "1.2.3")

  @Test(
    "the documents of the versions have every route of the API once, but uploaded files and pages")
  func complete() throws {
    let routes = Router.routes.map { "\($0.method) \($0.path)" }
    var described: [String] = []
    for version in OpenAPIDocument.apiVersions {
      let document = OpenAPIDocument.json(Router.routes, version: "1.2.3", apiVersion: version)
      for (path, item) in try #require(document["paths"]?.object) {
        for method in try #require(item.object).keys {
          described.append("\(method.uppercased()) \(path)")
        }
        let others = Set(OpenAPIDocument.apiVersions).subtracting([version])
        #expect(!others.contains { path.hasPrefix("/\($0)/") })
      }
    }
    #expect(Set(described).count == described.count)
    #expect(Set(routes).subtracting(described) == ["GET /media/{name}"])
    #expect(Set(described).subtracting(routes).isEmpty)
  }

  @Test(
    "names every operation once, under the tag of its resource",
    arguments: OpenAPIDocument.apiVersions)
  func unique(version: String) throws {
    let document = OpenAPIDocument.json(Router.routes, version: "1.2.3", apiVersion: version)
    let operations = try #require(document["paths"]?.object).values.flatMap {
      ($0.object ?? [:]).values
    }
    let names = operations.compactMap { $0["operationId"]?.string }
    #expect(names.count == operations.count && Set(names).count == names.count)
    let tags = operations.compactMap { $0["tags"]?.array }
    let listed = try #require(document["tags"]?.array).compactMap { $0["name"]?.string }
    #expect(tags.count == operations.count && tags.allSatisfy { $0.count == 1 })
    #expect(Set(tags.joined().compactMap(\.string)) == Set(listed))
  }

  @Test("has a named schema for each variant that is an object, and none that is null alone")
  func variants() throws {
    var count = 0
    // Generators ignore conditions.
    let conditions: Set = ["if", "then", "else", "dependentSchemas", "not"]
    func walk(_ value: JSONValue, at path: String) {
      for (index, branch) in (value["oneOf"]?.array ?? []).enumerated() {
        #expect(branch["properties"] == nil, "\(path) oneOf \(index)")
        count += 1
      }
      for (name, member) in value["properties"]?.object ?? [:] {
        #expect(member["type"] != "null", "\(path).\(name)")
      }
      for (key, member) in value.object ?? [:] where !conditions.contains(key) {
        walk(member, at: path + "." + key)
      }
      for element in value.array ?? [] { walk(element, at: path + "[]") }
    }
    walk(document, at: "$")
    #expect(count > 20)
  }

  @Test("says where callers may add members of their own")
  func additional() throws {
    let schemas = try #require(document["components"]?["schemas"])
    for name in ["Payload", "DeviceUpdate"] {
      #expect(schemas[name]?["additionalProperties"] == true)
    }
    #expect(schemas["Payload"]?["properties"]?["_st"]?["additionalProperties"] == true)
    // A locale that is null is one that is left out.
    #expect(
      schemas["LocalizedTexts"]?["additionalProperties"]?["type"] == ["string", "null"])
  }

  @Test("has every schema that it refers to")
  func references() throws {
    for reference in document.references {
      let path = reference.split(separator: "/").dropFirst()
      let found = path.reduce(Optional(document)) { $0?[String($1)] }
      #expect(found != nil, "\(reference)")
    }
  }

  @Test("every link leads to an operation that takes a value of the answer or the path")
  func links() throws {
    let operations = try #require(document["paths"]?.object).values.flatMap { item in
      (item.object ?? [:]).values
    }
    let named = Dictionary(
      uniqueKeysWithValues: operations.map { ($0["operationId"]?.string ?? "", $0) })
    var count = 0
    for operation in operations {
      let own = operation.parameterNames(in: "path")
      for answer in (operation["responses"]?.object ?? [:]).values {
        for link in (answer["links"]?.object ?? [:]).values {
          let target = try #require(named[link["operationId"]?.string ?? ""])
          let parameters = try #require(link["parameters"]?.object)
          #expect(Set(parameters.keys) == Set(target.parameterNames(in: "path")))
          for expression in parameters.values.compactMap(\.string) {
            let parts = expression.split(separator: "#")
            let schema = answer["content"]?["application/json"]?["schema"] ?? .null
            #expect(
              parts.count == 2
                ? document.hasMember(parts[1].split(separator: "/").map(String.init), of: schema)
                : own.contains { expression == "$request.path.\($0)" }, "\(expression)")
          }
          count += 1
        }
      }
    }
    #expect(count > 0)
  }

  @Test("every object of an answer says that it has no other members")
  func closed() throws {
    for (path, item) in try #require(document["paths"]?.object) where path.hasPrefix("/v6") {
      for operation in try #require(item.object).values {
        for (status, answer) in try #require(operation["responses"]?.object) {
          let schema = answer["content"]?["application/json"]?["schema"]
          #expect(schema.map { $0.isClosed } ?? true, "\(path) \(status)")
        }
      }
    }
  }

  @Test("is what docs/server/api.md lists")
  func documented() throws {
    let file = Repository.url("docs/server/api.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (start, end) = ("<!-- routes: from the document -->\n\n", "\n\n<!-- end of routes -->")
    let begin = try #require(text.range(of: start)).upperBound
    let finish = try #require(text.range(of: end)).lowerBound
    let table = OpenAPIDocument.markdown(Router.routes)
    // MARTLET_WRITE_DOCS=1 writes what this compares.
    if ProcessInfo.processInfo.environment["MARTLET_WRITE_DOCS"] != nil {
      try text.replacingCharacters(in: begin..<finish, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(text[begin..<finish] == table)
  }

  @Test("accepts every target that the API accepts", arguments: TargetTests.forms)
  func targets(to: JSONValue, devices: String) throws {
    let schema = try #require(document["components"]?["schemas"]?["Target"])
    #expect(document.admits(to, by: schema))
  }

  @Test(
    "accepts a filter of every name, with relative dates and with names of any letters",
    arguments: Filter.BuiltIn.allCases.map(\.rawValue) + [
      "sid", "events.a name.é", "custom.string.favourite team", "custom.date.a.b",
      "custom.integer.ä", "custom.float.x/y", "custom.boolean.ok?",
    ])
  func filters(name: String) throws {
    let field = try #require(Filter.Field(apiName: name))
    let criteria: [JSONValue] =
      switch field.kind {
      case .string: name == Filter.BuiltIn.timeZone.rawValue ? ["Europe/Berlin"] : ["x"]
      case .integer: [5, ["gt": 1, "lte": 9]]
      case .float: [0.5, ["gte": 0.5]]
      case .boolean: [true]
      case .date:
        [
          "2020-01-01", ["gt": "-7d"], ["gte": "7 days ago", "lt": "in 2 hours"], ["lte": "now"],
          ["lt": "2020-01-01T00:00:00Z"],
        ]
      case .version: ["17.1.2", ["gte": "17"]]
      case .place: [["lat": 52.5, "lng": 13.4, "radius": 5000]]
      }
    let filter: JSONValue = [
      "name": .string(name), "criteria": .array(criteria), "not_filter": true,
    ]
    _ = try Filter(BodyValue(filter))
    let schema = try #require(document["components"]?["schemas"]?["Filter"])
    #expect(document.admits(filter, by: schema))
    for wrong: JSONValue in [
      ["name": "nothing", "criteria": ["x"]], ["name": .string(name)],
      ["name": .string(name), "criteria": [["near": 1]]],
      ["name": .string(name), "criteria": []],
      ["name": .string(name), "criteria": .array(criteria), "more": 1],
    ] {
      #expect(!document.admits(wrong, by: schema))
      #expect(throws: RequestError.self) { try Filter(BodyValue(wrong)) }
    }
  }

  @Test("accepts its own examples of filters")
  func examples() throws {
    let schemas = try #require(document["components"]?["schemas"])
    let filter = try #require(schemas["Filter"])
    let examples = try #require(filter["examples"]?.array)
    #expect(examples.count == 8)
    for example in examples {
      #expect(document.admits(example, by: filter))
      _ = try Filter(BodyValue(example))
    }
  }

  @Test(
    "has the same limits for an app's fields as the API",
    arguments: ["bundle_id", "team_id", "key_id", "name"])
  func names(field: String) async throws {
    let fixture = try await Fixture()
    let schema = document["components"]?["schemas"]?["NewApp"]?["properties"]?[field]
    let limit = try #require(schema?["maxLength"]?.integer)
    for (length, status) in [(Int(limit), 201), (Int(limit) + 1, 422)] {
      let new = Fixture.newApp()
      var app: [String: JSONValue] = [
        "bundle_id": .string(new.bundleID), "team_id": .string(new.teamID),
        "key_id": .string(new.keyID), "private_key": .string(new.privateKey),
      ]
      app[field] = .string(String(repeating: "A", count: length))
      let body: JSONValue = ["app": .object(app)]
      let answer = await fixture.request("POST", "/v6/apps", role: .server, body: body.text)
      #expect(answer.status == status, "\(length): \(answer.error)")
    }
  }

  @Test("has the same limit for a segment of the path as the API")
  func pathLimit() async throws {
    let fixture = try await Fixture()
    let parameters = document["paths"]?["/v6/messages/{message_id}"]?["get"]?["parameters"]?.array
    let limit = try #require(parameters?.first?["schema"]?["maxLength"]?.integer)
    for (length, status) in [(Int(limit), 404), (Int(limit) + 1, 422)] {
      let id = String(repeating: "a", count: length)
      #expect(await fixture.request("GET", "/v6/messages/\(id)").status == status)
    }
  }

  @Test("is served for each version without a key", arguments: OpenAPIDocument.apiVersions)
  func served(version: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("GET", "/\(version)/openapi.json", role: nil)
    #expect(answer.status == 200 && answer.json["openapi"] == "3.1.0")
    #expect(answer.json["paths"]?["/\(version)/notifications"]?["post"] != nil)
  }
}

extension JSONValue {
  /// The names of an operation's parameters in the path or the query.
  fileprivate func parameterNames(in place: String) -> [String] {
    (self["parameters"]?.array ?? []).filter { $0["in"]?.string == place }.compactMap {
      $0["name"]?.string
    }
  }

  /// Returns whether every valid value of a schema has a member at a path.
  fileprivate func hasMember(_ path: [String], of schema: JSONValue) -> Bool {
    if let reference = schema["$ref"]?.string?.split(separator: "/").last {
      return hasMember(path, of: self["components"]?["schemas"]?[String(reference)] ?? .null)
    }
    if let options = (schema["oneOf"] ?? schema["anyOf"])?.array {
      return options.allSatisfy { hasMember(path, of: $0) }
    }
    guard let name = path.first else { return true }
    guard let member = schema["properties"]?[name],
      schema["required"]?.array?.contains(.string(name)) == true
    else { return false }
    return hasMember(Array(path.dropFirst()), of: member)
  }

  /// Every `$ref` of the document.
  fileprivate var references: [String] {
    switch self {
    case .object(let members):
      members.flatMap { key, value in
        key == "$ref" ? [value.string ?? ""] : value.references
      }
    case .array(let elements): elements.flatMap(\.references)
    default: []
    }
  }

  /// Whether an object schema refuses other members; references are checked at their targets.
  fileprivate var isClosed: Bool {
    if self["type"] == "object", self["properties"] != nil {
      return self["additionalProperties"] == false
    }
    return (self["oneOf"] ?? self["anyOf"])?.array?.allSatisfy(\.isClosed) ?? true
  }
}
