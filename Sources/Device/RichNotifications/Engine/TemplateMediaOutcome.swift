import NotificationTemplates

/// The outcome of one medium of the payload's template, which an app's content extension shows in the expanded
/// notification.
public struct TemplateMediaOutcome: Hashable, Sendable {
  /// The identifier of the medium in the template: that of the payload, or its number.
  public var id: String
  /// The URL or file name in the payload.
  public var url: String
  /// The reason why the content extension cannot show the medium; `nil` if it can.
  public var reason: MediaFailure.Reason?
  /// The file in the app group's folder.
  var file: MediaManifest.File?

  /// Whether the file is in the app group's folder or, without an app group, attached.
  public var isReady: Bool { reason == nil }
}
