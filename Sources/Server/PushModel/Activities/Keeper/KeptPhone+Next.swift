extension KeptPhone {
  /// The time between two looks for a push-to-start token.
  static let tokenPause = Duration.seconds(60)
  /// The longest time between two repeats.
  static let longestPause = Duration.seconds(30 * 60)

  /// The push that is due, which counts as sent; `nil` if none is.
  ///
  /// `number` is that of the push, and `dueAt` becomes the time at which the phone is to be asked again.
  mutating func next(
    _ wanted: WantedActivity, number: Int, budget: inout PhoneBudget, dueAt: inout Timestamp?,
    at now: Timestamp
  ) -> KeptPush? {
    dueAt = nil
    if let flight, stage != .gone {
      guard now >= flight.endsAt else {
        dueAt = flight.endsAt
        return nil
      }
      self.flight = nil
    }
    let isWanted = follows && !wanted.isOver
    if stage == .starting || stage == .ending, let leavesAt, now >= leavesAt {
      (stage, retiredToken, sight.token) = (.absent, sight.token ?? retiredToken, nil)
    }
    switch stage {
    case .gone: return nil
    case .absent:
      guard isWanted else {
        stage = .gone
        return nil
      }
      return start(wanted, number: number, budget: &budget, dueAt: &dueAt, at: now)
    case .starting:
      dueAt = leavesAt
      return nil
    case .shown:
      if !isWanted { return end(wanted, number: number, budget: &budget, dueAt: &dueAt, at: now) }
      if wanted.isRenewed, wanted.startsPhones, sight.canStart, let begunAt {
        let renewal = begunAt + Self.renewal
        if now >= renewal, budget.nextStart(at: now) == nil {
          return end(wanted, number: number, budget: &budget, dueAt: &dueAt, at: now)
        }
        dueAt = now < renewal ? renewal : nil
      }
      return update(wanted, number: number, budget: &budget, dueAt: &dueAt, at: now)
    case .ending:
      let pause = Duration.seconds(5 * pow3(min(repeats, 6)))
      let due = (sentAt ?? now) + min(pause, Self.longestPause)
      guard now >= due else {
        dueAt = min(due, leavesAt ?? due)
        return nil
      }
      repeats += 1
      return send(
        .end, wanted, number: number, isUrgent: false, hasAlert: false, at: now, dueAt: &dueAt)
    }
  }

  private mutating func start(
    _ wanted: WantedActivity, number: Int, budget: inout PhoneBudget, dueAt: inout Timestamp?,
    at now: Timestamp
  ) -> KeptPush? {
    guard wanted.startsPhones else { return nil }
    guard sight.canStart else {
      dueAt = now + Self.tokenPause
      return nil
    }
    let waits = [leavesAt, retryAt, budget.nextStart(at: now)].compactMap(\.self)
    if let wait = waits.max(), wait > now {
      dueAt = wait
      return nil
    }
    budget.spendStart(at: now)
    (isAgain, hasBegun) = (hasBegun, true)
    stage = .starting
    (begunAt, leavesAt) = (now, Self.end(ofBegin: now + KeptPush.startLife))
    var push = send(
      .start, wanted, number: number, isUrgent: true, hasAlert: true, at: now, dueAt: &dueAt)
    push.isRenewal = isAgain
    return push
  }

  /// The first end, which has priority 10 where the budget allows.
  private mutating func end(
    _ wanted: WantedActivity, number: Int, budget: inout PhoneBudget, dueAt: inout Timestamp?,
    at now: Timestamp
  ) -> KeptPush? {
    stage = .ending
    repeats = 0
    return send(
      .end, wanted, number: number, isUrgent: budget.spendUrgent(of: wanted.urgentLimit, at: now),
      hasAlert: revision < wanted.alertRevision, at: now, dueAt: &dueAt)
  }

  /// A new state, or the last one again: APNs and the phone may have dropped it, and a heartbeat renews its stale date.
  private mutating func update(
    _ wanted: WantedActivity, number: Int, budget: inout PhoneBudget, dueAt: inout Timestamp?,
    at now: Timestamp
  ) -> KeptPush? {
    if revision < wanted.revision {
      let isNew = revision > 0
      repeats = 0
      // One push of the hour's budget is kept for the end.
      let isUrgent =
        isNew && revision < wanted.urgentRevision
        && budget.spendUrgent(of: wanted.urgentLimit - 1, at: now)
      return send(
        .update, wanted, number: number, isUrgent: isUrgent,
        hasAlert: isNew && revision < wanted.alertRevision, at: now, dueAt: &dueAt)
    }
    let pause = min(.seconds(60 << min(repeats, 6)), Self.longestPause)
    let due = (sentAt ?? now) + min(pause, wanted.heartbeat ?? pause)
    guard now >= due else {
      dueAt = min(due, dueAt ?? due)
      return nil
    }
    repeats += 1
    return send(
      .update, wanted, number: number, isUrgent: false, hasAlert: false, at: now, dueAt: &dueAt)
  }

  private mutating func send(
    _ event: ActivityPush.Event, _ wanted: WantedActivity, number: Int, isUrgent: Bool,
    hasAlert: Bool, at now: Timestamp, dueAt: inout Timestamp?
  ) -> KeptPush {
    // A start that has expired is over as a send some time after that, which tells that no phone has got it.
    let life = event == .start ? KeptPush.startLife + KeptPush.startGrace : KeptPush.answerLimit
    flight = Flight(number: number, event: event, sentAt: now, endsAt: now + life)
    (sentAt, revision, dueAt) = (now, wanted.revision, now + life)
    var push = KeptPush(
      event: event, revision: wanted.revision, isUrgent: isUrgent, hasAlert: hasAlert)
    push.isRenewal = event == .end && follows && !wanted.isOver
    return push
  }

  private func pow3(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * 3 }
  }
}
