import PushPayload
import PushStore

extension API {
  /// The store for one change, which writes the change's audit entry in the same transaction.
  ///
  /// The entry names the key, its address, the action and the object. If webhooks subscribe to the action, they are
  /// notified too. `isForced` adds an entry that the caller accepts what `martlet lint` calls an error.
  func store(
    for call: Call, _ action: String, _ object: String?, isForced: Bool = false
  ) -> any PushStore {
    let app = call.key?.app ?? call.namedApp
    var record = ChangeRecord(auditEntry(for: call, action: action, object: object, app: app))
    record.notice = webhookNotice(of: action, app: app, data: ["id": .optional(object)])
    let store = store.recording(record)
    guard isForced, let subject = action.split(separator: ".").first else { return store }
    return store.recording(
      ChangeRecord(auditEntry(for: call, action: "\(subject).force", object: object, app: app)))
  }

  /// The store for a change of the apps themselves, whose entry is the server's and outlives the app.
  func store(forServer call: Call, _ action: String, _ object: String?) -> any PushStore {
    store.recording(
      ChangeRecord(auditEntry(for: call, action: action, object: object, app: nil)))
  }
}
