/// The last pushes to a page of devices with neighbouring numbers, which frequency caps count.
///
/// Pushes of the same send at the same time are stored once, and each device refers to its pushes, so a push takes a
/// byte or two.
package struct PushLedger: Hashable, Sendable {
  /// A push to a device.
  package struct Push: Hashable, Sendable {
    /// The number of the send.
    package var send: Int64
    /// The time at which a node began to send the push, rounded up to whole seconds.
    package var time: Timestamp
  }

  /// The number of devices on a page.
  static let pageSize: UInt32 = 1024
  /// The time for which pushes are kept: as long as the longest rule looks back.
  package static let kept = FrequencyCap.longest
  /// The most pushes that are kept for a device: as many as the greatest rule counts.
  static let pushLimit = FrequencyCap.mostLimit
  private static let format: UInt8 = 1

  package static func page(of device: UInt32) -> Int64 { Int64(device / pageSize) }

  /// The pushes of each device, the oldest first.
  private var devices: [UInt32: [Push]] = [:]

  package init() {}

  package var isEmpty: Bool { devices.isEmpty }
  /// The time of the last push.
  package var newest: Timestamp? { devices.values.compactMap { $0.last?.time }.max() }

  package func pushes(to device: UInt32) -> [Push] { devices[device] ?? [] }

  /// The rule that forbids a push of a send to a device at a time; `nil` if the device may get the push.
  ///
  /// A recorded push of the same send is this push, which a node began before it crashed.
  package func cap(among caps: [FrequencyCap], of device: UInt32, send: Int64, at now: Timestamp)
    -> FrequencyCap?
  {
    guard let pushes = devices[device], !pushes.contains(where: { $0.send == send }) else {
      return nil
    }
    return caps.first { cap in
      let start = now + (.zero - cap.within)
      return pushes.count { $0.time > start } >= cap.most
    }
  }

  /// Adds a push, unless the device already has a push of the send.
  ///
  /// - Returns: `false` if the device has one.
  @discardableResult
  package mutating func add(_ send: Int64, to device: UInt32, at now: Timestamp) -> Bool {
    var pushes = devices[device] ?? []
    guard !pushes.contains(where: { $0.send == send }) else { return false }
    let time = Timestamp(milliseconds: (now.milliseconds + 999) / 1000 * 1000)
    let place = pushes.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    pushes.insert(Push(send: send, time: time), at: place)
    let oldest = now + (.zero - Self.kept)
    devices[device] = pushes.filter { $0.time > oldest }.suffix(Self.pushLimit)
    return true
  }

  /// Removes the push of a send that was not sent.
  ///
  /// - Returns: `false` if the device has no push of the send.
  package mutating func remove(_ send: Int64, from device: UInt32) -> Bool {
    guard let pushes = devices[device], pushes.contains(where: { $0.send == send }) else {
      return false
    }
    let left = pushes.filter { $0.send != send }
    devices[device] = left.isEmpty ? nil : left
    return true
  }

  /// Removes all pushes of a device.
  package mutating func erase(_ device: UInt32) { devices[device] = nil }

  /// Removes pushes that are too old for every rule.
  package mutating func removeOld(at now: Timestamp) {
    let oldest = now + (.zero - Self.kept)
    devices = devices.compactMapValues { pushes in
      let left = pushes.filter { $0.time > oldest }
      return left.isEmpty ? nil : left
    }
  }
}

extension PushLedger {
  /// The ledger as bytes, for a column of the database.
  package var packed: [UInt8] {
    let pushes = Set(devices.values.joined()).sorted { ($0.time, $0.send) < ($1.time, $1.send) }
    let places = Dictionary(uniqueKeysWithValues: zip(pushes, 0...))
    var encoder = ByteEncoder()
    encoder.append(byte: Self.format)
    encoder.append(UInt64(pushes.count))
    var last = Push(send: 0, time: Timestamp(milliseconds: 0))
    for push in pushes {
      encoder.append(signed: push.send - last.send)
      encoder.append(signed: (push.time.milliseconds - last.time.milliseconds) / 1000)
      last = push
    }
    encoder.append(UInt64(devices.count))
    var lastDevice: UInt32 = 0
    for (device, pushes) in devices.sorted(by: { $0.key < $1.key }) {
      encoder.append(UInt64(device - lastDevice))
      encoder.append(UInt64(pushes.count))
      for push in pushes { encoder.append(UInt64(places[push] ?? 0)) }
      lastDevice = device
    }
    return encoder.bytes
  }

  /// Unpacks ``packed``; `nil` if the bytes are malformed.
  package init?(packed bytes: [UInt8]) {
    var decoder = ByteDecoder(bytes)
    guard decoder.byte() == Self.format, let count = decoder.integer(), count <= UInt64(bytes.count)
    else { return nil }
    var pushes: [Push] = []
    var last = Push(send: 0, time: Timestamp(milliseconds: 0))
    for _ in 0..<count {
      guard let send = decoder.signed(), let seconds = decoder.signed(),
        abs(seconds) < 1 << 40
      else { return nil }
      last = Push(
        send: last.send &+ send,
        time: Timestamp(milliseconds: last.time.milliseconds &+ seconds * 1000))
      pushes.append(last)
    }
    guard let deviceCount = decoder.integer(), deviceCount <= UInt64(Self.pageSize) else {
      return nil
    }
    var device: UInt64 = 0
    for _ in 0..<deviceCount {
      guard let step = decoder.integer(), step <= UInt64(UInt32.max) - device,
        let count = decoder.integer(), count > 0, count <= UInt64(Self.pushLimit)
      else { return nil }
      device += step
      var own: [Push] = []
      for _ in 0..<count {
        guard let place = decoder.integer(), place < UInt64(pushes.count) else { return nil }
        own.append(pushes[Int(place)])
      }
      devices[UInt32(device)] = own
    }
    guard decoder.isAtEnd else { return nil }
  }
}
