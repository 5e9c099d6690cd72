/// One line of the audit log.
package struct AuditEntry: Hashable, Sendable {
  /// The app whose log has the entry; `nil` for the server's own log.
  package var app: String?
  /// The id of the key that was used; `nil` for a person, the command line and the server itself.
  package var key: String?
  /// The id of the account of the person who did it; `nil` for a key, the command line and the server itself.
  package var account: String?
  /// The name of the person or of the key at that time, which outlives both.
  package var name: String?
  /// What was done, "notification.create" or "key.revoke".
  package var action: String
  /// The id of the object that it was done to.
  package var object: String?
  /// The address of the client.
  package var address: String?
  package var at: Timestamp

  package init(
    app: String?, key: String?, account: String? = nil, name: String? = nil, action: String,
    object: String?, address: String?, at: Timestamp
  ) {
    self.app = app
    self.key = key
    self.account = account
    self.name = name
    self.action = action
    self.object = object
    self.address = address
    self.at = at
  }
}
