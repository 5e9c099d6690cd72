import PushPayload

/// The UTM parameters of a campaign, which are added to the links of its pushes.
///
/// The query and the fragment of a link stay byte for byte, as does a parameter that it already has. Only `http`
/// and `https` links change, because an app's router may compare other links as a whole.
struct LinkParameters: Hashable, Sendable {
  /// The members of `utm`, in the order in which they are added.
  static let names = ["source", "medium", "campaign", "term", "content"]
  static let valueLimit = 255

  /// The names with `utm_` and their values, in the order of ``names``.
  private(set) var parameters: [Parameter] = []

  struct Parameter: Hashable, Sendable {
    var name: String
    var value: String

    /// The parameter as the URL Standard's `application/x-www-form-urlencoded` serializer writes it.
    var text: String { "\(name)=\(Self.encoded(value))" }

    private static func encoded(_ value: String) -> String {
      var text: [UInt8] = []
      for byte in value.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
          UInt8(ascii: "."), UInt8(ascii: "_"):
          text.append(byte)
        case UInt8(ascii: " "): text.append(UInt8(ascii: "+"))
        default:
          let digits = Array("0123456789ABCDEF".utf8)
          text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  init(_ values: [String: String]) {
    parameters = Self.names.compactMap { name in
      values[name].map { Parameter(name: "utm_\(name)", value: $0) }
    }
  }

  /// Reads the member `utm` of a campaign.
  init(_ field: BodyValue) throws(RequestError) {
    var values: [String: String] = [:]
    for name in try field.object(upTo: Self.names.count).keys.sorted() {
      guard let value = field[name] else { continue }
      guard Self.names.contains(name) else {
        throw .refused(value.path, "is not known; known are \(Self.names.joined(separator: ", "))")
      }
      let text = try value.string()
      guard (1...Self.valueLimit).contains(text.unicodeScalars.count), !text.contains("{") else {
        throw .refused(
          value.path, "must be 1 to \(Self.valueLimit) characters, without Liquid or other braces")
      }
      values[name] = text
    }
    guard !values.isEmpty else { throw .refused(field.path, "must have a parameter") }
    self.init(values)
  }

  // MARK: Links

  /// A link with the parameters that it lacks; unchanged if its scheme is not `http` or `https`.
  ///
  /// The output of Liquid is assumed to stay within the path, query or fragment in which it stands.
  func added(to link: String) -> String {
    let bytes = Array(link.utf8)
    guard Self.isWeb(bytes) else { return link }
    let marks = Self.marks(in: bytes)
    let end = marks.fragment ?? bytes.count
    let query = marks.query.map { bytes[($0 + 1)..<end] }
    let known = Set(query.map(Self.names(in:)) ?? [])
    let missing = parameters.filter { !known.contains($0.name) }
    guard !missing.isEmpty else { return link }
    let separator =
      switch query {
      case nil: "?"
      case let query? where query.isEmpty || query.last == UInt8(ascii: "&"): ""
      case _: "&"
      }
    let added = separator + missing.map(\.text).joined(separator: "&")
    return String(decoding: bytes[..<end], as: UTF8.self) + added
      + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// Whether Liquid writes the beginning of a link, so that the place of its query is unknown.
  static func isOpen(_ link: String) -> Bool {
    let start = link.drop { $0.isWhitespace }
    return start.hasPrefix("{{") || start.hasPrefix("{%")
  }

  private static func isWeb(_ bytes: [UInt8]) -> Bool {
    let scheme = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
    return scheme.hasPrefix("http://") || scheme == "https://"
  }

  /// The indexes of the first `?` before the fragment, and of the `#`, outside of Liquid.
  private static func marks(in bytes: [UInt8]) -> (query: Int?, fragment: Int?) {
    var (query, place): (Int?, Int) = (nil, 0)
    while place < bytes.count {
      if let end = liquidEnd(in: bytes, at: place) {
        place = end
        continue
      }
      switch bytes[place] {
      case UInt8(ascii: "#"): return (query, place)
      case UInt8(ascii: "?") where query == nil: query = place
      default: break
      }
      place += 1
    }
    return (query, nil)
  }

  /// The index after the Liquid output or tag that begins at a place; `nil` if none begins there.
  private static func liquidEnd(in bytes: [UInt8], at place: Int) -> Int? {
    guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "{") else { return nil }
    let close: UInt8
    switch bytes[place + 1] {
    case UInt8(ascii: "{"): close = UInt8(ascii: "}")
    case UInt8(ascii: "%"): close = UInt8(ascii: "%")
    default: return nil
    }
    var end = place + 2
    while end + 1 < bytes.count {
      if bytes[end] == close, bytes[end + 1] == UInt8(ascii: "}") { return end + 2 }
      end += 1
    }
    return nil
  }

  /// The names of a query's parameters, decoded and in lowercase.
  private static func names(in query: ArraySlice<UInt8>) -> [String] {
    query.split(separator: UInt8(ascii: "&")).map { part in
      decoded(part.prefix { $0 != UInt8(ascii: "=") }).lowercased()
    }
  }

  private static func decoded(_ name: ArraySlice<UInt8>) -> String {
    var (bytes, rest) = ([UInt8](), name)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-")
      else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Payloads

  /// A payload with the parameters on its own link, and on the links of its buttons and its template.
  ///
  /// - Throws: ``RequestError`` `.invalid` if Liquid writes the beginning of a link.
  func added(to payload: BodyValue) throws(RequestError) -> BodyValue {
    guard var members = payload.value.object else { return payload }
    if let url = payload["url"] { members["url"] = try link(url) }
    if let rich = payload["_martlet"], var own = rich.value.object {
      if let buttons = rich["buttons"], buttons.value.array != nil {
        var all: [JSONValue] = []
        for button in try buttons.elements() {
          var members = button.value.object
          if let url = button["url"] { members?["url"] = try link(url) }
          all.append(members.map(JSONValue.object) ?? button.value)
        }
        own["buttons"] = .array(all)
      }
      if let template = rich["template"] { own["template"] = try links(in: template) }
      members["_martlet"] = .object(own)
    }
    return payload.replacing(.object(members))
  }

  /// A part of a template, with the parameters on each member `link`.
  private func links(in field: BodyValue) throws(RequestError) -> JSONValue {
    if let members = field.value.object {
      var changed = members
      for (name, value) in members {
        let member = field.member(name, value)
        changed[name] = name == "link" ? try link(member) : try links(in: member)
      }
      return .object(changed)
    }
    guard field.value.array != nil else { return field.value }
    return .array(
      try field.elements().map { element throws(RequestError) in try links(in: element) })
  }

  private func link(_ field: BodyValue) throws(RequestError) -> JSONValue {
    guard let link = field.value.string else { return field.value }
    guard !Self.isOpen(link) else {
      throw .refused(
        field.path,
        "begins with Liquid, so utm cannot be added; begin it with https://, or leave utm out")
    }
    return .string(added(to: link))
  }
}

extension BodyValue {
  /// Another value at the same path.
  func replacing(_ value: JSONValue) -> BodyValue { BodyValue(value, at: path) }
}
