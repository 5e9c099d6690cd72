public import PushPayload

/// A push as it reaches the phone.
public struct PushMessage: Hashable, Sendable {
  /// The payload.
  public var payload: JSONValue
  /// `apns-push-type`; `nil` where the sender left it out.
  public var pushType: String?
  /// `apns-collapse-id`, which becomes the request's identifier.
  public var collapseID: String?

  /// Makes a push.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - pushType: `alert`, `background`, …; `nil` where the sender left it out.
  ///   - collapseID: `apns-collapse-id`.
  public init(payload: JSONValue, pushType: String? = "alert", collapseID: String? = nil) {
    self.payload = payload
    self.pushType = pushType
    self.collapseID = collapseID
  }

  /// Makes a push from a payload as it is written.
  ///
  /// - Parameters:
  ///   - json: The payload.
  ///   - pushType: `alert`, `background`, …; `nil` where the sender left it out.
  /// - Throws: `JSONError` where the payload is not JSON.
  public init(json: String, pushType: String? = "alert") throws {
    self.init(payload: try JSONValue(parsing: json), pushType: pushType)
  }
}
