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

  /// The devices whose number is above a bound.
  ///
  /// From the lowest bit up: where the bound has the bit a number must have it too and be greater
  /// below; where it has not, a number with the bit is greater whatever stands below.
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

  /// Those of some devices whose number is one of these, which ascend and differ.
  func devices(with keys: [UInt64], among candidates: Bitmap) -> Bitmap {
    let fitting = keys.filter { 64 - $0.leadingZeroBitCount <= slices.count }
    var found = Bitmap()
    guard !fitting.isEmpty else { return found }
    narrow(present & candidates, to: fitting[...], below: slices.count, into: &found)
    return found
  }

  /// Parts keys and devices by one bit after the other, the highest first; in place where all keys are
  /// on one side.
  private func narrow(
    _ candidates: consuming Bitmap, to keys: ArraySlice<UInt64>, below width: Int,
    into found: inout Bitmap
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
        narrow(devices & slice, to: keys[middle...], below: bit, into: &found)
        keys = keys[..<middle]
      }
      if !slice.isEmpty { devices.subtract(slice) }
    }
    found.formUnion(devices)
  }

  mutating func optimize() {
    present.optimize()
    for bit in slices.indices { slices[bit].optimize() }
  }

  /// About how many bytes it takes.
  var size: Int { slices.reduce(present.serializedSize) { $0 + $1.serializedSize } }
}
