import PushModel
import PushPayload

/// The stores that record a change: its audit entry and its notice belong to the change's own transaction.
extension Actions {
  /// The store for one change, which writes the change's audit entry in the same transaction.
  ///
  /// The entry names the actor, its address, the action and the object. If webhooks subscribe to the action, they are
  /// notified too. `isForced` adds an entry that the actor accepts what `martlet lint` calls an error.
  func store(
    for actor: Actor, _ action: String, _ object: String?, isForced: Bool = false
  ) -> any PushStore {
    var record = ChangeRecord(entry(of: actor, action, object, app: actor.app))
    record.notice = notice(of: action, app: actor.app, data: ["id": .optional(object)])
    let store = store.recording(record)
    guard isForced, let subject = action.split(separator: ".").first else { return store }
    return store.recording(
      ChangeRecord(entry(of: actor, "\(subject).force", object, app: actor.app)))
  }

  /// The store for a change of the apps themselves, whose entry is the server's and outlives the app.
  func store(forServer actor: Actor, _ action: String, _ object: String?) -> any PushStore {
    store.recording(ChangeRecord(entry(of: actor, action, object, app: nil)))
  }

  /// Writes an audit entry for a change that took several transactions.
  func audit(_ action: String, object: String?, for actor: Actor) async throws {
    let notice = notice(of: action, app: actor.app, data: ["id": .optional(object)])
    try await store.recording(ChangeRecord(notice: notice)).append(
      entry(of: actor, action, object, app: actor.app))
  }

  /// The notice of an event for an app's webhooks; `nil` if webhooks cannot subscribe to the event.
  func notice(of event: String, app: String?, data: JSONValue) -> WebhookNotice? {
    guard let app, WebhookEvent.all.contains(event) else { return nil }
    return WebhookNotice(app: app, event: event, data: data, at: clock.now())
  }

  func entry(
    of actor: Actor, _ action: String, _ object: String?, app: String?
  ) -> AuditEntry {
    var (key, account, name): (String?, String?, String?) = (nil, nil, nil)
    switch actor.identity {
    case .key(let own): (key, name) = (own.id, own.name)
    case .person(let person): (account, name) = (person.id, person.name)
    }
    return AuditEntry(
      app: app, key: key, account: account, name: name, action: action, object: object,
      address: actor.address, at: clock.now())
  }
}
