import PushPayload
import PushStore

/// Calls webhooks, several receivers at once and each one call at a time; those that do not answer
/// again and again.
struct WebhookWorker: Sendable {
  /// Longer than a call takes, so that no other node makes it meanwhile.
  private static let lease = Duration.seconds(60)
  private static let pause = Duration.seconds(1)
  /// How many receivers are called at once: so many may be dead before the others wait for them.
  private static let width = 16

  let store: any PushStore
  let secretKey: SecretKey
  let client: any WebhookClient
  let clock: ServerClock
  let owner: String
  var metrics = ServerMetrics()
  let log: @Sendable (String) -> Void

  /// How long after a failure a call is due again, after how many earlier ones; `nil` gives it up,
  /// which is after two days.
  static func delay(afterFailures count: Int) -> Duration? {
    count < 17 ? .seconds(min(5 << min(count, 13), 6 * 3600)) : nil
  }

  /// Returns when its task is cancelled.
  func run() async {
    await withTaskGroup { group in
      for _ in 0..<Self.width { group.addTask { await work() } }
    }
  }

  private func work() async {
    while !Task.isCancelled {
      do {
        if try await callNext() { continue }
      } catch {
        log("webhooks: \(error)")
      }
      try? await clock.sleep(Self.pause)
    }
  }

  /// Makes the oldest call that is due; `false` where there is none.
  func callNext() async throws -> Bool {
    let now = clock.now()
    guard
      let call = try await store.leaseWebhookCall(owner: owner, at: now, until: now + Self.lease)
    else { return false }
    let start = ContinuousClock.now
    let isDone = await make(call)
    metrics.called(isDone ? .delivered : .failed, in: .now - start)
    let delay = isDone ? nil : Self.delay(afterFailures: call.attempts)
    if !isDone, delay == nil { log("webhook \(call.webhook.id): call \(call.id) is given up") }
    try await store.finish(call, retryAt: delay.map { clock.now() + $0 })
    return true
  }

  private func make(_ call: WebhookCall) async -> Bool {
    let owner = WebhookRoutes.sealOwner(call.webhook.id)
    guard let secret = secretKey.open(call.webhook.sealedSecret, for: owner) else {
      log("webhook \(call.webhook.id): its secret was sealed with another secret key")
      return false
    }
    let body = call.body.bytes
    let signature = WebhookSignature.value(of: body, secret: secret, at: clock.now())
    let status = try? await client.post(
      body, to: call.webhook.url,
      fields: [
        ("Content-Type", "application/json"), (WebhookSignature.field, signature),
        ("Martlet-Event", call.event), ("Martlet-Call", String(call.id)),
      ])
    return status.map { (200..<300).contains($0) } ?? false
  }
}
