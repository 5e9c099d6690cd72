/// The interface elements of an app that WidgetKit reloads by a push, by the push type.
package enum ReloadType: String, CaseIterable, Sendable {
  /// All widgets of the app on the device, which share one token. Source: Apple, `WidgetPushInfo`.
  case widgets
  /// A control, each of which has a token of its own. Source: Apple, `ControlInfo.pushInfo`.
  case controls

  /// The most tokens of a device.
  package var tokenLimit: Int { self == .widgets ? 1 : 20 }
}

/// A push token with which WidgetKit reloads a device's widgets, or one of its controls.
package struct ReloadToken: Hashable, Sendable {
  /// The token in lowercase hex.
  package var token: String
  /// The kind of the control, as its configuration in the app names it; `nil` if the app did not say.
  package var kind: String?

  package init(_ token: String, kind: String? = nil) {
    self.token = token
    self.kind = kind
  }
}

/// A stored token with its device.
package struct StoredReloadToken: Hashable, Sendable {
  package var type: ReloadType
  package var token: ReloadToken
  /// The device's number.
  package var device: UInt32
  package var registeredAt: Timestamp

  package init(
    _ type: ReloadType, _ token: ReloadToken, device: UInt32, registeredAt: Timestamp
  ) {
    self.type = type
    self.token = token
    self.device = device
    self.registeredAt = registeredAt
  }
}

/// The reloads that a token gets in a day.
///
/// WidgetKit has a budget for each widget over 24 hours, usually 40 to 70 reloads for a widget that a person looks at
/// often, and pushes count against it. A push beyond it costs power and reloads nothing, so the server holds it.
/// Source: Apple, "Keeping a widget up to date".
package enum ReloadBudget {
  /// The most pushes to a token in a ``window``: the largest number that Apple names.
  package static let limit = 70
  /// The time that begins with the first counted push.
  package static let window = Duration.days(1)
}
