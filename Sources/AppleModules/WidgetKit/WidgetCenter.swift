public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `WidgetCenter`, which on a phone loads an app's widgets again.
///
/// Source: Apple, `WidgetCenter`.
public final class WidgetCenter: NSObject, Sendable {
  /// The center.
  public static let shared = WidgetCenter()

  override init() {}

  /// Loads all widgets again, which this model does not have, and the trace of the run says so.
  public func reloadAllTimelines() {
    notModelled("WidgetCenter.reloadAllTimelines()", "there are no widgets; test them on a phone")
  }

  /// Loads the widgets of a kind again, which this model does not have, and the trace of the run says so.
  ///
  /// - Parameter kind: The kind.
  public func reloadTimelines(ofKind kind: String) {
    notModelled(
      "WidgetCenter.reloadTimelines(ofKind:)",
      "there is no widget of the kind \(kind); test it on a phone")
  }
}
