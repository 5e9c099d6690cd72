import FoundationEssentials
import PushPayload
import _HTTP2

/// A request to the sandbox, while it arrives and when it is complete.
final class SandboxRequest {
  /// A header field that the sandbox reads.
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

    /// Whether it is left out of ``SandboxRequest/headers``: `authorization` and the pseudo-headers.
    var isHidden: Bool { rawValue <= Self.authorization.rawValue }
  }

  /// The most bytes of a body that are kept: the largest limit of any push type; more are counted.
  static let maxBody = 5120

  /// The time at which its header came.
  let arrivedAt: Duration
  /// All header fields, in the order in which they came.
  private let fields: [HeaderField]
  /// The index of the first field of each ``Field``, or -1; a header of 16 KiB has at most 512 fields.
  private let indices: InlineArray<13, Int16>
  /// Whether one of Apple's header fields is there twice.
  let hasDuplicate: Bool
  /// The offset of the device token in the path of a push; `nil` for other paths.
  private let tokenOffset: Int?
  private(set) var body: [UInt8] = []
  private(set) var bodyCount = 0

  /// Makes a request from its header, which came at a time.
  init(_ fields: [HeaderField], arrivedAt: Duration) {
    var indices = InlineArray<13, Int16>(repeating: -1)
    var hasDuplicate = false
    for index in fields.indices {
      if let number = fields[index].number {
        if indices[number] >= 0 {
          hasDuplicate = hasDuplicate || number >= Field.authorization.rawValue
        } else {
          indices[number] = Int16(clamping: index)
        }
      } else if fields[index].name.hasPrefix("apns-") {
        let name = fields[index].name
        hasDuplicate = hasDuplicate || fields[..<index].contains { $0.name == name }
      }
    }
    self.fields = fields
    self.arrivedAt = arrivedAt
    self.indices = indices
    self.hasDuplicate = hasDuplicate
    let path = indices[Field.path.rawValue]
    tokenOffset = path < 0 ? nil : Self.tokenOffset(in: fields[Int(path)].value)
  }

  /// The value of the first header field of a name.
  subscript(field: Field) -> String? {
    let index = indices[field.rawValue]
    return index < 0 ? nil : fields[Int(index)].value
  }

  var method: String { self[.method] ?? "" }
  var path: String { self[.path] ?? "" }
  var authorization: String? { self[.authorization] }

  /// All header fields except `authorization` and the pseudo-headers; the values of a repeated one are joined.
  var headers: [String: String] {
    let headers = fields.filter { field in
      field.number.flatMap(Field.init)?.isHidden != true
    }
    return Dictionary(headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
  }

  /// Appends bytes to the body.
  func receive(_ bytes: [UInt8]) {
    bodyCount += bytes.count
    // Most bodies come in one piece, which is kept without a copy.
    guard bodyCount > bytes.count || bytes.count > Self.maxBody else { return body = bytes }
    body.append(contentsOf: bytes.prefix(max(0, Self.maxBody - body.count)))
  }

  /// The topic of `apns-topic`, or else the only one of the provider's certificate.
  func topic(of provider: SandboxProvider) -> String? {
    self[.topic] ?? CertificateRules.impliedTopic(provider.certificate)
  }

  // MARK: Path

  /// Whether its path is that of a push to a device.
  var isPush: Bool { tokenOffset != nil }

  /// The device token in the path; `nil` if the path is not that of a push.
  var token: String? { tokenOffset.map { String(path.utf8.dropFirst($0)) ?? "" } }

  /// Whether the path of a push has no device token.
  var hasEmptyToken: Bool { tokenOffset.map { $0 == path.utf8.count } ?? false }

  /// Whether the device token is an even number of hexadecimal digits.
  var hasHexToken: Bool {
    let bytes = path.utf8.span
    let digits = bytes.extracting((tokenOffset ?? bytes.count)...)
    // No early exit: the compiler vectorizes such a loop.
    var invalid: UInt8 = 0
    for index in digits.indices {
      let isNoDigit: UInt8 = digits[index] &- UInt8(ascii: "0") < 10 ? 0 : 1
      let isNoLetter: UInt8 = (digits[index] | 0x20) &- UInt8(ascii: "a") < 6 ? 0 : 1
      invalid |= isNoDigit & isNoLetter
    }
    return invalid == 0 && digits.count.isMultiple(of: 2)
  }

  /// The offset of the device token in a path; `nil` if the path is not that of a push.
  private static func tokenOffset(in path: String) -> Int? {
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
    // No early exit: the compiler vectorizes such a loop.
    var slashes: UInt8 = 0
    for index in length + 1..<bytes.count { slashes |= bytes[index] == slash ? 1 : 0 }
    return slashes == 0 ? length + 1 : nil
  }

  // MARK: Journal

  /// The line of the journal for the request; never contains the `authorization` header.
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

  /// A time in ISO 8601 with milliseconds.
  static func timestamp(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
