import _Bitmaps

/// The broadcast channel of a kept activity, as its keeper knows it: one push reaches every phone that follows it.
///
/// Apple does not say which phones follow a channel, or whether a push has reached them. So a phone gets one start at
/// most, an activity on a channel is not renewed, and the last state is repeated.
package struct KeptChannel: Hashable, Sendable {
  package enum Stage: String, CaseIterable, Sendable {
    /// The runner is to create the channel at Apple.
    case wanted
    case open
    /// The end was sent, and Apple keeps it for phones that are offline.
    case closing
    /// The runner is to delete the channel, if it still has an id.
    case closed
  }

  /// The time for which Apple keeps the last push of a channel.
  ///
  /// Source: Apple, "Sending channel management requests to APNs".
  package static let storage = Duration.seconds(8 * 3600)

  package internal(set) var stage = Stage.wanted
  /// Apple's id; `nil` before the channel is made and after it was deleted.
  package internal(set) var id: String?
  /// The phones that are to get a start.
  package internal(set) var waiting = DeviceNumbers()
  /// The phones that have got one.
  package internal(set) var started = DeviceNumbers()
  /// The phones whose app has begun the activity on the channel itself.
  package internal(set) var joined = DeviceNumbers()
  /// The phones on which it is not to be shown, whatever the app's server wants.
  package internal(set) var left = DeviceNumbers()
  /// The last revision that was sent.
  package internal(set) var revision = 0
  package internal(set) var sentAt: Timestamp?
  package internal(set) var repeats = 0
  package internal(set) var endedAt: Timestamp?

  package init() {}

  /// Whether Apple is to make or to delete the channel.
  package var needsApple: Bool { stage == .wanted || (stage == .closed && id != nil) }

  /// Whether a phone gets a start by a push, or has got one.
  func starts(_ device: UInt32) -> Bool {
    (started.contains(device) || waiting.contains(device))
      && !left.contains(device) && !joined.contains(device)
  }

  mutating func add(_ devices: DeviceNumbers) {
    let known = started.union(joined).union(left)
    waiting = waiting.union(DeviceNumbers(devices.bitmap.subtracting(known.bitmap)))
  }

  mutating func join(_ device: UInt32) {
    comeBack(device)
    joined.append(device)
  }

  /// Forgets that the activity is not to be shown on a phone.
  mutating func comeBack(_ device: UInt32) {
    left = left.subtracting(DeviceNumbers(CollectionOfOne(device)))
  }

  /// Takes a phone off, on which the activity is not to be shown any more.
  mutating func leave(_ device: UInt32) {
    let own = DeviceNumbers(CollectionOfOne(device))
    (waiting, joined) = (waiting.subtracting(own), joined.subtracting(own))
    left.append(device)
  }

  mutating func open(_ id: String, revision: Int) {
    guard self.id == nil, stage == .wanted || stage == .closed else { return }
    self.id = id
    // If the activity has ended meanwhile, the channel is deleted next.
    if stage == .wanted { (stage, self.revision) = (.open, revision) }
  }

  /// The pushes that are due, which count as sent, and the phones of those that are starts.
  mutating func next(
    _ wanted: WantedActivity, dueAt: inout Timestamp?, at now: Timestamp
  ) -> [(KeptPush, DeviceNumbers)] {
    // A start cannot be made without attributes, so that each app begins the activity.
    if !wanted.startsPhones { waiting = DeviceNumbers() }
    switch stage {
    case .wanted:
      if wanted.isOver { stage = .closed }
      return []
    case .open where wanted.isOver:
      (stage, endedAt, repeats) = (.closing, now, 0)
      return [broadcast(.end, wanted, isNew: true, dueAt: &dueAt, at: now)]
    case .open:
      var pushes: [(KeptPush, DeviceNumbers)] = []
      if !waiting.isEmpty {
        let start = KeptPush(
          event: .start, revision: wanted.revision, isUrgent: true, hasAlert: true)
        pushes.append((start, waiting))
        started = started.union(waiting)
        waiting = DeviceNumbers()
      }
      // The repeats begin with the channel, also where the apps begin the activity themselves.
      sentAt = sentAt ?? now
      let isNew = revision < wanted.revision
      if isNew { repeats = 0 }
      let due = isNew ? now : nextRepeat(wanted.heartbeat, at: now)
      dueAt = due
      guard now >= due else { return pushes }
      if !isNew { repeats += 1 }
      return pushes + [broadcast(.update, wanted, isNew: isNew, dueAt: &dueAt, at: now)]
    case .closing:
      let closesAt = (endedAt ?? now) + Self.storage
      guard now < closesAt else {
        stage = .closed
        return []
      }
      let due = nextRepeat(nil, at: now)
      dueAt = min(due, closesAt)
      guard now >= due else { return [] }
      repeats += 1
      return [broadcast(.end, wanted, isNew: false, dueAt: &dueAt, at: now)]
    case .closed: return []
    }
  }

  private func nextRepeat(_ heartbeat: Duration?, at now: Timestamp) -> Timestamp {
    let pause = min(.seconds(60 << min(repeats, 6)), KeptPhone.longestPause)
    return (sentAt ?? now) + min(pause, heartbeat ?? pause)
  }

  private mutating func broadcast(
    _ event: ActivityPush.Event, _ wanted: WantedActivity, isNew: Bool, dueAt: inout Timestamp?,
    at now: Timestamp
  ) -> (KeptPush, DeviceNumbers) {
    let push = KeptPush(
      event: event, revision: wanted.revision,
      isUrgent: isNew && (event == .end || revision < wanted.urgentRevision),
      hasAlert: isNew && revision < wanted.alertRevision)
    (revision, sentAt) = (wanted.revision, now)
    dueAt = nextRepeat(event == .end ? nil : wanted.heartbeat, at: now)
    return (push, DeviceNumbers(CollectionOfOne(ActivityPush.channelNumber)))
  }
}
