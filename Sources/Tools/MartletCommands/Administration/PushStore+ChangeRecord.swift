import PushModel
import PushServer

extension PushStore {
  /// The same store, which records each change in the audit log as made by a person at the machine.
  ///
  /// The log is that of an app, or the server's for changes of apps and of the server's own keys.
  func traced(_ action: String, _ object: String?, app: String? = nil) -> any PushStore {
    recording(
      ChangeRecord(
        AuditEntry(
          app: app, key: nil, action: action, object: object, address: nil,
          at: ServerClock.system.now())))
  }
}
