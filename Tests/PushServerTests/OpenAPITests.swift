import Foundation
import PushPayload
import Testing

@testable import PushServer

@Suite("The API's own document")
struct OpenAPITests {
  let document = OpenAPIDocument.json(API.routes, version: "1.2.3")

  @Test("has every route but the pages, and no other")
  func complete() throws {
    let routes = Set(API.routes.map { "\($0.method) \($0.path)" })
    var described: Set<String> = []
    for (path, item) in try #require(document["paths"]?.object) {
      for method in try #require(item.object).keys {
        described.insert("\(method.uppercased()) \(path)")
      }
    }
    let pages = Dashboard.all.map { "\($0.method) \($0.path)" }
    #expect(routes.subtracting(described) == Set(pages))
    #expect(described.subtracting(routes).isEmpty)
  }

  @Test("names every operation once")
  func unique() throws {
    let names = try #require(document["paths"]?.object).values.flatMap { item in
      (item.object ?? [:]).values.compactMap { $0["operationId"]?.string }
    }
    #expect(names.count == API.routes.count { $0.operation != nil })
    #expect(Set(names).count == names.count)
  }

  @Test("refers to nothing that it does not have")
  func references() throws {
    for reference in document.references {
      let path = reference.split(separator: "/").dropFirst()
      let found = path.reduce(Optional(document)) { $0?[String($1)] }
      #expect(found != nil, "\(reference)")
    }
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

  @Test("is what docs/api.md lists")
  func documented() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/api.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (start, end) = ("<!-- routes: from the document -->\n\n", "\n\n<!-- end of routes -->")
    let begin = try #require(text.range(of: start)).upperBound
    let finish = try #require(text.range(of: end)).lowerBound
    let table = OpenAPIDocument.markdown(API.routes)
    // MARTLET_WRITE_DOCS=1 writes what this compares.
    if ProcessInfo.processInfo.environment["MARTLET_WRITE_DOCS"] != nil {
      try text.replacingCharacters(in: begin..<finish, with: table)
        .write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(text[begin..<finish] == table)
  }

  @Test("is served without a key")
  func served() async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("GET", "/v6/openapi.json", role: nil)
    #expect(answer.status == 200 && answer.json["openapi"] == "3.1.0")
  }
}

extension JSONValue {
  /// Every `$ref` in it.
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

  /// Whether an object schema names all members; what it refers to is looked at where it stands.
  fileprivate var isClosed: Bool {
    if self["type"] == "object", self["properties"] != nil {
      return self["additionalProperties"] == false
    }
    return self["anyOf"]?.array?.allSatisfy(\.isClosed) ?? true
  }
}
