import FoundationEssentials
import PushPayload
import _HTTP2

/// A request as it comes in.
struct SandboxRequest {
  /// The largest limit any push type has; more is counted and not kept.
  static let maxBody = 5120

  private(set) var method = ""
  private(set) var path = ""
  private(set) var authorization: String?
  /// All other headers; a repeated one is joined, and noted.
  private(set) var headers: [String: String] = [:]
  private(set) var hasDuplicate = false
  private(set) var body: [UInt8] = []
  private(set) var bodyCount = 0

  init(_ fields: [HeaderField]) {
    for field in fields {
      switch field.name {
      case ":method": method = field.value
      case ":path": path = field.value
      case ":scheme", ":authority": break
      case "authorization":
        if authorization != nil { hasDuplicate = true }
        authorization = field.value
      default:
        if let earlier = headers[field.name] {
          hasDuplicate = hasDuplicate || field.name.hasPrefix("apns-")
          headers[field.name] = earlier + ", " + field.value
        } else {
          headers[field.name] = field.value
        }
      }
    }
  }

  mutating func take(_ bytes: [UInt8]) {
    bodyCount += bytes.count
    body.append(contentsOf: bytes.prefix(max(0, Self.maxBody - body.count)))
  }

  /// The topic that is named, or goes without saying.
  func topic(of provider: SandboxProvider) -> String? {
    headers["apns-topic"] ?? CertificateRules.impliedTopic(provider.certificate)
  }

  /// The device token of the path; `nil` where the path is no push's.
  var token: String? {
    let prefix = "/3/device"
    guard path.hasPrefix(prefix) else { return nil }
    let rest = path.dropFirst(prefix.count)
    if rest.isEmpty { return "" }
    return rest.hasPrefix("/") && !rest.dropFirst().contains("/") ? String(rest.dropFirst()) : nil
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
