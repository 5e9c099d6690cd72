/// The changes that devices' reports make, in the order of the reports: receipts of pushes, and openings of the app.
///
/// A store makes one from its rows, adds the reports, and writes the sums.
package struct ReportFold {
  package struct Device {
    package var lastOpenedAt: Timestamp?
    package var isErased: Bool
    /// The number under which the device counts as active: the number of its user's first device.
    package var activeNumber: UInt32
    package var openHours: OpenHours

    package init(
      lastOpenedAt: Timestamp?, isErased: Bool, activeNumber: UInt32,
      openHours: OpenHours
    ) {
      (self.lastOpenedAt, self.isErased) = (lastOpenedAt, isErased)
      (self.activeNumber, self.openHours) = (activeNumber, openHours)
    }
  }

  /// An event that counts once for each device of a send.
  package struct Event: Hashable {
    package var send: Int64
    package var device: UInt32
    package var event: Receipt.Event

    package init(send: Int64, device: UInt32, event: Receipt.Event) {
      (self.send, self.device, self.event) = (send, device, event)
    }
  }

  package struct SendCounts: Hashable {
    package var delivered = 0
    package var displayed = 0
    package var opened = 0
    package var indirect = 0

    package init() {}
  }

  package struct NamedCount: Hashable {
    package var send: Int64
    package var kind: Tally
    package var name: String
  }

  package struct HourCount: Hashable {
    package var send: Int64
    package var hour: Timestamp
    package var kind: SendHour.Kind
    package var name: String

    package init(send: Int64, hour: Timestamp, kind: SendHour.Kind, name: String) {
      (self.send, self.hour, self.kind, self.name) = (send, hour, kind, name)
    }
  }

  package struct CounterHour: Hashable {
    package var counter: Counter
    package var hour: Timestamp
  }

  /// A device and a day on which it is active, counted in days since 1970.
  package struct ActiveDay: Hashable {
    package var day: Int64
    package var device: UInt32
  }

  package private(set) var devices: [UInt32: Device]
  package private(set) var attributions: [UInt32: Attribution]
  private var reported: Set<Event>
  /// The values of answers that are counted separately, by their sends.
  private var values: [Int64: Set<String>]

  package private(set) var sendCounts: [Int64: SendCounts] = [:]
  package private(set) var tallies: [NamedCount: Int64] = [:]
  package private(set) var hours: [HourCount: Int] = [:]
  package private(set) var counters: [CounterHour: Int] = [:]
  package private(set) var activeDays: Set<ActiveDay> = []
  /// The devices whose attribution has changed.
  package private(set) var attributed: Set<UInt32> = []
  /// The devices whose last opening has changed.
  package private(set) var opened: Set<UInt32> = []
  /// The devices whose openings by the hour have changed.
  package private(set) var timed: Set<UInt32> = []

  package init(
    devices: [UInt32: Device], attributions: [UInt32: Attribution], reported: Set<Event>,
    values: [Int64: Set<String>]
  ) {
    self.devices = devices
    self.attributions = attributions
    self.reported = reported
    self.values = values
  }

  /// Adds a receipt that was not stored before.
  ///
  /// `time` is the time of the event, corrected if the device's clock is wrong.
  package mutating func add(_ receipt: Receipt, of send: Int64, device: UInt32, at time: Timestamp)
  {
    var earlierTap: Timestamp?
    if case .direct(at: let tapped)? = attributions[device]?.credit { earlierTap = tapped }
    attribute(receipt.event, of: send, to: device, at: time)
    if let kind = receipt.event.hourKind {
      // A device is counted once, however often it reports the event.
      let event = Event(send: send, device: device, event: receipt.event)
      guard reported.insert(event).inserted else { return }
      if receipt.event == .opened { addTap(on: device, at: time, after: earlierTap) }
      add(1, to: kind, of: send)
      count(kind, of: send, at: time)
    }
    if let media = receipt.media { count(.media, named: media, of: send, at: time) }
    if let reason = receipt.reason {
      tally(.mediaFailure, named: reason, of: send)
      count(.mediaFailure, named: reason, of: send, at: time)
    }
    countTemplate(receipt, of: send)
  }

  /// Adds an opening of the app on a device.
  ///
  /// - Returns: `false` if the device does not exist or was erased.
  package mutating func addOpening(of number: UInt32, at now: Timestamp) -> Bool {
    guard let device = devices[number], !device.isErased else { return false }
    devices[number]?.lastOpenedAt = now
    opened.insert(number)
    var tap: Timestamp?
    if var attribution = attributions[number] {
      let changes = attribution.opened(at: now)
      if !changes.isEmpty { save(attribution, changes, of: number) }
      if case .direct(at: let time) = attribution.credit { tap = time }
    }
    // An opening that a tap's receipt has already reported is not counted again.
    let isCounted = tap.map { $0 == device.lastOpenedAt && now.since($0) <= Self.launchWindow }
    if isCounted != true { countOpen(of: number, at: now) }
    return true
  }

  /// The time within which an app reports an opening after the tap that caused it.
  private static let launchWindow = Duration.seconds(60)

  // MARK: Openings

  /// Counts the opening of the app that a tap's receipt reports, unless the app has reported it.
  private mutating func addTap(
    on number: UInt32, at time: Timestamp, after earlierTap: Timestamp?
  ) {
    guard let device = devices[number], !device.isErased else { return }
    let last = device.lastOpenedAt
    if last.map({ $0 < time }) ?? true {
      devices[number]?.lastOpenedAt = time
      opened.insert(number)
    }
    // The app may have reported this opening first, and the phone's clock may be ahead. An earlier tap is another opening.
    if let last, last >= time || last != earlierTap {
      guard max(last.since(time), time.since(last)) > Self.launchWindow else { return }
    }
    countOpen(of: number, at: time)
  }

  private mutating func countOpen(of number: UInt32, at time: Timestamp) {
    for counter in [Counter.opens, .sessions] {
      counters[CounterHour(counter: counter, hour: time.hour), default: 0] += 1
    }
    devices[number]?.openHours.addOpening(at: time)
    timed.insert(number)
    let active = devices[number]?.activeNumber ?? number
    activeDays.insert(ActiveDay(day: time.milliseconds / 86_400_000, device: active))
  }

  private mutating func attribute(
    _ event: Receipt.Event, of send: Int64, to number: UInt32, at time: Timestamp
  ) {
    guard event.hourKind != nil, let device = devices[number], !device.isErased else { return }
    var changes: [Attribution.Change] = []
    var attribution: Attribution
    if let found = attributions[number] {
      attribution = found
      changes =
        event == .opened
        ? attribution.tapped(send, at: time)
        : attribution.received(send, at: time, lastOpened: device.lastOpenedAt)
      guard attribution != found else { return }
    } else if event == .opened {
      attribution = Attribution(send: send, receivedAt: time, credit: .direct(at: time))
    } else {
      (attribution, changes) = Attribution.first(
        send, at: time, lastOpened: device.lastOpenedAt)
    }
    save(attribution, changes, of: number)
  }

  private mutating func save(
    _ attribution: Attribution, _ changes: [Attribution.Change], of number: UInt32
  ) {
    attributions[number] = attribution
    attributed.insert(number)
    for change in changes {
      sendCounts[change.send, default: SendCounts()].indirect += change.amount
    }
  }

  // MARK: Counts

  private mutating func add(_ amount: Int, to kind: SendHour.Kind, of send: Int64) {
    var counts = sendCounts[send] ?? SendCounts()
    switch kind {
    case .delivered: counts.delivered += amount
    case .displayed: counts.displayed += amount
    case .opened: counts.opened += amount
    case .sent, .rejected, .uninstalled, .media, .mediaFailure: break
    }
    sendCounts[send] = counts
  }

  private mutating func count(
    _ kind: SendHour.Kind, named name: String = "", of send: Int64, at time: Timestamp
  ) {
    hours[HourCount(send: send, hour: time.hour, kind: kind, name: name), default: 0] += 1
  }

  private mutating func tally(
    _ kind: Tally, named name: String = "", by amount: Int64 = 1, of send: Int64
  ) {
    tallies[NamedCount(send: send, kind: kind, name: name), default: 0] += amount
  }

  /// Counts an action in an expanded notification.
  private mutating func countTemplate(_ receipt: Receipt, of send: Int64) {
    let page = receipt.page.map { String($0) } ?? ""
    switch receipt.event {
    case .templateViewed: tally(.templateViewed, of: send)
    case .templatePage:
      tally(.templatePage, named: page, of: send)
      tally(.templateDwell, named: page, by: Int64(receipt.dwell ?? 0), of: send)
    case .templateAnswered:
      tally(.templateAnswered, of: send)
      if let value = receipt.value { count(value: value, of: send) }
    case .templateOpened: tally(.templateOpened, named: page, of: send)
    case .templateExpired: tally(.templateExpired, of: send)
    case .templatePlayed: tally(.templatePlayed, of: send)
    case .received, .displayed, .opened, .dismissed, .action: break
    }
  }

  /// Counts an answer by its value or, beyond ``TemplateCounts/maximumValues`` values, among the other values.
  private mutating func count(value: String, of send: Int64) {
    var known = values[send] ?? []
    if !known.contains(value) {
      guard known.count < TemplateCounts.maximumValues else {
        return tally(.templateOtherValue, of: send)
      }
      known.insert(value)
      values[send] = known
    }
    tally(.templateValue, named: value, of: send)
  }
}

extension Receipt.Event {
  /// The count of a send to which the event adds; `nil` if the event adds to no count.
  package var hourKind: SendHour.Kind? {
    switch self {
    case .received: .delivered
    case .displayed: .displayed
    case .opened: .opened
    default: nil
    }
  }
}
