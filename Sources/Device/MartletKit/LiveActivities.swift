public import Foundation
import PushPayload

/// The Live Activities of this device: the tokens by which a server starts and updates them.
///
/// With ActivityKit `follow(_:)` tells all of it, and an app calls nothing else. The other functions are for apps that get the
/// tokens in another way. What they tell is on disk when they return, and is sent as all else is.
public struct LiveActivities: Sendable {
  let push: PushDevice

  /// Sets the token by which a server starts activities of a type.
  ///
  /// ```swift
  /// try push.liveActivities.setStartToken(startToken, type: "OrderAttributes")
  /// ```
  ///
  /// - Parameters:
  ///   - token: The token, as ActivityKit gives it; `nil` if the app wants no more activities to be started.
  ///   - type: The name of the type of attributes, 1 to 128 characters.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` for a text that is no name of a type.
  public func setStartToken(_ token: Data?, type: String) throws(PushError) {
    try Self.check(type: type)
    let token = token.map(PushDevice.hexadecimal)
    push.change { $0.wantStartToken(token, type: type) }
  }

  /// Sets the token by which a server updates an activity; it replaces an earlier one.
  ///
  /// ```swift
  /// try push.liveActivities.setToken(activityToken, activity: "order-7", type: "OrderAttributes")
  /// ```
  ///
  /// - Parameters:
  ///   - token: The token, as ActivityKit gives it.
  ///   - activity: The activity's identifier at the server, as in ``ActivityReference``.
  ///   - type: The name of the type of attributes, 1 to 128 characters.
  /// - Throws: ``PushError`` with the code ``PushError/Code/invalid`` for an empty token, or a text that is no identifier or no
  ///   name of a type.
  public func setToken(_ token: Data, activity: String, type: String) throws(PushError) {
    try Self.check(type: type)
    _ = try ActivityReference(activity)
    guard !token.isEmpty else { throw PushError(.invalid, "a token has at least one byte") }
    let token = PushDevice.hexadecimal(token)
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
  ///   - token: The token of the one that has ended: a newer one of the same identifier stays.
  public func recordEnd(of activity: String, token: Data) {
    let token = PushDevice.hexadecimal(token)
    push.change { $0.end(activity: activity, token: token) }
  }

  /// Sets which activities of a type run now: the tokens of all others are removed.
  ///
  /// Call it when the app starts, since an activity may have ended while the app did not run.
  ///
  /// ```swift
  /// push.liveActivities.setRunning(["order-7"], type: "OrderAttributes")
  /// ```
  ///
  /// - Parameters:
  ///   - activities: The identifiers at the server of those that run.
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

  /// The bytes of a token as lower-case hexadecimal digits.
  static func hexadecimal(_ token: Data) -> String {
    token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
