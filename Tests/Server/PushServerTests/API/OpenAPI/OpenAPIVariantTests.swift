import Foundation
import PushPayload
import Testing

@testable import PushServer

@Suite("The variants in the API's own document")
struct OpenAPIVariantTests {
  let document = OpenAPIDocument.json(Router.routes, version: "1.2.3")

  @Test("tells the variants of a union apart, also for clients that look at required members alone")
  func disjoint() throws {
    let schemas = try #require(document["components"]?["schemas"])
    func resolve(_ schema: JSONValue) -> JSONValue {
      let name = schema["$ref"]?.string?.split(separator: "/").last.map(String.init)
      return name.flatMap { schemas[$0] } ?? schema
    }
    /// Whether a client that ignores unknown members takes a value of one object for another.
    func isTaken(_ value: JSONValue, for other: JSONValue) -> Bool {
      (other["required"]?.array ?? []).compactMap(\.string).allSatisfy {
        value["properties"]?[$0].map { [own = other["properties"]?[$0]] in $0 == own } ?? false
      }
    }
    func walk(_ value: JSONValue, at path: String) {
      let variants = (value["oneOf"]?.array ?? []).map(resolve)
      let objects = variants.filter { $0["type"] == "object" }
      for (index, object) in objects.enumerated() {
        for (other, second) in objects.enumerated() where other != index {
          #expect(!isTaken(object, for: second), "\(path): \(index) is taken for \(other)")
        }
      }
      let types = variants.filter { $0["type"] != "object" }.compactMap { $0["type"]?.string }
      #expect(Set(types).count == types.count, "\(path): \(types)")
      for variant in variants {
        #expect(resolve(variant["items"] ?? [:])["oneOf"] == nil, "\(path) has a list of unions")
      }
      for (key, member) in value.object ?? [:] { walk(member, at: path + "." + key) }
      for element in value.array ?? [] { walk(element, at: path + "[]") }
    }
    walk(document, at: "$")
  }

  @Test("gives no object without a name the name of a schema, which generators would number")
  func named() throws {
    let schemas = try #require(document["components"]?["schemas"]?.object)
    func walk(_ value: JSONValue, at path: String) {
      for (name, member) in value["properties"]?.object ?? [:] {
        let type = name.split(separator: "_").map(\.capitalized).joined()
        let isObject = member["properties"] != nil
        #expect(!isObject || schemas[type] == nil, "\(path).\(name)")
      }
      for (key, member) in value.object ?? [:] { walk(member, at: path + "." + key) }
      for element in value.array ?? [] { walk(element, at: path + "[]") }
    }
    for (name, schema) in schemas { walk(schema, at: name) }
  }

  @Test(
    "accepts the same targets, alerts and times of a campaign as the API",
    arguments: [
      ("Target", ["audience": "0123456789abcdef01234567"], true),
      ("Target", ["user_ids": ["ada"]], true), ("Target", [:], false),
      ("Target", ["all": [], "any": [["received": "0123456789abcdef01234567"]]], true),
      ("Target", ["user_ids": ["ada"], "except": []], false),
      ("Target", ["audience": .null, "all": .null], false),
      ("Target", ["audience": .null, "user_ids": ["ada"]], true),
      ("Target", ["audience": "0123456789abcdef01234567", "all": []], false),
      ("Alert", "Hi", true), ("Alert", ["default": "Hi", "de": "Hallo", "fr": .null], true),
      ("Alert", ["title": "Hi", "body": ["default": "Hi"], "loc-args": ["a"]], true),
      ("Alert", ["de": "Hallo"], false), ("Alert", ["default": "Hi", "body": "Hi"], false),
      ("Alert", [:], false), ("CampaignTime", ["at": "now"], true),
      ("CampaignTime", ["at": "2100-01-01T10:00Z"], true), ("CampaignTime", ["at": "soon"], false),
      ("EventTrigger", ["trigger": "api"], true),
      ("EventTrigger", ["trigger": ["event": "cart"], "current": true], false),
      ("EnterTrigger", ["enters": "0123456789abcdef01234567", "current": false], true),
      ("LeaveTrigger", ["leaves": "0123456789abcdef01234567"], true),
      ("LeaveTrigger", ["leaves": "0123456789abcdef01234567", "enters": "a"], false),
    ] as [(String, JSONValue, Bool)])
  func values(name: String, value: JSONValue, isValid: Bool) async throws {
    let schema = try #require(document["components"]?["schemas"]?[name])
    #expect(document.admits(value, by: schema) == isValid)
    let (to, alert, when): (JSONValue, JSONValue, JSONValue) =
      switch name {
      case "Target": (value, "Hi", ["at": "now"])
      case "Alert": ("*", value, ["at": "now"])
      default: ("*", "Hi", value)
      }
    let campaign: JSONValue = [
      "name": "A campaign", "to": to, "when": when,
      "variants": [["key": "a", "payload": ["alert": alert]]],
    ]
    let answer = try await Fixture().request(
      "POST", "/v6/campaigns", body: (["campaign": campaign] as JSONValue).text)
    // An audience or a notification that the app does not have is not found.
    #expect([201, 404].contains(answer.status) == isValid, "\(answer.text)")
  }
}
