/// The outcomes of a batch's devices, packed into one column.
///
/// The packed form begins with a table of the different ends with their counts. Each device's end (one byte) and time
/// (two or three bytes) follow. The first format has no counts.
package struct PackedOutcomes: Sendable {
  private struct Entry {
    /// The index in ``ends`` plus 1, or 0 if the device has no outcome yet.
    var end = 0
    var time: Int64 = 0
  }

  private static let format: UInt8 = 2
  private static let formatWithoutCounts: UInt8 = 1

  package let devices: DeviceNumbers
  private var ends: [OutcomeReason] = []
  private var entries: [Entry]
  /// The number of devices with an outcome.
  package private(set) var count = 0

  package init(devices: DeviceNumbers) {
    self.devices = devices
    entries = [Entry](repeating: Entry(), count: devices.count)
  }

  /// Adds the outcomes of those devices of the batch that have no outcome yet.
  ///
  /// - Returns: The outcomes that were added, in the order of their devices.
  package mutating func merge(_ outcomes: [Outcome]) -> [Outcome] {
    let outcomes = Self.inOrder(outcomes)
    var next = 0
    var added: [Int] = []
    added.reserveCapacity(outcomes.count)
    var last = 0
    for (place, device) in devices.enumerated() {
      while next < outcomes.count, outcomes[next].device < device { next += 1 }
      guard next < outcomes.count, outcomes[next].device == device, entries[place].end == 0
      else { continue }
      // Most outcomes have the same end as the previous one.
      if last == 0 || !outcomes[next].hasEnd(ends[last - 1]) {
        last = number(of: outcomes[next].end)
      }
      entries[place] = Entry(end: last, time: outcomes[next].time.milliseconds)
      added.append(next)
    }
    count += added.count
    return added.count == outcomes.count ? outcomes : added.map { outcomes[$0] }
  }

  /// The outcomes sorted by device; outcomes of the same device stay in their order.
  private static func inOrder(_ outcomes: [Outcome]) -> [Outcome] {
    let isInOrder = outcomes.indices.dropFirst().allSatisfy { place in
      outcomes[place - 1].device <= outcomes[place].device
    }
    if isInOrder { return outcomes }
    return outcomes.indices
      .sorted { (outcomes[$0].device, $0) < (outcomes[$1].device, $1) }
      .map { outcomes[$0] }
  }

  /// The index of an end in ``ends`` plus 1; a new end is appended.
  private mutating func number(of end: OutcomeReason) -> Int {
    if let place = ends.firstIndex(of: end) { return place + 1 }
    ends.append(end)
    return ends.count
  }

  /// The outcomes, in the order of their devices.
  package var outcomes: [Outcome] {
    zip(devices, entries).compactMap { device, entry in outcome(of: device, entry) }
  }

  package func outcome(of device: UInt32) -> Outcome? {
    for (other, entry) in zip(devices, entries) where other == device {
      return outcome(of: device, entry)
    }
    return nil
  }

  /// The devices without an outcome.
  package var left: DeviceNumbers {
    var left = DeviceNumbers()
    for (device, entry) in zip(devices, entries) where entry.end == 0 { left.append(device) }
    return left
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
  /// The outcomes as bytes, for a column of the database.
  package var packed: [UInt8] {
    var counts = [UInt64](repeating: 0, count: ends.count + 1)
    for entry in entries { counts[entry.end] += 1 }
    var encoder = ByteEncoder()
    encoder.append(byte: Self.format)
    encoder.append(UInt64(ends.count))
    for (end, count) in zip(ends, counts.dropFirst()) {
      encoder.append(byte: UInt8(Outcome.Result.allCases.firstIndex(of: end.result) ?? 0))
      encoder.append(UInt64(clamping: end.status ?? 0))
      encoder.append(byte: end.reason == nil ? 0 : 1)
      if let reason = end.reason { encoder.append(reason) }
      encoder.append(count)
    }
    // The times of a batch are close together, so each is written as the difference from the last.
    var time: Int64 = 0
    for entry in entries {
      encoder.append(UInt64(entry.end))
      guard entry.end > 0 else { continue }
      encoder.append(signed: entry.time - time)
      time = entry.time
    }
    return encoder.bytes
  }

  /// Unpacks ``packed`` for the same devices; `nil` if the bytes are malformed.
  package init?(devices: DeviceNumbers, packed bytes: [UInt8]) {
    self.init(devices: devices)
    var decoder = ByteDecoder(bytes)
    guard let head = Head(from: &decoder), head.ends.count <= devices.count else { return nil }
    ends = head.ends
    var counts = [Int](repeating: 0, count: ends.count + 1)
    var time: Int64 = 0
    for place in entries.indices {
      guard let end = head.end(from: &decoder) else { return nil }
      counts[end] += 1
      guard end > 0 else { continue }
      guard let step = decoder.signed() else { return nil }
      time &+= step
      entries[place] = Entry(end: end, time: time)
      count += 1
    }
    guard decoder.isAtEnd, head.counts.map({ $0 == Array(counts.dropFirst()) }) ?? true
    else { return nil }
  }

  /// The number of devices with each end, read from the table of packed outcomes; `nil` if the bytes are malformed.
  ///
  /// Only the first format, whose table has no counts, is read whole.
  package static func reasons(inPacked bytes: [UInt8]) -> [OutcomeReason: Int]? {
    if let reasons = reasons(inFirst: bytes) { return reasons }
    var decoder = ByteDecoder(bytes)
    guard let head = Head(from: &decoder), let counts = head.countEntries(from: &decoder)
    else { return nil }
    return Dictionary(zip(head.ends, counts), uniquingKeysWith: +)
  }

  /// The number of devices with each end, read from the first bytes of packed outcomes; `nil` if the table is longer
  /// or has no counts.
  package static func reasons(inFirst bytes: [UInt8]) -> [OutcomeReason: Int]? {
    var decoder = ByteDecoder(bytes)
    guard let head = Head(from: &decoder), let counts = head.counts else { return nil }
    return Dictionary(zip(head.ends, counts), uniquingKeysWith: +)
  }

  /// The table at the beginning of packed outcomes.
  private struct Head {
    var ends: [OutcomeReason] = []
    /// The number of devices with each end; `nil` if the format has no counts.
    var counts: [Int]?

    init?(from decoder: inout ByteDecoder) {
      guard let format = decoder.byte(), let endCount = decoder.integer(),
        format == PackedOutcomes.format || format == PackedOutcomes.formatWithoutCounts
      else { return nil }
      if format == PackedOutcomes.format { counts = [] }
      // The loop ends with the bytes, whatever the count is.
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
        if counts != nil {
          guard let count = decoder.integer(), count <= UInt64(UInt32.max) else { return nil }
          counts?.append(Int(count))
        }
      }
    }

    /// Reads the end of the next device: an index in ``ends`` plus 1, or 0 if the device has no outcome.
    func end(from decoder: inout ByteDecoder) -> Int? {
      decoder.integer().flatMap { $0 <= UInt64(ends.count) ? Int($0) : nil }
    }

    /// Reads the bytes after the table, and counts the devices with each end.
    func countEntries(from decoder: inout ByteDecoder) -> [Int]? {
      var counts = [Int](repeating: 0, count: ends.count + 1)
      while !decoder.isAtEnd {
        guard let end = end(from: &decoder) else { return nil }
        counts[end] += 1
        guard end == 0 || decoder.signed() != nil else { return nil }
      }
      return Array(counts.dropFirst())
    }
  }
}
