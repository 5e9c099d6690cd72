package import PushPayload

/// A value that an app sets on a device, for filters and templates.
package struct Attribute: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case string, integer, float, boolean, date
  }

  package var kind: Kind
  /// A value of the kind, or an array of such values; a date is text in the form of ``Timestamp/iso8601``.
  package var value: JSONValue

  package init(kind: Kind, value: JSONValue) {
    self.kind = kind
    self.value = value
  }

  /// The JSON of the API and of the store, `{"type": …, "value": …}`.
  package var json: JSONValue { ["type": .string(kind.rawValue), "value": value] }

  /// Reads the store's JSON; `nil` if it has an unknown kind or member.
  package init?(json: JSONValue) {
    guard let members = json.members(among: ["type", "value"]),
      let kind = members["type"]?.string.flatMap(Kind.init), let value = members["value"]
    else { return nil }
    self.init(kind: kind, value: value)
  }
}

extension Attribute {
  /// Whether a text may name an attribute: it has 1 to 255 characters, and no quote, backslash or control character,
  /// which a JSON path cannot contain.
  package static func isName(_ name: some StringProtocol) -> Bool {
    (1...255).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
  }
}
