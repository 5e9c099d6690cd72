import NotificationTemplates
import PushPayload

extension LintRules {
  /// Rules about the vendors' keys, which must be in the places that the vendors' libraries read.
  static let dialects: [LintRule] = [
    LintRule(
      "M801", .warning, summary: "a vendor's key has a value that its reader does not take",
      why: """
        The vendor's reader reads this key, but the value has a wrong type or is out of range. It counts as \
        absent: no picture, no button, no text.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "fcm_options": {"image": ["https://example.com/a.jpg"]}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "fcm_options": {"image": "https://example.com/a.jpg"}}"#,
      fix: "give it the type that the finding names"
    ) { subject in
      subject.request.findings.map {
        LintFinding($0.path, "\($0.message) (\(subject.request.dialect))")
      }
    },
    LintRule(
      "M802", .warning, summary: "two vendors ask for different media",
      why: """
        A notification has one set of attachments. Martlet's engine uses the first dialect of its table and \
        ignores the media of the others; in an app with the vendors' libraries, the order is undefined.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}, "fcm_options": {"image": "https://example.com/b.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}, "fcm_options": {"analytics_label": "spring"}}"#,
      fix: "keep the media of one vendor"
    ) { subject in
      guard let json = subject.json, !subject.request.media.isEmpty else { return [] }
      let chosen = Set(subject.references.map(\.url))
      return DialectTable.standard.dialects.compactMap { dialect in
        guard dialect.id != subject.request.dialect, let other = dialect.read(json)?.media.first,
          !chosen.contains(other.wanted.url)
        else { return nil }
        return LintFinding(
          other.wanted.path.description,
          "is not shown: it belongs to \(dialect.id), and \(subject.request.dialect) has media too")
      }
    },
    LintRule(
      "M803", .warning, summary: "a vendor's key is misplaced",
      why: """
        A vendor's reader knows this key, but not in this object: usually the key is inside `aps`, `data` or \
        `payload` instead of beside `aps`.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "data": {"ct_mediaUrl": "https://example.com/a.jpg", "ct_mediaType": "image"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "ct_mediaUrl": "https://example.com/a.jpg", "ct_mediaType": "image"}"#,
      fix: "move it to the top, beside aps"
    ) { subject in
      guard let json = subject.json, subject.foreignRequest == nil else { return [] }
      let chosen = Set(subject.references.map(\.url))
      var objects: [(path: String, value: JSONValue)] = []
      json.collectObjects(at: "$", levels: 4, into: &objects)
      return objects.compactMap { path, value in
        guard value["aps"]?.object == nil, let media = value.distinctRequest?.media.first?.wanted,
          !chosen.contains(media.url), let reader = subject.reader(of: media, movedFrom: value)
        else { return nil }
        let mediaPath = path + media.path.description.dropFirst()
        return LintFinding(mediaPath, "must be beside aps, where \(reader) reads it")
      }
    },
    LintRule(
      "M804", .warning, summary: "a media URL is under a key that no dialect reads",
      why: """
        A URL ends like a picture or a movie, and no dialect reads this key. Either the key is wrong, or it \
        is the app's own and the extension must be configured with it.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "teaser": {"hero": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_martlet": {"media": [{"url": "https://example.com/a.jpg"}]}}"#,
      fix: "use the vendor's key, or configure the extension with this one"
    ) { subject in
      guard subject.request.media.isEmpty, subject.isMutable || subject.hasAlertText else {
        return []
      }
      // The content extension shows these media.
      let shown = Set(
        subject.template.template?.media.flatMap { [$0.url, $0.alternative ?? ""] } ?? [])
      let found: [LintFinding] = subject.scan.nodes.indices.compactMap { index in
        let word = subject.bytes[subject.scan.nodes[index].value]
        guard word.first == UInt8(ascii: "\""), word.count <= 2048,
          let text = try? JSONValue(parsing: String(decoding: word, as: UTF8.self)).string,
          text.hasPrefix("https://") || text.hasPrefix("http://"),
          MediaType(urlPath: text)?.isSupported ?? false, !shown.contains(text)
        else { return nil }
        let path = subject.scan.path(of: index)
        return path.hasPrefix("$.aps.alert")
          ? nil : LintFinding(path, "is the URL of a media file, and no dialect reads it")
      }
      return found.isEmpty || !subject.flattenedOrMisplaced.isEmpty ? [] : found
    },
    LintRule(
      "M805", .error, summary: "a key with dots was split into nested objects",
      why: """
        Some vendors' keys contain dots: `com.batch` is one key. A tool that reads dots as nesting splits it \
        into objects, and the vendor's reader finds nothing.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "com": {"batch": {"at": {"u": "https://example.com/a.jpg"}}}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "com.batch": {"at": {"u": "https://example.com/a.jpg"}}}"#,
      fix: "write it as one key with its dots"
    ) { subject in
      guard subject.request.media.isEmpty else { return [] }
      return subject.nestedDottedKeys.map {
        LintFinding($0.path, "must be one key, \"\($0.key)\"")
      }
    },
    LintRule(
      "M806", .note, summary: "several media files, and iOS shows one",
      why: """
        The collapsed notification shows one thumbnail, and without a content extension the expanded \
        notification shows one attachment. Apple does not document which one; the others cost time and \
        data.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg", "b": "https://example.com/b.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg"}}"#,
      fix: "send one file, unless the app has a content extension for the category"
    ) { subject in
      guard subject.request.media.count > 1, subject.aps?["category"]?.string == nil else {
        return []
      }
      return [
        LintFinding(
          subject.request.media[1].wanted.path.description,
          "is attached besides another file, and iOS shows one")
      ]
    },
  ]
}

/// The dialects whose media keys show which vendor's library the app has.
private let distinctDialects = DialectTable(
  DialectTable.standard.dialects.filter(\.mediaKeysNameVendor))

extension JSONValue {
  /// The request that a dialect with unambiguous keys reads from this object; `nil` if it finds no media.
  var distinctRequest: PayloadRequest? {
    let request = distinctDialects.read(self)
    return request.media.isEmpty ? nil : request
  }

  /// Collects the objects below this one with their paths, at most 200.
  fileprivate func collectObjects(
    at path: String, levels: Int, into objects: inout [(path: String, value: JSONValue)]
  ) {
    guard levels > 0, let members = object else { return }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) where objects.count < 200 {
      guard value.object != nil else { continue }
      let path = path + JSONScan.step(key)
      objects.append((path, value))
      value.collectObjects(at: path, levels: levels - 1, into: &objects)
    }
  }
}

extension LintSubject {
  /// The dialect that reads a media file if the members of its object are moved beside `aps`.
  ///
  /// It is `nil` if that would not help, because another vendor's media take precedence. The payload's other keys
  /// decide which dialect reads a shared key, such as `fcm_options`, which MotiSig also reads.
  fileprivate func reader(of media: MediaReference, movedFrom value: JSONValue) -> Dialect.ID? {
    let moved = top.merging(value.object ?? [:]) { old, _ in old }
    let request = DialectTable.standard.read(.object(moved))
    return request.media.contains { $0.wanted.url == media.url } ? request.dialect : nil
  }

  /// The nested objects whose keys, joined by dots, are a vendor's key.
  fileprivate var nestedDottedKeys: [(path: String, key: String)] {
    var found: [(path: String, key: String)] = []
    for (first, value) in top.sorted(by: { $0.key < $1.key }) where first != "aps" {
      for (second, value) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
        var chains = [([first, second], value)]
        chains += (value.object ?? [:]).sorted { $0.key < $1.key }
          .map { ([first, second, $0.key], $0.value) }
        for (keys, value) in chains.prefix(20) {
          let key = keys.joined(separator: ".")
          if JSONValue.object([key: value]).distinctRequest != nil {
            found.append(("$" + keys.map(JSONScan.step).joined(), key))
          }
        }
      }
    }
    return Array(found.prefix(20))
  }

  /// The codes of the rules that already report a media key of this payload.
  fileprivate var flattenedOrMisplaced: [String] {
    ["M227", "M803", "M805"].filter { LintRules.rule($0)?.check(self).isEmpty == false }
  }
}
