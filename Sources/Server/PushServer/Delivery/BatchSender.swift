import APNs
import PushModel

/// Sends a delivery's pushes to both of Apple's hosts.
struct BatchSender: Sendable {
  let store: any PushStore
  let sender: any PushSender
  let clock: ServerClock
  let log: @Sendable (String) -> Void

  /// Sends a delivery's pushes in rounds until none remain to be sent now.
  func sendRounds(_ delivery: inout Delivery, of batch: Batch) async {
    let app = batch.app
    while let hosts = delivery.nextRound() {
      let answers = await send(hosts, of: batch)
      let now = clock.now()
      // The answers of one host count, even if nothing could be sent to the other one.
      if case .success(let answers) = answers.production {
        delivery.record(answers, to: hosts.production, at: now)
      }
      if case .success(let answers) = answers.development {
        delivery.record(answers, to: hosts.development, at: now)
      }
      for case .failure(let error) in [answers.production, answers.development] {
        log("app \(app.id): \(error)")
        // A key that cannot be read stays unreadable. Other errors may be temporary.
        if (error as? APNsError)?.code == .badCredentials {
          delivery.pause(
            "the app's key cannot be used: \(error); give the app another key, then resume")
        }
      }
    }
    guard delivery.pauseReason != nil else { return }
    // The key may have been replaced while the pushes were in flight.
    let current = try? await store.app(app.id)
    if let current, !current.hasCredentials(of: app) { delivery.withdrawPause() }
  }

  private typealias Answers = Result<[APNsOutcome], any Error>

  private func send(
    _ hosts: Delivery.Hosts, of batch: Batch
  ) async -> (production: Answers, development: Answers) {
    // Most batches have pushes for only one host.
    if hosts.development.isEmpty {
      return (await send(hosts.production, of: batch, development: false), .success([]))
    }
    async let production = send(hosts.production, of: batch, development: false)
    async let development = send(hosts.development, of: batch, development: true)
    return await (production, development)
  }

  private func send(
    _ pushes: Delivery.Pushes, of batch: Batch, development: Bool
  ) async -> Answers {
    do {
      if let broadcast = pushes.broadcast {
        let channels = try await sender.channels(of: batch.app, development: development)
        return .success([await channels.send(broadcast)])
      }
      guard !pushes.isEmpty else { return .success([]) }
      return .success(
        try await sender.send(
          pushes.notifications, of: batch.send.sendClass, for: batch.app, development: development))
    } catch {
      return .failure(error)
    }
  }
}
