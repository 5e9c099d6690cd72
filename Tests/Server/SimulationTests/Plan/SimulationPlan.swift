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
    if case .send(let new) = kind { new.due.map { $0 * 1000 } ?? time } else { nil }
  }
}

/// Writes the events of a plan.
private struct EventWriter {
  let options: SimulationOptions
  var random: SeededGenerator
  private var sends = 0

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
    let hasClocks = number(0...3) == 0 && options.cap == nil && options.quiet == nil
    let hasOrders = number(0...2) > 0
    for _ in 0..<number(1...12) {
      let time = number(500...length)
      events.append(SimulationEvent(time: time, kind: .send(newSend(after: time))))
      guard hasOrders, number(0...1) == 0 else { continue }
      events += orders(of: sends, from: time)
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
        let seconds = [-3600, -60, -1, 1, 40, 600, 86_400].randomElement(using: &random) ?? 1
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

  private mutating func death() -> SimulationEvent.Death {
    SimulationEvent.Death(
      changes: number(0...1) == 0 ? 0 : number(1...60), isPowerFailure: number(0...1) == 0,
      downtime: [0, 1, 10, 60].randomElement(using: &random) ?? 0,
      again: number(0...4) == 0 ? number(0...20) : nil)
  }
}
