// Compiled with `swiftc -O -wmo -swift-version 6`, this program releases a value that it does not own; see docs/contributing/compiler-report.md.
enum JSON: Sendable {
  case string(String)
  case object([String: JSON])
}

struct Schema: Sendable {
  var json: JSON

  init(_ json: JSON) { self.json = json }

  static func closed(_ members: [(key: String, value: Schema)]) -> Schema {
    var schema = open(members)
    schema["closed"] = .string("yes")
    return schema
  }

  private static func open(_ members: [(key: String, value: Schema)]) -> Schema {
    Schema(.object(Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.json) })))
  }

  private subscript(key: String) -> JSON? {
    get { nil }
    set {
      var members: [String: JSON] = if case .object(let members) = json { members } else { [:] }
      members[key] = newValue
      json = .object(members)
    }
  }
}

enum Word: String, CaseIterable { case wait, drop }

enum Schemas {
  static let all: [String: Schema] = [
    "A": .closed([("else", Schema(.string(Word.allCases.map(\.rawValue)[0])))])
  ]
}

print(Schemas.all["A"]!.json)
