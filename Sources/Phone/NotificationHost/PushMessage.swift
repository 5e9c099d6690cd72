public import PushPayload

/// A push as the device receives it from APNs.
public struct PushMessage: Hashable, Sendable {
  /// The payload.
  public var payload: JSONValue
  /// The header `apns-push-type`; `nil` if it is absent.
  public var pushType: String?
  /// The header `apns-collapse-id`, which becomes the request's identifier.
  public var collapseID: String?
  /// The header `apns-priority`, which APNs takes for 10 if it is absent.
  public var priority = 10
  /// The token of the Live Activity that the push updates or ends, as ``ShownActivity/token`` gives it; `nil` if it is
  /// not known.
  public var activityToken: String?

  /// Creates a push.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - pushType: The header `apns-push-type`, such as `alert`; `nil` if it is absent.
  ///   - collapseID: The header `apns-collapse-id`.
  public init(payload: JSONValue, pushType: String? = "alert", collapseID: String? = nil) {
    self.payload = payload
    self.pushType = pushType
    self.collapseID = collapseID
  }

  /// Creates a push from a payload's JSON text.
  ///
  /// - Parameters:
  ///   - json: The payload's JSON text.
  ///   - pushType: The header `apns-push-type`, such as `alert`; `nil` if it is absent.
  /// - Throws: `JSONError` if the text is not JSON.
  public init(json: String, pushType: String? = "alert") throws {
    self.init(payload: try JSONValue(parsing: json), pushType: pushType)
  }
}
