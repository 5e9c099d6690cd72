import TestSupport

/// What a simulated world is like. Each seed has some of its troubles and not others, because one may hide another.
struct SimulationOptions: Hashable, Sendable {
  var phones = 10
  /// The number of nodes, of which several have one database.
  var nodes = 1
  /// How often the way of one of several nodes to the database breaks.
  var database = DatabaseWay.Shares()
  var workers = 4
  /// The share of works of the database that the disk delays, of 100.
  var slowWorks = 0
  var faults = NetworkFaults.Shares()
  var longestLatency = 200
  /// The share of answers of the server that its callers do not get, of a thousand.
  var lostAnswers = 0
  /// The most pushes to a device in a day; `nil` if there is no cap.
  var cap: Int?
  /// The quiet hours from the beginning, in minutes, by the clocks of one zone; `nil` if there are none.
  var quiet: ClosedRange<Int>?
  /// The place of that zone in the plan's.
  var quietZone = 0
  /// What becomes of pushes in quiet hours: whether they wait, or are dropped.
  var quietWaits = true
  /// Whether a person has two phones.
  var sharesUsers = false
  /// The share of people that campaigns leave out, of 100; `nil` if there is no holdout.
  var holdout: Int?

  /// The user of a phone; `nil` if phones have none.
  func user(of phone: Int) -> String? { sharesUsers ? "u\(phone / 2)" : nil }

  /// The person of a phone: its user, or else the phone itself.
  func person(of phone: Int) -> String { user(of: phone) ?? "d\(phone)" }

  /// Gives one of four worlds several nodes, which takes nothing from the random numbers of the plan.
  mutating func addNodes(by chance: Chance) {
    guard chance.isTrue(250) else { return }
    nodes = chance.number(in: 2...3)
    if chance.isTrue(600) {
      database = DatabaseWay.Shares(
        undone: chance.number(in: 0...50), answerLost: chance.number(in: 0...20))
    }
  }

  init(using random: inout SeededGenerator) {
    func some(_ range: ClosedRange<Int>, times share: Int) -> Int {
      Int.random(in: 0..<100, using: &random) < share ? Int.random(in: range, using: &random) : 0
    }
    phones = Int.random(in: 1...24, using: &random)
    workers = Int.random(in: 1...4, using: &random)
    slowWorks = some(1...30, times: 60)
    if some(1...1, times: 70) == 1 {
      faults = NetworkFaults.Shares(
        refused: some(1...200, times: 60), lost: some(1...150, times: 60),
        answerLost: some(1...150, times: 60), busy: some(1...100, times: 50))
    }
    longestLatency = Int.random(in: 20...2000, using: &random)
    lostAnswers = some(1...150, times: 40)
    if some(1...1, times: 40) == 1 { cap = Int.random(in: 1...3, using: &random) }
    if some(1...1, times: 30) == 1 {
      let start = Int.random(in: 1...20, using: &random)
      quiet = start...(start + Int.random(in: 1...60, using: &random))
      quietWaits = Bool.random(using: &random)
    }
    sharesUsers = Bool.random(using: &random)
    if some(1...1, times: 30) == 1 { holdout = 15 }
  }
}
