import PushModel
import PushPayload

/// Reads the `device` of an update; valid members become a patch, and invalid ones are dropped and
/// listed.
struct DevicePatchReader {
  private(set) var patch = DevicePatch()
  /// The members that are not stored, sorted by name.
  private(set) var dropped: [DroppedMember] = []
  /// Whether the update says that the app was just opened.
  private(set) var isOpened = false
  private var validCount = 0

  /// The most Unicode scalars in a string, which JSON Schema counts as characters.
  static let textLimit = 255
  /// The most elements of an array of tags or of an attribute's values.
  static let arrayLimit = 100
  /// The most members of a device or of its attributes, including unknown ones.
  static let memberLimit = 200

  /// Reads the members of `device`.
  ///
  /// - Throws: ``RequestError`` `.invalid` with the first problem if members were given and none is valid.
  init(_ device: BodyValue) throws(RequestError) {
    for (key, value) in try device.object(upTo: Self.memberLimit).sorted(by: { $0.key < $1.key }) {
      read(key, device.member(key, value))
    }
    try checkIsValid()
  }

  /// Reads the `custom` of a user, which devices call `user_attributes`.
  init(attributes field: BodyValue) throws(RequestError) {
    try readAttributes(field)
    try checkIsValid()
  }

  private func checkIsValid() throws(RequestError) {
    guard validCount == 0, let first = dropped.first else { return }
    throw RequestError(.invalid, first.text, at: first.path)
  }

  /// Keeps the stored value of a member, and lists the member as dropped.
  ///
  /// `reason` is the problem, which follows the member's path in the message.
  mutating func drop<Value>(
    _ member: WritableKeyPath<DevicePatch, DevicePatch.Edit<Value>>, named name: String,
    _ reason: String?
  ) {
    patch[keyPath: member] = .keep
    dropped.append(DroppedMember(path: "$.device.\(name)", reason: reason ?? "is not stored"))
  }

  /// Keeps the stored value of an attribute, and lists the attribute as dropped.
  mutating func dropAttribute(_ name: String, _ reason: String) {
    patch.attributes.removeValue(forKey: name)
    dropped.append(DroppedMember(path: "$.device.user_attributes.\(name)", reason: reason))
  }

  /// The names of the members, including ignored ones.
  static let names: Set = [
    "app_version", "auth_secret", "badge", "development", "id", "locale", "location",
    "notification_settings", "opened",
    "os_version", "platform", "public_key", "push_enabled", "push_quiet", "push_token",
    "sdk_version", "tags", "time_zone", "user_attributes", "user_email", "user_id",
  ]

  private mutating func read(_ key: String, _ field: BodyValue) {
    do throws(RequestError) {
      switch key {
      case "id": break  // The path names the device; clients send back the object they got.
      case "user_id": patch.userID = .set(try Self.text(field))
      case "user_email": patch.userEmail = .set(try Self.text(field))
      case "locale": patch.locale = .set(try Self.text(field))
      case "time_zone": patch.timeZone = .set(try Self.timeZone(field))
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
      case "notification_settings": try readSettings(field)
      case "development": patch.isDevelopment = .set(try field.bool())
      case "public_key": patch.publicKey = .set(try Self.base64URL(field, length: 87))
      case "auth_secret": patch.authSecret = .set(try Self.base64URL(field, length: 22))
      case "badge":
        patch.badge = .set(field.value.isNull ? nil : try field.integer(in: 0...Int64(Int32.max)))
      case "tags": patch.tags = .set(try Self.tags(field))
      case "user_attributes":
        try readAttributes(field)
        return
      default: throw .unknown(field.path, key, knows: Self.names)
      }
      validCount += 1
    } catch {
      dropped.append(DroppedMember(error, at: field.path))
    }
  }

  /// Reads the app's settings; those of a newer app that this version does not know are dropped.
  private mutating func readSettings(_ field: BodyValue) throws(RequestError) {
    guard !field.value.isNull else {
      patch.settings = .set(nil)
      return
    }
    var settings = DeviceSettings()
    for (name, value) in try field.object(upTo: Self.memberLimit).sorted(by: { $0.key < $1.key }) {
      let member = field.member(name, value)
      do throws(RequestError) {
        try settings.read(name, member)
      } catch {
        dropped.append(DroppedMember(error, at: member.path))
      }
    }
    patch.settings = .set(settings)
  }

  private mutating func readAttributes(_ field: BodyValue) throws(RequestError) {
    let attributes = try field.object(upTo: Self.memberLimit)
    if attributes.isEmpty { validCount += 1 }
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      let member = field.member(name, value)
      do throws(RequestError) {
        patch.attributes.updateValue(try Attribute.reading(member, named: name), forKey: name)
        validCount += 1
      } catch {
        dropped.append(DroppedMember(error, at: member.path))
      }
    }
  }

  /// Reads a text of at most ``textLimit`` characters; `nil` if the value is `null`.
  static func text(_ field: BodyValue) throws(RequestError) -> String? {
    if field.value.isNull { return nil }
    let text = try field.string()
    guard text.utf8.count <= textLimit || text.unicodeScalars.count <= textLimit else {
      throw .refused(field.path, "must be at most \(textLimit) characters")
    }
    return text
  }

  /// Reads a token; `platform` was read before, because keys are read in sorted order.
  private func token(_ field: BodyValue) throws(RequestError) -> String? {
    if field.value.isNull { return nil }
    var platform: String?
    if case .set(let given) = patch.platform { platform = given }
    return try PushToken.read(field, platform: platform)
  }

  private static func timeZone(_ field: BodyValue) throws(RequestError) -> String? {
    try field.value.isNull ? nil : DeviceTimeZone.name(field)
  }

  private static func platform(_ field: BodyValue) throws(RequestError) -> String {
    let platform = try field.string()
    guard ["iOS", "Android"].contains(platform) else {
      throw .refused(field.path, "must be iOS or Android")
    }
    return platform
  }

  private static func base64URL(_ field: BodyValue, length: Int) throws(RequestError) -> String? {
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

  private static func tags(_ field: BodyValue) throws(RequestError) -> [String] {
    if field.value.isNull { return [] }
    let elements = try field.elements(upTo: arrayLimit, of: "tags")
    var tags: [String] = []
    var known: Set<String> = []
    for element in elements {
      guard let tag = try text(element), !tag.isEmpty else {
        throw .refused(element.path, "must not be empty")
      }
      if known.insert(tag).inserted { tags.append(tag) }
    }
    return tags
  }
}
