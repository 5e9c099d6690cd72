import PushModel
import PushPayload
import _Curl

/// The worker that calls webhooks: several at once, each with one call at a time, and with retries.
struct WebhookWorker: Sendable {
  /// The lease of a call, which is longer than a call can take, so that no other node makes it too.
  private static let lease = Duration.seconds(60)

  let store: any PushStore
  let secretKey: SecretKey
  let http: any HTTPClient
  let targets: WebhookTargets
  let clock: ServerClock
  let owner: String
  var metrics = ServerMetrics()
  let log: @Sendable (String) -> Void

  /// Returns the time between a failed call and its retry: 5 s, doubling to 6 h.
  ///
  /// - Returns: The time; `nil` if the call is given up, because the retry would come after ``WebhookCall/kept``.
  static func delay(beforeRetryOf call: WebhookCall, at now: Timestamp) -> Duration? {
    let delay = Duration.seconds(min(5 << min(call.attempts, 13), 6 * 3600))
    return now + delay <= call.createdAt + WebhookCall.kept ? delay : nil
  }

  /// Returns when its task is cancelled.
  ///
  /// - Parameters:
  ///   - width: The number of webhooks that are called at once; if so many hang, the others wait.
  ///   - pause: The time until the store is asked again for a call that is due.
  func run(width: Int = 16, every pause: Duration = .seconds(1)) async {
    await withTaskGroup { group in
      for _ in 0..<width { group.addTask { await work(every: pause) } }
    }
  }

  private func work(every pause: Duration) async {
    while !Task.isCancelled {
      do {
        if try await callNext() { continue }
      } catch {
        log("webhooks: \(error)")
      }
      try? await clock.sleep(pause)
    }
  }

  /// Makes the oldest call that is due.
  ///
  /// - Returns: `false` if no call is due.
  func callNext() async throws -> Bool {
    let now = clock.now()
    guard var call = try await lease(at: now) else { return false }
    let start = ContinuousClock.now
    call.failure = await failure(of: call)
    metrics.called(call.failure == nil ? .delivered : .failed, in: .now - start)
    let end = clock.now()
    let delay = call.failure == nil ? nil : Self.delay(beforeRetryOf: call, at: end)
    if call.failure != nil, delay == nil {
      log("webhook \(call.webhook.id): call \(call.id) is given up after 36 hours of retries")
    }
    try await store.finish(call, retryAt: delay.map { end + $0 }, at: end)
    return true
  }

  /// Leases the oldest due call; a call with a damaged row is held, so that later ones are made.
  private func lease(at now: Timestamp) async throws(StoreError) -> WebhookCall? {
    while true {
      do {
        return try await store.leaseWebhookCall(owner: owner, at: now, until: now + Self.lease)
      } catch {
        guard let work = error.work else { throw error }
        log("a call of a webhook is held: \(error.message)")
        try await store.stop(work, because: error.message, at: now)
      }
    }
  }

  /// Makes a call.
  ///
  /// - Returns: The reason why it failed, in words; `nil` if it was delivered.
  private func failure(of call: WebhookCall) async -> String? {
    guard let secret = secretKey.secret(of: call.webhook) else {
      log(
        "webhook \(call.webhook.id): its secret was sealed with another secret key; restore the right"
          + " secret.key, or delete the webhook and create it again")
      return "its secret was sealed with another secret key"
    }
    let body = call.body.bytes
    let signature = WebhookSignature.value(of: body, secret: secret, at: clock.now())
    let request = OutgoingRequest(
      url: call.webhook.url,
      fields: [
        ("Content-Type", "application/json"), (WebhookSignature.field, signature),
        ("Martlet-Event", call.event), ("Martlet-Call", String(call.id)),
      ], body: body, allowsPrivate: targets.admits(host:address:))
    do {
      let status = try await http.answer(to: request).status
      return (200..<300).contains(status) ? nil : "the server answered with status \(status)"
    } catch {
      return "no answer: \(error)"
    }
  }
}
