import PushPayload

extension LintRules {
  /// Whether the bytes are a payload at all.
  static let document: [LintRule] = [
    LintRule(
      "M101", .error, "the file is not JSON",
      why: """
        APNs takes a JSON document (RFC 8259) and nothing beside it: no comments, no commas before a \
        closing bracket, no single quotes, no control characters inside texts.
        """,
      bad: #"{"aps": {"alert": "Doors open at nine",}}"#,
      good: #"{"aps": {"alert": "Doors open at nine"}}"#,
      fix: "write it with a JSON encoder, never by joining strings"
    ) { subject in
      if subject.bytes.count > LintSubject.maximumBytes { return [] }
      guard let fault = subject.scan.fault, fault.kind == .syntax else { return [] }
      return [LintFinding("$", fault.message, offset: fault.offset)]
    },
    LintRule(
      "M102", .error, "the file is not UTF-8",
      why: """
        JSON that systems exchange is UTF-8 (RFC 8259, section 8.1). Latin-1 and UTF-16 come from editors \
        and spreadsheets; their bytes are refused, or shown as other characters.
        """,
      bad: #"{"aps": {"alert": "Caf… in Latin-1"}}"#,
      good: #"{"aps": {"alert": "Café"}}"#,
      fix: "save the file as UTF-8"
    ) { subject in
      guard let fault = subject.scan.fault, fault.kind == .encoding else { return [] }
      return [LintFinding("$", fault.message, offset: fault.offset)]
    },
    LintRule(
      "M103", .warning, "a byte order mark stands before the JSON",
      why: """
        RFC 8259, section 8.1, forbids it: some readers skip it, others call the document broken. \
        Windows editors write it as “UTF-8 with BOM”.
        """,
      bad: "…EF BB BF, then {\"aps\": {\"alert\": \"Hello\"}}",
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "save the file as UTF-8 without BOM"
    ) { subject in
      subject.scan.hasByteOrderMark
        ? [LintFinding("$", "begins with a byte order mark", offset: 0)] : []
    },
    LintRule(
      "M104", .error, "the payload is not an object",
      why:
        "A payload is a JSON object with the key `aps`. A list of payloads is a list of requests.",
      bad: #"[{"aps": {"alert": "Hello"}}]"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "send each payload in a request of its own"
    ) { subject in
      guard let document = subject.document, document.object == nil else { return [] }
      return [LintFinding("$", "is \(document.typeName); a payload is an object")]
    },
    LintRule(
      "M105", .warning, "a key stands twice in one object",
      why: """
        RFC 8259, section 4: what a reader makes of it cannot be foretold. One takes the first value, \
        another the last, a third refuses; sender and phone may disagree.
        """,
      bad: #"{"aps": {"alert": "Hello", "badge": 1, "badge": 2}}"#,
      good: #"{"aps": {"alert": "Hello", "badge": 2}}"#,
      fix: "keep one of them"
    ) { subject in
      subject.scan.repeated.prefix(LintReport.maximumPerRule).map { index in
        LintFinding(
          subject.scan.path(of: index), "stands here for the second time",
          offset: subject.scan.nodes[index].offset)
      }
    },
    LintRule(
      "M106", .error, "the payload nests too deep",
      why: """
        Foundation's JSON reader, on the phone as here, stops at \(JSONValue.maximumDepth) levels and calls \
        the document broken.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "tree": [[[[… 600 of them …]]]]}"#,
      good: #"{"aps": {"alert": "Hello"}, "tree": [[1, 2], [3]]}"#,
      fix: "send an identifier and let the app fetch the structure"
    ) { subject in
      guard let fault = subject.scan.fault, fault.kind == .depth else { return [] }
      return [LintFinding("$", fault.message, offset: fault.offset)]
    },
    LintRule(
      "M107", .warning, "a value is null",
      why: """
        Apple's page lists what custom values may be: dictionary, array, string, number, Boolean. A `null` \
        arrives as `NSNull` in `userInfo`, which is no property list: an app that stores it in \
        `UserDefaults` crashes. A Live Activity's `content-state` and `attributes` may hold it.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "coupon": null}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "leave the key out"
    ) { subject in
      guard subject.json != nil else { return [] }
      let decoded = subject.scan.activityValues
      return subject.findings("is null") { node in
        node.children.isEmpty && subject.bytes[node.value].elementsEqual("null".utf8)
          && !decoded.contains { $0.contains(node.offset) }
      }
    },
    LintRule(
      "M108", .warning, "a whole number does not fit in 64 bits",
      why: """
        Readers turn it into a floating-point number of about 16 digits: two identifiers become one, and \
        no receipt finds its message.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "message": 98765432109876543210}"#,
      good: #"{"aps": {"alert": "Hello"}, "message": "98765432109876543210"}"#,
      fix: "send identifiers as texts"
    ) { subject in
      guard subject.json != nil else { return [] }
      return subject.findings("loses digits when it is read") { node in
        let word = subject.bytes[node.value]
        let isWhole = word.drop { $0 == UInt8(ascii: "-") }
          .allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return word.count > 18 && isWhole && Int64(String(decoding: word, as: UTF8.self)) == nil
      }
    },
  ]
}

extension LintSubject {
  /// The first of the values that are so; a path is long where a payload nests deep, so no more are
  /// made than are told.
  fileprivate func findings(
    _ message: String, where isSo: (JSONScan.Node) -> Bool
  ) -> [LintFinding] {
    scan.nodes.indices.filter { isSo(scan.nodes[$0]) }.prefix(LintReport.maximumPerRule)
      .map { LintFinding(scan.path(of: $0), message) }
  }
}

extension JSONScan {
  /// Where a Live Activity's state and attributes stand: the app's `Codable` types read these, for
  /// which null is `nil`.
  fileprivate var activityValues: [Range<Int>] {
    guard let top = nodes.first else { return [] }
    return top.children.filter { nodes[$0].step == ".aps" }.flatMap { nodes[$0].children }
      .filter { [".content-state", ".attributes"].contains(nodes[$0].step) }
      .map { nodes[$0].value }
  }
}
