import Foundation

extension JSONValue {
  /// Creates a value from a notification's `userInfo`, which is its payload as property-list objects.
  package init(userInfo: [AnyHashable: Any]) { self.init(object: userInfo, depth: 0) }

  /// The depth is limited as in ``JSONValue/init(parsing:)-(Data)``; deeper values become `null`.
  private init(object: Any, depth: Int) {
    guard depth < 512 else {
      self = .null
      return
    }
    switch object {
    case let text as String: self = .string(text)
    case let members as [AnyHashable: Any]:
      self = .object(
        Dictionary(
          members.compactMap { key, value in
            (key.base as? String).map { ($0, JSONValue(object: value, depth: depth + 1)) }
          }, uniquingKeysWith: { first, _ in first }))
    case let elements as [Any]:
      self = .array(elements.map { JSONValue(object: $0, depth: depth + 1) })
    default: self = Self.scalar(object)
    }
  }

  /// Every number is an `NSNumber` or becomes one, Booleans included.
  private static func scalar(_ object: Any) -> JSONValue {
    guard let number = object as? NSNumber else { return .null }
    #if canImport(ObjectiveC)
      let isBoolean = CFGetTypeID(number) == CFBooleanGetTypeID()
      let isFloat = CFNumberIsFloatType(number)
    #else
      // On Linux only a Boolean has the type of `Int8`, which itself is stored as an `Int32`.
      let type = String(cString: number.objCType)
      let (isBoolean, isFloat) = (type == "c", ["d", "f"].contains(type))
    #endif
    if isBoolean { return .bool(number.boolValue) }
    return isFloat ? .number(number.doubleValue) : .integer(number.int64Value)
  }
}

extension JSONValue {
  /// The payload as property-list objects, as in `userInfo`.
  package var userInfo: [AnyHashable: Any] { propertyList as? [AnyHashable: Any] ?? [:] }

  /// Numbers are `NSNumber`s, so that an extension can read an integer as a `Double`, and 1 as a `Bool`.
  private var propertyList: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .string(let value): value
    case .array(let elements): elements.map(\.propertyList)
    case .object(let members):
      Dictionary(uniqueKeysWithValues: members.map { (AnyHashable($0), $1.propertyList) })
    }
  }
}
