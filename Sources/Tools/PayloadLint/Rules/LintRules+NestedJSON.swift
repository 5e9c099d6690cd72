import PushPayload

extension LintRules {
  /// Rules about JSON inside strings.
  static let nestedJSON: [LintRule] = [
    LintRule(
      "M807", .warning, summary: "an object is sent as a string",
      why: """
        A form encoder, or a relay that takes only strings as data, wrote an object as text. iOS and the \
        vendors' readers do not parse it, so they find neither keys nor media in it.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "data": "{\"image\": \"https://example.com/a.jpg\"}"}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "nest the object itself, not its JSON as a string"
    ) { subject in
      guard subject.foreignRequest == nil, subject.top.count <= 200 else { return [] }
      return subject.jsonTexts.filter { text in subject.isExpected(text) }
        .map { LintFinding($0.path, "is a string that holds an object, which nothing parses") }
    }
  ]

  /// A string that contains an object, and its location: the key at the top, and the key below it if there is one.
  fileprivate struct JSONText {
    var path: String
    var keys: (String, String?)
    var object: JSONValue
  }
}

extension LintSubject {
  /// The strings beside `aps`, and one level below, that contain an object.
  fileprivate var jsonTexts: [LintRules.JSONText] {
    var texts: [LintRules.JSONText] = []
    for (key, value) in top.sorted(by: { $0.key < $1.key }) where key != "aps" {
      let path = "$" + JSONScan.step(key)
      if let object = value.embeddedObject {
        texts.append(.init(path: path, keys: (key, nil), object: object))
      }
      for (inner, value) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }).prefix(200) {
        guard let object = value.embeddedObject else { continue }
        texts.append(
          .init(path: path + JSONScan.step(inner), keys: (key, inner), object: object))
      }
    }
    return Array(texts.prefix(LintReport.maximumPerRule))
  }

  /// Whether the object has Apple's keys or media, and no dialect reads the string itself.
  fileprivate func isExpected(_ text: LintRules.JSONText) -> Bool {
    let members = text.object.object ?? [:]
    let hasAppleKeys =
      members["aps"] != nil || !AppleKeys.unmistakable.isDisjoint(with: members.keys)
      || members["alert"] != nil
    guard
      hasAppleKeys || text.object.distinctRequest != nil || text.object.holdsMedia(levels: 4)
        || addsMedia(text)
    else { return false }
    return DialectTable.standard.read(replacing(text, with: nil)) == request
  }

  /// Whether a dialect finds media if the object replaces the string.
  private func addsMedia(_ text: LintRules.JSONText) -> Bool {
    request.media.isEmpty
      && !DialectTable.standard.read(replacing(text, with: text.object)).media.isEmpty
  }

  private func replacing(_ text: LintRules.JSONText, with value: JSONValue?) -> JSONValue {
    var members = top
    if let inner = text.keys.1 {
      var object = members[text.keys.0]?.object ?? [:]
      object[inner] = value
      members[text.keys.0] = .object(object)
    } else {
      members[text.keys.0] = value
    }
    return .object(members)
  }
}

extension JSONValue {
  /// The object that a string contains; `nil` if the value is not such a string.
  fileprivate var embeddedObject: JSONValue? {
    guard let text = string, text.utf8.count <= 16_384,
      text.utf8.first(where: { !SyntaxSource.isSpace($0) }) == UInt8(ascii: "{"),
      let value = try? JSONValue(parsing: text), value.object != nil
    else { return nil }
    return value
  }

  /// Whether a text in it is the URL of a media file that iOS shows.
  fileprivate func holdsMedia(levels: Int) -> Bool {
    guard levels > 0 else { return false }
    switch self {
    case .string(let text):
      return text.hasPrefix("http") && MediaType(urlPath: text)?.isSupported ?? false
    case .object(let members): return members.values.contains { $0.holdsMedia(levels: levels - 1) }
    case .array(let elements): return elements.contains { $0.holdsMedia(levels: levels - 1) }
    default: return false
    }
  }
}
