import PushModel
import PushPayload
import _OpenSSLCrypto

@testable import PushServer

extension World {
  private static let webhook = "webhook"

  /// Gives the app a webhook in half of the worlds.
  func addWebhook(to app: String, of node: SimulationNode) async {
    guard plan.hasWebhook else { return }
    do {
      let sealed = key.seal(receiver.secret, as: .webhookSecret, for: Self.webhook)
      try await node.store.add(
        Webhook(
          id: Self.webhook, app: app, url: SimulatedReceiver.url, events: SimulatedReceiver.events,
          sealedSecret: sealed, createdAt: nodeTime))
    } catch {
      findings.add(.answered, "the webhook is refused: \(error)")
    }
  }

  /// The number of calls that were not delivered yet.
  func waitingCalls() async -> Int {
    guard plan.hasWebhook, let node else { return 0 }
    let backlog = try? await node.store.backlog(ofWebhook: Self.webhook, app: app)
    return backlog.flatMap(\.self)?.count ?? 0
  }

  /// Checks that the webhook got each event, once or with the same id.
  func checkWebhooks(_ answers: FinalAnswers) {
    guard plan.hasWebhook else { return }
    var (bodies, ids): ([String: JSONValue], [FinalAnswers.ObjectAction: Set<String>]) = ([:], [:])
    for call in receiver.calls {
      if !call.isSigned { findings.add(.webhooks, "\(call.event) has a wrong signature") }
      if let other = bodies[call.id], other != call.body {
        findings.add(.webhooks, "\(call.id) comes again, and is another call")
      }
      bodies[call.id] = call.body
      let object = call.body["data"]?["id"]?.string ?? ""
      ids[FinalAnswers.ObjectAction(action: call.event, object: object), default: []].insert(
        call.id)
    }
    func check(_ event: String, _ object: String?, _ name: String, isOnce: Bool = true) {
      guard let object else { return }
      let action = "notification.\(event)"
      let calls = ids[FinalAnswers.ObjectAction(action: action, object: object)] ?? []
      guard calls.isEmpty || isOnce && calls.count > 1 else { return }
      findings.add(.webhooks, "the webhook got \(calls.count) calls \(event) of \(name)")
    }
    for (_, send) in records.allSends() where send.accepted != nil {
      check("create", send.id, send.name)
      if !send.orders.pauses.isEmpty { check("pause", send.id, send.name, isOnce: false) }
      if send.orders.canceled != nil { check("cancel", send.id, send.name, isOnce: false) }
    }
    for (record, answer) in sends(of: answers) {
      guard let state = answer.state, state.isOver else { continue }
      check(state.rawValue, record.id, record.name)
    }
  }
}

extension SimulationPlan {
  /// Whether the app has a webhook, which takes nothing from the random numbers of the plan.
  var hasWebhook: Bool { Chance(seed: seed, purpose: 6).isTrue(500) }
}
