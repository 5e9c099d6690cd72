import FoundationEssentials
import PushPayload
import _HTTP2

/// A request as it comes in.
struct SandboxRequest {
  /// The largest limit any push type has; more is counted and not kept.
  static let maxBody = 5120

  private(set) var method = ""
  private(set) var path = ""
  /// The device token of the path; `nil` where the path is no push's.
  private(set) var token: String?
  private(set) var authorization: String?
  /// All other header fields, as they came.
  private var fields: [HeaderField] = []
  /// Whether one of Apple's is there twice.
  private(set) var hasDuplicate = false
  private(set) var body: [UInt8] = []
  private(set) var bodyCount = 0

  init(_ fields: [HeaderField]) {
    for field in fields {
      switch field.name {
      case ":method": method = field.value
      case ":path":
        path = field.value
        token = Self.token(in: path)
      case ":scheme", ":authority": break
      case "authorization":
        if authorization != nil { hasDuplicate = true }
        authorization = field.value
      default:
        // Few, and most of different length: a table would cost more to make than it saves.
        if field.name.hasPrefix("apns-"), self[field.name] != nil { hasDuplicate = true }
        self.fields.append(field)
      }
    }
  }

  /// A header, the first of its name.
  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// All headers but `authorization`, a repeated one joined.
  var headers: [String: String] {
    Dictionary(fields.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
  }

  mutating func take(_ bytes: [UInt8]) {
    bodyCount += bytes.count
    // Most bodies come in one piece, which is kept as it is.
    guard bodyCount > bytes.count || bytes.count > Self.maxBody else { return body = bytes }
    body.append(contentsOf: bytes.prefix(max(0, Self.maxBody - body.count)))
  }

  /// The topic that is named, or goes without saying.
  func topic(of provider: SandboxProvider) -> String? {
    self["apns-topic"] ?? CertificateRules.impliedTopic(provider.certificate)
  }

  private static func token(in path: String) -> String? {
    let prefix = "/3/device"
    guard path.hasPrefix(prefix) else { return nil }
    let bytes = path.utf8.span
    let start = prefix.utf8.count
    guard start < bytes.count else { return "" }
    let slash = UInt8(ascii: "/")
    guard bytes[start] == slash else { return nil }
    for place in start + 1..<bytes.count where bytes[place] == slash { return nil }
    return String(path.utf8.dropFirst(start + 1)) ?? ""
  }

  /// One line of the journal; never the `authorization` header.
  func journalLine(
    time: Int64, connection: Int, stream: Int32, status: Int?, reason: String?
  ) -> String {
    let payload = bodyCount <= Self.maxBody ? try? JSONValue(parsing: Data(body)) : nil
    let line: JSONValue = .object([
      "time": .string(Self.timestamp(time)),
      "connection": .integer(Int64(connection)),
      "stream": .integer(Int64(stream)),
      "method": .string(method),
      "path": .string(path),
      "token": token.map(JSONValue.string) ?? .null,
      "headers": .object(headers.mapValues(JSONValue.string)),
      "payload": payload ?? .null,
      "status": status.map { .integer(Int64($0)) } ?? .null,
      "reason": reason.map(JSONValue.string) ?? .null,
    ])
    return String(decoding: line.serialized(), as: UTF8.self)
  }

  /// ISO 8601 with milliseconds.
  private static func timestamp(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
