import PushPayload

extension LintRules {
  /// Rules about the JSON document.
  static let document: [LintRule] = [
    LintRule(
      "M101", .error, summary: "the file is not JSON",
      why: """
        APNs takes a JSON document (RFC 8259): no comments, no comma before a closing bracket, no single or \
        curly quotes, no control characters in strings; nothing before it and nothing after it. A \
        dictionary that a program printed is not JSON.
        """,
      bad: #"{"aps": {"alert": "Doors open at nine",}}"#,
      good: #"{"aps": {"alert": "Doors open at nine"}}"#,
      fix: "write it with a JSON encoder, never by joining strings"
    ) { subject in
      if subject.bytes.count > LintSubject.maximumBytes { return [] }
      guard let fault = subject.scan.fault, fault.kind == .syntax else { return [] }
      let problem = SyntaxProblem(fault, in: subject.bytes)
      return [LintFinding("$", problem.message, offset: problem.offset)]
    },
    LintRule(
      "M102", .error, summary: "the file is not UTF-8",
      why: """
        JSON that systems exchange must be UTF-8 (RFC 8259, section 8.1). Editors and spreadsheets may \
        write Latin-1 or UTF-16, which is refused or shown as other characters.
        """,
      bad: #"{"aps": {"alert": "Caf… in Latin-1"}}"#,
      good: #"{"aps": {"alert": "Café"}}"#,
      fix: "save the file as UTF-8"
    ) { subject in
      guard let fault = subject.scan.fault, fault.kind == .encoding else { return [] }
      return [LintFinding("$", fault.message, offset: fault.offset)]
    },
    LintRule(
      "M103", .warning, summary: "the file begins with a byte order mark",
      why: """
        RFC 8259, section 8.1, forbids it: some parsers skip it, others refuse the document. Windows \
        editors write it as “UTF-8 with BOM”.
        """,
      bad: "…EF BB BF, then {\"aps\": {\"alert\": \"Hello\"}}",
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "save the file as UTF-8 without BOM"
    ) { subject in
      subject.scan.hasByteOrderMark
        ? [LintFinding("$", "begins with a byte order mark", offset: 0)] : []
    },
    LintRule(
      "M104", .error, summary: "the payload is not an object",
      why:
        "A payload is a JSON object with the key `aps`. Each payload needs a request of its own.",
      bad: #"[{"aps": {"alert": "Hello"}}]"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "send each payload in a request of its own"
    ) { subject in
      guard let document = subject.document, document.object == nil else { return [] }
      let isEncodedTwice = document.string.flatMap { try? JSONValue(parsing: $0) }?.object != nil
      return [
        LintFinding(
          "$",
          isEncodedTwice
            ? "is a string that holds JSON: it was encoded twice; a payload must be an object"
            : "is \(document.typeName); a payload must be an object")
      ]
    },
    LintRule(
      "M105", .warning, summary: "an object has the same key twice",
      why: """
        RFC 8259, section 4: the behavior of parsers is unpredictable. Some take the first value, some the \
        last, some refuse the document, so sender and device may disagree.
        """,
      bad: #"{"aps": {"alert": "Hello", "badge": 1, "badge": 2}}"#,
      good: #"{"aps": {"alert": "Hello", "badge": 2}}"#,
      fix: "keep one of them"
    ) { subject in
      subject.scan.repeated.prefix(LintReport.maximumPerRule).map { index in
        LintFinding(
          subject.scan.path(of: index), "is in this object twice",
          offset: subject.scan.nodes[index].offset)
      }
    },
    LintRule(
      "M106", .error, summary: "the payload is nested too deeply",
      why: """
        Foundation's JSON parser refuses documents of more than \(JSONValue.maximumDepth) levels, on the \
        device as well.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "tree": [[[[… 600 of them …]]]]}"#,
      good: #"{"aps": {"alert": "Hello"}, "tree": [[1, 2], [3]]}"#,
      fix: "send an identifier and let the app fetch the structure"
    ) { subject in
      guard let fault = subject.scan.fault, fault.kind == .depth else { return [] }
      return [LintFinding("$", fault.message, offset: fault.offset)]
    },
    LintRule(
      "M107", .warning, summary: "a value is null",
      why: """
        Apple's page lists the types of custom values: dictionary, array, string, number, Boolean. A `null` \
        arrives as `NSNull` in `userInfo`, which is not a property list value: an app that stores it in \
        `UserDefaults` crashes. A Live Activity's `content-state` and `attributes` may contain it.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "coupon": null}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "remove the key"
    ) { subject in
      guard subject.json != nil else { return [] }
      let decoded = subject.scan.activityValues
      return subject.findings("is null") { node in
        node.children.isEmpty && subject.bytes[node.value].elementsEqual("null".utf8)
          && !decoded.contains { $0.contains(node.offset) }
      }
    },
    LintRule(
      "M108", .warning, summary: "a whole number does not fit in 64 bits",
      why: """
        Parsers convert it to a floating-point number of about 16 digits: different identifiers become \
        equal, and receipts do not match their messages.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "message": 98765432109876543210}"#,
      good: #"{"aps": {"alert": "Hello"}, "message": "98765432109876543210"}"#,
      fix: "send identifiers as strings"
    ) { subject in
      guard subject.json != nil else { return [] }
      return subject.findings("does not fit in 64 bits and loses digits when it is parsed") {
        node in
        let word = subject.bytes[node.value]
        let isWhole = word.drop { $0 == UInt8(ascii: "-") }
          .allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return word.count > 18 && isWhole && Int64(String(decoding: word, as: UTF8.self)) == nil
      }
    },
    LintRule(
      "M109", .note, summary: "the payload names an app of the Simulator",
      why: """
        `Simulator Target Bundle` tells `xcrun simctl push` and the Simulator which app gets the file. APNs does not read it: sent to a device, it is one of the app's own keys and costs bytes.
        """,
      bad: #"{"Simulator Target Bundle": "com.example.app", "aps": {"alert": "Hello"}}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "remove the key before sending, and name the app with simctl push"
    ) { subject in
      guard subject.isSimulatorFile else { return [] }
      return [
        LintFinding(
          "$" + JSONScan.step(LintSubject.simulatorKey), "is for the Simulator only; do not send it"
        )
      ]
    },
    LintRule(
      "M110", .error, summary: "the file is a request to another push service",
      why: """
        Firebase, Expo, OneSignal, Amazon SNS and others take requests of their own form and make the payload         for APNs of it. Sent to APNs as it is, such a request shows nothing.
        """,
      bad: #"{"to": "ExponentPushToken[xxxx]", "title": "Tonight", "body": "Doors open at nine"}"#,
      good: #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}}}"#,
      fix: "send the payload that the finding names, or write one with aps"
    ) { subject in
      subject.foreignRequest.map { [LintFinding("$", $0.message)] } ?? []
    },
  ]
}

extension LintSubject {
  /// Makes a finding for each value that meets a condition, at most ``LintReport/maximumPerRule``.
  ///
  /// Paths are made only for these values, because a path is long if a payload is deeply nested.
  fileprivate func findings(
    _ message: String, where isIncluded: (JSONScan.Node) -> Bool
  ) -> [LintFinding] {
    scan.nodes.indices.filter { isIncluded(scan.nodes[$0]) }.prefix(LintReport.maximumPerRule)
      .map { LintFinding(scan.path(of: $0), message) }
  }
}

extension JSONScan {
  /// The byte ranges of a Live Activity's state and attributes.
  ///
  /// The app's `Codable` types decode these, and for them `null` is `nil`.
  fileprivate var activityValues: [Range<Int>] {
    guard let top = nodes.first else { return [] }
    return top.children.filter { nodes[$0].step == ".aps" }.flatMap { nodes[$0].children }
      .filter { [".content-state", ".attributes"].contains(nodes[$0].step) }
      .map { nodes[$0].value }
  }
}
