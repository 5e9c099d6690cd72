/// The devices of a group of changes, which are applied in order.
///
/// The result is the same as if each change had its own transaction. A change that fails leaves the group as it was.
package struct DeviceGroup {
  /// The stored devices, by their ids.
  private let stored: [String: Device]
  /// The devices after the changes so far, by their ids.
  private var devices: [String: Device]
  /// The id of the device with each token: as stored, and after the changes so far.
  private let storedHolders: [String: String]
  private var holders: [String: String]
  /// The ids of each user's devices.
  private var users: [String: Set<String>] = [:]
  /// The greatest number of a device.
  private var last: UInt32
  /// The ids of the changed and new devices, by their numbers.
  private var changed: [UInt32: String] = [:]
  /// The tokens that devices have newly registered.
  private var registered: Set<String> = []
  /// The numbers of the changed and new devices in the order of the changes, for the log.
  package private(set) var log: [UInt32] = []
  /// The creation times of the new devices that count as installs.
  package private(set) var installs: [Timestamp] = []

  /// Makes a group without changes.
  ///
  /// `stored` are all devices with the ids, the tokens and the users that the changes name. `last` is the greatest
  /// number of the app's devices, which is used only if a change makes a device.
  package init(_ stored: [Device], last: UInt32) {
    let byID = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    (self.stored, devices, self.last) = (byID, byID, last)
    storedHolders = Dictionary(
      stored.compactMap { device in device.token.map { ($0, device.id) } }, uniquingKeysWith: { $1 }
    )
    holders = storedHolders
    for device in byID.values {
      if let user = device.userID { users[user, default: []].insert(device.id) }
    }
  }

  /// The new devices, in the order of their numbers.
  package var added: [Device] { changed(areStored: false) }

  /// The stored devices that were changed, in the order of their numbers.
  package var updated: [Device] { changed(areStored: true) }

  private func changed(areStored: Bool) -> [Device] {
    changed.filter { (stored[$0.value] != nil) == areStored }.keys.sorted().compactMap { number in
      changed[number].flatMap { devices[$0] }
    }
  }

  /// The stored devices whose token now belongs to another stored device.
  ///
  /// A token is unique at any time, so these devices lose theirs before the other devices are updated.
  package var released: [Device] {
    let devices = registered.compactMap { token -> Device? in
      guard let holder = holders[token], stored[holder] != nil, let old = storedHolders[token],
        old != holder
      else { return nil }
      return stored[old]
    }
    return devices.sorted { $0.number < $1.number }
  }

  /// Applies a change, and returns the changed devices in their new state.
  package mutating func apply(_ change: DeviceChange) -> Result<[Device], StoreError> {
    do throws(StoreError) {
      switch change.edit {
      case .update(let id, let patch, let caller):
        return .success([try update(id, patch, by: caller, at: change.at, isInstall: true)])
      case .merge(let id, let patch):
        return .success([try update(id, patch, by: .server, at: change.at, isInstall: false)])
      case .user(let id, let attributes):
        return .success(update(user: id, attributes, at: change.at))
      }
    } catch {
      return .failure(error)
    }
  }

  private mutating func update(
    _ id: String, _ patch: DevicePatch, by caller: DeviceCaller, at now: Timestamp, isInstall: Bool
  ) throws(StoreError) -> Device {
    let old = devices[id]
    guard old?.erasedAt == nil else { throw .erased(id) }
    var device = old ?? Device(id: id, createdAt: now)
    if case .app(let hash, let limit) = caller {
      // If a group has two first secrets for a device, only the earlier one is stored.
      guard device.owner.admits(hash) else { throw .otherSecret(id) }
      if old == nil, last >= limit { throw .limited(limit) }
      device.secretHash = device.secretHash ?? hash
    }
    device.apply(patch.allowed(to: caller, on: device), at: now)
    try save(&device, replacing: old)
    if old == nil, isInstall { installs.append(now) }
    return device
  }

  private mutating func update(
    user id: String, _ attributes: [String: Attribute?], at now: Timestamp
  ) -> [Device] {
    var patch = DevicePatch()
    patch.attributes = attributes
    var all = (users[id] ?? []).compactMap { devices[$0] }.sorted { $0.number < $1.number }
    for place in all.indices {
      all[place].apply(patch, at: now)
      note(all[place])
    }
    return all
  }

  /// Replaces a device and logs the change; a new device gets its number.
  private mutating func save(_ device: inout Device, replacing old: Device?) throws(StoreError) {
    if old == nil {
      guard last < .max else { throw .full }
      last += 1
      device.number = last
    }
    if device.token != old?.token {
      // A token belongs to the device that registered it last.
      if let token = device.token, let holder = holders[token], var other = devices[holder] {
        other.token = nil
        other.tokenAt = nil
        note(other)
      }
      if let token = old?.token { holders[token] = nil }
      if let token = device.token {
        holders[token] = device.id
        registered.insert(token)
      }
    }
    note(device)
  }

  private mutating func note(_ device: Device) {
    let old = devices.updateValue(device, forKey: device.id)
    if old?.userID != device.userID {
      if let user = old?.userID { users[user]?.remove(device.id) }
      if let user = device.userID { users[user, default: []].insert(device.id) }
    }
    changed[device.number] = device.id
    log.append(device.number)
  }
}

extension StoreError {
  package static func erased(_ device: String) -> StoreError {
    StoreError(
      .erased, "the device \(device) was erased and takes no updates; register under a new id")
  }

  package static var full: StoreError {
    StoreError(.failed, "the app has 4294967295 devices, the most there can be; add another app")
  }

  fileprivate static func otherSecret(_ device: String) -> StoreError {
    StoreError(.forbidden, "the device \(device) has another secret; a push key can reset it")
  }

  fileprivate static func limited(_ limit: Int) -> StoreError {
    StoreError(.conflict, "the app has reached its limit of \(limit) devices")
  }
}
