import PushPayload

extension LintRules {
  /// Whether APNs takes so many bytes.
  static let size: [LintRule] = [
    LintRule(
      "M121", .error, "the payload is larger than APNs takes",
      why: """
        APNs answers 413 `PayloadTooLarge` above 4096 bytes, and above 5120 for the push type `voip`. \
        Counted are the bytes of the JSON without spaces; umlauts and emoji count two to four each.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "article": "… 5000 characters …"}"#,
      good: #"{"aps": {"alert": "Hello"}, "article": "a-4711"}"#,
      fix: "send an identifier instead of the content, or shorten texts and URLs"
    ) { subject in
      guard subject.compactSize > subject.limit else { return [] }
      return [
        LintFinding("$", "has \(subject.compactSize) bytes; APNs takes \(subject.limit)", offset: 0)
      ]
    },
    LintRule(
      "M122", .warning, "the payload fits only without its spaces",
      why: """
        `martlet send`, and every client that sends a file as it is, sends line breaks and indentation \
        too; APNs counts them.
        """,
      bad: "{\n  \"aps\": {\"alert\": \"Hello\"},\n  … 4000 bytes and 200 of indentation …\n}",
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "encode it compactly before it is sent"
    ) { subject in
      guard !subject.isSimulatorFile, subject.compactSize <= subject.limit,
        subject.bytes.count > subject.limit
      else { return [] }
      return [
        LintFinding(
          "$",
          "has \(subject.bytes.count) bytes as it stands, \(subject.compactSize) without spaces; "
            + "APNs takes \(subject.limit)", offset: 0)
      ]
    },
    LintRule(
      "M123", .note, "less than a twentieth of the size is left",
      why: """
        The longest name, the longest language and the longest URL decide whether a campaign is sent. A \
        payload that just fits in the test is too large for some of its readers.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "article": "… 3950 characters …"}"#,
      good: #"{"aps": {"alert": "Hello"}, "article": "a-4711"}"#,
      fix: "leave room for what differs from reader to reader"
    ) { subject in
      let free = subject.limit - subject.compactSize
      guard free >= 0, free < subject.limit / 20 else { return [] }
      return [LintFinding("$", "leaves \(free) of \(subject.limit) bytes", offset: 0)]
    },
  ]
}

extension LintSubject {
  /// The largest payload that its push type may have, in bytes.
  fileprivate var limit: Int { PushType(rawValue: pushType ?? "alert").payloadLimit }

  /// The bytes without spaces, and without what APNs never sees.
  fileprivate var compactSize: Int {
    guard let json else { return bytes.count }
    return isSimulatorFile ? json.serialized().count : scan.compactSize
  }
}

extension JSONScan {
  /// How many bytes stand outside the spaces between tokens.
  fileprivate var compactSize: Int {
    var size = 0
    var isText = false
    var isEscaped = false
    for byte in bytes {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == 0x20 || 0x09...0x0D ~= byte {
        continue
      }
      size += 1
    }
    return size
  }
}
