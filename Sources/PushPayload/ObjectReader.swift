/// Reads a JSON object key by key; what nobody asked for, or had another type, stays in `rest`.
struct ObjectReader {
  private(set) var rest: [String: JSONValue]
  private(set) var findings: [PayloadFinding] = []
  private let path: String

  init(_ object: [String: JSONValue], at path: String) {
    rest = object
    self.path = path
  }

  /// Takes the value of a key, if `read` accepts it; `null` counts as absent but is kept.
  mutating func take<Value>(
    _ key: String, _ what: String, _ read: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = rest[key], !value.isNull else { return nil }
    guard let taken = read(value) else {
      findings.append(
        PayloadFinding(
          code: .wrongType, path: "\(path).\(key)",
          message: "is \(value.typeName); it takes \(what)"))
      return nil
    }
    rest[key] = nil
    return taken
  }

  mutating func string(_ key: String) -> String? { take(key, "a string", \.string) }

  mutating func strings(_ key: String) -> [String]? {
    take(key, "an array of strings") { value in
      guard let array = value.array else { return nil }
      let strings = array.compactMap(\.string)
      return strings.count == array.count ? strings : nil
    }
  }

  mutating func whole(_ key: String) -> Int64? { take(key, "a whole number", \.integer) }

  /// A key that is 1 or absent.
  mutating func one(_ key: String) -> Bool {
    take(key, "the number 1") { value in
      switch value.integer {
      case 0: false
      case 1: true
      default: nil
      }
    } ?? false
  }

  mutating func note(_ findings: [PayloadFinding]) { self.findings += findings }
}
