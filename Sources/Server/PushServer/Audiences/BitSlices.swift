import _Bitmaps

/// A bit-sliced index: a number for each device, stored as one bitmap for each bit.
///
/// A comparison takes one bitmap operation for each bit of the greatest number, however many
/// devices there are (O'Neil and Quass, "Improved Query Performance with Variant Indexes", 1997).
struct BitSlices: Sendable {
  /// The devices that have a number.
  private(set) var present = Bitmap()
  /// The devices whose number has each bit, from the lowest bit up.
  private var slices: [Bitmap] = []

  init() {}

  /// Inserts numbers for devices without one, in ascending order of the devices.
  mutating func insert(_ entries: [(device: UInt32, key: UInt64)]) {
    present.insert(contentsOf: entries.map(\.device))
    let width = 64 - entries.reduce(0) { $0 | $1.key }.leadingZeroBitCount
    while slices.count < width { slices.append(Bitmap()) }
    var devices: [UInt32] = []
    for bit in 0..<width {
      devices.removeAll(keepingCapacity: true)
      for entry in entries where entry.key >> bit & 1 == 1 { devices.append(entry.device) }
      if !devices.isEmpty { slices[bit].insert(contentsOf: devices) }
    }
  }

  /// Sets the numbers of some devices, and removes the number of those that have no entry.
  ///
  /// An unchanged bitmap is not written to, so that one in a snapshot is not copied.
  mutating func set(_ entries: [(device: UInt32, key: UInt64)], of devices: Bitmap) {
    present.set(Bitmap(entries.map(\.device)), of: devices)
    let width = 64 - entries.reduce(0) { $0 | $1.key }.leadingZeroBitCount
    while slices.count < width { slices.append(Bitmap()) }
    for bit in slices.indices {
      slices[bit].set(
        Bitmap(entries.compactMap { $0.key >> bit & 1 == 1 ? $0.device : nil }), of: devices)
    }
  }

  mutating func remove(_ devices: Bitmap) {
    guard present.intersects(devices) else { return }
    present.subtract(devices)
    for bit in slices.indices where slices[bit].intersects(devices) {
      slices[bit].subtract(devices)
    }
  }

  /// Returns the devices whose number is greater than a bound.
  ///
  /// The loop goes from the lowest bit up. If the bound has the bit, a greater number has it too
  /// and is greater in the lower bits. If the bound lacks the bit, a number with it is greater; a
  /// number without it must be greater in the lower bits.
  private func greater(than bound: UInt64) -> Bitmap {
    guard 64 - bound.leadingZeroBitCount <= slices.count else { return Bitmap() }
    var greater = Bitmap()
    for (bit, slice) in slices.enumerated() {
      if bound >> bit & 1 == 1 {
        greater.formIntersection(slice)
      } else {
        greater.formUnion(slice)
      }
    }
    return greater
  }

  func devices(in range: ClosedRange<UInt64>) -> Bitmap {
    var devices = range.lowerBound == 0 ? present : greater(than: range.lowerBound - 1)
    if range.upperBound < .max { devices.subtract(greater(than: range.upperBound)) }
    return devices
  }

  /// Returns the candidates whose number is one of the keys, which are distinct and ascending.
  func devices(with keys: [UInt64], among candidates: Bitmap) -> Bitmap {
    var found = Bitmap()
    forEachKey(of: keys, among: candidates) { found.formUnion($1) }
    return found
  }

  /// Calls `body` with each of the keys that candidates have, and these candidates.
  ///
  /// The keys are distinct and ascending. Keys with the same upper bits share the work for those.
  func forEachKey(
    of keys: [UInt64], among candidates: Bitmap, _ body: (UInt64, Bitmap) -> Void
  ) {
    let fitting = keys.filter { 64 - $0.leadingZeroBitCount <= slices.count }
    guard !fitting.isEmpty else { return }
    narrow(present & candidates, to: fitting[...], below: slices.count, body)
  }

  /// Splits keys and devices by one bit after the other, from the highest down; recurses only if
  /// both halves have keys.
  private func narrow(
    _ candidates: consuming Bitmap, to keys: ArraySlice<UInt64>, below width: Int,
    _ body: (UInt64, Bitmap) -> Void
  ) {
    var (devices, keys) = (consume candidates, keys)
    for bit in (0..<width).reversed() {
      guard !devices.isEmpty else { return }
      let slice = slices[bit]
      let middle = keys.firstIndex { $0 >> bit & 1 == 1 } ?? keys.endIndex
      if middle == keys.startIndex {
        devices.formIntersection(slice)
        continue
      }
      if middle < keys.endIndex {
        narrow(devices & slice, to: keys[middle...], below: bit, body)
        keys = keys[..<middle]
      }
      if !slice.isEmpty { devices.subtract(slice) }
    }
    if !devices.isEmpty { body(keys[keys.startIndex], devices) }
  }

  /// The numbers that devices have.
  var distinctKeys: Set<UInt64> {
    guard let first = present.element(atRank: 0),
      let last = present.element(atRank: present.count - 1)
    else { return [] }
    var keys = [UInt64](repeating: 0, count: Int(last - first) + 1)
    for (bit, slice) in slices.enumerated() {
      slice.forEachChunk(of: 4096) { devices in
        for device in devices { keys[Int(device - first)] |= 1 << UInt64(bit) }
      }
    }
    var found: Set<UInt64> = []
    present.forEachChunk(of: 4096) { devices in
      for device in devices { found.insert(keys[Int(device - first)]) }
    }
    return found
  }

  mutating func optimize() {
    present.optimize()
    for bit in slices.indices { slices[bit].optimize() }
  }
}

extension Bitmap {
  /// Inserts those of the devices that are in `members`, and removes the others of them.
  mutating func set(_ members: Bitmap, of devices: Bitmap) {
    let old = self & devices
    guard old != members else { return }
    subtract(old.subtracting(members))
    formUnion(members)
  }
}

extension BitSlices {
  func encode(into snapshot: inout SnapshotWriter) throws {
    try snapshot.add(present)
    snapshot.add(count: slices.count)
    for slice in slices { try snapshot.add(slice) }
  }

  init(from snapshot: inout SnapshotReader) throws(SnapshotError) {
    present = try snapshot.bitmap()
    let count = try snapshot.count()
    guard count <= 64 else { throw SnapshotError("a column has numbers of more than 64 bits") }
    for _ in 0..<count {
      let slice = try snapshot.bitmap()
      guard slice.subtracting(present).isEmpty else {
        throw SnapshotError("a column has numbers of devices without a number")
      }
      slices.append(slice)
    }
  }
}
