import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import UserNotifications

/// A host whose extension is a closure.
struct World: Sendable {
  static let plain = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#
  typealias Receive = HostFlowTests.Scripted.Receive

  let folder = TemporaryFolder()
  let clock = VirtualClock()
  private var app: VirtualPhone.App
  private let behavior: HostBehavior

  init(_ change: (inout VirtualPhone.App, inout HostBehavior) -> Void = { _, _ in }) {
    var app = VirtualPhone.App(container: folder.url)
    app.temporaryDirectory = folder.url
    var behavior = HostBehavior()
    change(&app, &behavior)
    (self.app, self.behavior) = (app, behavior)
  }

  /// Creates a host with a scripted network on its clock.
  func with(_ network: (VirtualClock) -> ScriptedNetwork) -> World {
    var world = self
    world.app.network = network(clock)
    return world
  }

  func deliver(
    _ json: String = plain, pushType: String? = "alert",
    _ receive: Receive? = nil, warn: @escaping @Sendable () -> Void = {}
  ) async throws -> DeliveryReport {
    let message = PushMessage(payload: try JSONValue(parsing: json), pushType: pushType)
    return await host(receive, warn: warn).deliver(message)
  }

  /// The host, for several pushes.
  func host(_ receive: Receive? = nil, warn: @escaping @Sendable () -> Void = {})
    -> VirtualPhone
  {
    var app = app
    if let receive { app.makeExtension = { HostFlowTests.Scripted(warn: warn, receive) } }
    return VirtualPhone(app: app, clock: clock, behavior: behavior)
  }

  /// An extension that changes the content and replies.
  static func changing(_ change: @escaping @Sendable (UNMutableNotificationContent) -> Void)
    -> Receive
  {
    { request, reply in
      guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
        return
      }
      change(content)
      reply(content)
    }
  }

  /// An extension that attaches a file once for each type hint.
  static func attaching(_ url: URL, hints: [String?] = [nil]) -> Receive {
    changing { content in
      content.attachments = hints.compactMap { hint in
        let options = hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
        return try? UNNotificationAttachment(identifier: "", url: url, options: options)
      }
    }
  }
}

extension DeliveryReport {
  /// Whether the trace has a rule.
  func names(_ rule: HostRule) -> Bool { trace.contains { $0.rule == rule.name } }
}
