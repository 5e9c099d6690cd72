import Foundation
import NotificationHost
import PushPayload
import TestSupport
import UserNotifications

/// A phone, with an extension that a test writes in place.
struct World: Sendable {
  static let plain = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#
  typealias Receive = HostFlowTests.Scripted.Receive

  let folder = TemporaryFolder()
  let clock = VirtualClock()
  private var app: NotificationHost.App
  private let behavior: HostBehavior

  init(_ change: (inout NotificationHost.App, inout HostBehavior) -> Void = { _, _ in }) {
    var app = NotificationHost.App(container: folder.url)
    app.temporaryDirectory = folder.url
    var behavior = HostBehavior()
    change(&app, &behavior)
    (self.app, self.behavior) = (app, behavior)
  }

  /// The same with a network on this world's clock.
  func with(_ network: (VirtualClock) -> ScriptedNetwork) -> World {
    var world = self
    world.app.network = network(clock)
    return world
  }

  func deliver(
    _ json: String = plain, pushType: String? = "alert",
    _ receive: Receive? = nil, warn: @escaping @Sendable () -> Void = {}
  ) async throws -> DeliveryReport {
    var app = app
    if let receive { app.makeExtension = { HostFlowTests.Scripted(warn: warn, receive) } }
    let message = PushMessage(payload: try JSONValue(parsing: json), pushType: pushType)
    return await NotificationHost(app: app, clock: clock, behavior: behavior).deliver(message)
  }
}
