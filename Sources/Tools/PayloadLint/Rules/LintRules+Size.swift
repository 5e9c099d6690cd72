import PushPayload

extension LintRules {
  /// Rules about the size of the payload.
  static let size: [LintRule] = [
    LintRule(
      "M121", .error, summary: "the payload is larger than APNs accepts",
      why: """
        APNs answers 413 `PayloadTooLarge` above 4096 bytes, or above 5120 for push type `voip`. The rule \
        counts the bytes of the JSON without white space; an umlaut has two bytes, an emoji four.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "article": "… 5000 characters …"}"#,
      good: #"{"aps": {"alert": "Hello"}, "article": "a-4711"}"#,
      fix: "send an identifier instead of the content, or shorten texts and URLs"
    ) { subject in
      guard subject.compactSize > subject.limit else { return [] }
      return [
        LintFinding(
          "$", "has \(subject.compactSize) bytes; the limit is \(subject.limit)", offset: 0)
      ]
    },
    LintRule(
      "M122", .warning, summary: "the payload fits only without its white space",
      why: """
        `martlet send`, and any client that sends a file as it is, also sends line breaks and indentation, \
        which APNs counts.
        """,
      bad: "{\n  \"aps\": {\"alert\": \"Hello\"},\n  … 4000 bytes and 200 of indentation …\n}",
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "encode it without white space before sending"
    ) { subject in
      guard !subject.isSimulatorFile, subject.compactSize <= subject.limit,
        subject.bytes.count > subject.limit
      else { return [] }
      return [
        LintFinding(
          "$",
          "has \(subject.bytes.count) bytes, \(subject.compactSize) without white space; "
            + "the limit is \(subject.limit)", offset: 0)
      ]
    },
    LintRule(
      "M123", .note, summary: "the payload is within 5% of the limit",
      why: """
        Names, translations and URLs differ from person to person. A payload that just fits in a test is too \
        large for some recipients.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "article": "… 3950 characters …"}"#,
      good: #"{"aps": {"alert": "Hello"}, "article": "a-4711"}"#,
      fix: "shorten it, so that longer values fit too"
    ) { subject in
      let free = subject.limit - subject.compactSize
      guard free >= 0, free < subject.limit / 20 else { return [] }
      return [LintFinding("$", "leaves \(free) of \(subject.limit) bytes", offset: 0)]
    },
  ]
}

extension LintSubject {
  /// The most bytes of a payload of its push type.
  fileprivate var limit: Int { PushType(rawValue: pushType ?? "alert").payloadLimit }

  /// The size without white space, and without the key that only the Simulator reads.
  fileprivate var compactSize: Int {
    guard let json else { return bytes.count }
    return isSimulatorFile ? json.serialized().count : scan.compactSize
  }
}

extension JSONScan {
  /// The number of bytes without white space between tokens.
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
