/// The outcomes of a batch's devices in one row.
///
/// A table of the ends there were, then of each device which end and when: an end is a byte and a
/// time two or three.
package struct PackedOutcomes: Sendable {
  private struct Entry {
    /// Where in ``ends``, from 1; 0 is none yet.
    var end = 0
    var time: Int64 = 0
  }

  private static let format: UInt8 = 1

  package let devices: DeviceNumbers
  private var ends: [OutcomeReason] = []
  private var entries: [Entry]
  /// Devices with an outcome.
  package private(set) var count = 0

  package init(devices: DeviceNumbers) {
    self.devices = devices
    entries = [Entry](repeating: Entry(), count: devices.count)
  }

  /// Takes the outcomes of the batch's devices that have none yet, and returns those it took.
  package mutating func merge(_ outcomes: [Outcome]) -> [Outcome] {
    let outcomes = Self.inOrder(outcomes)
    var next = 0
    var taken: [Int] = []
    taken.reserveCapacity(outcomes.count)
    for (place, device) in devices.enumerated() {
      while next < outcomes.count, outcomes[next].device < device { next += 1 }
      guard next < outcomes.count, outcomes[next].device == device, entries[place].end == 0
      else { continue }
      entries[place] = Entry(
        end: number(of: outcomes[next].end), time: outcomes[next].time.milliseconds)
      taken.append(next)
    }
    count += taken.count
    return taken.count == outcomes.count ? outcomes : taken.map { outcomes[$0] }
  }

  /// By device, and of one device as they came; nearly always they are so already.
  private static func inOrder(_ outcomes: [Outcome]) -> [Outcome] {
    let isInOrder = outcomes.indices.dropFirst().allSatisfy { place in
      outcomes[place - 1].device <= outcomes[place].device
    }
    if isInOrder { return outcomes }
    return outcomes.indices
      .sorted { (outcomes[$0].device, $0) < (outcomes[$1].device, $1) }
      .map { outcomes[$0] }
  }

  /// Where an end stands in the table, which gets it where it is new; few differ.
  private mutating func number(of end: OutcomeReason) -> Int {
    if let place = ends.firstIndex(of: end) { return place + 1 }
    ends.append(end)
    return ends.count
  }

  /// Those there are, in the order of their devices.
  package var outcomes: [Outcome] {
    zip(devices, entries).compactMap { device, entry in outcome(of: device, entry) }
  }

  package func outcome(of device: UInt32) -> Outcome? {
    for (other, entry) in zip(devices, entries) where other == device {
      return outcome(of: device, entry)
    }
    return nil
  }

  /// Devices without an outcome.
  package var left: DeviceNumbers {
    var left = DeviceNumbers()
    for (device, entry) in zip(devices, entries) where entry.end == 0 { left.append(device) }
    return left
  }

  package var reasons: [OutcomeReason: Int] {
    var counts = [Int](repeating: 0, count: ends.count + 1)
    for entry in entries { counts[entry.end] += 1 }
    return Dictionary(zip(ends, counts.dropFirst()), uniquingKeysWith: +)
  }

  private func outcome(of device: UInt32, _ entry: Entry) -> Outcome? {
    guard entry.end > 0 else { return nil }
    let end = ends[entry.end - 1]
    return Outcome(
      device: device, result: end.result, status: end.status, reason: end.reason,
      time: Timestamp(milliseconds: entry.time))
  }
}

extension PackedOutcomes {
  package var packed: [UInt8] {
    var encoder = ByteEncoder()
    encoder.append(byte: Self.format)
    encoder.append(UInt64(ends.count))
    for end in ends {
      encoder.append(byte: UInt8(Outcome.Result.allCases.firstIndex(of: end.result) ?? 0))
      encoder.append(UInt64(clamping: end.status ?? 0))
      encoder.append(byte: end.reason == nil ? 0 : 1)
      if let reason = end.reason { encoder.append(reason) }
    }
    // Times of one batch lie close together, so each is told from the one before.
    var time: Int64 = 0
    for entry in entries {
      encoder.append(UInt64(entry.end))
      guard entry.end > 0 else { continue }
      encoder.append(signed: entry.time - time)
      time = entry.time
    }
    return encoder.bytes
  }

  /// Reads what was packed for the same devices; `nil` for anything else.
  package init?(devices: DeviceNumbers, packed bytes: [UInt8]) {
    self.init(devices: devices)
    var decoder = ByteDecoder(bytes)
    guard decoder.byte() == Self.format, let endCount = decoder.integer(),
      endCount <= UInt64(devices.count)
    else { return nil }
    for _ in 0..<endCount {
      guard let result = decoder.byte(), result < Outcome.Result.allCases.count,
        let status = decoder.integer(), status < 1000, let hasReason = decoder.byte()
      else { return nil }
      var end = OutcomeReason(
        result: Outcome.Result.allCases[Int(result)], status: status == 0 ? nil : Int(status),
        reason: nil)
      if hasReason == 1 {
        guard let reason = decoder.text() else { return nil }
        end.reason = reason
      }
      ends.append(end)
    }
    var time: Int64 = 0
    for place in entries.indices {
      guard let end = decoder.integer(), end <= endCount else { return nil }
      guard end > 0 else { continue }
      guard let step = decoder.signed() else { return nil }
      time &+= step
      entries[place] = Entry(end: Int(end), time: time)
      count += 1
    }
    guard decoder.isAtEnd else { return nil }
  }
}
