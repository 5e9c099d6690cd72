import PushModel
import _Bitmaps

/// One value of one device, as a number.
struct ColumnEntry: Sendable {
  var device: UInt32
  /// The index of the value among the device's values of the field.
  var position: Int
  var key: UInt64
}

/// A column of numbers; a device may have several.
///
/// The first layer holds the first number of each device, the second layer the second, and so on.
struct NumberColumn: Sendable {
  private var layers: [BitSlices] = []

  init() {}

  /// Inserts entries, which must be in ascending order of their devices.
  mutating func insert(_ entries: [ColumnEntry]) {
    let depth = entries.reduce(0) { max($0, $1.position + 1) }
    while layers.count < depth { layers.append(BitSlices()) }
    for position in 0..<depth {
      layers[position].insert(
        entries.compactMap { $0.position == position ? (device: $0.device, key: $0.key) : nil })
    }
  }

  /// Replaces the numbers of some devices with entries, which must be in ascending order of their devices.
  mutating func set(_ entries: [ColumnEntry], of devices: Bitmap) {
    let depth = entries.reduce(0) { max($0, $1.position + 1) }
    while layers.count < depth { layers.append(BitSlices()) }
    for position in layers.indices {
      layers[position].set(
        entries.compactMap { $0.position == position ? (device: $0.device, key: $0.key) : nil },
        of: devices)
    }
  }

  mutating func remove(_ devices: Bitmap) {
    // A device with a second value also has a first one, so the first layer has every device.
    guard layers.first?.present.intersects(devices) == true else { return }
    for position in layers.indices { layers[position].remove(devices) }
  }

  var isEmpty: Bool { present.isEmpty }

  /// The devices that have at least one value.
  var present: Bitmap { layers.first?.present ?? Bitmap() }

  func devices(in range: ClosedRange<UInt64>) -> Bitmap {
    layers.reduce(into: Bitmap()) { $0.formUnion($1.devices(in: range)) }
  }

  func devices(with keys: [UInt64], among candidates: Bitmap) -> Bitmap {
    let keys = keys.sorted()
    return layers.reduce(into: Bitmap()) {
      $0.formUnion($1.devices(with: keys, among: candidates))
    }
  }

  /// The devices of each of some terms, by their keys; terms that no candidate has are left out.
  func devices<Term: Hashable>(
    withEach terms: [UInt64: Term], among candidates: Bitmap
  ) -> [Term: Bitmap] {
    let keys = terms.keys.sorted()
    return layers.reduce(into: [:]) { found, layer in
      layer.forEachKey(of: keys, among: candidates) { key, devices in
        guard let term = terms[key] else { return }
        if found[term]?.formUnion(devices) == nil { found[term] = devices }
      }
    }
  }

  /// The keys that devices have.
  var distinctKeys: Set<UInt64> {
    layers.reduce(into: []) { $0.formUnion($1.distinctKeys) }
  }

  mutating func optimize() { for position in layers.indices { layers[position].optimize() } }
}

extension NumberColumn {
  func encode(into snapshot: inout SnapshotWriter) throws {
    snapshot.add(count: layers.count)
    for layer in layers { try layer.encode(into: &snapshot) }
  }

  init(from snapshot: inout SnapshotReader) throws(SnapshotError) {
    for _ in 0..<(try snapshot.count()) { layers.append(try BitSlices(from: &snapshot)) }
  }
}

extension Int64 {
  /// An unsigned number that sorts in the same order.
  var ordered: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension Double {
  /// An unsigned number that sorts in the same order; 0 and -0 have the same number.
  var ordered: UInt64 {
    let bits = (self == 0 ? 0 : self).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
