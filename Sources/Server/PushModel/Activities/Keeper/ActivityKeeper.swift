/// The keeper of one Live Activity, as a value: it decides which phone gets which push.
///
/// The runner tells it what the app's server wants, which tokens the phones have and what APNs has answered, and sends
/// what it returns. Each phone shows at most one activity, and in the end the last state.
package struct ActivityKeeper: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// The app's server has changed the state, or ended the activity.
    case wants(WantedActivity)
    /// Phones that the app's server names, which may follow the activity.
    case names(DeviceNumbers)
    /// Phones on which the activity is to be shown, or no more.
    case follows([UInt32], Bool)
    /// The person asks for the activity on a phone, perhaps after having removed it there.
    case asks(UInt32)
    /// The tokens of phones. A phone that is not known and may follow does so if it has a token of the activity.
    case saw([UInt32: KeptPhone.Sight])
    /// The answers of APNs to the push with a number.
    case answered(Int, [UInt32: KeptAnswer])
    /// The activity takes a channel, on which these phones get a start.
    case usesChannel(DeviceNumbers)
    /// The app on a phone begins the activity on the channel.
    case joins(UInt32)
    /// A phone that had left the channel is to show the activity again.
    case comesBack(UInt32)
    /// Apple has made the channel, or deleted it.
    case opened(channel: String)
    case deletedChannel
  }

  /// A push to phones, or to the channel.
  package struct Action: Hashable, Sendable {
    /// The number of the push; no two of the keeper have the same.
    package var number: Int
    package var push: KeptPush
    package var devices: DeviceNumbers
    /// The channel of a broadcast, or the one that a started activity follows.
    package var channel: String?
  }

  /// The most phones that are kept by their tokens.
  package static let phoneLimit = 1000
  /// The longest time until a keeper forgets phones that were erased, and the tokens of an activity that is over.
  static let tokenLife = Duration.days(1)

  package internal(set) var wanted: WantedActivity
  package internal(set) var phones: [UInt32: KeptPhone] = [:]
  package internal(set) var channel: KeptChannel?
  /// The phones that may follow the activity, which the app's server has named; `nil` if every phone may.
  package internal(set) var named: DeviceNumbers?
  /// The time at which the keeper is to be asked again; `nil` if nothing is to be done before another event.
  package internal(set) var dueAt: Timestamp?
  /// The number of the last push.
  package internal(set) var lastNumber = 0

  package init(_ wanted: WantedActivity, named: DeviceNumbers? = nil) {
    (self.wanted, self.named) = (wanted, named)
  }

  /// Whether the activity is over, and gone from every phone and from Apple's channels.
  package var isFinished: Bool {
    wanted.isOver && phones.values.allSatisfy { $0.stage == .gone }
      && (channel.map { $0.stage == .closed && $0.id == nil } ?? true)
  }

  /// Handles events, and returns the pushes to send; `budgets` has those of all phones that the events may concern.
  package mutating func on(
    _ events: [Event], budgets: inout [UInt32: PhoneBudget], at now: Timestamp
  ) -> [Action] {
    for event in events { take(event, budgets: &budgets, at: now) }
    var actions: [Action] = []
    dueAt = nil
    askPhones(&actions, budgets: &budgets, at: now)
    askChannel(&actions, at: now)
    if dueAt == nil, phones.values.contains(where: \.knowsToken) { dueAt = now + Self.tokenLife }
    return actions
  }

  private mutating func take(
    _ event: Event, budgets: inout [UInt32: PhoneBudget], at now: Timestamp
  ) {
    switch event {
    case .wants(let wanted): self.wanted = wanted
    case .names(let devices): named = named?.union(devices)
    case .follows(let devices, let follows):
      for device in devices where follows || phones[device] != nil || takesDecline {
        phones[device, default: KeptPhone()].follow(follows)
      }
      if !follows { for device in devices { channel?.leave(device) } }
    case .asks(let device): phones[device, default: KeptPhone()].ask()
    case .saw(let sights):
      let isOver = isFinished
      for (device, sight) in sights
      where phones[device] != nil || sight.token != nil && admits(device) {
        guard !sight.isErased else {
          phones[device] = nil
          continue
        }
        phones[device, default: KeptPhone()].see(sight, at: now)
        // A token that comes late gets an end, also if the phone has had it.
        if isOver, sight.token == nil { phones[device]?.retiredToken = nil }
      }
    case .answered(let number, let answers):
      for (device, answer) in answers {
        phones[device]?.take(
          answer, to: number, budget: &budgets[device, default: PhoneBudget()], at: now)
      }
    case .usesChannel(let devices):
      channel = channel ?? KeptChannel()
      channel?.add(devices)
    case .joins(let device): channel?.join(device)
    case .comesBack(let device): channel?.comeBack(device)
    case .opened(let id): channel?.open(id, revision: wanted.revision)
    case .deletedChannel: channel?.id = nil
    }
  }

  /// Whether a phone that declines is remembered, so that it gets no start when it is named later.
  ///
  /// A channel has its own list of them. Nobody asks who declines, so that their number has a limit too.
  private var takesDecline: Bool { channel == nil && phones.count < Self.phoneLimit }

  /// Asks every phone for its next push; phones with the same push share one.
  private mutating func askPhones(
    _ actions: inout [Action], budgets: inout [UInt32: PhoneBudget], at now: Timestamp
  ) {
    for device in phones.keys.sorted() {
      var due: Timestamp?
      let push = phones[device]?.next(
        wanted, number: lastNumber + 1, budget: &budgets[device, default: PhoneBudget()],
        dueAt: &due, at: now)
      dueAt = [dueAt, due].compactMap(\.self).min()
      guard let push else { continue }
      if let index = actions.firstIndex(where: { $0.push == push }) {
        actions[index].devices.append(device)
        phones[device]?.flight?.number = actions[index].number
      } else {
        lastNumber += 1
        actions.append(
          Action(number: lastNumber, push: push, devices: DeviceNumbers(CollectionOfOne(device))))
      }
    }
  }

  private mutating func askChannel(_ actions: inout [Action], at now: Timestamp) {
    var due: Timestamp?
    for (push, devices) in channel?.next(wanted, dueAt: &due, at: now) ?? [] {
      lastNumber += 1
      actions.append(
        Action(number: lastNumber, push: push, devices: devices, channel: channel?.id))
    }
    dueAt = [dueAt, due].compactMap(\.self).min()
  }
}

extension ActivityKeeper {
  /// Whether a phone may follow the activity without being named again.
  package func admits(_ device: UInt32) -> Bool { named?.contains(device) ?? true }

  /// The events of earlier pushes that are of no use any more if they wait; `old` is the keeper before a change.
  ///
  /// The end has the last state, so that at first no push before it is needed, and later only the ends are.
  package func needlessEvents(since old: ActivityKeeper) -> Set<ActivityPush.Event> {
    guard wanted.isOver else { return [] }
    return isFinished || !old.wanted.isOver ? [.start, .update, .end] : [.start, .update]
  }

  /// Whether the server starts the activity on a phone, or has done so: on the channel, or by the phone's token.
  package func isStarted(_ device: UInt32) -> Bool {
    let isKept = phones[device].map { $0.follows && $0.stage != .gone } ?? false
    return isKept || channel?.starts(device) ?? false
  }
}

extension KeptPhone {
  /// Records whether the person wants the activity on the phone; a phone that wants it again gets a start.
  mutating func follow(_ follows: Bool) {
    if follows, !self.follows, stage == .gone { stage = .absent }
    self.follows = follows
  }

  /// Shows the activity to the person who asks for it, and so brings back what that person has removed.
  mutating func ask() {
    // A phone that follows and is gone shows nothing of it, so that no time has to pass.
    if stage == .gone { (stage, leavesAt) = (.absent, follows ? nil : leavesAt) }
    follows = true
  }
}
