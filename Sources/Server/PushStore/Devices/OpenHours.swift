/// How often an app was opened on a device in each hour of the day, in UTC: 0 to 15 for each hour.
///
/// Where an hour would have more, all counts are halved, so that what was long ago counts less.
package struct OpenHours: Hashable, Sendable {
  package static let hours = 24
  private static let most: UInt8 = 15
  /// The openings without which a device has no best hour.
  package static let needed = 3

  /// The count of each hour.
  package private(set) var counts = [UInt8](repeating: 0, count: Self.hours)

  package init() {}

  /// Counts that are stored as 12 bytes, each of two hours; `nil` for any other bytes.
  init?(packed bytes: [UInt8]) {
    guard bytes.count == Self.hours / 2 else { return nil }
    counts = bytes.flatMap { [$0 & 15, $0 >> 4] }
  }

  var packed: [UInt8] {
    stride(from: 0, to: Self.hours, by: 2).map { counts[$0] | counts[$0 + 1] << 4 }
  }

  package mutating func addOpening(at time: Timestamp) {
    guard time.milliseconds >= 0 else { return }
    let hour = Int(time.milliseconds / 3_600_000 % Int64(Self.hours))
    if counts[hour] == Self.most { counts = counts.map { $0 / 2 } }
    counts[hour] += 1
  }

  /// The hour in which the app is opened most; `nil` where too few openings are known.
  package var best: Int? {
    let all = counts.map { Int($0) }
    return all.reduce(0, +) < Self.needed ? nil : Self.best(of: all)
  }

  /// The hour with the most openings, of which those in the hours beside it count by half.
  ///
  /// - Parameter counts: The number of openings in each hour.
  /// - Returns: Of equal hours the first; `nil` where there are no openings.
  package static func best(of counts: [Int]) -> Int? {
    guard counts.count == hours, counts.contains(where: { $0 > 0 }) else { return nil }
    let weights = counts.indices.map { hour in
      counts[hour] * 2 + counts[(hour + 1) % hours] + counts[(hour + hours - 1) % hours]
    }
    return weights.indices.max {
      weights[$0] < weights[$1] || (weights[$0] == weights[$1] && $0 > $1)
    }
  }
}
