public import Foundation
import PushPayload

/// The facts that an app tells the server about its device: tags, attributes and the keys of encrypted pushes.
///
/// Edit it with ``PushDevice/update(_:)``:
///
/// ```swift
/// await push.update { profile in
///   profile.tags.insert("gold")
///   profile["plan"] = .string("pro")
/// }
/// ```
///
/// The server stores every valid value. ``PushStatus/problems`` names the others, such as a tag of more than 255
/// characters.
public struct DeviceProfile: Hashable, Sendable {
  /// The device's tags, at most 100, each of 1 to 255 characters.
  public var tags: Set<String>
  /// The user's custom attributes by their names, of 1 to 255 characters without quotes and backslashes.
  public var attributes: [String: AttributeValue]
  /// The public half of the device's key for encrypted pushes, as base64url; `nil` if its pushes are not encrypted.
  public var publicKey: String?
  /// The secret that belongs to ``publicKey``, as base64url; `nil` if its pushes are not encrypted.
  public var authSecret: String?

  /// An attribute of the user by its name; `nil` removes it.
  ///
  /// - Parameter name: The attribute's name.
  public subscript(name: String) -> AttributeValue? {
    get { attributes[name] }
    set { attributes[name] = newValue }
  }

  init(_ record: DeviceRecord) {
    let wanted = record.wanted
    tags = Set(wanted[MemberKey.tags]?.array?.compactMap(\.string) ?? [])
    publicKey = wanted[MemberKey.publicKey]?.string
    authSecret = wanted[MemberKey.authSecret]?.string
    attributes = [:]
    for (key, value) in wanted {
      guard let name = MemberKey.attributeName(key) else { continue }
      attributes[name] = AttributeValue(value)
    }
  }

  /// Writes the changes since another profile into a record.
  func apply(to record: inout DeviceRecord, since old: DeviceProfile) {
    if tags != old.tags {
      let list = JSONValue.array(tags.sorted().map(JSONValue.string))
      record.want(MemberKey.tags, tags.isEmpty ? nil : list)
    }
    if publicKey != old.publicKey {
      record.want(MemberKey.publicKey, publicKey.map(JSONValue.string))
    }
    if authSecret != old.authSecret {
      record.want(MemberKey.authSecret, authSecret.map(JSONValue.string))
    }
    for name in Set(attributes.keys).union(old.attributes.keys)
    where attributes[name] != old.attributes[name] {
      record.want(MemberKey.attribute(name), attributes[name]?.json)
    }
  }
}

/// The value of an attribute.
public enum AttributeValue: Hashable, Sendable {
  /// A text of at most 255 characters.
  case string(String)
  /// A whole number from −2147483647 to 2147483647.
  case integer(Int)
  /// Any other number.
  case number(Double)
  /// A truth value.
  case boolean(Bool)
  /// A moment; the server keeps milliseconds.
  case date(Date)
  /// Texts, at most 100.
  case strings([String])
  /// Whole numbers, at most 100.
  case integers([Int])

  /// The attribute as the server's API has it.
  var json: JSONValue {
    switch self {
    case .string(let text): Self.json("string", .string(text))
    case .integer(let number): Self.json("integer", .integer(Int64(number)))
    case .number(let number): Self.json("float", .number(number))
    case .boolean(let isTrue): Self.json("boolean", .bool(isTrue))
    case .date(let date): Self.json("date", .string(Milliseconds(date).text))
    case .strings(let texts): Self.json("string", .array(texts.map(JSONValue.string)))
    case .integers(let numbers):
      Self.json("integer", .array(numbers.map { .integer(Int64($0)) }))
    }
  }

  private static func json(_ type: String, _ value: JSONValue) -> JSONValue {
    ["type": .string(type), "value": value]
  }

  /// Reads an attribute of a record; `nil` if its type is not one of those above.
  init?(_ json: JSONValue) {
    let value = json["value"]
    switch (json["type"]?.string, value?.array) {
    case ("string", let texts?): self = .strings(texts.compactMap(\.string))
    case ("integer", let numbers?):
      self = .integers(numbers.compactMap { $0.integer.flatMap { Int(exactly: $0) } })
    case ("string", nil):
      guard let text = value?.string else { return nil }
      self = .string(text)
    case ("integer", nil):
      guard let number = value?.integer.flatMap({ Int(exactly: $0) }) else { return nil }
      self = .integer(number)
    case ("float", nil):
      guard let number = value?.number else { return nil }
      self = .number(number)
    case ("boolean", nil):
      guard let isTrue = value?.bool else { return nil }
      self = .boolean(isTrue)
    case ("date", nil):
      guard let moment = value?.string.flatMap(Milliseconds.init(_:)) else { return nil }
      self = .date(moment.date)
    default: return nil
    }
  }
}

/// A moment in milliseconds since 1970, as the server's API counts.
struct Milliseconds: Hashable, Sendable {
  var count: Int64

  init(_ count: Int64) { self.count = count }

  /// Rounds a date, which is clamped to the years 1970 to 9999.
  init(_ date: Date) {
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    count = exact.isNaN ? 0 : Int64(min(max(exact, 0), 253_402_300_799_999))
  }

  /// Reads ISO 8601.
  init?(_ text: String) {
    guard let moment = ISO8601DateTime(text) else { return nil }
    count = moment.milliseconds
  }

  var date: Date { Date(timeIntervalSince1970: Double(count) / 1000) }

  /// ISO 8601 in UTC.
  var text: String { ISO8601DateTime(milliseconds: count).text }
}
