import PushModel

/// The times at which devices get a campaign that is sent at each device's best time.
///
/// The best time of a device is the beginning of the hour of the day in which it opens the app most, within the
/// next 24 hours. Hours are in UTC, so that a device needs no time zone.
struct BestTime: Sendable {
  /// The devices by the moment at which they are due, the earliest first.
  private(set) var groups: [(dueAt: Timestamp, devices: DeviceNumbers)] = []
  /// The number of devices with a best hour of their own.
  private(set) var known = 0
  /// The hour in which all of the devices together open the app most, which is used for those without an
  /// hour of their own; `nil` if no opening is known, so that they are due at once.
  private(set) var popular: Int?

  private static let pageSize = 10_000

  /// Reads the openings of some devices.
  init(
    of devices: DeviceNumbers, app: String, from start: Timestamp, _ store: any PushStore
  ) async throws(StoreError) {
    var numbers = [[UInt32]](repeating: [], count: OpenHours.hours)
    var sums = [Int](repeating: 0, count: OpenHours.hours)
    var others: [UInt32] = []
    var rank = 0
    while rank < devices.count {
      let page = devices.slice(from: rank, limit: Self.pageSize)
      rank += page.count
      for (number, hours) in try await store.openHours(app: app, numbers: page) {
        for (hour, count) in hours.counts.enumerated() { sums[hour] += Int(count) }
        if let best = hours.best { numbers[best].append(number) } else { others.append(number) }
      }
    }
    known = numbers.reduce(0) { $0 + $1.count }
    popular = OpenHours.best(of: sums)
    var due: [Timestamp: DeviceNumbers] = [:]
    for (hour, own) in numbers.enumerated() where !own.isEmpty {
      due[Self.moment(of: hour, from: start)] = DeviceNumbers(own)
    }
    if !others.isEmpty {
      let moment = popular.map { Self.moment(of: $0, from: start) } ?? start
      due[moment] = (due[moment] ?? DeviceNumbers()).union(DeviceNumbers(others))
    }
    groups = due.sorted { $0.key < $1.key }.map { (dueAt: $0.key, devices: $0.value) }
  }

  /// The first moment, from `start` on, that is in an hour of the day.
  static func moment(of hour: Int, from start: Timestamp) -> Timestamp {
    let length: Int64 = 3_600_000
    let current = start.milliseconds / length
    let wait = (Int64(hour) - current % 24 + 24) % 24
    return wait == 0 ? start : Timestamp(milliseconds: (current + wait) * length)
  }
}
