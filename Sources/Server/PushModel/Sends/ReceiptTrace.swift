package import PushPayload

/// What the service extension did with a notification, in named fields without its content.
package struct ReceiptTrace: Hashable, Sendable {
  /// The content that the extension delivered; the raw values are the API's.
  package enum Content: String, CaseIterable, Sendable {
    /// The payload's texts and media.
    case enriched
    /// The content as it arrived, because the extension is for other categories.
    case untouched
    /// The placeholder, in place of a payload that could not be decrypted or has arrived before.
    case withheld
  }

  /// The result of one medium, without its URL.
  package struct Medium: Hashable, Sendable {
    package var result: String
    package var reason: String?
    package var status: Int?

    package init(result: String, reason: String? = nil, status: Int? = nil) {
      (self.result, self.reason, self.status) = (result, reason, status)
    }
  }

  /// The most media of a trace; a notification has fewer.
  package static let mediaLimit = 10
  /// The most characters of a word.
  package static let wordLimit = 64

  /// The id of the dialect that the payload was read with.
  package var dialect: String?
  /// `ok`, or the reason why the payload could not be decrypted; `nil` if it was not encrypted.
  package var decryption: String?
  package var content: Content?
  /// Whether a Focus silenced notifications; `nil` if the extension did not ask.
  package var isFocused: Bool?
  package var media: [Medium] = []

  package init() {}
}

extension ReceiptTrace {
  /// The trace as it is stored, which is also its form in the API.
  package var json: JSONValue {
    var members: [String: JSONValue] = [:]
    members["dialect"] = dialect.map(JSONValue.string)
    members["decryption"] = decryption.map(JSONValue.string)
    members["content"] = content.map { .string($0.rawValue) }
    members["focused"] = isFocused.map(JSONValue.bool)
    if !media.isEmpty { members["media"] = .array(media.map(\.json)) }
    return .object(members)
  }

  /// Parses ``json``; `nil` if the value is malformed.
  package init?(json: JSONValue) {
    let names: Set = ["dialect", "decryption", "content", "focused", "media"]
    guard json.members(among: names) != nil, json.mayHave("dialect", \.string),
      json.mayHave("decryption", \.string), json.mayHave("focused", \.bool),
      json.mayHave("media", \.array)
    else { return nil }
    dialect = json["dialect"]?.string
    decryption = json["decryption"]?.string
    isFocused = json["focused"]?.bool
    if let word = json["content"] {
      guard let known = word.string.flatMap(Content.init) else { return nil }
      content = known
    }
    for element in json["media"]?.array ?? [] {
      guard let medium = Medium(json: element) else { return nil }
      media.append(medium)
    }
  }
}

extension ReceiptTrace.Medium {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["result": .string(result)]
    members["reason"] = reason.map(JSONValue.string)
    members["status"] = status.map { .integer(Int64($0)) }
    return .object(members)
  }

  fileprivate init?(json: JSONValue) {
    guard json.members(among: ["result", "reason", "status"]) != nil,
      let result = json["result"]?.string, json.mayHave("reason", \.string),
      json.mayHave("status", \.integer)
    else { return nil }
    self.init(
      result: result, reason: json["reason"]?.string,
      status: json["status"]?.integer.map { Int($0) })
  }
}
