import PushPayload

/// One update of the device, as it was sent.
struct DeviceUpdate: Hashable, Sendable {
  var flight: String
  /// The members by their keys; `null` removes one.
  var members: [String: JSONValue]
  var isOpened = false
  /// The user token; `nil` if the update names no user.
  var proof: String?

  /// The body of the request.
  var body: JSONValue {
    var device: [String: JSONValue] = [:]
    var attributes: [String: JSONValue] = [:]
    for (key, value) in members {
      if let name = MemberKey.attributeName(key) {
        attributes[name] = value
      } else {
        device[key] = value
      }
    }
    if !attributes.isEmpty { device[MemberKey.attributes] = .object(attributes) }
    if isOpened { device["opened"] = true }
    return ["device": .object(device)]
  }
}

/// A process that may send updates of the device.
struct Sender: Hashable, Sendable {
  /// The name of the process, such as its bundle identifier; the same each time that it runs.
  var role: String
  /// A random text of this run.
  var session: String
}

extension DeviceRecord {
  /// The time within which another process must receive its answer, in milliseconds.
  static let flightLimit: Int64 = 60_000

  /// The time at which a process may begin an update; `nil` if it may begin now.
  ///
  /// One update is under way at a time, so that an older one never arrives after a newer one. A flight with the same role and
  /// another session belongs to a process that has ended. A flight from the future was started before the clock was set back.
  func waitForFlight(of sender: Sender, at now: Int64) -> Int64? {
    guard let flight, flight.role != sender.role else { return nil }
    let end = flight.startedAt + Self.flightLimit
    return flight.startedAt <= now && now < end ? end : nil
  }

  /// Begins an update with at most some members of the difference.
  ///
  /// The members are in doubt from now on, because the request may arrive without an answer.
  mutating func begin(
    flight id: String, by sender: Sender, at now: Int64, atMost limit: Int = .max
  ) -> DeviceUpdate? {
    guard needsUpdate else { return nil }
    let difference = deviceDifference
    let keys = difference.keys.sorted().prefix(limit)
    var update = begin(id, by: sender, at: now, difference.filter { keys.contains($0.key) })
    // An opening has no id, so a repeated one would count twice: it is sent at most once.
    update.isOpened = isOpened && phase == .active
    if update.isOpened { isOpened = false }
    if keys.contains(where: { MemberKey.needsProof($0) && difference[$0] != .null }) {
      update.proof = proof
    }
    return update
  }

  /// Begins an update that sends a token, such as that of an activity, or removes one.
  ///
  /// A new token is sent before the old one is removed, so that the server always has one.
  mutating func beginToken(flight id: String, by sender: Sender, at now: Int64) -> DeviceUpdate? {
    let members = difference.filter { TokenKey($0.key) != nil }.sorted {
      ($0.value.isNull ? 1 : 0, $0.key) < ($1.value.isNull ? 1 : 0, $1.key)
    }
    return members.first.map { begin(id, by: sender, at: now, [$0.key: $0.value]) }
  }

  private mutating func begin(
    _ id: String, by sender: Sender, at now: Int64, _ members: [String: JSONValue]
  ) -> DeviceUpdate {
    flight = Flight(
      id: id, role: sender.role, session: sender.session, startedAt: now, doubtful: doubtful)
    // If it arrives, it replaces the other tokens of its activity.
    for key in members.keys { doubtful.formUnion([key] + rivals(of: key)) }
    return DeviceUpdate(flight: id, members: members)
  }

  /// Applies the server's confirmation of an update; `dropped` names the members that the server did not store.
  mutating func confirm(_ update: DeviceUpdate, dropped: [(path: String, reason: String)]) {
    guard let flight, flight.id == update.flight else {
      // Another process has taken over, so nobody knows which of the two updates came last.
      // A user without its token is not asked about again: the server would refuse it.
      for key in update.members.keys where proof != nil || !MemberKey.needsProof(key) {
        doubtful.formUnion([key] + rivals(of: key))
      }
      return
    }
    self.flight = nil
    isRegistered = true
    for (key, value) in update.members {
      doubtful.remove(key)
      if let drop = dropped.first(where: { MemberKey.names($0.path, key) }) {
        // The server has refused an earlier user token than the one that the app has given since.
        if MemberKey.needsProof(key), let proof, proof != update.proof {
          if flight.doubtful.contains(key) { doubtful.insert(key) }
          continue
        }
        refuse(key, value: value, because: drop.reason, in: flight)
      } else {
        known[key] = value.isNull ? nil : value
        if !isRefused(key) { refused[key] = nil }
        // The server has one token of an activity and a device: this one has replaced the others.
        if !value.isNull { for rival in rivals(of: key) { forget(rival) } }
      }
    }
    let email = MemberKey.userEmail
    if wanted[MemberKey.userID] == known[MemberKey.userID],
      wanted[email] == known[email] || isRefused(email)
    {
      proof = nil
    }
  }

  /// The other tokens of the same activity that the server may have.
  private func rivals(of key: String) -> [String] {
    guard let activity = TokenKey(key)?.activity else { return [] }
    return doubtful.union(known.keys).filter { other in
      other != key && TokenKey(other)?.activity == activity
    }
  }

  /// Records that the server certainly does not have a member.
  private mutating func forget(_ key: String) {
    known[key] = nil
    doubtful.remove(key)
  }

  /// Records that the server refuses a member's value permanently.
  mutating func refuse(_ key: String, of update: DeviceUpdate, _ reason: String) {
    guard let flight, flight.id == update.flight, let value = update.members[key] else { return }
    self.flight = nil
    doubtful.remove(key)
    refuse(key, value: value, because: reason, in: flight)
  }

  /// The server keeps the value that it had.
  private mutating func refuse(
    _ key: String, value: JSONValue, because reason: String, in flight: Flight
  ) {
    refused[key] = Refusal(value: value, reason: reason)
    if flight.doubtful.contains(key) { doubtful.insert(key) }
  }

  /// Ends an update that was not confirmed.
  ///
  /// `isUnread` is whether the server has surely not taken it.
  mutating func fail(_ update: DeviceUpdate, isUnread: Bool) {
    if isUnread, update.isOpened { isOpened = true }
    guard let flight, flight.id == update.flight else { return }
    self.flight = nil
    if isUnread { doubtful.subtract(Set(update.members.keys).subtracting(flight.doubtful)) }
  }
}
