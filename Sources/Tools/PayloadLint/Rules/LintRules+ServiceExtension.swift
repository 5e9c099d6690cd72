import PushPayload

extension LintRules {
  /// Rules about the service extension, which must run if the payload needs it.
  static let serviceExtension: [LintRule] = [
    LintRule(
      "M521", .error, summary: "a payload with media has no mutable-content",
      why: """
        The app's service extension downloads and attaches media, and it runs only where `aps` has \
        `mutable-content` 1. Without it people see the text only.
        """,
      bad: #"{"aps": {"alert": "Look"}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard let aps = subject.aps, !subject.isMutable, let first = subject.request.media.first,
        aps["mutable_content"] == nil
      else { return [] }
      return [
        LintFinding(first.wanted.path.description, "is downloaded only with \"mutable-content\": 1")
      ]
    },
    LintRule(
      "M522", .warning, summary: "a payload with mutable-content has no alert text",
      why: """
        The service extension runs only for notifications that show text, not for a push with only a badge, \
        a sound or a background update. Apps with Apple's notification filtering entitlement are the \
        exception.
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
      "M523", .warning, summary: "a payload with buttons or texts has no mutable-content",
      why: """
        The payload describes buttons, or texts that replace those of the alert. The service extension \
        applies them, and it runs only where `aps` has `mutable-content` 1.
        """,
      bad:
        #"{"aps": {"alert": "Hello"}, "c": {"i": "1", "b": [{"t": "Buy", "l": "https://example.com/buy"}]}}"#,
      good:
        #"{"aps": {"alert": "Hello", "mutable-content": 1}, "c": {"i": "1", "b": [{"t": "Buy", "l": "https://example.com/buy"}]}}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard subject.aps != nil, !subject.isMutable, subject.request.media.isEmpty else { return [] }
      let texts = [subject.request.title, subject.request.subtitle, subject.request.body]
      guard !subject.request.buttons.isEmpty || texts.contains(where: { $0 != nil }) else {
        return []
      }
      return [
        LintFinding(
          "$.aps",
          "needs \"mutable-content\": 1 for the buttons or texts of \(subject.request.dialect)")
      ]
    },
    LintRule(
      "M524", .error, summary: "an encrypted payload has no mutable-content",
      why: """
        The service extension decrypts the value of `_enc`. Where it does not run, people see only the \
        placeholder.
        """,
      bad: #"{"aps": {"alert": "New message"}, "_enc": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z"}"#,
      good:
        #"{"aps": {"alert": "New message", "mutable-content": 1}, "_enc": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z"}"#,
      fix: "add \"mutable-content\": 1 to aps"
    ) { subject in
      guard subject.aps != nil, !(subject.top["_enc"] ?? .null).isNull, !subject.isMutable else {
        return []
      }
      return [LintFinding("$._enc", "is decrypted only with \"mutable-content\": 1")]
    },
    LintRule(
      "M525", .error, summary: "the encrypted part is not base64url",
      why: """
        `_enc` is a string: an RFC 8291 body in base64url without padding. With `+`, `/`, `=` or line breaks, \
        which other forms of base64 have, it cannot be decrypted.
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
      return isBase64URL && !text.isEmpty
        ? [] : [LintFinding("$._enc", "must be base64url without padding")]
    },
  ]
}
