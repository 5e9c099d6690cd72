/// The number of times that an app was opened on a device in each hour of the day in UTC, from 0 to 15.
///
/// If an hour would have more, all counts are halved, so that old openings count less.
package struct OpenHours: Hashable, Sendable {
  package static let hours = 24
  private static let most: UInt8 = 15
  /// The least number of openings for which a device has a best hour.
  package static let needed = 3

  /// The count of each hour.
  package private(set) var counts = [UInt8](repeating: 0, count: Self.hours)

  package init() {}

  /// Reads 12 bytes, each with the counts of two hours; `nil` if the number of bytes is not 12.
  package init?(packed bytes: [UInt8]) {
    guard bytes.count == Self.hours / 2 else { return nil }
    counts = bytes.flatMap { [$0 & 15, $0 >> 4] }
  }

  package var packed: [UInt8] {
    stride(from: 0, to: Self.hours, by: 2).map { counts[$0] | counts[$0 + 1] << 4 }
  }

  package mutating func addOpening(at time: Timestamp) {
    guard time.milliseconds >= 0 else { return }
    let hour = Int(time.milliseconds / 3_600_000 % Int64(Self.hours))
    if counts[hour] == Self.most { counts = counts.map { $0 / 2 } }
    counts[hour] += 1
  }

  /// The hour in which the app is opened most; `nil` if fewer than ``needed`` openings are known.
  package var best: Int? {
    let all = counts.map { Int($0) }
    return all.reduce(0, +) < Self.needed ? nil : Self.best(of: all)
  }

  /// The hour with the most openings; openings in the two neighbouring hours count half.
  ///
  /// - Parameter counts: The number of openings in each hour.
  /// - Returns: The first of equal hours; `nil` if all counts are 0.
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
