import APNs
import PushModel

/// Sends a delivery's pushes to both of Apple's hosts.
struct BatchSender: Sendable {
  let store: any PushStore
  let sender: any PushSender
  let clock: ServerClock
  let log: @Sendable (String) -> Void

  /// The time that a host has for some pushes while answers of the other one wait to be stored.
  ///
  /// Pushes without an answer are then sent again in a lease of their own. A host that can be reached
  /// takes far less.
  static func patience(forPushes count: Int) -> Duration {
    Duration.seconds(5) + Duration.milliseconds(10) * count
  }

  /// Sends a delivery's pushes in rounds until none remain to be sent now.
  func sendRounds(_ delivery: inout Delivery, of batch: Batch) async {
    let app = batch.app
    while let hosts = delivery.nextRound() {
      let round = await send(hosts, of: batch, mayGiveUp: delivery.isRepeatable)
      let now = clock.now()
      // The answers of one host count, even if nothing could be sent to the other one.
      if case .success(let answers)? = round.production {
        delivery.record(answers, to: hosts.production, isGivenUp: round.isGivenUp, at: now)
      }
      if case .success(let answers)? = round.development {
        delivery.record(answers, to: hosts.development, isGivenUp: round.isGivenUp, at: now)
      }
      for case .failure(let error)? in [round.production, round.development] {
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

  private enum Event: Sendable {
    case production(Answers)
    case development(Answers)
    case timeIsUp
  }

  /// The answers of both hosts; `nil` before they are there.
  private struct Round {
    var production: Answers?
    var development: Answers?
    /// Whether a host was given up, because the answers of the other one waited for it.
    var isGivenUp = false

    var isWhole: Bool { production != nil && development != nil }
  }

  /// Sends pushes to both hosts.
  ///
  /// `mayGiveUp` says whether pushes may be given up that one of the hosts does not answer.
  private func send(
    _ hosts: Delivery.Hosts, of batch: Batch, mayGiveUp: Bool
  ) async -> Round {
    let isSecondTry = hosts.production.isSecondTry || hosts.development.isSecondTry
    // Most batches have pushes for only one host, and nothing waits for its answers.
    if hosts.development.isEmpty, !isSecondTry {
      return Round(
        production: await send(hosts.production, of: batch, development: false),
        development: .success([]))
    }
    if hosts.production.isEmpty, !isSecondTry {
      return Round(
        production: .success([]),
        development: await send(hosts.development, of: batch, development: true))
    }
    return await withTaskGroup(of: Event.self) { group in
      group.addTask {
        .production(await self.send(hosts.production, of: batch, development: false))
      }
      group.addTask {
        .development(await self.send(hosts.development, of: batch, development: true))
      }
      var round = Round()
      while let event = await group.next() {
        let other: Delivery.Pushes
        switch event {
        case .production(let answers):
          round.production = round.isGivenUp ? Self.givenUp(answers) : answers
          other = hosts.development
        case .development(let answers):
          round.development = round.isGivenUp ? Self.givenUp(answers) : answers
          other = hosts.production
        case .timeIsUp:
          if !round.isWhole {
            round.isGivenUp = true
            // The client then answers at once, and says of each push whether it may have arrived.
            group.cancelAll()
          }
          continue
        }
        if round.isWhole {
          group.cancelAll()
        } else if mayGiveUp {
          let patience = Self.patience(forPushes: other.addressees.count)
          group.addTask { [clock] in
            try? await clock.sleep(patience)
            return .timeIsUp
          }
        }
      }
      return round
    }
  }

  /// The answers of a host that was given up, with this reason for the missing ones.
  private static func givenUp(_ answers: Answers) -> Answers {
    answers.map { outcomes in
      outcomes.map { outcome in
        guard outcome.kind != .answered, !outcome.isInvalid else { return outcome }
        var outcome = outcome
        outcome.message = "one of its two hosts has not answered in time"
        return outcome
      }
    }
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
