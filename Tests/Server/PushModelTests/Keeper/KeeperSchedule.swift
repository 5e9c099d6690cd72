import Foundation
import NotificationHost
import PushModel
import PushPayload

/// One random schedule: what an app's server, a phone, its app, the network and APNs do to up to two Live Activities.
///
/// The phone is the model's. The network loses, delays and reorders pushes, keeps one for each token of a phone that is
/// offline, and leaves some unanswered. The app reports tokens late, or not until a person opens it.
struct KeeperSchedule {
  /// The sender under test.
  enum Job {
    case state(Int)
    case over(Int)
    case push(SentPush)
    case answer(Int, number: Int, KeptAnswer)
    case report(Int, token: String, isEnd: Bool)
    case online(Bool)
    case app(isAlive: Bool)
    case dismiss(Int)
    case due(Int)
  }

  struct SentPush {
    var activity: Int
    var push: KeptPush
    var number: Int
    /// The token of an update or end; a start has none.
    var token: String?
    var timestamp: Timestamp
    var expiresAt: Timestamp
  }

  private struct Entry {
    var at: Timestamp
    var job: Job
  }

  /// What was found in one schedule.
  struct Findings: Hashable {
    var (duplicates, startsOverBudget, wrongAtEnd, urgentOverBudget, pushes) = (0, 0, 0, 0, 0)
  }

  static let begin = Timestamp(milliseconds: 1_800_000_000_000)

  private var random: Randomness
  private var queue: [Entry] = []
  private(set) var now = Self.begin
  private var phone: PhoneActivities
  private var (isOnline, isAlive) = (true, true)
  private var loss: Double
  private var stored: [String: SentPush] = [:]
  private var lastReport = Self.begin
  private var nextToken = 0
  private(set) var findings = Findings()
  /// By activity: the last revision, whether it is over, the token that the server knows, the token that the app knows,
  /// and whether a person has removed the activity.
  private var revisions: [Int]
  private var over: [Bool]
  private var known: [String?]
  private var reported: [String?]
  private var dismissed: [Bool]
  private let healsAt: Timestamp
  private let isEnded: Bool
  private var lastTimestamps: [Timestamp]
  private var isHealed = false
  private let isTraced: Bool
  /// What has happened, if it is traced.
  private(set) var trace: [String] = []

  init(seed: UInt64, isTraced: Bool = false) {
    self.isTraced = isTraced
    var random = Randomness(seed: seed)
    var behavior = HostBehavior()
    behavior.pushToStartWindow = PhoneBudget.startWindow
    behavior.activityUpdateBudget = WantedActivity().urgentLimit
    phone = PhoneActivities(behavior: behavior)
    loss = random.pick([0, 0.05, 0.2, 0.5])
    isEnded = random.chance(0.5)
    let count = random.chance(0.3) ? 2 : 1
    let length = Double(random.pick([1800, 7200, 30_000, 100_000]))
    healsAt = Self.begin + .seconds(length)
    revisions = Array(repeating: 1, count: count)
    over = Array(repeating: false, count: count)
    known = Array(repeating: nil, count: count)
    reported = known
    dismissed = over
    lastTimestamps = Array(repeating: Self.begin, count: count)
    self.random = random
    plan(count: count, length: length)
  }

  private mutating func plan(count: Int, length: Double) {
    for activity in 0..<count {
      add(.state(activity), at: Self.begin)
      for _ in 0..<(Int(random.next() % 30)) {
        add(.state(activity), at: Self.begin + .seconds(random.unit() * length))
      }
      if isEnded {
        add(.over(activity), at: Self.begin + .seconds((0.5 + random.unit() / 2) * length))
      }
      if random.chance(0.1) {
        add(.dismiss(activity), at: Self.begin + .seconds(random.unit() * length))
      }
    }
    for _ in 0..<Int(random.next() % 4) {
      let time = Self.begin + .seconds(random.unit() * length)
      add(.online(false), at: time)
      add(.online(true), at: time + .seconds(random.unit() * random.pick([60, 3600, 40_000])))
    }
    isAlive = random.chance(0.7)
    for _ in 0..<Int(random.next() % 4) {
      add(.app(isAlive: random.chance(0.5)), at: Self.begin + .seconds(random.unit() * length))
    }
  }

  private mutating func add(_ job: Job, at time: Timestamp) {
    let index = queue.lastIndex { $0.at <= time }.map { $0 + 1 } ?? 0
    queue.insert(Entry(at: max(time, now), job: job), at: index)
  }

  // MARK: The run

  /// Runs the schedule with a sender, until some time after everything works again.
  mutating func run(_ sender: inout some ScheduledSender) -> Findings {
    // An ended activity is looked at soon, while it may be on the lock screen; another after all doubts are over.
    let checkAt = healsAt + .seconds(isEnded ? 3600 : 15 * 3600)
    run(until: healsAt, &sender)
    heal()
    var next = healsAt
    while next < checkAt {
      next = min(next + .seconds(1800), checkAt)
      run(until: next, &sender)
      open()
    }
    for activity in revisions.indices where !dismissed[activity] {
      // A renewal leaves nothing on the screen for some seconds.
      for _ in 0..<15 where !isRight(activity) { run(until: now + .seconds(60), &sender) }
      if !isRight(activity) { findings.wrongAtEnd += 1 }
    }
    return findings
  }

  private mutating func heal() {
    (loss, isHealed) = (0, true)
    // An app that is open sends what it has not sent yet.
    let late = queue.filter { if case .report = $0.job { true } else { false } }
    queue.removeAll { if case .report = $0.job { true } else { false } }
    lastReport = now
    for entry in late { add(entry.job, at: now + .milliseconds(300)) }
    queue.removeAll {
      switch $0.job {
      case .online, .app, .dismiss, .state, .over: true
      default: false
      }
    }
    add(.online(true), at: now)
    add(.app(isAlive: true), at: now)
  }

  private mutating func run(until end: Timestamp, _ sender: inout some ScheduledSender) {
    while let first = queue.first, first.at <= end {
      queue.removeFirst()
      now = max(now, first.at)
      if isTraced { trace.append("\(now.since(Self.begin)) \(first.job) \(sender)") }
      handle(first.job, &sender)
    }
    now = end
  }

  private mutating func handle(_ job: Job, _ sender: inout some ScheduledSender) {
    switch job {
    case .state(let activity):
      guard !over[activity] else { return }
      revisions[activity] += 1
      send(sender.changed(activity, self), of: activity, sender)
    case .over(let activity):
      over[activity] = true
      revisions[activity] += 1
      send(sender.changed(activity, self), of: activity, sender)
    case .push(let push):
      if isOnline { deliver(push) } else { stored[push.token ?? "start\(push.activity)"] = push }
    case .answer(let activity, let number, let answer):
      send(sender.answered(activity, number, answer, self), of: activity, sender)
    case .report(let activity, let token, let isEnd):
      guard isOnline else { return add(job, at: now + .seconds(60)) }
      if isEnd, known[activity] == token {
        known[activity] = nil
      } else if !isEnd {
        known[activity] = token
      }
      send(sender.saw(activity, self), of: activity, sender)
    case .online(let online):
      isOnline = online
      guard online else { return }
      for push in stored.values.sorted(by: { $0.number < $1.number }) where push.expiresAt > now {
        deliver(push)
      }
      stored = [:]
    case .app(let alive):
      isAlive = alive
      if alive { open() }
    case .dismiss(let activity):
      dismissed[activity] = true
      for running in visible(activity) {
        phone.dismiss(running.token)
        if isAlive { report(activity, running.token, isEnd: true) }
      }
    case .due(let activity): send(sender.due(activity, self), of: activity, sender)
    }
  }

  private mutating func send(
    _ pushes: [(number: Int, push: KeptPush)], of activity: Int, _ sender: some ScheduledSender
  ) {
    for (number, push) in pushes { send(push, number, of: activity) }
    if let due = sender.dueAt(activity) { add(.due(activity), at: due) }
  }

  // MARK: APNs

  private mutating func send(_ push: KeptPush, _ number: Int, of activity: Int) {
    findings.pushes += 1
    lastTimestamps[activity] = max(now, lastTimestamps[activity] + .seconds(1))
    let sent = SentPush(
      activity: activity, push: push, number: number,
      token: push.event == .start ? nil : known[activity], timestamp: lastTimestamps[activity],
      expiresAt: now + (push.event == .start ? KeptPush.startLife : .seconds(12 * 3600)))
    var answer = KeptAnswer.accepted
    if push.event != .start {
      guard let token = sent.token, !isOnline || phone.runs(token, at: date) else {
        // A phone that is online has told APNs that the activity has ended: 410, which removes the token.
        known[activity] = nil
        add(.answer(activity, number: number, .refused), at: now + .milliseconds(200))
        return
      }
    }
    if !isHealed, random.chance(0.03) {
      answer = random.chance(0.5) ? .refused : .unknown
    }
    add(
      .answer(activity, number: number, answer),
      at: now + .milliseconds(50 + Int(random.next() % 2000)))
    if answer == .refused || (answer == .unknown && random.chance(0.5)) || random.chance(loss) {
      return
    }
    let delay = isHealed || random.chance(0.9) ? random.unit() * 4 : random.unit() * 600
    add(.push(sent), at: now + .seconds(0.1 + delay))
  }

  // MARK: The phone

  private var date: Date { Date(timeIntervalSince1970: Double(now.milliseconds) / 1000) }

  private func visible(_ activity: Int) -> [PhoneActivities.Running] {
    phone.visible(at: date).filter { $0.attributes == .integer(Int64(activity)) }
  }

  private mutating func deliver(_ sent: SentPush) {
    var push = LiveActivity(event: sent.push.event.rawValue)
    push.contentState = ["n": .integer(Int64(sent.push.revision))]
    push.timestamp = Date(timeIntervalSince1970: Double(sent.timestamp.milliseconds / 1000))
    guard let token = sent.token else { return start(push, of: sent.activity) }
    if sent.push.isRenewal { push.dismissalDate = Date(timeIntervalSince1970: 0) }
    let rule = phone.receive(push, to: token, priority: sent.push.isUrgent ? 10 : 5, at: date)
    if rule == .activityUpdateBudget { findings.urgentOverBudget += 1 }
    if rule == nil, sent.push.event == .end, isAlive, random.chance(0.5) {
      report(sent.activity, token, isEnd: true)
    }
  }

  private mutating func start(_ push: LiveActivity, of activity: Int) {
    var push = push
    push.attributes = .integer(Int64(activity))
    nextToken += 1
    let token = "\(nextToken)"
    if phone.start(push, token: token, at: date) == .pushToStartBudget {
      findings.startsOverBudget += 1
      return
    }
    if visible(activity).count > 1 { findings.duplicates += 1 }
    if isAlive { report(activity, token, isEnd: false) }
  }

  private mutating func report(_ activity: Int, _ token: String, isEnd: Bool) {
    let choice = random.unit()
    let late =
      isHealed || choice < 0.7
      ? random.unit() * 3 : random.unit() * (choice < 0.95 ? 1800 : 50_000)
    // The app sends its changes in order.
    lastReport = max(lastReport, now + .seconds(0.3 + late))
    add(.report(activity, token: token, isEnd: isEnd), at: lastReport)
    reported[activity] = isEnd ? nil : token
  }

  /// Opens the app, which reports the tokens of what runs, and the end of what does not.
  private mutating func open() {
    for activity in revisions.indices {
      let running = visible(activity).last { $0.endsAt > date }
      if let running {
        report(activity, running.token, isEnd: false)
      } else if let token = reported[activity] {
        report(activity, token, isEnd: true)
      }
    }
  }

  private func isRight(_ activity: Int) -> Bool {
    // What the system has ended before everything worked, nobody can change.
    let healed = Date(timeIntervalSince1970: Double(healsAt.milliseconds) / 1000)
    let visible = visible(activity).filter {
      $0.endsAt > healed || $0.endsAt < $0.startedAt.addingTimeInterval(PhoneActivities.life)
    }
    let isLast = visible.allSatisfy { $0.state == ["n": .integer(Int64(revisions[activity]))] }
    if over[activity] { return isLast && visible.allSatisfy { $0.endsAt <= date } }
    return isLast && visible.count == 1 && visible.allSatisfy { $0.endsAt > date }
  }

  // MARK: What a sender sees

  var count: Int { revisions.count }
  func revision(_ activity: Int) -> Int { revisions[activity] }
  func isOver(_ activity: Int) -> Bool { over[activity] }
  func token(_ activity: Int) -> String? { known[activity] }
}

/// A generator of the same numbers for the same seed (SplitMix64).
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

  mutating func chance(_ share: Double) -> Bool { unit() < share }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}
