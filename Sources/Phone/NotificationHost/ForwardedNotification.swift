/// A notification as the system forwards it to an accessory: the parts of Apple's `AccessoryNotification` that come from a
/// push and its extension.
///
/// The system adds the app's name and icon, dates and a summary. That an accessory gets the content of the service
/// extension, as the person sees it, is not documented. Source: Apple, "AccessoryNotification" (iOS 26.5).
public struct ForwardedNotification: Hashable, Sendable {
  /// The request's identifier.
  public var identifier: String
  /// The title.
  public var title: String
  /// The subtitle.
  public var subtitle: String
  /// The body.
  public var body: String
  /// The thread identifier.
  public var threadIdentifier: String
  /// The actions.
  public var actions: [ShownAction]
  /// The attached files.
  public var attachments: [ShownAttachment]
}

extension DeliveryReport {
  /// Forwards what is shown.
  mutating func forward() {
    guard let content else { return }
    forwarded = ForwardedNotification(
      identifier: content.requestIdentifier, title: content.title, subtitle: content.subtitle,
      body: content.body, threadIdentifier: content.threadIdentifier, actions: actions,
      attachments: attachments)
  }
}
