import Testing

@testable import APNsSandbox

@Suite("Pushes that are kept for devices that are offline")
struct StoredPushesTests {
  private static let now: Int64 = 1_800_000_000_000
  private static let day: Int64 = 24 * 60 * 60 * 1000

  /// A push of the app `com.example.app`; its `apns-id` is its name.
  private static func push(
    _ name: String, token: String = "0a", type: String = "alert", topic: String = "com.example.app",
    collapseID: String? = nil, expiration: String? = nil, priority: String? = nil,
    at time: Int64 = now
  ) -> SandboxDelivery {
    var headers: [String: String] = [:]
    headers["apns-expiration"] = expiration
    headers["apns-priority"] = priority
    return SandboxDelivery(
      token: token, topic: topic, pushType: type, headers: headers, payload: [], apnsID: name,
      collapseID: collapseID, time: time, connection: 1, stream: 1)
  }

  /// The fates as words, such as `first replaced`.
  private static func words(_ changes: [StoredPushes.Change]) -> [String] {
    changes.map { "\($0.push.apnsID) \($0.fate.rawValue)" }
  }

  /// The names of the pushes that a device gets of those that came while it was offline.
  private static func kept(
    _ rule: OfflineStorage, _ pushes: [SandboxDelivery], until time: Int64 = now
  ) -> [String] {
    var stored = StoredPushes(rule, offline: ["0a"])
    for push in pushes { _ = stored.keep(push) }
    return stored.reconnect("0a", now: time).filter { $0.fate == .delivered }.map(\.push.apnsID)
  }

  @Test(
    "the last push of an app is kept, or one of each collapse identifier and one without",
    arguments: [(.last, ["e", "f"]), (.several, ["c", "d", "e", "f"])]
      as [(OfflineStorage, [String])])
  func rules(rule: OfflineStorage, names: [String]) {
    let pushes = [
      Self.push("a"), Self.push("b", collapseID: "match"), Self.push("c", collapseID: "weather"),
      Self.push("d", collapseID: "match"), Self.push("e"),
      Self.push("f", topic: "com.example.other"),
    ]
    #expect(Self.kept(rule, pushes) == names)
  }

  @Test("a push is replaced by a later one, and the journal has both")
  func replaced() {
    var stored = StoredPushes(.last, offline: ["0A"])
    #expect(stored.isOffline("0a"))
    #expect(Self.words(stored.keep(Self.push("a"))) == ["a stored"])
    #expect(Self.words(stored.keep(Self.push("b"))) == ["a replaced", "b stored"])
    #expect(Self.words(stored.reconnect("0a", now: Self.now)) == ["b delivered"])
    #expect(!stored.isOffline("0a") && stored.reconnect("0a", now: Self.now).isEmpty)
  }

  @Test("pushes of all types to one token are of one app")
  func types() {
    let pushes = [
      Self.push("a", type: "voip", topic: "com.example.app.voip"),
      Self.push("b", type: "widgets", topic: "com.example.app.push-type.widgets"),
      // A bundle id may end like the topic of another type.
      Self.push("c", topic: "com.example.app.voip"),
    ]
    #expect(Self.kept(.last, pushes) == ["b", "c"])
  }

  @Test(
    "the expiration ends the storage, after 30 days at most",
    arguments: [
      (nil, 30 * day), ("1800000001", 1000), ("\(Int64.max)", 30 * day), ("1802592000", 30 * day),
      ("1802592001", 30 * day), ("1802591999", 30 * day - 1000),
    ] as [(String?, Int64)])
  func expiration(header: String?, lifetime: Int64) {
    let push = Self.push("a", expiration: header)
    #expect(Self.kept(.last, [push], until: Self.now + lifetime - 1) == ["a"])
    #expect(Self.kept(.last, [push], until: Self.now + lifetime) == [])
  }

  @Test(
    "a push with expiration 0, or with one that is over, is not kept, and replaces nothing",
    arguments: ["0", "1", "1799999999", "1800000000", "-1", "\(Int64.min)"])
  func notStored(expiration: String) {
    var stored = StoredPushes(.last, offline: ["0a"])
    _ = stored.keep(Self.push("a"))
    let changes = stored.keep(Self.push("b", expiration: expiration))
    #expect(Self.words(changes) == ["b not-stored"])
    #expect(Self.words(stored.reconnect("0a", now: Self.now)) == ["a delivered"])
  }

  @Test("a push that has expired is named at the next one, or when the device is back")
  func expired() {
    var stored = StoredPushes(.several, offline: ["0a"])
    _ = stored.keep(Self.push("a", collapseID: "1", expiration: "1800000001"))
    _ = stored.keep(Self.push("b", collapseID: "2", expiration: "1800000002"))
    let changes = stored.keep(Self.push("c", at: Self.now + 1000))
    #expect(Self.words(changes) == ["a expired", "c stored"])
    let rest = stored.reconnect("0a", now: Self.now + 2000)
    #expect(Self.words(rest) == ["b expired", "c delivered"])
  }

  @Test("the higher priority arrives first, and within one the earlier push")
  func priority() {
    let priorities = ["1", "5", nil, "5", "10"]
    let pushes = priorities.enumerated().map { index, priority in
      Self.push("\(index)", collapseID: "\(index)", priority: priority)
    }
    #expect(Self.kept(.several, pushes) == ["2", "4", "1", "3", "0"])
  }

  @Test("so many pushes are kept for all devices, one more is not, and room is made")
  func limit() {
    var stored = StoredPushes(.several, offline: ["0a", "0b"])
    for number in 0..<StoredPushes.limit {
      _ = stored.keep(
        Self.push("\(number)", token: number == 0 ? "0b" : "0a", collapseID: "\(number)"))
    }
    #expect(Self.words(stored.keep(Self.push("more"))) == ["more no-room"])
    // One that replaces another needs no room.
    let replaced = stored.keep(Self.push("again", collapseID: "1"))
    #expect(Self.words(replaced) == ["1 replaced", "again stored"])
    #expect(stored.reconnect("0b", now: Self.now).count == 1)
    #expect(Self.words(stored.keep(Self.push("more"))) == ["more stored"])
  }

  @Test("so many devices are offline, and one more is not")
  func deviceLimit() {
    var stored = StoredPushes(.last)
    let all = (0..<StoredPushes.deviceLimit).allSatisfy { stored.disconnect("\($0)") }
    #expect(all)
    let (isKnown, isNew) = (stored.disconnect("7"), stored.disconnect("0a"))
    #expect(isKnown && !isNew && !stored.isOffline("0a"))
    _ = stored.reconnect("7", now: Self.now)
    let isTaken = stored.disconnect("0a")
    #expect(isTaken)
  }
}
