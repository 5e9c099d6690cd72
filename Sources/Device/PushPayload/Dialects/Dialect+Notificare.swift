extension Dialect.ID {
  /// Notificare: `attachment.uri`.
  public static let notificare = Self(rawValue: "notificare")
}

extension Dialect {
  /// Notificare: one URL in an object.
  public static let notificare = Dialect(
    .notificare, signature: [.equals("x-sender", "notificare"), "attachment.uri"],
    media: [MediaRule("attachment?", url: "uri", type: .any("mimeType"))]
  ) {
    $0.messageID = ["notificationId"]
  }
}
