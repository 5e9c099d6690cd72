import Foundation
import PushCrypto
import PushPayload

/// Makes the requests of one case, and remembers what its steps share.
struct ServerRequests {
  private let target: ServerTarget
  /// Seconds since 1970.
  private let now: Int64
  /// The provider tokens by what the case says of them, since a connection must keep its token.
  private var tokens: [ProviderTokenCase: String] = [:]
  /// The values of placeholders.
  private var values: [String: String]

  init(_ target: ServerTarget, now: Int64) {
    self.target = target
    self.now = now
    values = [
      "topic": target.topic, "token": target.token, "gone-token": target.goneToken ?? "",
      "in-an-hour": String(now + 3600), "id": UUID().uuidString.lowercased(),
      "other-id": UUID().uuidString.lowercased(),
    ]
  }

  /// Keeps a header field of an answer as a placeholder.
  mutating func keep(_ value: String, as name: String) { values[name] = value }

  /// Fills in the placeholders of a text.
  func filled(_ text: String) -> String {
    values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  /// Makes a request.
  mutating func make(_ request: ServerCase.Request) throws(CryptoError) -> RawRequest {
    var raw = RawRequest(authorization: try authorization(request.token ?? ProviderTokenCase()))
    raw[":method"] = request.method ?? "POST"
    raw[":authority"] = target.host
    raw[":path"] = filled(request.path ?? "/3/device/{token}")
    raw["apns-topic"] = target.topic
    for (name, value) in (request.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
      raw[name] = nil
      let texts = value.array ?? [value]
      for text in texts.compactMap(\.string) { raw.fields.append((name, filled(text))) }
    }
    if let body = request.body { raw.body = filled(body) }
    if let bytes = request.bytes { raw.body = Self.payload(of: bytes) }
    return raw
  }

  /// A valid payload of a number of bytes.
  private static func payload(of count: Int) -> String {
    let (start, end) = (#"{"aps":{"alert":""#, #""}}"#)
    return start + String(repeating: "x", count: max(0, count - start.utf8.count - end.utf8.count))
      + end
  }

  private mutating func authorization(_ token: ProviderTokenCase) throws(CryptoError) -> String {
    if let known = tokens[token] { return known }
    let identity = target.identity
    let text: String
    if let given = token.text {
      text = given
    } else {
      text = try identity.token(
        header: merged(
          ["alg": "ES256", "kid": .string(identity.keyID)], with: token.header),
        claims: merged(
          ["iss": .string(identity.teamID), "iat": .integer(now - (token.age ?? 10))],
          with: token.claims),
        signature: token.signature ?? .valid)
    }
    let header = "\(token.scheme ?? "bearer") \(text)"
    tokens[token] = header
    return header
  }

  private func merged(
    _ members: [String: JSONValue], with changes: [String: JSONValue]?
  ) -> JSONValue {
    .object(members.merging(changes ?? [:]) { $1 }.filter { !$0.value.isNull })
  }
}

extension RawRequest {
  /// The request in words, without its provider token and with short values.
  var summary: String {
    let shown = fields.filter { !$0.name.hasPrefix(":") && $0.name != "authorization" }
    let headers = shown.map { "\($0.name): \($0.value.prefix(40))" }.joined(separator: ", ")
    return "\(self[":method"] ?? "-") \((self[":path"] ?? "-").prefix(80)) [\(headers)]"
      + " \(body.utf8.count) bytes"
  }
}

extension RawAnswer {
  /// The answer in words.
  var summary: String {
    guard status != 0 else { return "no answer" }
    let reason = json?["reason"]?.string
    return [String(status), reason.map { String($0.prefix(80)) }].compactMap(\.self)
      .joined(separator: " ")
  }
}
