package import PushPayload

/// Makes foreign payloads out of good ones: any JSON value in any place. The same seed gives the
/// same payloads.
package struct PayloadMutation {
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The document with one to four places changed, removed or added.
  package mutating func mutate(_ json: JSONValue) -> JSONValue {
    (0..<Int.random(in: 1...4, using: &random)).reduce(json) { json, _ in changed(json) }
  }

  /// Values that readers stumble over, one of every kind.
  package static let oddValues: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 1.5, 1e308, -0.0, "", " ", "0",
    "+1", "-999999999999999999999", "null", "\u{0}", "é\u{301}👩‍👩‍👧‍👦", "https://", "https://a/b.png",
    "file:///etc/passwd", "[[[[", "{\"a\":", "[1,null,{\"url\":{}}]",
    .string(String(repeating: "x", count: 20_000)),
    .string(String(repeating: "[", count: 600) + String(repeating: "]", count: 600)), [], [:],
    [.null], [[[]]], ["": .null], ["url": 1], ["url": "https://a/b.png"],
  ]

  private mutating func changed(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(var members) where !members.isEmpty && chance(of: 6):
      guard let key = members.keys.sorted().randomElement(using: &random),
        let value = members[key]
      else { return json }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: members[key] = nil
      case 1: members[chance(of: 1) ? "" : key + "1"] = value
      case 2: members[key] = [value, value]
      default: members[key] = changed(value)
      }
      return .object(members)
    case .array(var elements) where !elements.isEmpty && chance(of: 6):
      let index = Int.random(in: elements.indices, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements = Array(repeating: elements[index], count: 40)
      case 2: return elements[index]
      default: elements[index] = changed(elements[index])
      }
      return .array(elements)
    case .string(let text) where chance(of: 2): return .string(String(text.prefix(text.count / 2)))
    default: return Self.oddValues.randomElement(using: &random) ?? .null
    }
  }

  /// True in so many of seven cases.
  private mutating func chance(of cases: Int) -> Bool {
    Int.random(in: 0..<7, using: &random) < cases
  }
}
