public import Foundation
import PushPayload

/// The Live Activities of this device: the tokens with which a server starts and updates them.
///
/// With ActivityKit an app calls `follow(_:)` and nothing else. The other functions are for apps that get the tokens in another
/// way. Their values are on disk when they return, and are sent like all other changes.
public struct LiveActivities: Sendable {
  let push: PushDevice

  /// Sets the token with which a server starts activities of a type.
  ///
  /// ```swift
  /// try push.liveActivities.setStartToken(startToken, type: "OrderAttributes")
  /// ```
  ///
  /// - Parameters:
  ///   - token: The token, as ActivityKit gives it; `nil` if the server must not start activities any more.
  ///   - type: The name of the type of attributes, 1 to 128 characters.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` if `type` is not the name of a type.
  public func setStartToken(_ token: Data?, type: String) throws(PushError) {
    try Self.check(type: type)
    let token = token.map { Array($0).hexadecimal }
    push.change { $0.wantStartToken(token, type: type) }
  }

  /// Sets the token with which a server updates an activity; it replaces an earlier one.
  ///
  /// ```swift
  /// try push.liveActivities.setToken(activityToken, activity: "order-7", type: "OrderAttributes")
  /// ```
  ///
  /// - Parameters:
  ///   - token: The token, as ActivityKit gives it.
  ///   - activity: The activity's identifier at the server, as in ``ActivityReference``.
  ///   - type: The name of the type of attributes, 1 to 128 characters.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` if the token is empty, or if `activity` or `type` is
  ///   invalid.
  public func setToken(_ token: Data, activity: String, type: String) throws(PushError) {
    try Self.check(type: type)
    _ = try ActivityReference(activity)
    guard !token.isEmpty else { throw PushError(.invalid, "a token has at least one byte") }
    let token = [UInt8](token).hexadecimal
    push.change { $0.wantToken(token, activity: activity, type: type) }
  }

  /// Records that an activity has ended on this device.
  ///
  /// ```swift
  /// push.liveActivities.recordEnd(of: "order-7", token: activityToken)
  /// ```
  ///
  /// - Parameters:
  ///   - activity: The activity's identifier at the server.
  ///   - token: The token of the activity that has ended; a newer activity with the same identifier stays.
  public func recordEnd(of activity: String, token: Data) {
    let token = [UInt8](token).hexadecimal
    push.change { $0.end(activity: activity, token: token) }
  }

  /// Sets the activities of a type that run now; the tokens of all others are removed.
  ///
  /// Call it when the app starts, because an activity may have ended while the app did not run.
  ///
  /// ```swift
  /// push.liveActivities.setRunning(["order-7"], type: "OrderAttributes")
  /// ```
  ///
  /// - Parameters:
  ///   - activities: The identifiers of the running activities at the server.
  ///   - type: The name of the type of attributes.
  public func setRunning(_ activities: Set<String>, type: String) {
    push.change { $0.keepTokens(of: activities, type: type) }
  }

  private static func check(type: String) throws(PushError) {
    guard ActivityID.isType(type) else {
      throw PushError(
        .invalid, "a type's name has 1 to 128 letters of ASCII, digits and underscores")
    }
  }
}

extension PushDevice {
  /// The Live Activities of this device.
  public var liveActivities: LiveActivities { LiveActivities(push: self) }
}
