/// The actions of the audit log in words, and the kinds by which the log is filtered.
enum AuditWords {
  /// A kind of changes.
  struct Kind: Sendable {
    /// The value of the kind in the URL.
    var id: String
    var title: String
    /// The parts of the actions before the dot.
    var subjects: [String]
  }

  static let kinds = [
    Kind(id: "sends", title: "Notifications", subjects: ["notification"]),
    Kind(id: "campaigns", title: "Campaigns", subjects: ["campaign", "run"]),
    Kind(id: "messages", title: "In-app messages", subjects: ["message"]),
    Kind(id: "templates", title: "Templates", subjects: ["template"]),
    Kind(id: "audiences", title: "Audiences", subjects: ["audience"]),
    Kind(id: "devices", title: "Devices", subjects: ["device", "devices", "reload"]),
    Kind(id: "activities", title: "Live Activities", subjects: ["activity", "channel"]),
    Kind(id: "keys", title: "Keys", subjects: ["key", "identity_key", "secret_key"]),
    Kind(id: "webhooks", title: "Webhooks", subjects: ["webhook"]),
    Kind(id: "app", title: "App and limits", subjects: ["app", "limits"]),
    Kind(
      id: "people", title: "Team",
      subjects: ["account", "second_factor", "passkey", "recovery_code"]),
    Kind(id: "sessions", title: "Signing in", subjects: ["session"]),
  ]

  /// The words for an action, which the name of its object follows; the action itself if it is of a newer version.
  static func words(_ action: String) -> String { sentences[action] ?? action }

  private static let sentences = [
    "notification.create": "Created the notification",
    "notification.pause": "Paused the notification",
    "notification.resume": "Resumed the notification",
    "notification.cancel": "Canceled the notification",
    "notification.force": "Accepted errors of the notification",
    "campaign.create": "Created the campaign", "campaign.update": "Changed the campaign",
    "campaign.submit": "Submitted the campaign for approval",
    "campaign.approve": "Approved the campaign", "campaign.reject": "Rejected the campaign",
    "campaign.start": "Started the campaign", "campaign.pause": "Paused the campaign",
    "campaign.resume": "Resumed the campaign", "campaign.end": "Ended the campaign",
    "campaign.discard": "Discarded the campaign",
    "campaign.trigger": "Triggered the campaign for people",
    "campaign.force": "Accepted errors of the campaign",
    "run.decide": "Decided the test of the campaign",
    "run.cancel": "Canceled a run of the campaign",
    "message.create": "Published the in-app message",
    "message.update": "Changed the in-app message",
    "message.unpublish": "Took back the in-app message",
    "message.force": "Accepted errors of the in-app message",
    "template.save": "Saved the template", "template.delete": "Deleted the template",
    "template.force": "Accepted errors of the template",
    "audience.create": "Created the audience", "audience.update": "Changed the audience",
    "audience.delete": "Deleted the audience",
    "device.erase": "Erased a device", "device.reset_secret": "Reset the secret of a device",
    "devices.import": "Imported devices",
    "activity.start": "Started the Live Activity", "activity.update": "Updated the Live Activity",
    "activity.end": "Ended the Live Activity",
    "activity.keep": "Changed what the server keeps of the Live Activity",
    "channel.create": "Created a channel for Live Activities",
    "channel.delete": "Deleted a channel for Live Activities", "reload.send": "Reloaded",
    "key.create": "Created the API key", "key.revoke": "Revoked the API key",
    "key.refused": "Was refused: the key is unknown, has expired, or does not allow the address",
    "identity_key.create": "Added a key that verifies users",
    "identity_key.delete": "Removed a key that verifies users",
    "secret_key.rotate": "Rotated the server's secret key",
    "webhook.create": "Added the webhook", "webhook.delete": "Deleted the webhook",
    "app.create": "Added the app", "app.update": "Changed the settings of the app",
    "app.delete": "Deleted the app", "limits.update": "Changed the limits",
    "account.invite": "Invited", "account.role": "Changed the role of",
    "account.link": "Made a link for a new password of", "account.remove": "Removed",
    "account.password": "Set the password of",
    "account.connect": "Connected the sign-in provider of",
    "account.disconnect": "Disconnected the sign-in provider of",
    "second_factor.add": "Set up the second factor of",
    "second_factor.remove": "Turned off the second factor of",
    "passkey.add": "Added a passkey of", "passkey.remove": "Removed a passkey of",
    "recovery_code.use": "Used a recovery code of",
    "session.open": "Signed in", "session.end": "Ended sessions of",
    "session.refused": "Was refused at signing in",
  ]
}
