import _Bitmaps

/// Devices of a batch to which the push is sent again at one time.
package struct Retry: Hashable, Sendable {
  package var devices: DeviceNumbers
  package var dueAt: Timestamp
  /// The number of times that APNs has asked to send to the devices later.
  package var attempts: Int
  /// Whether APNs refused the app's key in its last answer, which is not one of ``attempts``.
  package var isKeyRefused: Bool
  /// Whether APNs may have accepted the pushes of this lease, whose answers are not known.
  ///
  /// It is not stored.
  package var mayHaveArrived: Bool

  package init(
    _ devices: DeviceNumbers, dueAt: Timestamp, attempts: Int = 0, isKeyRefused: Bool = false,
    mayHaveArrived: Bool = false
  ) {
    self.devices = devices
    self.dueAt = dueAt
    self.attempts = attempts
    self.isKeyRefused = isKeyRefused
    self.mayHaveArrived = mayHaveArrived
  }

  /// Returns the retry with its time moved, as a clock that is ahead has it.
  package func moved(by offset: Duration) -> Retry {
    var moved = self
    moved.dueAt = dueAt + offset
    return moved
  }
}

/// The retries of a batch; a device without a retry is due at once.
package struct Retries: Hashable, Sendable {
  package private(set) var groups: [Retry] = []

  package init() {}

  private static let format: UInt8 = 1
  /// The bit of a packed number of attempts that says that APNs refused the key.
  ///
  /// A program that does not know it reads many attempts, so that its next wait is the longest one.
  private static let keyRefusal: UInt64 = 1 << 32

  /// Unpacks ``packed``; `nil` if the bytes are malformed.
  package init?(packed bytes: [UInt8]) {
    var decoder = ByteDecoder(bytes)
    guard decoder.byte() == Self.format else { return nil }
    while !decoder.isAtEnd {
      guard let dueAt = decoder.signed(), let attempts = decoder.integer(),
        let packed = decoder.blob(), let devices = DeviceNumbers(packed: packed)
      else { return nil }
      groups.append(
        Retry(
          devices, dueAt: Timestamp(milliseconds: dueAt),
          attempts: Int(clamping: attempts & ~Self.keyRefusal),
          isKeyRefused: attempts & Self.keyRefusal != 0))
    }
  }

  /// The retries as bytes, for a column of the database.
  package var packed: [UInt8] {
    var encoder = ByteEncoder()
    encoder.append(byte: Self.format)
    for group in groups {
      encoder.append(signed: group.dueAt.milliseconds)
      encoder.append(UInt64(group.attempts) | (group.isKeyRefused ? Self.keyRefusal : 0))
      encoder.append(group.devices.packed)
    }
    return encoder.bytes
  }

  package var isEmpty: Bool { groups.isEmpty }

  /// The due devices among some devices.
  package func due(of devices: DeviceNumbers, at now: Timestamp) -> DeviceNumbers {
    var due = devices.bitmap
    for group in groups where group.dueAt > now { due.subtract(group.devices.bitmap) }
    return DeviceNumbers(due)
  }

  /// The time at which the first of some devices is due; `now` if one of them has no retry.
  package func dueTime(of devices: DeviceNumbers, at now: Timestamp) -> Timestamp {
    guard due(of: devices, at: .distantPast).isEmpty else { return now }
    // A lease that had lapsed may have ended later than the one that left these retries, with outcomes of their devices.
    return groups.filter { !$0.devices.intersection(devices).isEmpty }.map(\.dueAt).min() ?? now
  }

  /// The retry that a device is in; `nil` if it is in none.
  package func retry(of device: UInt32) -> Retry? {
    groups.first { $0.devices.contains(device) }
  }

  /// Replaces the retries of some devices.
  ///
  /// `left` are the devices without an outcome. All other devices are removed from the retries.
  package mutating func replace(
    _ devices: DeviceNumbers, by retries: [Retry], left: DeviceNumbers
  ) {
    for place in groups.indices {
      groups[place].devices = groups[place].devices.subtracting(devices)
    }
    groups = (groups + retries).compactMap { group in
      var group = group
      group.devices = group.devices.intersection(left)
      return group.devices.isEmpty ? nil : group
    }
  }
}

extension DeviceNumbers {
  fileprivate func intersection(_ other: DeviceNumbers) -> DeviceNumbers {
    DeviceNumbers(bitmap & other.bitmap)
  }
}

extension Timestamp {
  fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
