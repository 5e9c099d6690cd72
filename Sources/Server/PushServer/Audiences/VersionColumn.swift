import _Bitmaps

/// A column of versions, each stored as a number in the order of first appearance.
struct VersionColumn: Sendable {
  private var numbers: [Version: UInt64] = [:]
  private var column = NumberColumn()

  init() {}

  mutating func insert(_ entries: [DeviceValues.TermEntry<Version>]) {
    column.insert(numbered(entries))
  }

  /// Replaces the versions of some devices.
  mutating func set(_ entries: [DeviceValues.TermEntry<Version>], of devices: Bitmap) {
    column.set(numbered(entries), of: devices)
  }

  private mutating func numbered(
    _ entries: [DeviceValues.TermEntry<Version>]
  ) -> [ColumnEntry] {
    entries.map { entry in
      let count = UInt64(numbers.count)
      let number = numbers[entry.term, default: count]
      if number == count { numbers[entry.term] = number }
      return ColumnEntry(device: entry.device, position: entry.position, key: number)
    }
  }

  mutating func remove(_ devices: Bitmap) { column.remove(devices) }

  /// The versions that devices have or had.
  var known: [Version] { Array(numbers.keys) }
  var isEmpty: Bool { column.isEmpty }
  var present: Bitmap { column.present }

  func devices(among candidates: Bitmap, where holds: (Version) -> Bool) -> Bitmap {
    let keys = numbers.filter { holds($0.key) }.values.sorted()
    return column.devices(with: keys, among: candidates)
  }

  /// The devices of each of some versions; versions that no candidate has are left out.
  func devices(withEach versions: [Version], among candidates: Bitmap) -> [Version: Bitmap] {
    let numbered = versions.compactMap { version in numbers[version].map { ($0, version) } }
    return column.devices(
      withEach: Dictionary(numbered, uniquingKeysWith: { $1 }), among: candidates)
  }

  mutating func optimize() { column.optimize() }
}

extension VersionColumn {
  func encode(into snapshot: inout SnapshotWriter) throws {
    snapshot.add(count: numbers.count)
    for (version, _) in numbers.sorted(by: { $0.value < $1.value }) {
      snapshot.add(text: version.text)
    }
    try column.encode(into: &snapshot)
  }

  init(from snapshot: inout SnapshotReader) throws(SnapshotError) {
    for _ in 0..<(try snapshot.count()) {
      let number = UInt64(numbers.count)
      guard numbers.updateValue(number, forKey: Version(try snapshot.text())) == nil else {
        throw SnapshotError("a column has a version twice")
      }
    }
    column = try NumberColumn(from: &snapshot)
  }
}
