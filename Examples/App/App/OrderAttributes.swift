import ActivityKit
import MartletKit

/// The Live Activity of an order, which the app's widget extension draws.
@available(iOS 16.2, *)
nonisolated struct OrderAttributes: MartletActivityAttributes {
  struct ContentState: Codable, Hashable, Sendable {
    var status: String
  }
  var order: String
  var martlet: ActivityReference?
}

@available(iOS 16.2, *)
extension OrderAttributes {
  /// Starts the activity in the app; the server can start it too, from iOS 17.2 on.
  static func begin(_ order: String) throws {
    let attributes = OrderAttributes(order: order, martlet: try ActivityReference(order))
    _ = try Activity.request(
      attributes: attributes,
      content: ActivityContent(state: ContentState(status: "Packing"), staleDate: nil),
      pushType: .token)
  }

  /// Shows a match that the server keeps; on a channel the app begins the activity itself.
  static func follow(_ match: String, _ state: ContentState, with push: PushDevice) async throws {
    let attributes = OrderAttributes(order: match, martlet: try ActivityReference(match))
    let content = ActivityContent(state: state, staleDate: nil)
    if let channel = try await push.liveActivities.follow(activity: match), #available(iOS 18, *) {
      _ = try Activity.request(
        attributes: attributes, content: content, pushType: .channel(channel))
    }
  }

  /// Ends the activities of a person who signs out: others must not see what is sent to them.
  static func endAll() async {
    for activity in Activity<OrderAttributes>.activities {
      await activity.end(nil, dismissalPolicy: .immediate)
    }
  }
}
