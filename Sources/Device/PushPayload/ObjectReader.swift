/// A reader of a JSON object that consumes the keys it knows.
///
/// Keys that were not read, and values of a wrong type, stay in ``rest``, so that they can be written back.
struct ObjectReader {
  private(set) var rest: [String: JSONValue]
  private(set) var findings: [PayloadFinding] = []
  private let path: String

  init(_ object: [String: JSONValue], at path: String) {
    rest = object
    self.path = path
  }

  /// Reads the value of a key and removes it from ``rest``.
  ///
  /// - Parameters:
  ///   - key: The key; `null` counts as absent and stays in ``rest``.
  ///   - expected: The value that the key takes, for the finding: "a number".
  ///   - read: Makes the result; `nil` if the value has a wrong type.
  /// - Returns: The result; `nil` if the key is absent or has a wrong type.
  mutating func value<Result>(
    _ key: String, expected: String, read: (JSONValue) -> Result?
  ) -> Result? {
    guard let value = rest[key], !value.isNull else { return nil }
    guard let result = read(value) else {
      findings.append(
        PayloadFinding(
          code: .wrongType, path: "\(path).\(key)",
          message: "is \(value.typeName); it takes \(expected)"))
      return nil
    }
    rest[key] = nil
    return result
  }

  mutating func string(_ key: String) -> String? {
    value(key, expected: "a string", read: \.string)
  }

  mutating func strings(_ key: String) -> [String]? {
    value(key, expected: "an array of strings") { value in
      guard let array = value.array else { return nil }
      let strings = array.compactMap(\.string)
      return strings.count == array.count ? strings : nil
    }
  }

  mutating func integer(_ key: String) -> Int64? {
    value(key, expected: "a whole number", read: \.integer)
  }

  mutating func object(_ key: String) -> JSONValue? {
    value(key, expected: "an object") { $0.object == nil ? nil : $0 }
  }

  /// A flag that Apple writes as the number 1; absent or 0 is `false`.
  mutating func flag(_ key: String) -> Bool {
    value(key, expected: "the number 1") { value in
      switch value.integer {
      case 0: false
      case 1: true
      default: nil
      }
    } ?? false
  }

  mutating func add(_ findings: [PayloadFinding]) { self.findings += findings }
}
