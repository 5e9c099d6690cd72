package import PushModel
package import _Bitmaps

/// An in-memory index of an app's devices by every field that a filter can name.
///
/// It is a value without a clock or a store. ``Audiences`` keeps one for each app.
package struct AudienceIndex: Sendable {
  /// The devices that have the app: neither erased nor uninstalled.
  package private(set) var installed = Bitmap()
  /// The installed devices that a push can reach: iOS, with a token and with pushes enabled.
  package private(set) var reachable = Bitmap()

  /// All devices of the index, including erased ones.
  package private(set) var known = Bitmap()
  var numbers: [Filter.Field: NumberColumn] = [:]
  var texts: [Filter.Field: TextColumn] = [:]
  var versions: [Filter.Field: VersionColumn] = [:]
  var deviceIDs = IdentifierColumn()
  var userIDs = IdentifierColumn()
  var userEmails = IdentifierColumn()
  var coordinates = CoordinateColumn()
  /// The texts to choose from.
  private(set) var knownTexts = KnownTexts()
  /// The names of the time zones that devices have, by their hashes.
  private var timeZones: [TextHash: String] = [:]
  /// The locales that devices have, as filters compare them, by their hashes.
  private var locales: [TextHash: String] = [:]
  /// The most locales that are kept by name.
  ///
  /// There are about a thousand locales. A device may report any name, and each one makes grouping slower.
  static let localeLimit = 2048

  let key: HashKey
  /// Whether devices were erased or removed since the index was made or read.
  private var hasErased = false

  /// Makes an index whose hashes use a key.
  package init(key: HashKey = .process) { self.key = key }

  func hash(_ text: String) -> TextHash { TextHash(text, key) }

  /// Inserts new devices and replaces changed ones; each device occurs once.
  package mutating func update(_ devices: [Device]) {
    let devices = devices.sorted { $0.number < $1.number }
    var values = DeviceValues(key: key)
    for device in devices {
      guard device.erasedAt == nil else {
        setIdentifiers(of: device.number)
        coordinates[device.number] = .unknown
        hasErased = true
        continue
      }
      values.add(device)
      setIdentifiers(
        of: device.number, id: hash(device.id), userID: device.userID.map(hash),
        userEmail: device.userEmail.map(hash))
      coordinates[device.number] = Coordinate(device.location) ?? .unknown
      if let zone = device.timeZone { timeZones[hash(zone)] = zone }
      if let locale = device.locale, locales.count < Self.localeLimit {
        let folded = Filter.Field.builtIn(.locale).folded(locale)
        locales[hash(folded)] = folded
      }
    }
    knownTexts.insert(values.texts)
    let given = Bitmap(devices.map(\.number))
    if known.intersects(given) { replace(given, by: values) } else { insert(values) }
    known.formUnion(given)
  }

  private mutating func insert(_ values: DeviceValues) {
    installed.insert(contentsOf: values.installed)
    reachable.insert(contentsOf: values.reachable)
    for (field, entries) in values.numbers {
      numbers[field, default: NumberColumn()].insert(entries)
    }
    for (field, entries) in values.terms { texts[field, default: TextColumn()].insert(entries) }
    for (field, entries) in values.versions {
      versions[field, default: VersionColumn()].insert(entries)
    }
  }

  /// Replaces the values of devices, some of which are known; most values of a known device are unchanged.
  private mutating func replace(_ devices: Bitmap, by values: DeviceValues) {
    installed.set(Bitmap(values.installed), of: devices)
    reachable.set(Bitmap(values.reachable), of: devices)
    // A set of the keys, because iterating over the dictionary would retain it and copy it at the first change.
    for field in Set(numbers.keys).union(values.numbers.keys) {
      numbers[field, default: NumberColumn()].set(values.numbers[field] ?? [], of: devices)
    }
    for field in Set(texts.keys).union(values.terms.keys) {
      texts[field, default: TextColumn()].set(values.terms[field] ?? [], of: devices)
    }
    for field in Set(versions.keys).union(values.versions.keys) {
      versions[field, default: VersionColumn()].set(values.versions[field] ?? [], of: devices)
    }
    removeEmptyColumns()
  }

  /// Removes the columns that no device has a value of, so that an app that changes the names of its attributes, or a stranger
  /// who does, has no more columns than values.
  private mutating func removeEmptyColumns() {
    for field in Array(numbers.keys) where numbers[field]?.isEmpty == true { numbers[field] = nil }
    for field in Array(texts.keys) where texts[field]?.isEmpty == true { texts[field] = nil }
    for field in Array(versions.keys) where versions[field]?.isEmpty == true {
      versions[field] = nil
    }
  }

  private mutating func setIdentifiers(
    of device: UInt32, id: TextHash? = nil, userID: TextHash? = nil, userEmail: TextHash? = nil
  ) {
    deviceIDs.set(device, to: id ?? .none)
    userIDs.set(device, to: userID ?? .none)
    userEmails.set(device, to: userEmail ?? .none)
  }

  /// Removes devices.
  package mutating func remove(_ devices: Bitmap) {
    let removed = devices & known
    guard !removed.isEmpty else { return }
    hasErased = true
    removeValues(of: removed)
    for device in removed.elements { setIdentifiers(of: device) }
    known.subtract(removed)
  }

  private mutating func removeValues(of devices: Bitmap) {
    installed.subtract(devices)
    reachable.subtract(devices)
    for field in Array(numbers.keys) { numbers[field]?.remove(devices) }
    for field in Array(texts.keys) { texts[field]?.remove(devices) }
    for field in Array(versions.keys) { versions[field]?.remove(devices) }
    removeEmptyColumns()
    devices.forEachChunk(of: 1024) { chunk in
      for device in chunk { coordinates[device] = .unknown }
    }
  }

  /// Frees spare memory, after many devices were inserted.
  package mutating func optimize() {
    installed.optimize()
    reachable.optimize()
    known.optimize()
    for field in Array(numbers.keys) { numbers[field]?.optimize() }
    for field in Array(texts.keys) { texts[field]?.optimize() }
    for field in Array(versions.keys) { versions[field]?.optimize() }
  }

  /// Groups devices by time zone; the key `nil` groups those without one.
  package func byTimeZone(_ devices: Bitmap) -> [(timeZone: String?, devices: Bitmap)] {
    groups(of: devices, by: .timeZone, named: timeZones).map { ($0.name, $0.devices) }
  }

  /// Groups devices by locale, in the form that filters compare; the key `nil` groups those without one.
  package func byLocale(_ devices: Bitmap) -> [(locale: String?, devices: Bitmap)] {
    groups(of: devices, by: .locale, named: locales).map { ($0.name, $0.devices) }
  }

  /// Groups devices by a field with known texts; the key `nil` groups those with another text or without one.
  private func groups(
    of devices: Bitmap, by field: Filter.BuiltIn, named names: [TextHash: String]
  ) -> [(name: String?, devices: Bitmap)] {
    guard let column = texts[.builtIn(field)] else { return [(nil, devices)] }
    // A device has one locale and one time zone.
    let found = column.devices(withEach: names.keys, among: devices)
    let parts = found.map { (name: names[$0], devices: $1) }
      .sorted { ($0.name ?? "") < ($1.name ?? "") }
    let others = parts.reduce(into: devices) { $0.subtract($1.devices) }
    return others.isEmpty ? parts : parts + [(nil, others)]
  }

  /// The attributes and events that devices have.
  var ownFields: [Filter.Field] {
    let used =
      numbers.filter { !$0.value.present.isEmpty }.map(\.key)
      + texts.filter { !$0.value.present.isEmpty }.map(\.key)
    return used.filter { if case .builtIn = $0 { false } else { true } }
  }

  /// The devices that have an attribute with a name, of any kind.
  func having(attribute name: String, among devices: Bitmap) -> Bitmap {
    Attribute.Kind.allCases.reduce(into: Bitmap()) { found, kind in
      let field = Filter.Field.attribute(kind, name: name)
      if let column = numbers[field] { found.formUnion(column.present & devices) }
      if let column = texts[field] { found.formUnion(column.present & devices) }
    }
  }
}

extension AudienceIndex {
  func encode(into snapshot: inout SnapshotWriter) throws {
    for bitmap in [installed, reachable, known] { try snapshot.add(bitmap) }
    snapshot.add(count: numbers.count)
    for (field, column) in numbers {
      snapshot.add(field)
      try column.encode(into: &snapshot)
    }
    snapshot.add(count: texts.count)
    for (field, column) in texts {
      snapshot.add(field)
      try column.encode(into: &snapshot, forgetsUnused: hasErased)
    }
    snapshot.add(count: versions.count)
    for (field, column) in versions {
      snapshot.add(field)
      try column.encode(into: &snapshot)
    }
    for column in [deviceIDs, userIDs, userEmails] { try column.encode(into: &snapshot) }
    try coordinates.encode(into: &snapshot)
    snapshot.add(count: timeZones.count)
    for zone in timeZones.values { snapshot.add(text: zone) }
    snapshot.add(count: locales.count)
    for locale in locales.values { snapshot.add(text: locale) }
    let kept = hasErased ? knownTexts.keeping { texts[$0]?.used($1) ?? [] } : knownTexts
    snapshot.add(count: kept.byField.count)
    for (field, names) in kept.byField {
      snapshot.add(field)
      snapshot.add(count: names.count)
      for name in names { snapshot.add(text: name.text) }
    }
  }

  init(from snapshot: inout SnapshotReader, key: HashKey) throws(SnapshotError) {
    self.key = key
    installed = try snapshot.bitmap()
    reachable = try snapshot.bitmap()
    known = try snapshot.bitmap()
    for _ in 0..<(try snapshot.count()) {
      numbers[try snapshot.field()] = try NumberColumn(from: &snapshot)
    }
    for _ in 0..<(try snapshot.count()) {
      texts[try snapshot.field()] = try TextColumn(from: &snapshot)
    }
    for _ in 0..<(try snapshot.count()) {
      versions[try snapshot.field()] = try VersionColumn(from: &snapshot)
    }
    deviceIDs = try IdentifierColumn(from: &snapshot)
    userIDs = try IdentifierColumn(from: &snapshot)
    userEmails = try IdentifierColumn(from: &snapshot)
    coordinates = try CoordinateColumn(from: &snapshot)
    for _ in 0..<(try snapshot.count()) {
      let zone = try snapshot.text()
      timeZones[hash(zone)] = zone
    }
    for _ in 0..<(try snapshot.count()) {
      let locale = try snapshot.text()
      locales[hash(locale)] = locale
    }
    for _ in 0..<(try snapshot.count()) {
      let field = try snapshot.field()
      var names: [TextHash: String] = [:]
      for _ in 0..<(try snapshot.count()) {
        let text = try snapshot.text()
        names[hash(field.folded(text))] = text
      }
      knownTexts.insert([field: names])
    }
    guard snapshot.isAtEnd else { throw SnapshotError("it has more than an index") }
  }
}

extension SnapshotWriter {
  fileprivate mutating func add(_ field: Filter.Field) {
    switch field {
    case .builtIn(let field):
      add(text: "field")
      add(text: field.rawValue)
    case .attribute(let kind, let name):
      add(text: kind.rawValue)
      add(text: name)
    case .event(let name):
      add(text: "event")
      add(text: name)
    }
  }
}

extension SnapshotReader {
  fileprivate mutating func field() throws(SnapshotError) -> Filter.Field {
    let (kind, name) = (try text(), try text())
    if kind == "event" { return .event(name) }
    if kind == "field", let field = Filter.BuiltIn(rawValue: name) { return .builtIn(field) }
    guard let kind = Attribute.Kind(rawValue: kind) else {
      throw SnapshotError("it has a field of an unknown kind")
    }
    return .attribute(kind, name: name)
  }
}
