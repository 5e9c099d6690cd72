/// The place of a value in a payload: `_st.video_url`.
///
/// Dots separate keys. A dot that belongs to a key is written `\.`, since several vendors have such
/// keys: `com\.batch.at.u`.
public struct PayloadPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The keys from the top.
  public let keys: [String]

  /// Reads a path.
  ///
  /// - Parameter text: Keys separated by dots; `\.` is a dot inside a key.
  public init(_ text: String) {
    var keys = [""]
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if character == ".", !isEscaped {
        keys.append("")
      } else {
        keys[keys.count - 1].append(character)
      }
      isEscaped = false
    }
    self.keys = keys
  }

  /// Reads a path.
  ///
  /// - Parameter text: As ``init(_:)``.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as JSON path notation prints it: `$._st.video_url`.
  public var description: String {
    keys.reduce("$") { path, key in
      let isPlain = key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      return path + (isPlain ? ".\(key)" : "['\(key)']")
    }
  }
}

extension JSONValue {
  /// The value at a path; `nil` where a key is missing or its value is `null`.
  ///
  /// - Parameter path: Where to look.
  public subscript(path: PayloadPath) -> JSONValue? {
    var value = self
    for key in path.keys {
      guard let next = value[key] else { return nil }
      value = next
    }
    return value.isNull ? nil : value
  }
}
