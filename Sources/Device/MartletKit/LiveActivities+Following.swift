import Foundation
import PushPayload

extension LiveActivities {
  /// Asks the server to show an activity that it keeps on this device, such as a match that a person follows.
  ///
  /// Where the activity has a broadcast channel, the app begins it on that channel (iOS 18). Otherwise the server starts
  /// it by a push, and the app begins nothing.
  ///
  /// ```swift
  /// let channel = try await push.liveActivities.follow(activity: "match-1")
  /// print(channel ?? "the server starts it")
  /// ```
  ///
  /// - Parameter activity: The activity's identifier at the server.
  /// - Returns: The channel on which the app is to begin the activity, for `pushType: .channel(…)`; `nil` if the server
  ///   starts it.
  /// - Throws: ``PushError`` if the identifier is invalid, the server cannot be reached, or it keeps no such activity for
  ///   this device.
  public func follow(activity: String) async throws(PushError) -> String? {
    let json = try await ask("PUT", activity, status: 200)
    guard let channel = json["channel_id"], channel.isNull || channel.string != nil else {
      throw PushError(.refused, "the server's answer has no channel_id")
    }
    return channel.string
  }

  /// Asks the server to end an activity that it keeps on this device, and to show it no more.
  ///
  /// An activity on a channel is ended by the app itself, with `end(_:dismissalPolicy:)`.
  ///
  /// ```swift
  /// try await push.liveActivities.unfollow(activity: "match-1")
  /// ```
  ///
  /// - Parameter activity: The activity's identifier at the server.
  /// - Throws: ``PushError`` if the identifier is invalid, the server cannot be reached, or it keeps no such activity for
  ///   this device.
  public func unfollow(activity: String) async throws(PushError) {
    _ = try await ask("DELETE", activity, status: 204)
  }

  private func ask(
    _ method: String, _ activity: String, status: Int
  ) async throws(PushError) -> JSONValue {
    _ = try ActivityReference(activity)
    let stored: DeviceRecord?
    do {
      stored = try push.files.record()
    } catch {
      throw PushError(.storage, "the device's record cannot be read", cause: error)
    }
    guard let stored, stored.phase == .active, stored.isRegistered else {
      throw PushError(.unreachable, "the server does not know the device yet")
    }
    let response: PushResponse
    do {
      response = try await push.environment.transport.send(
        push.requests.follower(method, of: activity, stored))
    } catch {
      throw PushError(.unreachable, "the server cannot be reached", cause: error)
    }
    guard response.status == status else {
      throw PushError(
        RetryTable.verdict(response.status, for: .sync) == .later ? .unreachable : .refused,
        "the server answered with status \(response.status)")
    }
    guard status == 200 else { return .null }
    guard let json = try? JSONValue(parsing: response.body) else {
      throw PushError(.refused, "the server's answer is not JSON")
    }
    return json
  }
}
