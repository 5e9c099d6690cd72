import _Bitmaps

/// A number for each of some devices, kept as one bitmap a bit.
///
/// A comparison costs one operation on bitmaps for each bit that any number has, however many
/// devices there are. O'Neil and Quass, "Improved Query Performance with Variant Indexes", 1997.
struct BitSlices: Sendable {
  /// The devices that have a number.
  private(set) var present = Bitmap()
  /// The devices whose number has a bit, the lowest bit first.
  private var slices: [Bitmap] = []

  /// Gives numbers to devices, in ascending order, that have none.
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

  mutating func remove(_ devices: Bitmap) {
    guard present.intersects(devices) else { return }
    present.subtract(devices)
    for bit in slices.indices where slices[bit].intersects(devices) {
      slices[bit].subtract(devices)
    }
  }

  /// Those of some devices whose number is in a range.
  func devices(in range: ClosedRange<UInt64>, among candidates: Bitmap) -> Bitmap {
    var found = Bitmap()
    // No number has a bit that no slice has.
    guard 64 - range.lowerBound.leadingZeroBitCount <= slices.count else { return found }
    let isOpen = 64 - range.upperBound.leadingZeroBitCount > slices.count
    narrow(
      present & candidates, from: range.lowerBound, through: isOpen ? nil : range.upperBound,
      below: slices.count, into: &found)
    return found
  }

  /// Parts devices by one bit after the other, the highest first.
  ///
  /// A bound is `nil` where the bits above have met it already, so that what remains to be parted is
  /// soon a small part of all.
  private func narrow(
    _ devices: Bitmap, from low: UInt64?, through high: UInt64?, below bit: Int,
    into found: inout Bitmap
  ) {
    guard !devices.isEmpty else { return }
    let rest: UInt64 = bit == 64 ? .max : 1 << bit - 1
    let low = low.flatMap { $0 & rest == 0 ? nil : $0 }
    let high = high.flatMap { $0 & rest == rest ? nil : $0 }
    if low == nil, high == nil { return found.formUnion(devices) }
    let slice = slices[bit - 1]
    let (isLowSet, isHighSet) = (
      low.map { $0 >> (bit - 1) & 1 == 1 }, high.map { $0 >> (bit - 1) & 1 == 1 }
    )
    if isLowSet != true {
      narrow(
        slice.isEmpty ? devices : devices.subtracting(slice), from: low,
        through: isHighSet == true ? nil : high, below: bit - 1, into: &found)
    }
    if isHighSet != false, !slice.isEmpty {
      narrow(
        devices & slice, from: isLowSet == false ? nil : low, through: high, below: bit - 1,
        into: &found)
    }
  }

  /// Those of some devices whose number is one of these, which ascend.
  func devices(with keys: [UInt64], among candidates: Bitmap) -> Bitmap {
    let fitting = keys.filter { 64 - $0.leadingZeroBitCount <= slices.count }
    var found = Bitmap()
    narrow(present & candidates, to: fitting[...], below: slices.count, into: &found)
    return found
  }

  /// Parts keys and devices by one bit after the other, the highest first.
  private func narrow(
    _ devices: Bitmap, to keys: ArraySlice<UInt64>, below bit: Int, into found: inout Bitmap
  ) {
    guard !keys.isEmpty, !devices.isEmpty else { return }
    guard bit > 0 else { return found.formUnion(devices) }
    let slice = slices[bit - 1]
    let middle = keys.firstIndex { $0 >> (bit - 1) & 1 == 1 } ?? keys.endIndex
    let (without, with) = (keys[..<middle], keys[middle...])
    if !without.isEmpty {
      let rest = slice.isEmpty ? devices : devices.subtracting(slice)
      narrow(rest, to: without, below: bit - 1, into: &found)
    }
    if !with.isEmpty { narrow(devices & slice, to: with, below: bit - 1, into: &found) }
  }

  mutating func optimize() {
    present.optimize()
    for bit in slices.indices { slices[bit].optimize() }
  }

  /// About how many bytes it takes.
  var size: Int { slices.reduce(present.serializedSize) { $0 + $1.serializedSize } }
}
