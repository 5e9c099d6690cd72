// What the snippets use and only Apple's systems have, for the compiler on Linux. `make lint` checks the real declarations.
import MartletKit
import PushCrypto
import RichNotificationContent
import RichNotifications

nonisolated func CryptoKitProvider() -> any CryptoProvider { fatalError() }

nonisolated enum OSLogTrace {
  static func sink() -> @Sendable (TraceEvent) -> Void { fatalError() }
}

extension ReceiptSender {
  nonisolated init(_ settings: ReceiptSettings) { fatalError() }
}

extension DeviceKeyStore {
  nonisolated init(accessGroup: String?) { fatalError() }
}

@MainActor class RichContentViewController {
  init() {}

  func didRecord(_ event: RichContentEvent) {}
}

nonisolated protocol ActivityAttributes: Codable { associatedtype ContentState: Codable, Hashable }

nonisolated protocol MartletActivityAttributes: ActivityAttributes, Sendable {
  var martlet: ActivityReference? { get }
}

nonisolated struct OrderAttributes: MartletActivityAttributes {
  struct ContentState: Codable, Hashable, Sendable {}
  var martlet: ActivityReference?
}

extension LiveActivities {
  nonisolated func follow<Attributes: MartletActivityAttributes>(_ type: Attributes.Type) async { fatalError() }
}

nonisolated struct WidgetInfo {}

nonisolated struct WidgetPushInfo {}

nonisolated protocol WidgetPushHandler {
  init()
  func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

nonisolated struct ControlInfo {}

nonisolated protocol ControlPushHandler {
  init()
  func pushTokensDidChange(controls: [ControlInfo])
}

extension PushDevice {
  nonisolated func updateWidgetToken(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {}
  nonisolated func updateControlTokens(_ controls: [ControlInfo]) {}
}
