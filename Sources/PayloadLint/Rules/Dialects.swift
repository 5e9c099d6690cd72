import PushPayload

extension LintRules {
  /// Whether the vendors' keys stand where their readers look.
  static let dialects: [LintRule] = [
    LintRule(
      "M801", .warning, "a vendor's key holds what its reader does not take",
      why: """
        The dialect is known and looks at this key, but the value has a wrong type or is out of range. It \
        counts as absent: no picture, no button, no text.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "fcm_options": {"image": ["https://example.com/a.jpg"]}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "fcm_options": {"image": "https://example.com/a.jpg"}}"#,
      fix: "give it the type that the finding names"
    ) { subject in
      subject.content.findings.map {
        LintFinding($0.path, "\($0.message) (\(subject.content.dialect))")
      }
    },
    LintRule(
      "M802", .warning, "two vendors ask for different media",
      why: """
        One payload has one set of attachments. The first dialect of the table wins and the others' media \
        are not shown; in the app, which library comes first is chance.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}, "fcm_options": {"image": "https://example.com/b.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}, "fcm_options": {"analytics_label": "spring"}}"#,
      fix: "keep the media of one vendor"
    ) { subject in
      guard let json = subject.json, !subject.content.media.isEmpty else { return [] }
      let chosen = Set(subject.references.map(\.url))
      return DialectTable.standard.dialects.compactMap { dialect in
        guard dialect.id != subject.content.dialect, let other = dialect.read(json)?.media.first,
          !chosen.contains(other.wanted.url)
        else { return nil }
        return LintFinding(
          other.wanted.path.description,
          "is \(dialect.id)'s and not shown: \(subject.content.dialect) has media too")
      }
    },
    LintRule(
      "M803", .warning, "a vendor's key is misplaced",
      why: """
        The key is one that a vendor's reader knows, in an object where it does not look: usually inside \
        `aps`, `data` or `payload` instead of beside `aps`.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "data": {"ct_mediaUrl": "https://example.com/a.jpg", "ct_mediaType": "image"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "ct_mediaUrl": "https://example.com/a.jpg", "ct_mediaType": "image"}"#,
      fix: "move it to the top, beside aps"
    ) { subject in
      guard let json = subject.json else { return [] }
      let chosen = Set(subject.references.map(\.url))
      var places: [(path: String, value: JSONValue)] = []
      json.collectObjects(at: "$", levels: 4, into: &places)
      return places.compactMap { path, value in
        guard let content = value.distinctContent, let media = content.media.first?.wanted,
          !chosen.contains(media.url)
        else { return nil }
        let place = path + media.path.description.dropFirst()
        return LintFinding(place, "is \(content.dialect)'s, which looks for it beside aps")
      }
    },
    LintRule(
      "M804", .warning, "a media URL stands where no reader looks",
      why: """
        A text ends like a picture or a film, and no dialect reads this key. Either the key is wrong, or \
        it is the app's own, which its extension must be told.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "teaser": {"hero": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_martlet": {"media": [{"url": "https://example.com/a.jpg"}]}}"#,
      fix: "use a key of the vendor's, or configure the extension with this one"
    ) { subject in
      guard subject.content.media.isEmpty, subject.isMutable || subject.hasAlertText,
        subject.flattenedOrMisplaced.isEmpty
      else { return [] }
      return subject.scan.nodes.indices.compactMap { index in
        let word = subject.bytes[subject.scan.nodes[index].value]
        guard word.first == UInt8(ascii: "\""), word.count <= 2048,
          let text = try? JSONValue(parsing: String(decoding: word, as: UTF8.self)).string,
          text.hasPrefix("https://") || text.hasPrefix("http://"),
          MediaType(urlPath: text)?.isSupported ?? false
        else { return nil }
        let path = subject.scan.path(of: index)
        return path.hasPrefix("$.aps.alert")
          ? nil : LintFinding(path, "leads to media, and no dialect reads it")
      }
    },
    LintRule(
      "M805", .error, "a key with dots was nested",
      why: """
        Some vendors' keys have dots in them: `com.batch` is one key. A tool that takes dots for nesting \
        makes three objects of it, and the reader finds nothing.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "com": {"batch": {"at": {"u": "https://example.com/a.jpg"}}}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "com.batch": {"at": {"u": "https://example.com/a.jpg"}}}"#,
      fix: "write the key as one, with its dots"
    ) { subject in
      guard subject.content.media.isEmpty else { return [] }
      return subject.nestedDottedKeys.map {
        LintFinding($0.path, "is one key, \"\($0.key)\", with its dots")
      }
    },
    LintRule(
      "M806", .note, "several media, of which one is drawn",
      why: """
        The collapsed notification shows one thumbnail, and without a content extension the expanded one \
        shows one attachment. Apple does not say which of several that is; the others cost time and data.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg", "b": "https://example.com/b.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg"}}"#,
      fix: "send the one that matters, unless the app has a content extension for the category"
    ) { subject in
      guard subject.content.media.count > 1, subject.aps?["category"]?.string == nil else {
        return []
      }
      return [
        LintFinding(
          subject.content.media[1].wanted.path.description,
          "is attached beside another, and one is drawn")
      ]
    },
  ]
}

/// The dialects known by common words: what looks like one of them deep in a payload is the app's own.
private let commonWords: Set<Dialect.ID> = [
  .carnival, .emarsys, .blueshift, .exponea, .mindbox, .generic, .imageAbsoluteString, .pushwoosh,
  .twilio, .countly, .oneSignal, .kumulos, .pinpoint, .motiSig,
]
private let distinctDialects = DialectTable.standard.without(commonWords)

extension JSONValue {
  /// What a vendor with keys that no one else uses would read here.
  fileprivate var distinctContent: PayloadRequest? {
    let content = distinctDialects.read(self)
    return content.media.isEmpty ? nil : content
  }

  /// The objects below this one, at most 200.
  fileprivate func collectObjects(
    at path: String, levels: Int, into places: inout [(path: String, value: JSONValue)]
  ) {
    guard levels > 0, let members = object else { return }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) where places.count < 200 {
      guard value.object != nil else { continue }
      let place = path + JSONScan.step(key)
      places.append((place, value))
      value.collectObjects(at: place, levels: levels - 1, into: &places)
    }
  }
}

extension LintSubject {
  /// Chains of objects that make a vendor's dotted key when they are written as one.
  fileprivate var nestedDottedKeys: [(path: String, key: String)] {
    var found: [(path: String, key: String)] = []
    for (first, value) in top.sorted(by: { $0.key < $1.key }) where first != "aps" {
      for (second, value) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
        var chains = [([first, second], value)]
        chains += (value.object ?? [:]).sorted { $0.key < $1.key }
          .map { ([first, second, $0.key], $0.value) }
        for (keys, value) in chains.prefix(20) {
          let key = keys.joined(separator: ".")
          if JSONValue.object([key: value]).distinctContent != nil {
            found.append(("$" + keys.map(JSONScan.step).joined(), key))
          }
        }
      }
    }
    return Array(found.prefix(20))
  }

  /// Codes of the rules that already say what is wrong with a media key here.
  fileprivate var flattenedOrMisplaced: [String] {
    ["M227", "M803", "M805"].filter { LintRules.rule($0)?.check(self).isEmpty == false }
  }
}
