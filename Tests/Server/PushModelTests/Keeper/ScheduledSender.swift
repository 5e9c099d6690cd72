import PushModel

/// A sender of pushes in a schedule, by the numbers of the activities.
protocol ScheduledSender {
  typealias Pushes = [(number: Int, push: KeptPush)]
  mutating func changed(_ activity: Int, _ world: KeeperSchedule) -> Pushes
  mutating func saw(_ activity: Int, _ world: KeeperSchedule) -> Pushes
  mutating func answered(
    _ activity: Int, _ number: Int, _ answer: KeptAnswer, _ world: KeeperSchedule
  ) -> Pushes
  mutating func due(_ activity: Int, _ world: KeeperSchedule) -> Pushes
  func dueAt(_ activity: Int) -> Timestamp?
}

/// Keepers, as the server runs them.
struct KeepingSender: ScheduledSender {
  private var keepers: [ActivityKeeper]
  private var budgets: [UInt32: PhoneBudget] = [:]
  private static let phone: UInt32 = 1

  init(_ world: KeeperSchedule) {
    keepers = (0..<world.count).map { _ in ActivityKeeper(WantedActivity()) }
  }

  mutating func changed(_ activity: Int, _ world: KeeperSchedule) -> Pushes {
    var wanted = keepers[activity].wanted
    wanted.change(hasAlert: false, isUrgent: !world.revision(activity).isMultiple(of: 3))
    wanted.revision = world.revision(activity)
    wanted.isOver = world.isOver(activity)
    return handle(
      [.wants(wanted), .follows([Self.phone], true), saw(activity, world)], activity, world)
  }

  mutating func saw(_ activity: Int, _ world: KeeperSchedule) -> Pushes {
    handle([saw(activity, world)], activity, world)
  }

  private func saw(_ activity: Int, _ world: KeeperSchedule) -> ActivityKeeper.Event {
    .saw([Self.phone: KeptPhone.Sight(token: world.token(activity), canStart: true)])
  }

  mutating func answered(
    _ activity: Int, _ number: Int, _ answer: KeptAnswer, _ world: KeeperSchedule
  ) -> Pushes {
    handle(
      [.answered(number, [Self.phone: answer]), saw(activity, world)], activity, world)
  }

  mutating func due(_ activity: Int, _ world: KeeperSchedule) -> Pushes {
    guard let due = keepers[activity].dueAt, due <= world.now else { return [] }
    return handle([saw(activity, world)], activity, world)
  }

  func dueAt(_ activity: Int) -> Timestamp? { keepers[activity].dueAt }

  private mutating func handle(
    _ events: [ActivityKeeper.Event], _ activity: Int, _ world: KeeperSchedule
  ) -> Pushes {
    keepers[activity].on(events, budgets: &budgets, at: world.now).map { ($0.number, $0.push) }
  }
}

/// A sender that starts an activity as long as it knows no token, and sends each state once with priority 10.
///
/// Apps do so that keep no state of their own (istornz/flutter_live_activities 174).
struct NaiveSender: ScheduledSender {
  private var number = 0

  mutating func changed(_ activity: Int, _ world: KeeperSchedule) -> Pushes {
    let hasToken = world.token(activity) != nil
    if world.isOver(activity), !hasToken { return [] }
    number += 1
    let event: ActivityPush.Event =
      !hasToken ? .start : world.isOver(activity) ? .end : .update
    return [
      (
        number,
        KeptPush(event: event, revision: world.revision(activity), isUrgent: true, hasAlert: false)
      )
    ]
  }

  mutating func saw(_ activity: Int, _ world: KeeperSchedule) -> Pushes { [] }
  mutating func answered(
    _ activity: Int, _ number: Int, _ answer: KeptAnswer, _ world: KeeperSchedule
  ) -> Pushes { [] }
  mutating func due(_ activity: Int, _ world: KeeperSchedule) -> Pushes { [] }
  func dueAt(_ activity: Int) -> Timestamp? { nil }
}
