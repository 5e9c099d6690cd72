import TestSupport

/// A seed's world and what is done to it, as a list from which events can be left out.
struct SimulationPlan: Hashable, Sendable {
  var seed: UInt64
  var options: SimulationOptions
  var events: [SimulationEvent]

  static let groups = 3
  /// The time zones of phones, none of which changes its clocks, with their minutes ahead of UTC.
  static let zones = [
    (name: "Etc/UTC", minutes: 0), (name: "Asia/Tokyo", minutes: 540),
    (name: "Asia/Kolkata", minutes: 330),
  ]

  /// The plan of a seed.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    options = SimulationOptions(using: &random)
    options.addNodes(by: Chance(seed: seed, purpose: 9))
    options.quietZone = Chance(seed: seed, purpose: 10).number(in: 0...Self.zones.count - 1)
    events = []
    var writer = EventWriter(options: options, random: random)
    events = writer.write()
  }

  /// The lines that tell a person what is done.
  var lines: [String] { ["seed \(seed)", "\(options)"] + events.map(\.description) }
}

extension SimulationEvent {
  /// The milliseconds from the beginning at which pushes of the event begin; `nil` if there are none.
  fileprivate var pushTime: Int? {
    switch kind {
    case .send(let new): new.due.map { $0 * 1000 } ?? time
    case .campaign(let new): new.due.map { $0 * 1000 } ?? time
    default: nil
    }
  }
}

/// Writes the events of a plan.
private struct EventWriter {
  let options: SimulationOptions
  var random: SeededGenerator
  private var sends = 0
  private var campaigns = 0

  init(options: SimulationOptions, random: SeededGenerator) {
    (self.options, self.random) = (options, random)
  }

  mutating func write() -> [SimulationEvent] {
    let length = number(10...1800) * 1000
    var events = (0..<options.phones).map { phone in
      SimulationEvent(time: number(0...2000), kind: .phone(phone, install()))
    }
    // A world without deaths, without changes of the clock or without orders finds what these would hide.
    let hasDeaths = number(0...2) > 0
    let hasCampaigns = number(0...1) == 0
    let hasClocks =
      number(0...3) == 0 && options.cap == nil && options.quiet == nil && !hasCampaigns
    let hasOrders = number(0...2) > 0
    for _ in 0..<number(1...12) {
      let time = number(500...length)
      events.append(SimulationEvent(time: time, kind: .send(newSend(after: time))))
      guard hasOrders, number(0...1) == 0 else { continue }
      events += orders(of: sends, from: time)
    }
    if hasCampaigns {
      for _ in 0..<number(1...3) { events += newCampaign(before: length, hasOrders: hasOrders) }
    }
    for _ in 0..<number(0...16) {
      let phone = number(0...(options.phones - 1))
      events.append(
        SimulationEvent(time: number(2500...max(2501, length)), kind: .phone(phone, change())))
    }
    if hasDeaths {
      for _ in 0..<number(1...5) {
        // Most die while pushes are under way, when there is most to lose.
        let sent = events.compactMap(\.pushTime)
        let time =
          number(0...3) == 0
          ? number(100...length)
          : (sent.randomElement(using: &random) ?? 0) + number(0...(2 * options.longestLatency))
        events.append(SimulationEvent(time: time, kind: .death(death())))
      }
    }
    if hasClocks {
      for _ in 0..<number(1...3) {
        // Calls of webhooks are due by the clock of the node that has them: they wait as long as it is ahead of the database.
        let steps = options.nodes == 1 ? [-3600, -60, -1, 1, 40, 600, 86_400] : [-60, -1, 1, 40]
        let seconds = steps.randomElement(using: &random) ?? 1
        events.append(SimulationEvent(time: number(100...length), kind: .clock(seconds: seconds)))
      }
    }
    if number(0...2) == 0 {
      events.append(
        SimulationEvent(time: number(100...length), kind: .outage(seconds: number(1...120))))
    }
    return events.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func install() -> SimulationEvent.PhoneChange {
    .install(
      group: number(0...(SimulationPlan.groups - 1)),
      zone: number(0...(SimulationPlan.zones.count - 1)), isDevelopment: number(0...9) == 0)
  }

  private mutating func change() -> SimulationEvent.PhoneChange {
    switch number(0...6) {
    case 0: install()
    case 1: .newToken
    case 2: .optOut
    case 3: .optIn
    case 4: .uninstall
    default: .move(group: number(0...(SimulationPlan.groups - 1)))
    }
  }

  private mutating func newSend(after time: Int) -> SimulationEvent.NewSend {
    sends += 1
    return SimulationEvent.NewSend(
      number: sends, group: number(0...1) == 0 ? nil : number(0...(SimulationPlan.groups - 1)),
      // Scheduled ones are often due together.
      due: number(0...2) == 0 ? (time / 60_000 + number(1...5)) * 60 : nil,
      isCampaign: number(0...1) == 0,
      obeysCaps: options.cap != nil && number(0...3) > 0,
      obeysQuiet: options.quiet != nil && number(0...3) > 0,
      throttle: number(0...5) == 0 ? number(1...20) : nil)
  }

  /// What people do to a send after they have made it.
  private mutating func orders(of send: Int, from time: Int) -> [SimulationEvent] {
    var events: [SimulationEvent] = []
    var time = time + number(0...5000)
    if number(0...1) == 0 {
      events.append(SimulationEvent(time: time, kind: .pause(send: send)))
      time += number(0...300_000)
      if number(0...2) > 0 {
        events.append(SimulationEvent(time: time, kind: .resume(send: send)))
        time += number(0...5000)
      }
    }
    if number(0...1) == 0 { events.append(SimulationEvent(time: time, kind: .cancel(send: send))) }
    return events
  }

  /// A campaign, what people do to it, and what happens in the app meanwhile.
  private mutating func newCampaign(before length: Int, hasOrders: Bool) -> [SimulationEvent] {
    campaigns += 1
    var time = number(2500...max(2501, length))
    let isTriggered = number(0...1) == 0
    var shares =
      [[100], [60, 40], [34, 33, 33], [50], [45, 45]].randomElement(using: &random) ?? [100]
    if isTriggered, number(0...1) == 0 { shares = [100] }
    var new = SimulationEvent.NewCampaign(
      number: campaigns, group: number(0...1) == 0 ? nil : number(0...(SimulationPlan.groups - 1)),
      shares: shares, obeysCaps: number(0...3) > 0, obeysHoldout: number(0...3) > 0,
      throttle: number(0...5) == 0 ? number(1...20) : nil)
    if isTriggered {
      new.trigger = SimulationEvent.Trigger(
        waits: [number(0...2)] + (0..<number(0...2)).map { _ in number(1...5) },
        hasExit: number(0...1) == 0, againAfter: number(0...1) == 0 ? number(1...10) : nil,
        checksAtSend: number(0...3) > 0)
    } else {
      if number(0...2) == 0 { new.due = (time / 60_000 + number(1...5)) * 60 }
      if shares.count > 1, number(0...1) == 0 {
        new.test = SimulationEvent.VariantTest(
          sample: number(10...90), decideAfter: number(0...1) == 0 ? number(1...10) : nil,
          choice: number(0...3) == 0 ? nil : number(0...(shares.count - 1)))
      }
    }
    var events = [SimulationEvent(time: time, kind: .campaign(new))]
    if isTriggered {
      for _ in 0..<number(1...12) {
        let event = SimulationEvent.AppEvent.self
        events.append(
          SimulationEvent(
            time: time + number(0...600_000),
            kind: .happen(
              number(0...3) == 0 ? event.bought : event.cart,
              phone: number(0...(options.phones - 1)))))
      }
    }
    guard hasOrders, number(0...1) == 0 else { return events }
    time += number(0...120_000)
    func order(_ order: SimulationEvent.CampaignOrder) {
      events.append(SimulationEvent(time: time, kind: .campaignOrder(order, campaign: new.number)))
    }
    if number(0...1) == 0 {
      order(.pause)
      time += number(0...300_000)
      if number(0...2) > 0 { order(.resume) }
      time += number(0...5000)
    }
    if number(0...2) == 0 { order(.end) }
    return events
  }

  private mutating func death() -> SimulationEvent.Death {
    SimulationEvent.Death(
      changes: number(0...1) == 0 ? 0 : number(1...60), isPowerFailure: number(0...1) == 0,
      downtime: [0, 1, 10, 60].randomElement(using: &random) ?? 0,
      again: number(0...4) == 0 ? number(0...20) : nil)
  }
}
