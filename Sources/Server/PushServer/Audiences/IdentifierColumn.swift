import _Bitmaps

/// A field with a different value on nearly every device, such as an id or an e-mail address.
///
/// Most values are in a table, which a snapshot has on disk. Later changes are kept beside it until
/// there are so many that a new table is made.
struct IdentifierColumn: Sendable {
  private var table = HashTable()
  /// The devices whose value is in the table.
  private var tabled = Bitmap()
  /// The devices in the table whose value has changed since.
  private var outdated = Bitmap()
  /// The values that are not in the table, by device.
  private var recent: [UInt32: TextHash] = [:]

  /// The most values beside the table before a new one is made.
  static let recentLimit = 65_536

  init() {}

  mutating func set(_ device: UInt32, to value: TextHash) {
    if tabled.contains(device), !outdated.contains(device) {
      if hasInTable(device, value) { return }
      outdated.insert(device)
    }
    recent[device] = value == .none ? nil : value
    if recent.count > Self.recentLimit { compact() }
  }

  func devices(with values: Set<TextHash>) -> Bitmap {
    var found: [UInt32] = []
    for value in values {
      for index in table.indexes(of: value.bits) {
        let device = table.number(index)
        if !outdated.contains(device) { found.append(device) }
      }
    }
    for (device, value) in recent where values.contains(value) { found.append(device) }
    return Bitmap(found)
  }

  /// The devices that have a value.
  var present: Bitmap { tabled.subtracting(outdated) | Bitmap(recent.keys.sorted()) }

  private func hasInTable(_ device: UInt32, _ value: TextHash) -> Bool {
    table.indexes(of: value.bits).contains { table.number($0) == device }
  }

  /// Makes a new table of all values.
  private mutating func compact() {
    guard !recent.isEmpty || !outdated.isEmpty else { return }
    let outdated = outdated
    table = table.merged(with: recent.map { (hash: $1.bits, number: $0) }) {
      !outdated.contains($0.number)
    }
    tabled.subtract(outdated)
    tabled.insert(contentsOf: recent.keys.sorted())
    tabled.optimize()
    (self.outdated, recent) = (Bitmap(), [:])
  }
}

extension IdentifierColumn {
  func encode(into snapshot: inout SnapshotWriter) throws {
    var whole = self
    whole.compact()
    try snapshot.add(section: whole.table.encoded)
    try snapshot.add(whole.tabled)
  }

  init(from snapshot: inout SnapshotReader) throws(SnapshotError) {
    table = try snapshot.table()
    tabled = try snapshot.bitmap()
  }
}
