import PushModel
import PushPayload
import Testing

@Suite("One phone of a kept Live Activity")
struct KeptPhoneTests {
  private static let start = Timestamp(milliseconds: 1_800_000_000_000)

  /// A keeper with one phone and its budget, on a clock of its own.
  private struct World {
    var keeper = ActivityKeeper(WantedActivity())
    var budgets: [UInt32: PhoneBudget] = [:]
    var now = KeptPhoneTests.start
    var sight = KeptPhone.Sight(canStart: true)

    /// Tells events, and returns the events of the pushes, with `!` for priority 10.
    mutating func tell(_ events: [ActivityKeeper.Event] = [], after: Duration = .zero) -> [String] {
      now = now + after
      let actions = keeper.on(events + [.saw([1: sight])], budgets: &budgets, at: now)
      return actions.map { $0.push.event.rawValue + ($0.push.isUrgent ? "!" : "") }
    }

    /// The push that is due.
    mutating func push() -> KeptPush? {
      keeper.on([.saw([1: sight])], budgets: &budgets, at: now).first?.push
    }

    mutating func answer(_ answer: KeptAnswer) -> [String] {
      tell([.answered(keeper.lastNumber, [1: answer])])
    }

    mutating func change(urgent: Bool = true) -> [String] {
      var wanted = keeper.wanted
      wanted.change(hasAlert: false, isUrgent: urgent)
      return tell([.wants(wanted)])
    }

    mutating func begin() -> [String] {
      let pushes = tell([.follows([1], true)]) + answer(.accepted)
      sight.token = "aa"
      return pushes + tell()
    }
  }

  /// Tells a token of an activity that the app has begun, and checks that the keeper takes it for one.
  private func expectOwnActivity(in before: World, after pause: Duration) {
    var world = before
    world.sight = KeptPhone.Sight(token: "bb", canStart: true)
    #expect(world.tell(after: pause) == ["update"])
    #expect(world.answer(.accepted) == [])
    #expect(world.tell(after: KeptPhone.renewal) == ["update"])
    #expect(world.answer(.accepted) == [])
    world.sight.token = nil
    #expect(world.tell() == [] && world.keeper.phones[1]?.stage == .gone)
    #expect(world.tell(after: KeptPhone.life + KeptPhone.stay) == [])
  }

  @Test("no second start is sent before nothing of the first can be on the screen")
  func oneStart() {
    var world = World()
    #expect(world.tell([.follows([1], true)]) == ["start!"])
    #expect(world.answer(.unknown) == [])
    let limit = KeptPush.startLife + KeptPhone.life + KeptPhone.stay
    #expect(world.tell(after: limit - .milliseconds(1)) == [])
    #expect(world.tell(after: .milliseconds(1)) == ["start!"])
  }

  @Test("a start that APNs has refused is sent again a minute later, then later each time")
  func refusedStart() {
    var world = World()
    #expect(world.tell([.follows([1], true)]) == ["start!"])
    for pause in [60, 120, 240] {
      #expect(world.answer(.refused) == [])
      #expect(world.tell(after: .seconds(pause) - .milliseconds(1)) == [])
      #expect(world.tell(after: .milliseconds(1)) == ["start!"])
    }
    // Refused starts cost the phone nothing.
    #expect(world.budgets[1]?.starts.count == 1)
  }

  @Test("states that come while a push has no answer are merged into the last")
  func merging() {
    var world = World()
    #expect(world.begin() == ["start!"])
    #expect(world.change() == ["update!"])
    #expect(world.change() + world.change() + world.change(urgent: false) == [])
    #expect(world.answer(.accepted) == ["update!"], "one of the merged states was urgent")
    #expect(world.answer(.accepted) == [])
  }

  @Test("priority 10 is sent within the hour's budget, of which one is left for the end")
  func urgent() {
    var world = World()
    _ = world.begin()
    var pushes: [String] = []
    for _ in 0..<12 { pushes += world.change() + world.answer(.accepted) }
    #expect(pushes == Array(repeating: "update!", count: 9) + Array(repeating: "update", count: 3))
    var wanted = world.keeper.wanted
    wanted.isOver = true
    #expect(world.tell([.wants(wanted)]) == ["end!"])
  }

  @Test("a phone whose person has removed the activity gets no other one")
  func dismissed() {
    var world = World()
    _ = world.begin()
    _ = world.change() + world.answer(.accepted)
    world.sight.token = nil
    #expect(world.tell(after: .seconds(60)) == [])
    #expect(world.change() == [] && world.keeper.phones[1]?.stage == .gone)
  }

  @Test("so it is in the first minute, before anything was sent to the token")
  func dismissedAtOnce() {
    var world = World()
    _ = world.begin()
    world.sight.token = nil
    #expect(world.tell() == [] && world.keeper.phones[1]?.stage == .gone)
    #expect(world.tell(after: KeptPhone.life + KeptPhone.stay + KeptPush.startLife) == [])
  }

  @Test("a start after a refused one is the first, and the one of a renewal is not")
  func firstStart() {
    var world = World()
    _ = world.keeper.on([.follows([1], true)], budgets: &world.budgets, at: world.now)
    #expect(world.push()?.isRenewal == false)
    _ = world.answer(.refused)
    world.now = world.now + .seconds(60)
    #expect(world.push()?.isRenewal == false)
    _ = world.answer(.accepted)
    world.now = world.now + KeptPush.startLife + KeptPhone.life + KeptPhone.stay
    #expect(world.push()?.isRenewal == true)
  }

  @Test("a start without an answer waits until its send is over, which tells that nobody has it")
  func expiredStart() {
    var world = World()
    #expect(world.tell([.follows([1], true)]) == ["start!"])
    let end = KeptPush.startLife + KeptPush.startGrace
    #expect(world.tell(after: end - .milliseconds(1)) == [])
    #expect(world.answer(.refused) == [])
    #expect(world.tell(after: .seconds(60)) == ["start!"])
  }

  @Test("a renewal that nobody confirms starts nothing for twelve hours")
  func unconfirmed() {
    var world = World()
    _ = world.begin()
    var pushes: [String] = []
    for _ in 0..<(13 * 60) {
      pushes += world.tell(after: .seconds(60))
      if world.keeper.phones[1]?.flight != nil { pushes += world.answer(.accepted) }
      let age = world.now.since(Self.start)
      if age < .seconds(12 * 3600) { #expect(!pushes.contains("start!"), "after \(age)") }
    }
    #expect(pushes.contains("end!") && pushes.contains("start!"))
  }

  @Test(
    "an activity that the app begins later is neither renewed nor started again by the time of a removed one",
    arguments: [Duration.seconds(60), KeptPhone.life])
  func begunByApp(after pause: Duration) {
    var world = World()
    _ = world.begin()
    _ = world.change() + world.answer(.accepted)
    // The person has removed it.
    world.sight = KeptPhone.Sight()
    #expect(world.tell(after: .seconds(60)) == [])
    expectOwnActivity(in: world, after: pause)
  }

  @Test("so it is after an activity that the system has ended, and after a start that was refused")
  func begunByAppInstead() {
    var ended = World()
    ended.keeper = ActivityKeeper(.withoutRenewal)
    _ = ended.begin()
    _ = ended.change() + ended.answer(.accepted)
    ended.sight = KeptPhone.Sight()
    #expect(ended.tell(after: KeptPhone.life) == [])
    #expect(ended.keeper.phones[1]?.stage == .absent)
    expectOwnActivity(in: ended, after: .seconds(60))

    var refused = World()
    #expect(refused.tell([.follows([1], true)]) == ["start!"])
    #expect(refused.answer(.refused) == [])
    expectOwnActivity(in: refused, after: .seconds(30))
  }

  @Test(
    "after a second start a token within eight hours may be late, and goes by the time of the start"
  )
  func lateToken() {
    var world = World()
    #expect(world.tell([.follows([1], true)]) == ["start!"])
    #expect(world.tell(after: KeptPush.startLife + KeptPhone.life + KeptPhone.stay) == ["start!"])
    #expect(world.answer(.accepted) == [])
    // The first start's token, which the phone removes.
    world.sight.token = "aa"
    #expect(world.tell() == [])
    _ = world.change() + world.answer(.accepted)
    world.sight.token = nil
    #expect(world.tell() == [] && world.keeper.phones[1]?.stage == .gone)
    world.sight.token = "bb"
    #expect(world.tell(after: .seconds(60)) == ["update"])
    #expect(world.answer(.accepted) == [])
    #expect(world.tell(after: KeptPhone.renewal) == ["end!"])
  }

  @Test("a keeper remembers who has declined up to its number of phones")
  func declines() {
    var world = World()
    let limit = UInt32(ActivityKeeper.phoneLimit)
    #expect(world.tell([.follows(Array(2...limit), false)]) == [])
    #expect(world.keeper.phones.count == ActivityKeeper.phoneLimit - 1)
    #expect(world.tell([.follows([limit + 1], false), .follows([limit + 2], false)]) == [])
    #expect(world.keeper.phones.count == ActivityKeeper.phoneLimit)
    #expect(world.keeper.phones[limit + 2] == nil)
  }

  @Test("a phone that was erased is forgotten, with the marks of its tokens")
  func erased() {
    var world = World()
    _ = world.begin()
    world.sight.token = nil
    #expect(world.tell() == [] && world.keeper.phones[1]?.retiredToken == "aa")
    #expect(world.keeper.dueAt == world.now + .days(1), "it looks at least once a day")
    world.sight = KeptPhone.Sight()
    world.sight.isErased = true
    #expect(world.tell() == [] && world.keeper.phones.isEmpty && world.keeper.dueAt == nil)
  }

  @Test(
    "an activity that is over forgets its tokens a day later, and ends one that comes after that")
  func forgetsTokens() {
    var world = World()
    _ = world.begin()
    var wanted = world.keeper.wanted
    wanted.isOver = true
    #expect(world.tell([.wants(wanted)]) == ["end!"])
    #expect(world.answer(.accepted) == [])
    world.sight.token = nil
    #expect(world.tell() == [] && world.keeper.isFinished)
    #expect(world.keeper.dueAt == world.now + .days(1))
    #expect(world.tell(after: .days(1)) == [])
    #expect(world.keeper.phones[1]?.retiredToken == nil && world.keeper.dueAt == nil)
    world.sight.token = "aa"
    #expect(world.tell(after: .days(1)) == ["end!"])
  }

  @Test("a day has eight starts for a phone, whatever the activity")
  func startBudget() {
    var budget = PhoneBudget()
    for _ in 0..<PhoneBudget.startLimit {
      #expect(budget.nextStart(at: Self.start) == nil)
      budget.spendStart(at: Self.start)
    }
    let end = Self.start + PhoneBudget.startWindow
    #expect(budget.nextStart(at: Self.start) == end)
    #expect(budget.nextStart(at: end + .milliseconds(-1)) == end)
    #expect(budget.nextStart(at: end) == nil)
    budget.returnStart(of: Self.start)
    #expect(budget.nextStart(at: Self.start) == nil)
  }

  @Test("a kept activity is read as it was written, and not with what is not known")
  func stored() throws {
    var world = World()
    world.keeper = ActivityKeeper(WantedActivity(), named: DeviceNumbers([1] as [UInt32]))
    _ = world.tell([.names(DeviceNumbers([9] as [UInt32]))])
    _ =
      world.begin() + world.change()
      + world.tell([.usesChannel(DeviceNumbers([7] as [UInt32])), .opened(channel: "c")])
    var kept = KeptActivity(
      id: "order-1", app: "app", type: "Order", content: ["a": 1], keeper: world.keeper,
      createdAt: Self.start)
    kept.sends = [2: "send"]
    let document = kept.document
    let read = try #require(
      KeptActivity(
        id: "order-1", app: "app", type: "Order", document: document, version: 0,
        createdAt: Self.start))
    // What the phone has is seen anew, and the time follows from the state.
    #expect(read.document == document && read.sends == kept.sends)
    #expect(read.keeper.admits(1) && read.keeper.admits(9) && !read.keeper.admits(2))
    var members = document.object ?? [:]
    members["more"] = 1
    #expect(
      KeptActivity(
        id: "order-1", app: "app", type: "Order", document: .object(members), version: 0,
        createdAt: Self.start) == nil)
  }
}

extension WantedActivity {
  fileprivate static let withoutRenewal: WantedActivity = {
    var wanted = WantedActivity()
    wanted.isRenewed = false
    return wanted
  }()
}
