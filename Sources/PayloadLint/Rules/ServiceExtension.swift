import PushPayload

extension LintRules {
  /// Whether the extension runs where something is left to it.
  static let serviceExtension: [LintRule] = [
    LintRule(
      "M521", .error, "media without mutable-content",
      why: """
        Media are fetched and attached by the app's service extension, and that runs only where `aps` has \
        `mutable-content` 1. Without it people see the text alone.
        """,
      bad: #"{"aps": {"alert": "Look"}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard let aps = subject.aps, !subject.isMutable, let first = subject.content.media.first,
        aps["mutable_content"] == nil
      else { return [] }
      return [
        LintFinding(first.wanted.path.description, "is fetched only with \"mutable-content\": 1")
      ]
    },
    LintRule(
      "M522", .warning, "mutable-content without alert text",
      why: """
        The service extension runs for notifications that show text. A push with only a badge, a sound or \
        a background update passes it by, media and all; only apps with Apple's filtering entitlement see \
        more.
        """,
      bad:
        #"{"aps": {"mutable-content": 1, "sound": "default"}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"mutable-content": 1, "sound": "default", "alert": "Look"}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "add an alert with a title or a body"
    ) { subject in
      guard subject.aps != nil, subject.isMutable, !subject.hasAlertText else { return [] }
      return [LintFinding("$.aps.mutable-content", "has no effect without alert text")]
    },
    LintRule(
      "M523", .warning, "buttons or texts for the extension without mutable-content",
      why: """
        The payload describes buttons, or texts that replace those of the alert. The extension registers \
        and writes them, and it does not run.
        """,
      bad:
        #"{"aps": {"alert": "Hello"}, "c": {"i": "1", "b": [{"t": "Buy", "l": "https://example.com/buy"}]}}"#,
      good:
        #"{"aps": {"alert": "Hello", "mutable-content": 1}, "c": {"i": "1", "b": [{"t": "Buy", "l": "https://example.com/buy"}]}}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard subject.aps != nil, !subject.isMutable, subject.content.media.isEmpty else { return [] }
      let texts = [subject.content.title, subject.content.subtitle, subject.content.body]
      guard !subject.content.buttons.isEmpty || texts.contains(where: { $0 != nil }) else {
        return []
      }
      return [
        LintFinding(
          "$.aps", "has no mutable-content, and \(subject.content.dialect) describes what needs it")
      ]
    },
    LintRule(
      "M524", .error, "an encrypted payload without mutable-content",
      why: """
        The extension opens what stands under `_enc`. Where it does not run, people read the placeholder \
        and nothing else, for good.
        """,
      bad: #"{"aps": {"alert": "New message"}, "_enc": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z"}"#,
      good:
        #"{"aps": {"alert": "New message", "mutable-content": 1}, "_enc": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z"}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard subject.aps != nil, !(subject.top["_enc"] ?? .null).isNull, !subject.isMutable else {
        return []
      }
      return [LintFinding("$._enc", "is opened only with \"mutable-content\": 1")]
    },
    LintRule(
      "M525", .error, "the encrypted part is not base64url",
      why: """
        `_enc` is one text: an RFC 8291 body in base64url without padding. `+`, `/`, `=` and line breaks \
        come from another base64 and end in the placeholder.
        """,
      bad:
        #"{"aps": {"alert": "New message", "mutable-content": 1}, "_enc": "DGv6ra1nlYgDCS1FRnbzlw=="}"#,
      good:
        #"{"aps": {"alert": "New message", "mutable-content": 1}, "_enc": "DGv6ra1nlYgDCS1FRnbzlw"}"#,
      fix: "encode it as base64url (RFC 4648, section 5) without padding"
    ) { subject in
      guard let sealed = subject.top["_enc"], !sealed.isNull else { return [] }
      guard let text = sealed.string else {
        return [LintFinding("$._enc", "is \(sealed.typeName); it takes a string")]
      }
      let isBase64URL = text.utf8.allSatisfy { byte in
        let letter = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
      return isBase64URL && !text.isEmpty ? [] : [LintFinding("$._enc", "is no base64url")]
    },
  ]
}
