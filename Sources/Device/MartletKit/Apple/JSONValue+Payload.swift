#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import PushPayload

  extension JSONValue {
    /// Creates a value from a notification's `userInfo`, which is its payload as property-list objects.
    ///
    /// Values that JSON does not have become `null`.
    init(payload userInfo: [AnyHashable: Any]) {
      let named = userInfo.compactMap { key, value in
        (key.base as? String).map { ($0, value) }
      }
      let object = Dictionary(named, uniquingKeysWith: { first, _ in first })
      self =
        JSONSerialization.isValidJSONObject(object)
        ? (try? JSONValue(parsing: JSONSerialization.data(withJSONObject: object))) ?? .null
        : .null
    }
  }
#endif
