package import PushPayload

/// A value an app keeps about a device, by which an audience may select.
package struct Attribute: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case string, integer, float, boolean, date
  }

  package var kind: Kind
  /// A scalar of that kind, or an array of them; a date is text as ``Timestamp/iso8601`` writes it.
  package var value: JSONValue

  package init(kind: Kind, value: JSONValue) {
    self.kind = kind
    self.value = value
  }

  /// `{"type": …, "value": …}`, as the API and the store write it.
  package var json: JSONValue { ["type": .string(kind.rawValue), "value": value] }

  package init?(json: JSONValue) {
    guard let kind = json["type"]?.string.flatMap(Kind.init), let value = json["value"] else {
      return nil
    }
    self.init(kind: kind, value: value)
  }
}

extension Attribute {
  /// Whether a name can be stored and selected by: 1 to 255 characters, no quote, backslash or
  /// control character (a JSON path cannot name those).
  package static func isName(_ name: some StringProtocol) -> Bool {
    (1...255).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
  }
}
