/// One line of the audit log.
package struct AuditEntry: Hashable, Sendable {
  package var app: String?
  /// The id of the key that was used; `nil` where a person at the machine did it.
  package var key: String?
  /// `notification.create`, `key.revoke`.
  package var action: String
  /// The id of what it was done to.
  package var object: String?
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
