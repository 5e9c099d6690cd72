/// The keeper of one Live Activity, as a value: it decides which phone gets which push.
///
/// The runner tells it what the app's server wants, which tokens the phones have and what APNs has answered, and sends what it
/// returns. Each phone shows at most one activity, and in the end the last state.
package struct ActivityKeeper: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// The app's server has changed the state, or ended the activity.
    case wants(WantedActivity)
    /// Phones on which the activity is to be shown, or no more.
    case follows([UInt32], Bool)
    /// The tokens of phones. A phone that is not known follows if it has a token of the activity.
    case saw([UInt32: KeptPhone.Sight])
    /// The answers of APNs to the push with a number.
    case answered(Int, [UInt32: KeptAnswer])
    /// It is the time of ``ActivityKeeper/dueAt``.
    case due
  }

  /// A push to phones; all of its numbers are different.
  package struct Action: Hashable, Sendable {
    package var number: Int
    package var push: KeptPush
    package var devices: [UInt32]
  }

  package internal(set) var wanted: WantedActivity
  package internal(set) var phones: [UInt32: KeptPhone] = [:]
  /// The time at which ``Event/due`` is to be told; `nil` if nothing is to be done before another event.
  package internal(set) var dueAt: Timestamp?
  /// The number of the last push.
  package internal(set) var lastNumber = 0

  package init(_ wanted: WantedActivity) { self.wanted = wanted }

  /// Whether the activity is over, and gone from every phone.
  package var isFinished: Bool {
    wanted.isOver && phones.values.allSatisfy { $0.stage == .gone }
  }

  /// Handles an event, and returns the pushes to send; `budgets` has those of all phones that the event may concern.
  package mutating func on(
    _ event: Event, budgets: inout [UInt32: PhoneBudget], at now: Timestamp
  ) -> [Action] {
    switch event {
    case .wants(let wanted): self.wanted = wanted
    case .follows(let devices, let follows):
      for device in devices where follows || phones[device] != nil {
        phones[device, default: KeptPhone()].follow(follows)
      }
    case .saw(let sights):
      for (device, sight) in sights where phones[device] != nil || sight.token != nil {
        phones[device, default: KeptPhone()].see(sight, at: now)
      }
    case .answered(let number, let answers):
      for (device, answer) in answers {
        phones[device]?.take(
          answer, to: number, budget: &budgets[device, default: PhoneBudget()], at: now)
      }
    case .due: break
    }
    return act(&budgets, at: now)
  }

  /// Asks every phone for its next push; phones with the same push share one.
  private mutating func act(
    _ budgets: inout [UInt32: PhoneBudget], at now: Timestamp
  ) -> [Action] {
    var actions: [Action] = []
    dueAt = nil
    for device in phones.keys.sorted() {
      var due: Timestamp?
      // The number is known before the push is: it is that of the next push.
      let number = lastNumber + actions.count + 1
      guard
        let push = phones[device]?.next(
          wanted, number: number, budget: &budgets[device, default: PhoneBudget()], dueAt: &due,
          at: now)
      else {
        dueAt = [dueAt, due].compactMap(\.self).min()
        continue
      }
      dueAt = [dueAt, due].compactMap(\.self).min()
      if let index = actions.firstIndex(where: { $0.push == push }) {
        actions[index].devices.append(device)
        phones[device]?.flight?.number = actions[index].number
      } else {
        actions.append(Action(number: number, push: push, devices: [device]))
      }
    }
    lastNumber += actions.count
    return actions
  }
}

extension KeptPhone {
  /// Records whether the person wants the activity on the phone; a phone that wants it again gets a start.
  mutating func follow(_ follows: Bool) {
    if follows, !self.follows, stage == .gone { stage = .absent }
    self.follows = follows
  }
}
