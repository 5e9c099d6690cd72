import MartletKit
import WidgetKit

// This file belongs to the widget extension, together with Shop.swift.

nonisolated extension PushDevice {
  static let shop = PushDevice(
    PushSettings(server: Shop.pushServer, key: Shop.deviceKey, folder: Shop.appGroupFolder))
}

@available(iOS 26, *)
nonisolated struct WidgetToken: WidgetPushHandler {
  func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
    PushDevice.shop.updateWidgetToken(pushInfo, widgets: widgets)
  }
}

@available(iOS 18, *)
nonisolated struct ControlTokens: ControlPushHandler {
  func pushTokensDidChange(controls: [ControlInfo]) {
    PushDevice.shop.updateControlTokens(controls)
  }
}
