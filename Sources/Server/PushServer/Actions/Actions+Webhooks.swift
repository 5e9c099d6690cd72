import PushModel

extension Actions {
  /// Stores the webhook that a body describes, for the actor's app.
  ///
  /// - Returns: The secret that signs its calls, which can be read only here, and the webhook.
  func addWebhook(
    _ field: BodyValue, by actor: Actor
  ) async throws -> (secret: String, webhook: Webhook) {
    try actor.require(.manage, to: "add webhooks")
    let (app, id) = (try actor.ownApp(), Identifiers.makeObjectID())
    let new = try NewWebhook(field, allowing: site.webhookTargets)
    guard try await store.webhooks(app: app).count < Webhook.limit else {
      throw RequestError(.conflict, "an app can have \(Webhook.limit) webhooks; delete one first")
    }
    let secret = Identifiers.makeWebhookSecret()
    let sealed = try await secretKey.inUse(in: store).seal(secret, as: .webhookSecret, for: id)
    let webhook = Webhook(
      id: id, app: app, url: new.url, events: new.events, sealedSecret: sealed,
      createdAt: clock.now())
    try await store(for: actor, "webhook.create", id).add(webhook)
    return (secret, webhook)
  }

  /// Deletes a webhook of the actor's app, with the calls that it has not got yet.
  func deleteWebhook(_ id: String, by actor: Actor) async throws {
    try actor.require(.manage, to: "delete webhooks")
    guard
      try await store(for: actor, "webhook.delete", id).deleteWebhook(id, app: actor.ownApp())
    else { throw RequestError.notFound("webhook with this id") }
  }
}
