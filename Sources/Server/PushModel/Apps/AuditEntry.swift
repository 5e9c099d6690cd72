/// One line of the audit log.
package struct AuditEntry: Hashable, Sendable {
  /// The app whose log has the entry; `nil` if the entry is in the server's log.
  package var app: String?
  /// The id of the key that was used; `nil` if a person, the command line or the server itself acted.
  package var key: String?
  /// The id of the person's account; `nil` if a key, the command line or the server itself acted.
  package var account: String?
  /// The name of the person or the key at that time, which stays after both are removed.
  package var name: String?
  /// The action, such as "notification.create" or "key.revoke".
  package var action: String
  /// The id of the object of the action.
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
