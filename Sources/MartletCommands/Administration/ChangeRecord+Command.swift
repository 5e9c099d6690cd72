import PushServer
import PushStore

extension PushStore {
  /// The same store, which writes down that a person at the machine made a change: what is done to
  /// apps and to the server's own keys in the server's log, the rest in its app's.
  func traced(_ action: String, _ object: String, app: String? = nil) -> any PushStore {
    recording(
      ChangeRecord(
        AuditEntry(
          app: app, key: nil, action: action, object: object, address: nil,
          at: ServerClock.system.now())))
  }
}
