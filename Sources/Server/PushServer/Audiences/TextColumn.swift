import _Bitmaps

/// A column of texts, each stored as a number in the order of first appearance.
///
/// A text that no device has any more keeps its number. Its hash stays until the index is rebuilt,
/// or is written after a device was erased.
struct TextColumn: Sendable {
  /// The numbers of most texts; `recent` has the others.
  private var table = HashTable()
  private var recent: [TextHash: UInt64] = [:]
  private var nextNumber: UInt64 = 0
  private var column = NumberColumn()

  init() {}

  mutating func insert(_ entries: [DeviceValues.TermEntry<TextHash>]) {
    column.insert(numbered(entries))
  }

  /// Replaces the texts of some devices.
  mutating func set(_ entries: [DeviceValues.TermEntry<TextHash>], of devices: Bitmap) {
    column.set(numbered(entries), of: devices)
  }

  private mutating func numbered(
    _ entries: [DeviceValues.TermEntry<TextHash>]
  ) -> [ColumnEntry] {
    let numbered = entries.map { entry in
      ColumnEntry(device: entry.device, position: entry.position, key: assign(entry.term))
    }
    if recent.count > IdentifierColumn.recentLimit {
      table = wholeTable { _ in true }
      recent = [:]
    }
    return numbered
  }

  mutating func remove(_ devices: Bitmap) { column.remove(devices) }

  var isEmpty: Bool { column.isEmpty }
  var present: Bitmap { column.present }

  func devices(with texts: some Sequence<TextHash>, among candidates: Bitmap) -> Bitmap {
    column.devices(with: Set(texts.compactMap(number)).sorted(), among: candidates)
  }

  /// The devices of each of some texts; texts that no candidate has are left out.
  func devices(
    withEach texts: some Sequence<TextHash>, among candidates: Bitmap
  ) -> [TextHash: Bitmap] {
    let numbered = texts.compactMap { text in number(of: text).map { ($0, text) } }
    return column.devices(
      withEach: Dictionary(numbered, uniquingKeysWith: { $1 }), among: candidates)
  }

  /// Returns those of the texts that devices have.
  func used(_ texts: some Sequence<TextHash>) -> Set<TextHash> {
    let keys = column.distinctKeys
    return Set(texts.filter { number(of: $0).map(keys.contains) == true })
  }

  private func number(of text: TextHash) -> UInt64? {
    recent[text] ?? table.indexes(of: text.bits).first.map { UInt64(table.number($0)) }
  }

  private mutating func assign(_ text: TextHash) -> UInt64 {
    if let number = number(of: text) { return number }
    defer { nextNumber += 1 }
    recent[text] = nextNumber
    return nextNumber
  }

  private func wholeTable(keeping isKept: (UInt64) -> Bool) -> HashTable {
    let added = recent.filter { isKept($0.value) }
    return table.merged(with: added.map { (hash: $0.bits, number: UInt32(clamping: $1)) }) {
      isKept(UInt64($0.number))
    }
  }

  mutating func optimize() { column.optimize() }
}

extension TextColumn {
  /// `forgetsUnused` omits the texts that no device has.
  func encode(into snapshot: inout SnapshotWriter, forgetsUnused: Bool) throws {
    snapshot.add(number: nextNumber)
    if forgetsUnused {
      let used = column.distinctKeys
      try snapshot.add(section: wholeTable(keeping: used.contains).encoded)
    } else {
      try snapshot.add(section: wholeTable { _ in true }.encoded)
    }
    try column.encode(into: &snapshot)
  }

  init(from snapshot: inout SnapshotReader) throws(SnapshotError) {
    nextNumber = try snapshot.number()
    table = try snapshot.table()
    guard nextNumber <= UInt64(UInt32.max) else {
      throw SnapshotError("a column has too many texts")
    }
    column = try NumberColumn(from: &snapshot)
  }
}
