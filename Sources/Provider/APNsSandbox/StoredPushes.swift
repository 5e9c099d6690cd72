/// The devices that are offline, and the pushes that are kept for them.
///
/// A device is known by its token, since the sandbox does not know which tokens one phone has.
///
/// Source: Apple, "Sending notification requests to APNs": a push is kept for at most 30 days, until `apns-expiration`, and
/// not at all if that is 0. The order in which kept pushes arrive is not documented; here priority 10 comes first.
struct StoredPushes: Sendable {
  /// The fate of a push to a device that is offline, as the journal spells it.
  enum Fate: String {
    case stored, replaced, expired, delivered
    /// Its expiration is 0 or over, so that one attempt was all.
    case notStored = "not-stored"
    /// ``limit`` pushes are kept already.
    case noRoom = "no-room"
  }

  /// A push and its new fate.
  struct Change {
    var push: SandboxDelivery
    var fate: Fate
  }

  /// The pushes of which one is kept.
  private struct Place: Hashable {
    var bundleID: String
    var collapseID: String?
  }

  private struct Kept {
    var place: Place
    var push: SandboxDelivery
    /// The time from which it is no longer delivered, in milliseconds since 1970.
    var end: Int64
  }

  /// The most devices that are offline at the same time.
  static let deviceLimit = 10_000
  /// The most pushes that are kept for all devices.
  static let limit = 10_000
  /// The longest time that a push is kept, in milliseconds: 30 days.
  static let lifetime: Int64 = 30 * 24 * 60 * 60 * 1000

  private let rule: OfflineStorage
  /// The kept pushes of each device that is offline, in the order in which they came.
  private var devices: [String: [Kept]] = [:]
  private var count = 0

  /// Makes a storage; the tokens are of the devices that are offline at first, without a limit.
  init(_ rule: OfflineStorage, offline tokens: Set<String> = []) {
    self.rule = rule
    for token in tokens { devices[token.lowercased()] = [] }
  }

  func isOffline(_ token: String) -> Bool {
    !devices.isEmpty && devices[token.lowercased()] != nil
  }

  /// Takes a device offline; `false` if too many are.
  mutating func disconnect(_ token: String) -> Bool {
    let token = token.lowercased()
    guard devices[token] == nil else { return true }
    guard devices.count < Self.deviceLimit else { return false }
    devices[token] = []
    return true
  }

  /// Brings a device back; `now` is in milliseconds since 1970.
  mutating func reconnect(_ token: String, now: Int64) -> [Change] {
    guard let kept = devices.removeValue(forKey: token.lowercased()) else { return [] }
    count -= kept.count
    // The sort of the standard library does not promise to keep the order of equal elements.
    let due = kept.filter { $0.end > now }.enumerated().sorted {
      ($1.element.push.priority, $0.offset) < ($0.element.push.priority, $1.offset)
    }
    return kept.filter { $0.end <= now }.map { Change(push: $0.push, fate: .expired) }
      + due.map { Change(push: $0.element.push, fate: .delivered) }
  }

  /// Keeps a push to a device that is offline, as far as it may be kept.
  mutating func keep(_ push: SandboxDelivery) -> [Change] {
    guard let end = Self.end(of: push) else { return [Change(push: push, fate: .notStored)] }
    let token = push.token.lowercased()
    let place = Place(
      bundleID: SandboxRules.bundleID(of: push), collapseID: rule == .last ? nil : push.collapseID)
    var changes: [Change] = []
    devices[token]?.removeAll { kept in
      let isOver = kept.end <= push.time
      guard isOver || kept.place == place else { return false }
      changes.append(Change(push: kept.push, fate: isOver ? .expired : .replaced))
      return true
    }
    count -= changes.count
    guard count < Self.limit else { return changes + [Change(push: push, fate: .noRoom)] }
    devices[token]?.append(Kept(place: place, push: push, end: end))
    count += 1
    return changes + [Change(push: push, fate: .stored)]
  }

  /// The time until which a push is kept; `nil` if it is not kept.
  private static func end(of push: SandboxDelivery) -> Int64? {
    let last = push.time + lifetime
    guard let seconds = push.headers["apns-expiration"].flatMap({ Int64($0) }) else { return last }
    // Seconds of the far future have no number of milliseconds.
    let end = seconds > last / 1000 ? last : max(0, seconds) * 1000
    return end > push.time ? end : nil
  }
}

extension SandboxDelivery {
  /// The value of `apns-priority`, which is 10 without the header.
  fileprivate var priority: Int { headers["apns-priority"].flatMap { Int($0) } ?? 10 }
}
