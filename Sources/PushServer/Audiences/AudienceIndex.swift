package import PushStore
package import _Bitmaps

/// The devices of an app by everything that a filter can ask for.
///
/// It is a value without a clock or a store: it is told of devices, and answers with their numbers.
/// ``Audiences`` keeps one for each app.
package struct AudienceIndex: Sendable {
  /// The devices that have the app: neither erased nor reported gone.
  package private(set) var installed = Bitmap()
  /// Those of them that a push can reach: with a token, allowed, and Apple's.
  package private(set) var reachable = Bitmap()

  private var known = Bitmap()
  var numbers: [Filter.Field: NumberColumn] = [:]
  var terms: [Filter.Field: TermColumn<Fingerprint>] = [:]
  var versions: [Filter.Field: TermColumn<Version>] = [:]
  var deviceIDs = IdentifierColumn()
  var userIDs = IdentifierColumn()
  var userEmails = IdentifierColumn()
  var places = PlaceColumn()
  /// The names of the time zones among the terms.
  private var timeZones: [Fingerprint: String] = [:]

  package init() {}

  /// Takes devices as they are now, new ones and changed ones, each once.
  package mutating func update(_ devices: [Device]) {
    let devices = devices.sorted { $0.number < $1.number }
    let given = Bitmap(devices.map(\.number))
    if known.intersects(given) { forget(given) }
    known.formUnion(given)
    var values = DeviceValues()
    for device in devices {
      if device.erasedAt != nil { continue }
      values.add(device)
      deviceIDs[device.number] = Fingerprint(device.id)
      userIDs[device.number] = device.userID.map { Fingerprint($0) } ?? .none
      userEmails[device.number] = device.userEmail.map { Fingerprint($0) } ?? .none
      places[device.number] = Coordinate(device.location) ?? .nowhere
      if let zone = device.timeZone { timeZones[Fingerprint(zone)] = zone }
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

  /// Forgets devices altogether.
  package mutating func remove(_ devices: Bitmap) {
    let gone = devices & known
    forget(gone)
    known.subtract(gone)
  }

  private mutating func forget(_ devices: Bitmap) {
    installed.subtract(devices)
    reachable.subtract(devices)
    // By keys of their own: the indices of a dictionary hold it, and it would be copied whole.
    for field in Array(numbers.keys) { numbers[field]?.remove(devices) }
    for field in Array(terms.keys) { terms[field]?.remove(devices) }
    for field in Array(versions.keys) { versions[field]?.remove(devices) }
    devices.forEachChunk(of: 1024) { chunk in
      for device in chunk {
        deviceIDs[device] = .none
        userIDs[device] = .none
        userEmails[device] = .none
        places[device] = .nowhere
      }
    }
  }

  /// Gives back spare memory: worth it once many devices were told.
  package mutating func optimize() {
    installed.optimize()
    reachable.optimize()
    known.optimize()
    for field in Array(numbers.keys) { numbers[field]?.optimize() }
    for field in Array(terms.keys) { terms[field]?.optimize() }
    for field in Array(versions.keys) { versions[field]?.optimize() }
  }

  /// Some devices by their time zones; those without one come under `nil`.
  package func byTimeZone(_ devices: Bitmap) -> [(timeZone: String?, devices: Bitmap)] {
    guard let column = terms[.builtIn(.timeZone)] else { return [(nil, devices)] }
    var parts: [(timeZone: String?, devices: Bitmap)] = []
    for (term, zone) in timeZones.sorted(by: { $0.value < $1.value }) {
      let part = column.devices(with: [term], among: devices)
      if !part.isEmpty { parts.append((zone, part)) }
    }
    let rest = devices.subtracting(column.present)
    if !rest.isEmpty { parts.append((nil, rest)) }
    return parts
  }

  /// About how many bytes it takes.
  package var size: Int {
    numbers.values.reduce(0) { $0 + $1.size } + terms.values.reduce(0) { $0 + $1.size }
      + versions.values.reduce(0) { $0 + $1.size } + deviceIDs.size + userIDs.size
      + userEmails.size + places.size + installed.serializedSize + reachable.serializedSize
      + known.serializedSize
  }
}
