/// The path of one value, or of several, in a payload: `_st.video_url`.
///
/// ```swift
/// let payload: JSONValue = ["media": [["url": "https://example.com/a.png"]]]
/// print(payload[PayloadPath("media[0].url")]?.string ?? "none")
/// ```
///
/// Dots separate keys. A key may be followed by a mark, and a mark may also be a step of its own:
///
/// | Form | Meaning |
/// |---|---|
/// | `urls[]` | every element of an array; the value itself if it is not an array |
/// | `atts[0]` | one element |
/// | `att{}` | every member of an object, in the order of its keys |
/// | `pt_img#` | numbered keys: `pt_img1`, `pt_img2`, and so on until one is missing |
/// | `es_buttons<json>` | the JSON document in a string; the value itself if it is not a string |
/// | `m?` | a value that may have another shape, which another path reads; that is not reported |
///
/// A path that starts with `$.` begins at the top, even where other paths begin at an item of a list. A backslash
/// escapes the next character, because several vendors have dots in their keys: `com\.batch.at.u`.
public struct PayloadPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
    case elements
    case members
    case numbered(String)
    case document
    case anyShape
  }

  let steps: [Step]
  /// Whether the path starts with `$.`.
  let isFromTop: Bool

  init(steps: [Step]) {
    self.steps = steps
    isFromTop = false
  }

  /// Makes a path from its text.
  ///
  /// - Parameter text: Steps in the forms of the table above; an empty text is the value at which paths begin.
  public init(_ text: String) {
    var rest = text[...]
    isFromTop = text.hasPrefix("$.")
    if isFromTop { rest.removeFirst(2) }
    var steps: [Step] = []
    while !rest.isEmpty {
      if let step = Self.mark(in: &rest) {
        steps.append(step)
      } else {
        steps.append(Self.key(in: &rest))
      }
      if rest.first == "." { rest.removeFirst() }
    }
    self.steps = steps
  }

  /// Makes a path from a literal.
  ///
  /// - Parameter text: The same as for ``init(_:)``.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as JSON path notation prints it: `$._st.video_url`.
  public var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .key(let key): text += Self.isPlain(key) ? ".\(key)" : "['\(key)']"
      case .index(let index): text += "[\(index)]"
      case .elements: text += "[]"
      case .members: text += "{}"
      case .numbered(let key): text += ".\(key)#"
      case .document: text += "<json>"
      case .anyShape: break
      }
    }
  }

  /// Whether a key needs no quotes.
  ///
  /// It compares bytes, because findings print many paths.
  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
          true
        default: false
        }
      }
  }

  private static let marks: [(String, Step)] = [
    ("[]", .elements), ("{}", .members), ("<json>", .document), ("?", .anyShape),
  ]

  private static func mark(in rest: inout Substring) -> Step? {
    for (text, step) in marks where rest.hasPrefix(text) {
      rest.removeFirst(text.count)
      return step
    }
    guard rest.first == "[", let end = rest.firstIndex(of: "]"),
      let index = Int(rest[..<end].dropFirst()), index >= 0
    else { return nil }
    rest = rest[rest.index(after: end)...]
    return .index(index)
  }

  private static func key(in rest: inout Substring) -> Step {
    var key = ""
    while let character = rest.first, character != "." {
      var lookAhead = rest
      if !key.isEmpty, mark(in: &lookAhead) != nil { break }
      rest.removeFirst()
      if character == "#" { return .numbered(key) }
      if character == "\\" {
        if let escaped = rest.popFirst() { key.append(escaped) }
      } else {
        key.append(character)
      }
    }
    return .key(key)
  }
}

extension JSONValue {
  /// The value at a path, or the first of several; `nil` if the path leads to no value or to `null`.
  ///
  /// - Parameter path: The path of the value.
  public subscript(path: PayloadPath) -> JSONValue? {
    var value = self
    for step in path.steps {
      guard let next = value.first(step) else { return nil }
      value = next
    }
    return value.isNull ? nil : value
  }

  private func first(_ step: PayloadPath.Step) -> JSONValue? {
    switch step {
    case .key(let key): self[key]
    case .index(let index):
      if let array, array.indices.contains(index) { array[index] } else { nil }
    case .elements: if let array { array.first { !$0.isNull } } else { self }
    case .members: object?.min { $0.key < $1.key }?.value
    case .numbered(let key): self[key + "1"]
    case .document: document ?? self
    case .anyShape: self
    }
  }

  /// The most bytes of a string that is read as a JSON document; no payload is longer.
  static let maximumDocumentBytes = 16_384

  /// The JSON document that a string holds; `nil` if the value is not such a string.
  var document: JSONValue? {
    guard let text = string, text.utf8.count <= Self.maximumDocumentBytes else { return nil }
    if let document = try? JSONValue(parsing: text) { return document }
    // Some senders escape the document once more than its string needs.
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    return try? JSONValue(parsing: text.replacing("\\", with: ""))
  }
}

extension PayloadPath {
  /// Whether the path is the value at which paths begin.
  package var isRoot: Bool { steps.isEmpty }
}
