/// One line of the audit log.
package struct AuditEntry: Hashable, Sendable {
  /// The app whose log has the entry; `nil` for the server's own log.
  package var app: String?
  /// The id of the key that was used; `nil` for the command line and for the server itself.
  package var key: String?
  /// What was done, "notification.create" or "key.revoke".
  package var action: String
  /// The id of the object that it was done to.
  package var object: String?
  /// The address of the client.
  package var address: String?
  package var at: Timestamp

  package init(
    app: String?, key: String?, action: String, object: String?, address: String?, at: Timestamp
  ) {
    self.app = app
    self.key = key
    self.action = action
    self.object = object
    self.address = address
    self.at = at
  }
}
