import Foundation
import PushPayload
import PushStore

/// Reads the `device` of an update: what is valid is taken, what is not is dropped and remembered.
struct DevicePatchReader {
  private(set) var patch = DevicePatch()
  /// What was dropped, each with its JSON path.
  private(set) var problems: [String] = []
  /// Whether the app says that it was opened just now.
  private(set) var isOpened = false
  private var taken = 0

  /// The longest string, in characters as JSON Schema counts them: Unicode's scalars.
  static let textLimit = 255
  /// The most elements of an array: tags, or the values of an attribute.
  static let arrayLimit = 100

  /// - Throws: ``APIError`` 422 where nothing valid is left of what was given.
  init(_ device: BodyValue) throws(APIError) {
    for (key, value) in try device.object().sorted(by: { $0.key < $1.key }) {
      read(key, device.member(key, value))
    }
    guard taken > 0 || problems.isEmpty else { throw APIError(422, problems[0]) }
  }

  /// Reads the `custom` of a user, which is what a device calls `user_attributes`.
  init(attributes field: BodyValue) throws(APIError) {
    try readAttributes(field)
    guard taken > 0 || problems.isEmpty else { throw APIError(422, problems[0]) }
  }

  private mutating func read(_ key: String, _ field: BodyValue) {
    do throws(APIError) {
      switch key {
      case "id": break  // The path says which device; clients send back what they were given.
      case "user_id": patch.userID = .set(try Self.text(field))
      case "user_email": patch.userEmail = .set(try Self.text(field))
      case "locale": patch.locale = .set(try Self.text(field))
      case "time_zone": patch.timeZone = .set(try Self.text(field))
      case "app_version": patch.appVersion = .set(try Self.text(field))
      case "os_version": patch.osVersion = .set(try Self.text(field))
      case "sdk_version": patch.sdkVersion = .set(try Self.text(field))
      case "location":
        patch.location = .set(field.value.isNull ? Location() : try Location(field))
      case "opened": isOpened = try field.bool()
      case "push_token": patch.token = .set(try token(field))
      case "platform": patch.platform = .set(try Self.platform(field))
      case "push_enabled": patch.isPushEnabled = .set(try field.bool())
      case "push_quiet": patch.isPushQuiet = .set(try field.bool())
      case "development": patch.isDevelopment = .set(try field.bool())
      case "public_key": patch.publicKey = .set(try Self.base64URL(field, length: 87))
      case "auth_secret": patch.authSecret = .set(try Self.base64URL(field, length: 22))
      case "badge":
        patch.badge = .set(field.value.isNull ? nil : try field.integer(in: 0...Int64(Int32.max)))
      case "tags": patch.tags = .set(try Self.tags(field))
      case "user_attributes":
        try readAttributes(field)
        return
      default: throw .refused(field.path, "is no key of a device")
      }
      taken += 1
    } catch {
      problems.append(error.message)
    }
  }

  private mutating func readAttributes(_ field: BodyValue) throws(APIError) {
    let attributes = try field.object()
    if attributes.isEmpty { taken += 1 }
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      let place = field.member(name, value)
      do throws(APIError) {
        patch.attributes.updateValue(try Attribute.reading(place, named: name), forKey: name)
        taken += 1
      } catch {
        problems.append(error.message)
      }
    }
  }

  static func text(_ field: BodyValue) throws(APIError) -> String? {
    if field.value.isNull { return nil }
    let text = try field.string()
    guard text.utf8.count <= textLimit || text.unicodeScalars.count <= textLimit else {
      throw .refused(field.path, "must be \(textLimit) characters or fewer")
    }
    return text
  }

  /// The platform beside it was read before it, for keys are read in their order.
  private func token(_ field: BodyValue) throws(APIError) -> String? {
    if field.value.isNull { return nil }
    var platform: String?
    if case .set(let given) = patch.platform { platform = given }
    guard let token = PushToken.normalized(try field.string(), platform: platform) else {
      throw .refused(
        field.path,
        "must be an even number of hex digits; a token of Android's needs its platform beside it")
    }
    return token
  }

  private static func platform(_ field: BodyValue) throws(APIError) -> String {
    let platform = try field.string()
    guard ["iOS", "Android"].contains(platform) else {
      throw .refused(field.path, "must be iOS or Android")
    }
    return platform
  }

  private static func base64URL(_ field: BodyValue, length: Int) throws(APIError) -> String? {
    if field.value.isNull { return nil }
    let text = try field.string()
    let isAlphabet = text.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isLetter && byte < 0x80
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard isAlphabet, text.utf8.count == length else {
      throw .refused(field.path, "must be \(length) characters of base64url without padding")
    }
    return text
  }

  private static func tags(_ field: BodyValue) throws(APIError) -> [String] {
    if field.value.isNull { return [] }
    var tags: [String] = []
    for element in try field.elements() {
      guard let tag = try text(element), !tag.isEmpty else {
        throw .refused(element.path, "must not be empty")
      }
      if !tags.contains(tag) { tags.append(tag) }
    }
    guard tags.count <= arrayLimit else {
      throw .refused(field.path, "takes \(arrayLimit) tags at most")
    }
    return tags
  }
}

/// A push token: Apple's as hex, any other as it was given.
package enum PushToken {
  /// As it is stored, or `nil` where it is none; Apple fixes no length.
  package static func normalized(_ text: String, platform: String? = nil) -> String? {
    if platform == "Android" {
      let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      return isPlain && (1...1024).contains(text.utf8.count) ? text : nil
    }
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    return hexadecimal(text, 2...400)
  }

  /// The beginning of one, long enough to tell devices apart by, in lower case; `nil` where it is
  /// none.
  static func prefix(_ text: String) -> String? { hexadecimal(text, 8...400) }

  private static func hexadecimal(_ text: String, _ length: ClosedRange<Int>) -> String? {
    guard length.contains(text.utf8.count),
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      })
    else { return nil }
    return text.lowercased()
  }
}

extension Attribute {
  /// One of `user_attributes`; a `null` or a `value` of `null` removes it.
  static func reading(_ field: BodyValue, named name: String) throws(APIError) -> Attribute? {
    guard isName(name) else {
      throw .refused(
        field.path, "has a name that is not 1 to 255 characters without quotes and backslashes")
    }
    if field.value.isNull { return nil }
    let object = try field.object()
    let type = try field.required("type")
    guard let kind = Kind(rawValue: try type.string()) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .refused(type.path, "must be one of \(kinds)")
    }
    guard let value = object["value"] else { throw .missing(field.path(to: "value")) }
    if value.isNull { return nil }
    let place = field.member("value", value)
    guard case .array = value, kind != .boolean else {
      return Attribute(kind: kind, value: try kind.stored(place))
    }
    let elements = try place.elements()
    guard elements.count <= DevicePatchReader.arrayLimit else {
      throw .refused(place.path, "takes \(DevicePatchReader.arrayLimit) elements at most")
    }
    var values: [JSONValue] = []
    for element in elements { values.append(try kind.stored(element)) }
    return Attribute(kind: kind, value: .array(values))
  }
}

extension Attribute.Kind {
  /// A value within the limits of its type, as the store keeps it.
  func stored(_ field: BodyValue) throws(APIError) -> JSONValue {
    switch self {
    case .boolean: return .bool(try field.bool())
    case .integer:
      guard let number = field.value.number else {
        throw .wrongType(field, takes: "a whole number")
      }
      guard abs(number) <= 2_147_483_647 else {
        throw .refused(field.path, "must be from -2147483647 to 2147483647")
      }
      return .integer(Int64(number.rounded(.towardZero)))
    case .float:
      let limit = Double(Float.greatestFiniteMagnitude)
      return .number(try field.number(in: -limit...limit))
    case .string:
      let text = try field.string()
      guard text.unicodeScalars.count <= DevicePatchReader.textLimit else {
        throw .refused(field.path, "must be \(DevicePatchReader.textLimit) characters or fewer")
      }
      return .string(text)
    case .date:
      guard let time = Timestamp(iso8601: try field.string()) else {
        throw .refused(field.path, "must be an ISO 8601 date")
      }
      return .string(time.iso8601)
    }
  }
}
