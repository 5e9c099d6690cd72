package import PushModel
import PushPayload
package import _Bitmaps

/// The index of an app's devices, in shards of consecutive numbers.
///
/// A filter looks at each device alone, so the shards together select the same devices as one index.
/// A snapshot writes and reads one shard at a time, which limits the memory that it needs.
package struct ShardedIndex: Sendable {
  /// The number of device numbers in a shard, 2²⁰.
  package static let shardSize = 1 << shardBits
  private static let shardBits: UInt32 = 20

  /// The key of the hashes of all shards.
  let key: HashKey
  private(set) var shards: [Shard] = []

  struct Shard: Sendable {
    var index: AudienceIndex
    /// The number of devices changed since the shard was written or read.
    var changes = 0
    /// The name of the shard's file, without later changes; `nil` if it was not written.
    var file: String?
  }

  package init(key: HashKey = .random()) { self.key = key }

  static func shard(of device: UInt32) -> Int { Int(device >> shardBits) }

  /// Inserts new devices and replaces changed ones; each device occurs once.
  package mutating func update(_ devices: [Device]) {
    for (shard, part) in Dictionary(grouping: devices, by: { Self.shard(of: $0.number) }) {
      reserve(shard)
      shards[shard].index.update(part)
      shards[shard].changes += part.count
    }
  }

  /// Removes devices.
  package mutating func remove(_ devices: Bitmap) {
    guard !devices.isEmpty else { return }
    for shard in shards.indices {
      shards[shard].changes += shards[shard].index.known.intersectionCount(devices)
      shards[shard].index.remove(devices)
    }
  }

  /// Replaces a shard with one that was read from a file.
  mutating func replace(_ shard: Int, with index: AudienceIndex, in file: String) {
    reserve(shard)
    shards[shard] = Shard(index: index, file: file)
  }

  private mutating func reserve(_ shard: Int) {
    while shards.count <= shard { shards.append(Shard(index: AudienceIndex(key: key))) }
  }

  /// Frees spare memory of a shard, after many devices were inserted.
  package mutating func optimize(_ shard: Int) { shards[shard].index.optimize() }

  /// The installed or reachable devices that a query selects.
  package func devices(
    passing query: DeviceQuery, at now: Timestamp, among candidates: Candidates
  ) -> Bitmap {
    shards.reduce(into: Bitmap()) { found, shard in
      let among = shard.index.candidates(candidates)
      found.formUnion(shard.index.devices(passing: query, at: now, among: among))
    }
  }

  /// The installed or reachable devices that pass every filter.
  package func devices(
    passing filters: [Filter], at now: Timestamp, among candidates: Candidates
  ) -> Bitmap {
    devices(passing: DeviceQuery(filters), at: now, among: candidates)
  }

  /// The devices to choose from.
  package enum Candidates: Sendable {
    /// The devices that have the app.
    case installed
    /// The devices that have the app and that a push can reach.
    case reachable
  }

  /// Counts the devices that a query selects.
  package func count(passing query: DeviceQuery, at now: Timestamp) -> AudienceCount {
    let quiet = Filter(field: .builtIn(.pushQuiet), criteria: [.equals(.bool(true))])
    var count = AudienceCount(targeted: 0, pushEnabled: 0)
    for index in shards.lazy.map(\.index) {
      let members = index.devices(passing: query, at: now, among: index.installed)
      let reached = members & index.reachable
      count.targeted += members.count
      count.pushEnabled += reached.count
      count.quiet += index.devices(passing: [quiet], at: now, among: reached).count
    }
    return count
  }

  /// Groups devices by time zone; the key `nil` groups those without one.
  package func byTimeZone(_ devices: Bitmap) -> [(timeZone: String?, devices: Bitmap)] {
    groups(of: devices) { index, part in index.byTimeZone(part).map { ($0.timeZone, $0.devices) } }
      .map { ($0.name, $0.devices) }
  }

  /// Groups devices by locale, in the form that filters compare; the key `nil` groups those without one.
  package func byLocale(_ devices: Bitmap) -> [(locale: String?, devices: Bitmap)] {
    groups(of: devices) { index, part in index.byLocale(part).map { ($0.locale, $0.devices) } }
      .map { ($0.name, $0.devices) }
  }

  private func groups(
    of devices: Bitmap, by parts: (AudienceIndex, Bitmap) -> [(name: String?, devices: Bitmap)]
  ) -> [(name: String?, devices: Bitmap)] {
    var named: [String: Bitmap] = [:]
    var others = devices
    for shard in shards {
      for (name, part) in parts(shard.index, devices & shard.index.known) {
        guard let name else { continue }
        named[name, default: Bitmap()].formUnion(part)
        others.subtract(part)
      }
    }
    let all = named.sorted { $0.key < $1.key }.map { (name: $0.key as String?, devices: $0.value) }
    return others.isEmpty ? all : all + [(nil, others)]
  }

  /// The attributes and events that devices have, sorted by name.
  var ownFields: [Filter.Field] {
    let fields = shards.reduce(into: Set<Filter.Field>()) { $0.formUnion($1.index.ownFields) }
    return fields.sorted { $0.apiName < $1.apiName }
  }

  /// The first devices that a push reaches.
  func firstReachable(_ count: Int) -> [UInt32] {
    Array(shards.lazy.flatMap { $0.index.reachable.elements(atRanks: 0..<count) }.prefix(count))
  }

  /// The number of devices that have an attribute with a name, of any kind.
  func count(having attribute: String, among devices: Bitmap) -> Int {
    shards.reduce(0) {
      $0 + $1.index.having(attribute: attribute, among: devices & $1.index.known).count
    }
  }

  /// The number of devices, including erased ones.
  package var count: Int { shards.reduce(0) { $0 + $1.index.known.count } }
  /// The number of devices changed since their shards were written or read.
  var changes: Int { shards.reduce(0) { $0 + $1.changes } }
}

extension AudienceIndex {
  fileprivate func candidates(_ candidates: ShardedIndex.Candidates) -> Bitmap {
    switch candidates {
    case .installed: installed
    case .reachable: reachable
    }
  }
}
