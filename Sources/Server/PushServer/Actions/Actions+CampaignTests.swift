import PushModel
import PushPayload

/// The notification or the in-app message of a campaign's test.
enum TestDelivery: Sendable {
  case push(Send)
  case message(Message)
}

/// Tests of campaigns, which reach only test devices.
extension Actions {
  /// Sends a test of a message at once, under the campaign's name and without its limits.
  ///
  /// Inboxes show an in-app message of a test as long as one of the campaign.
  ///
  /// - Throws: ``RequestError`` at ``TestTarget/field`` if the test is beyond the actor's budget.
  func sendTest(
    of message: CampaignPlan.Message, in campaign: Campaign, to test: TestTarget,
    repeating key: IdempotencyKey?, by actor: Actor
  ) async throws -> TestDelivery {
    try actor.require(.write, to: "test a campaign")
    let (app, now) = (try actor.ownApp(), clock.now())
    try await count(test, app: app, by: actor.id, maySend: actor.may(.send))
    let payload: BodyValue
    switch message.variant.content {
    case .message(let content):
      return .message(try await publish(content, to: test, repeating: key, by: actor))
    case .push(let content, _): payload = content
    }
    try payload.judged(at: now, isForced: message.variant.isForced)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: test.audience.id, payload: payload.value, createdAt: now)
    send.name = DisplayText.beginning(
      of: "Test of \(campaign.name), \(message.title)", upTo: SendNaming.nameLimit)
    return .push(
      try await accept(
        send, to: test.audience, devices: test.devices, isTest: true, repeating: key, by: actor))
  }

  private func publish(
    _ content: CampaignMessage, to test: TestTarget, repeating key: IdempotencyKey?,
    by actor: Actor
  ) async throws -> Message {
    let (audience, now) = (test.audience, clock.now())
    let id =
      key.map { Identifiers.message(madeBy: $0.text, in: audience.app) }
      ?? Identifiers.makeObjectID()
    if try await store.audience(audience.id, app: audience.app) == nil {
      try await store.save(audience)
    }
    return try await addMessage(
      content.message(in: audience.app, for: audience, id: id, at: now),
      for: test.devices, isRepeatable: key != nil, by: actor)
  }
}
