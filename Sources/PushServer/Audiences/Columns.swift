import PushStore
import _Bitmaps

/// One value of one device, as a number; `place` is where it stands among the field's values.
struct ColumnEntry: Sendable {
  var device: UInt32
  var place: Int
  var key: UInt64
}

/// A field's numbers, of which a device may have several: a layer of the first of each, and so on.
struct NumberColumn: Sendable {
  private var layers: [BitSlices] = []

  /// Entries come in the order of their devices.
  mutating func insert(_ entries: [ColumnEntry]) {
    let depth = entries.reduce(0) { max($0, $1.place + 1) }
    while layers.count < depth { layers.append(BitSlices()) }
    for place in 0..<depth {
      layers[place].insert(
        entries.compactMap { $0.place == place ? (device: $0.device, key: $0.key) : nil })
    }
  }

  mutating func remove(_ devices: Bitmap) {
    // A device with a second value has a first one.
    guard layers.first?.present.intersects(devices) == true else { return }
    for place in layers.indices { layers[place].remove(devices) }
  }

  /// The devices that have a value.
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

  mutating func optimize() { for place in layers.indices { layers[place].optimize() } }

  var size: Int { layers.reduce(0) { $0 + $1.size } }
}

/// A field's terms, each known by the order in which it was met.
///
/// Terms that no device has any longer are forgotten when the index is built anew.
struct TermColumn<Term: Hashable & Sendable>: Sendable {
  private var numbers: [Term: UInt64] = [:]
  private var column = NumberColumn()

  mutating func insert(_ entries: [(device: UInt32, place: Int, term: Term)]) {
    column.insert(
      entries.map { entry in
        let count = UInt64(numbers.count)
        let number = numbers[entry.term, default: count]
        if number == count { numbers[entry.term] = number }
        return ColumnEntry(device: entry.device, place: entry.place, key: number)
      })
  }

  mutating func remove(_ devices: Bitmap) { column.remove(devices) }

  var present: Bitmap { column.present }
  var terms: some Collection<Term> { numbers.keys }

  func devices(with terms: some Sequence<Term>, among candidates: Bitmap) -> Bitmap {
    column.devices(with: Set(terms.compactMap { numbers[$0] }).sorted(), among: candidates)
  }

  func devices(among candidates: Bitmap, where holds: (Term) -> Bool) -> Bitmap {
    devices(with: numbers.keys.filter(holds), among: candidates)
  }

  mutating func optimize() { column.optimize() }

  var size: Int { column.size + numbers.capacity * (MemoryLayout<Term>.stride + 9) }
}

extension Int64 {
  /// The same order, without a sign.
  var ordered: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension Double {
  /// The same order, as a whole number; the two zeros are one.
  var ordered: UInt64 {
    let bits = (self == 0 ? 0 : self).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
