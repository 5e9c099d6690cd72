import PushModel

/// The rows with the devices of a message.
///
/// A message for a few devices has a row for each device, so that a device finds its messages by an index. A message
/// for many devices has a row for each shard of devices, and a device reads its shard.
struct MessageDevices {
  /// The most devices of a message for which each device has a row.
  static let listLimit = 1000
  /// The number of devices whose bits are in one row: the bits of 512 bytes.
  static let shardWidth: UInt32 = 4096

  let app: Int64
  let message: Int64

  /// Inserts a row for each of the devices, which exist, with its user.
  func insert(
    _ devices: [(number: UInt32, user: String?)], _ db: any SQLConnection
  ) throws {
    var rest = devices.makeIterator()
    try db.insert(into: "message_devices", columns: ["app", "device", "message", "user_id"]) {
      rest.next().map { device in
        [
          .integer(app), .integer(Int64(device.number)), .integer(message), .optional(device.user),
        ]
      }
    }
  }

  func insertShards(_ devices: DeviceNumbers, _ db: any SQLConnection) throws {
    var rest = devices.makeIterator()
    var next = rest.next()
    try db.insert(into: "message_shards", columns: ["app", "message", "shard", "devices"]) {
      guard let first = next else { return nil }
      let shard = Self.shard(of: first)
      var bits: [UInt8] = []
      // The numbers are in ascending order.
      while let number = next, Self.shard(of: number) == shard {
        let place = Int(number % Self.shardWidth)
        bits += Array(repeating: 0, count: max(0, place / 8 + 1 - bits.count))
        bits[place / 8] |= 1 << UInt8(place % 8)
        next = rest.next()
      }
      return [.integer(app), .integer(message), .integer(shard), .blob(bits)]
    }
  }

  /// Reads the devices of a message that has a row for each device.
  func read(_ db: any SQLConnection) throws -> DeviceNumbers {
    DeviceNumbers(
      try db.rows(
        """
        SELECT device FROM message_devices WHERE app = \(app) AND message = \(message)
        ORDER BY device
        """
      ) { try $0.deviceNumber("device") })
  }

  func readShards(_ db: any SQLConnection) throws -> DeviceNumbers {
    let shards = try db.rows(
      """
      SELECT shard, devices FROM message_shards WHERE app = \(app) AND message = \(message)
      ORDER BY shard
      """
    ) { row in
      let (number, bits) = try (row.deviceNumber("shard"), row.blob("devices"))
      guard number < UInt32.max / Self.shardWidth, bits.count * 8 <= Self.shardWidth else {
        throw row.fault("shard", "has devices that no app has")
      }
      return (number: number, bits: bits)
    }
    var devices: [UInt32] = []
    for shard in shards {
      let first = shard.number * Self.shardWidth
      for device in first..<first + UInt32(shard.bits.count * 8)
      where Self.contains(device, in: shard.bits) {
        devices.append(device)
      }
    }
    return DeviceNumbers(devices)
  }

  static func shard(of device: UInt32) -> Int64 { Int64(device / shardWidth) }

  /// Whether the bits of a device's shard include the device.
  static func contains(_ device: UInt32, in bits: [UInt8]) -> Bool {
    let place = Int(device % shardWidth)
    return place / 8 < bits.count && bits[place / 8] & 1 << UInt8(place % 8) != 0
  }
}
