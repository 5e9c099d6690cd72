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

  /// Ends the activities of a person who signs out: others must not see what is sent to them.
  static func endAll() async {
    for activity in Activity<OrderAttributes>.activities {
      await activity.end(nil, dismissalPolicy: .immediate)
    }
  }
}
