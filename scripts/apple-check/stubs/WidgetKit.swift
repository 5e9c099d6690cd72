// The declarations of Apple's WidgetKit that Martlet and its documents use.
// https://developer.apple.com/documentation/widgetkit
public import Foundation

@available(iOS 14.0, *)
public struct WidgetInfo {
  public let kind: String
}

@available(iOS 26.0, *)
public struct WidgetPushInfo: Sendable {
  public let token: Data
}

@available(iOS 26.0, *)
public protocol WidgetPushHandler {
  init()
  func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

@available(iOS 18.0, *)
public struct ControlPushInfo {
  public let token: Data
}

@available(iOS 18.0, *)
public struct ControlInfo {
  public let kind: String
  public var pushInfo: ControlPushInfo?
}

@available(iOS 18.0, *)
public protocol ControlPushHandler {
  init()
  func pushTokensDidChange(controls: [ControlInfo])
}
