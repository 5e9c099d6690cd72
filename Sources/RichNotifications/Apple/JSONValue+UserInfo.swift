import Foundation
package import PushPayload

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

  /// On Apple platforms every number is an `NSNumber`, Booleans included; on Linux it is a Swift value.
  private static func scalar(_ object: Any) -> JSONValue {
    #if canImport(ObjectiveC)
      guard let number = object as? NSNumber else { return .null }
      if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
      return CFNumberIsFloatType(number) ? .number(number.doubleValue) : .integer(number.int64Value)
    #else
      switch object {
      case let truth as Bool: return .bool(truth)
      case let number as Int: return .integer(Int64(number))
      case let number as Int64: return .integer(number)
      case let number as Double: return .number(number)
      case let number as NSNumber: return .number(number.doubleValue)
      default: return .null
      }
    #endif
  }
}

extension JSONValue {
  /// The payload as property-list objects, as in `userInfo`.
  package var userInfo: [AnyHashable: Any] { propertyList as? [AnyHashable: Any] ?? [:] }

  private var propertyList: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): Int(value)
    case .number(let value): value
    case .string(let value): value
    case .array(let elements): elements.map(\.propertyList)
    case .object(let members):
      Dictionary(uniqueKeysWithValues: members.map { (AnyHashable($0), $1.propertyList) })
    }
  }
}
