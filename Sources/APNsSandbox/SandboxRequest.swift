import FoundationEssentials
import PushPayload
import _HTTP2

/// A request as it comes in.
final class SandboxRequest {
  /// A header field that is looked at.
  enum Field: Int, CaseIterable {
    case method, path, scheme, authority, authorization, apnsID, topic, pushType, priority
    case expiration, collapseID, channelID, requestID

    var name: StaticString {
      switch self {
      case .method: ":method"
      case .path: ":path"
      case .scheme: ":scheme"
      case .authority: ":authority"
      case .authorization: "authorization"
      case .apnsID: "apns-id"
      case .topic: "apns-topic"
      case .pushType: "apns-push-type"
      case .priority: "apns-priority"
      case .expiration: "apns-expiration"
      case .collapseID: "apns-collapse-id"
      case .channelID: "apns-channel-id"
      case .requestID: "apns-request-id"
      }
    }

    /// Whether it says how the request came, and is no header of the push.
    var isOfTransport: Bool { rawValue <= Self.authorization.rawValue }
  }

  /// The largest limit any push type has; more is counted and not kept.
  static let maxBody = 5120

  /// When it began to come.
  let since: Duration
  /// All header fields, as they came.
  private let fields: [HeaderField]
  /// Where each of ``Field`` stands first; a header of 16 KiB has 512 fields at most.
  private let places: InlineArray<13, Int16>
  /// Whether one of Apple's is there twice.
  let hasDuplicate: Bool
  /// Where the device token begins in the path of a push.
  private let tokenPlace: Int?
  private(set) var body: [UInt8] = []
  private(set) var bodyCount = 0

  /// Takes the header of a request that began to come at a time.
  init(_ fields: [HeaderField], since: Duration) {
    var places = InlineArray<13, Int16>(repeating: -1)
    var hasDuplicate = false
    for place in fields.indices {
      if let number = fields[place].number {
        if places[number] >= 0 {
          hasDuplicate = hasDuplicate || number >= Field.authorization.rawValue
        } else {
          places[number] = Int16(clamping: place)
        }
      } else if fields[place].name.hasPrefix("apns-") {
        let name = fields[place].name
        hasDuplicate = hasDuplicate || fields[..<place].contains { $0.name == name }
      }
    }
    self.fields = fields
    self.since = since
    self.places = places
    self.hasDuplicate = hasDuplicate
    let path = places[Field.path.rawValue]
    tokenPlace = path < 0 ? nil : Self.tokenPlace(in: fields[Int(path)].value)
  }

  /// A header field, the first of its name.
  subscript(field: Field) -> String? {
    let place = places[field.rawValue]
    return place < 0 ? nil : fields[Int(place)].value
  }

  var method: String { self[.method] ?? "" }
  var path: String { self[.path] ?? "" }
  var authorization: String? { self[.authorization] }

  /// All headers but `authorization`, a repeated one joined.
  var headers: [String: String] {
    let headers = fields.filter { field in
      field.number.flatMap(Field.init)?.isOfTransport != true
    }
    return Dictionary(headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
  }

  func take(_ bytes: [UInt8]) {
    bodyCount += bytes.count
    // Most bodies come in one piece, which is kept as it is.
    guard bodyCount > bytes.count || bytes.count > Self.maxBody else { return body = bytes }
    body.append(contentsOf: bytes.prefix(max(0, Self.maxBody - body.count)))
  }

  /// The topic that is named, or goes without saying.
  func topic(of provider: SandboxProvider) -> String? {
    self[.topic] ?? CertificateRules.impliedTopic(provider.certificate)
  }

  // MARK: Path

  /// Whether its path is that of a push to a device.
  var isPush: Bool { tokenPlace != nil }

  /// The device token of the path; `nil` where the path is no push's.
  var token: String? { tokenPlace.map { String(path.utf8.dropFirst($0)) ?? "" } }

  /// Whether its path ends where a device token should stand.
  var hasEmptyToken: Bool { tokenPlace.map { $0 == path.utf8.count } ?? false }

  /// Whether the device token is digits of bytes and nothing else.
  var hasHexToken: Bool {
    let bytes = path.utf8.span
    let digits = bytes.extracting((tokenPlace ?? bytes.count)...)
    // Without a way out of it: the compiler makes vectors of such a loop.
    var foreign: UInt8 = 0
    for place in digits.indices {
      let isNoDigit: UInt8 = digits[place] &- UInt8(ascii: "0") < 10 ? 0 : 1
      let isNoLetter: UInt8 = (digits[place] | 0x20) &- UInt8(ascii: "a") < 6 ? 0 : 1
      foreign |= isNoDigit & isNoLetter
    }
    return foreign == 0 && digits.count.isMultiple(of: 2)
  }

  /// Where in a path the device token begins.
  private static func tokenPlace(in path: String) -> Int? {
    let prefix: StaticString = "/3/device"
    let bytes = path.utf8.span
    let length = prefix.utf8CodeUnitCount
    guard bytes.count >= length else { return nil }
    let slash = UInt8(ascii: "/")
    let isPush = prefix.withUTF8Buffer { prefix in
      prefix.indices.allSatisfy { unsafe prefix[$0] == bytes[$0] }
    }
    guard isPush, bytes.count > length else { return isPush ? length : nil }
    guard bytes[length] == slash else { return nil }
    // Without a way out of it: the compiler makes vectors of such a loop.
    var slashes: UInt8 = 0
    for place in length + 1..<bytes.count { slashes |= bytes[place] == slash ? 1 : 0 }
    return slashes == 0 ? length + 1 : nil
  }

  // MARK: Journal

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
