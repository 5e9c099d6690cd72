package import PushStore
package import _Bitmaps

/// An in-memory index of an app's devices by every field that a filter can name.
///
/// It is a value without a clock or a store. ``Audiences`` keeps one for each app.
package struct AudienceIndex: Sendable {
  /// The devices that have the app: neither erased nor uninstalled.
  package private(set) var installed = Bitmap()
  /// The installed devices that a push can reach: iOS, with a token and with pushes enabled.
  package private(set) var reachable = Bitmap()

  private var known = Bitmap()
  var numbers: [Filter.Field: NumberColumn] = [:]
  var terms: [Filter.Field: TermColumn<TextHash>] = [:]
  var versions: [Filter.Field: TermColumn<Version>] = [:]
  var deviceIDs = IdentifierColumn()
  var userIDs = IdentifierColumn()
  var userEmails = IdentifierColumn()
  var coordinates = CoordinateColumn()
  /// The names of the time zones that devices have, by their hashes.
  private var timeZones: [TextHash: String] = [:]

  package init() {}

  /// Inserts new devices and replaces changed ones; each device is given once.
  package mutating func update(_ devices: [Device]) {
    let devices = devices.sorted { $0.number < $1.number }
    let given = Bitmap(devices.map(\.number))
    if known.intersects(given) { removeValues(of: given) }
    known.formUnion(given)
    var values = DeviceValues()
    for device in devices {
      if device.erasedAt != nil { continue }
      values.add(device)
      deviceIDs[device.number] = TextHash(device.id)
      userIDs[device.number] = device.userID.map { TextHash($0) } ?? .none
      userEmails[device.number] = device.userEmail.map { TextHash($0) } ?? .none
      coordinates[device.number] = Coordinate(device.location) ?? .unknown
      if let zone = device.timeZone { timeZones[TextHash(zone)] = zone }
    }
    installed.insert(contentsOf: values.installed)
    reachable.insert(contentsOf: values.reachable)
    for (field, entries) in values.numbers {
      numbers[field, default: NumberColumn()].insert(entries)
    }
    for (field, entries) in values.terms { terms[field, default: TermColumn()].insert(entries) }
    for (field, entries) in values.versions {
      versions[field, default: TermColumn()].insert(entries)
    }
  }

  /// Removes devices.
  package mutating func remove(_ devices: Bitmap) {
    let removed = devices & known
    removeValues(of: removed)
    known.subtract(removed)
  }

  private mutating func removeValues(of devices: Bitmap) {
    installed.subtract(devices)
    reachable.subtract(devices)
    // A copy of the keys: iterating over the dictionary would retain it, and copy it at the first
    // change.
    for field in Array(numbers.keys) { numbers[field]?.remove(devices) }
    for field in Array(terms.keys) { terms[field]?.remove(devices) }
    for field in Array(versions.keys) { versions[field]?.remove(devices) }
    devices.forEachChunk(of: 1024) { chunk in
      for device in chunk {
        deviceIDs[device] = .none
        userIDs[device] = .none
        userEmails[device] = .none
        coordinates[device] = .unknown
      }
    }
  }

  /// Frees spare memory, after many devices were inserted.
  package mutating func optimize() {
    installed.optimize()
    reachable.optimize()
    known.optimize()
    for field in Array(numbers.keys) { numbers[field]?.optimize() }
    for field in Array(terms.keys) { terms[field]?.optimize() }
    for field in Array(versions.keys) { versions[field]?.optimize() }
  }

  /// Groups devices by time zone; those without one are in the group of `nil`.
  package func byTimeZone(_ devices: Bitmap) -> [(timeZone: String?, devices: Bitmap)] {
    guard let column = terms[.builtIn(.timeZone)] else { return [(nil, devices)] }
    var parts: [(timeZone: String?, devices: Bitmap)] = []
    for (term, zone) in timeZones.sorted(by: { $0.value < $1.value }) {
      let part = column.devices(with: [term], among: devices)
      if !part.isEmpty { parts.append((zone, part)) }
    }
    let others = devices.subtracting(column.present)
    if !others.isEmpty { parts.append((nil, others)) }
    return parts
  }

  /// The approximate size of the index in bytes.
  package var size: Int {
    numbers.values.reduce(0) { $0 + $1.size } + terms.values.reduce(0) { $0 + $1.size }
      + versions.values.reduce(0) { $0 + $1.size } + deviceIDs.size + userIDs.size
      + userEmails.size + coordinates.size + installed.serializedSize + reachable.serializedSize
      + known.serializedSize
  }
}
