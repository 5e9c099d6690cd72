import _Bitmaps

/// A field of texts or versions, each stored as the number in which order it was first seen.
///
/// A term that no device has any more stays until the index is rebuilt.
struct TermColumn<Term: Hashable & Sendable>: Sendable {
  private var numbers: [Term: UInt64] = [:]
  private var column = NumberColumn()

  mutating func insert(_ entries: [(device: UInt32, position: Int, term: Term)]) {
    column.insert(
      entries.map { entry in
        let count = UInt64(numbers.count)
        let number = numbers[entry.term, default: count]
        if number == count { numbers[entry.term] = number }
        return ColumnEntry(device: entry.device, position: entry.position, key: number)
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
