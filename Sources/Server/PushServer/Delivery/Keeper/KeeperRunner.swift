import PushModel
import PushPayload
import Synchronization

/// Keeps Live Activities: tells their keepers what has happened, and stores what they decide together with the sends.
///
/// Each change is one transaction, onto the version that it began with. So a node that dies has sent all pushes of a
/// change or none, and of two nodes that take the same step one changes nothing.
struct KeeperRunner: Sendable {
  let store: any PushStore
  let clock: ServerClock
  let metrics: ServerMetrics
  /// Makes and deletes channels; `nil` if this server sends no pushes.
  let sender: (any PushSender)?
  /// The turns of all on this node who change kept activities.
  let turns: ActivityTurns
  /// Wakes the delivery workers, after pushes were accepted.
  let wakeDelivery: @Sendable () -> Void

  /// The number of activities that are read at a time.
  private static let pageSize = 64
  /// The number of times that a change is made anew because another one came first.
  private static let attempts = 5
  /// The time after which Apple is asked again for a channel.
  private static let channelPause = Duration.seconds(30)

  /// Handles what is due, until the task is cancelled; `log` is called with each failure.
  func run(
    every pause: Duration = .seconds(1), log: @escaping @Sendable (String) -> Void = { _ in }
  ) async {
    let asked = AskedChannels()
    await withDiscardingTaskGroup { questions in
      while (try? await clock.sleep(pause)) != nil {
        // Other users of the store report that it is out of reach.
        while true {
          let isMoreDue = try? await runDue(log: log) { kept in
            // Apple may take half a minute to answer, for which no other activity waits.
            guard asked.begin(kept.id) else { return }
            questions.addTask {
              await askApple(about: kept, log: log)
              asked.end(kept.id)
            }
          }
          if isMoreDue != true { break }
        }
      }
    }
  }

  /// Handles activities that are due, and waits for Apple's answers about their channels.
  ///
  /// - Returns: Whether more may be due.
  @discardableResult
  func runDue(log: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Bool {
    var questions: [KeptActivity] = []
    let isMoreDue = try await runDue(log: log) { questions.append($0) }
    for kept in questions { await askApple(about: kept, log: log) }
    return isMoreDue
  }

  /// Handles activities that are due; `ask` gets those about whose channels Apple is to be asked.
  private func runDue(
    log: @Sendable (String) -> Void, ask: (KeptActivity) -> Void
  ) async throws -> Bool {
    let due = try await store.dueKeepers(at: clock.now(), limit: Self.pageSize)
    var failures = 0
    for (app, id) in due {
      if Task.isCancelled { return false }
      do {
        // What is due for other activities does not wait for all who follow this one.
        let kept = try await turns.run(id, app: app, isFirst: true) {
          try await advance(id, app: app)
        }
        if let kept { ask(kept) }
      } catch let error as StoreError where error.code == .damaged {
        log("the Live Activity \(id) is no longer kept: \(error.message)")
        try await store.stopKeeper(id, app: app)
      } catch {
        failures += 1
        log("keeping the Live Activity \(id) failed and is tried again: \(error)")
      }
    }
    return due.count == Self.pageSize && failures < due.count
  }

  /// Changes an activity that is due.
  ///
  /// - Returns: The activity, if Apple is to make or delete its channel.
  private func advance(_ id: String, app: String) async throws -> KeptActivity? {
    for _ in 0..<Self.attempts {
      guard let kept = try await store.keptActivity(id, app: app) else { return nil }
      guard let changed = try await change(kept, by: [], in: store, asksApple: true) else {
        continue
      }
      let needsApple =
        kept.keeper.channel?.needsApple == true && changed.keeper.channel?.needsApple == true
      return needsApple ? changed : nil
    }
    return nil
  }

  /// Has Apple make or delete the channel of an activity, and tells its keeper.
  ///
  /// After a failure it is asked again when its pause is over.
  private func askApple(about kept: KeptActivity, log: (String) -> Void) async {
    do {
      let events = try await channelEvents(of: kept)
      guard !events.isEmpty else { return }
      try await tell(kept, events)
    } catch {
      log("the channel of the Live Activity \(kept.id): \(error)")
    }
  }

  /// Tells a keeper what Apple has done, which is not lost to a change that came first.
  private func tell(_ old: KeptActivity, _ events: [ActivityKeeper.Event]) async throws {
    let channel = try await turns.run(old.id, app: old.app, isFirst: true) { () -> String? in
      while let kept = try await store.keptActivity(old.id, app: old.app) {
        guard let changed = try await change(kept, by: events, in: store) else { continue }
        return changed.keeper.channel?.id
      }
      return nil
    }
    // Another node has had a channel made at the same time, or nobody needs one any more.
    if case .opened(let made)? = events.first, made != channel,
      let sender, let app = try await store.app(old.app)
    {
      try await delete(made, of: app, KeptChannelRule(stored: old.content), by: sender)
    }
  }

  private func delete(
    _ channel: String, of app: App, _ rule: KeptChannelRule, by sender: any PushSender
  ) async throws {
    try await sender.deleteChannel(channel, of: app, development: rule.isDevelopment)
    _ = try await store.removeChannel(channel, app: app.id)
  }

  /// Tells a keeper of events and of its phones, and stores the change.
  ///
  /// `asksApple` says whether Apple is asked about the channel if it was needed before the change.
  ///
  /// - Returns: The activity after the change; `nil` if another change came first.
  func change(
    _ old: KeptActivity, by events: [ActivityKeeper.Event], in store: any PushStore,
    asksApple: Bool = false
  ) async throws -> KeptActivity? {
    let now = clock.now()
    var kept = old
    let added = events.flatMap { event -> [UInt32] in
      switch event {
      case .follows(let devices, true): devices
      case .asks(let device): [device]
      default: []
      }
    }
    let sights = try await store.sights(of: kept, adding: DeviceNumbers(added))
    let before = try await store.budgets(of: DeviceNumbers(sights.keys), app: kept.app, at: now)
    var budgets = before
    let answers = try await answers(to: &kept)
    let actions = kept.keeper.on(events + answers + [.saw(sights)], budgets: &budgets, at: now)
    var sends: [(send: Send, devices: DeviceNumbers)] = []
    for action in actions {
      let send = kept.send(action, id: Identifiers.makeObjectID(), at: now)
      if action.channel == nil { kept.sends[action.number] = send.id }
      sends.append((send, action.devices))
    }
    var channelDue: Timestamp?
    if kept.keeper.channel?.needsApple == true {
      // Apple may refuse or not answer.
      let isAsked = asksApple && old.keeper.channel?.needsApple == true
      channelDue = isAsked ? now + Self.channelPause : now
    }
    var change = KeeperChange(
      kept, dueAt: [kept.keeper.dueAt, channelDue].compactMap(\.self).min(), sends: sends,
      audience: Audience(
        id: Identifiers.everyone(in: kept.app), app: kept.app, filters: [], createdAt: now),
      before: before, after: budgets)
    change.withdrawn = kept.keeper.needlessEvents(since: old.keeper)
    guard try await store.store(change, at: now) else { return nil }
    for (send, _) in sends { if let push = send.activity { metrics.accepted(push) } }
    if !sends.isEmpty { wakeDelivery() }
    kept.version += 1
    return kept
  }

  /// The answers to the pushes that phones wait for.
  private func answers(to kept: inout KeptActivity) async throws -> [ActivityKeeper.Event] {
    var events: [ActivityKeeper.Event] = []
    for (number, id) in kept.sends {
      let waiting = kept.keeper.phones.filter { $1.flight?.number == number }
      guard !waiting.isEmpty, let send = try await store.send(id, app: kept.app) else {
        kept.sends[number] = nil
        continue
      }
      var answers: [UInt32: KeptAnswer] = [:]
      var cursor: String?
      repeat {
        let page = try await store.outcomes(of: id, app: kept.app, after: cursor)
        for outcome in page.elements where waiting[outcome.device] != nil {
          answers[outcome.device] = KeptAnswer(outcome)
        }
        cursor = page.cursor
      } while cursor != nil
      // The end of a send that has expired, or that a person has canceled.
      if send.state.isOver {
        for device in waiting.keys where answers[device] == nil { answers[device] = .refused }
      }
      events.append(.answered(number, answers))
    }
    return events
  }

  /// Has Apple make or delete the channel of an activity, if its keeper needs that.
  private func channelEvents(of kept: KeptActivity) async throws -> [ActivityKeeper.Event] {
    guard let channel = kept.keeper.channel, channel.needsApple, let sender,
      let app = try await store.app(kept.app)
    else { return [] }
    let rule = KeptChannelRule(stored: kept.content)
    if let id = channel.id {
      try await delete(id, of: app, rule, by: sender)
      return [.deletedChannel]
    }
    guard !kept.keeper.wanted.isOver else { return [] }
    let id = try await sender.createChannel(
      of: app, storing: rule.storage, development: rule.isDevelopment)
    try await store.add(
      Channel(
        id: id, app: app.id, storage: rule.storage, isDevelopment: rule.isDevelopment,
        createdAt: clock.now()))
    return [.opened(channel: id)]
  }
}

extension KeptAnswer {
  fileprivate init(_ outcome: Outcome) {
    switch outcome.result {
    case .sent: self = .accepted
    default: self = outcome.reason == "NoAnswer" ? .unknown : .refused
    }
  }
}

/// The activities about whose channels Apple is being asked.
private final class AskedChannels: Sendable {
  private let ids = Mutex<Set<String>>([])

  /// - Returns: Whether nobody asks about it already.
  func begin(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }
  func end(_ id: String) { ids.withLock { _ = $0.remove(id) } }
}
