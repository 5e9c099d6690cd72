import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

/// Every order of tokens, users, tags, events, taps, kills, restarts and faults: at the end the server has what the app wants, and
/// each fact once.
@Suite("Random orders", .timeLimit(.minutes(10)))
struct RandomOrderTests {
  static let seeds = Array(0..<500).sampled(60)

  @Test(
    "whatever happens, in the end the server has what is wanted and each fact once",
    arguments: seeds)
  func orders(seed: Int) async throws {
    let world = RandomWorld(seed: UInt64(seed))
    for _ in 0..<60 { await world.step() }
    let end = await world.heal()
    #expect(end == [], "seed \(seed)")
  }

  @Test(
    "whatever happens to Live Activities, in the end the server has their last tokens",
    arguments: seeds)
  func activities(seed: Int) async throws {
    let world = RandomWorld(seed: UInt64(seed))
    await world.launch()
    for _ in 0..<60 { await world.activityStep() }
    let end = await world.heal()
    #expect(end == [], "seed \(seed)")
  }

  @Test("an app that is killed after any one write loses nothing that was written")
  func everyWrite() async throws {
    var isOver = false
    var writes = 1
    while !isOver {
      let world = RandomWorld(seed: 1, killsAtRandom: false)
      await world.launch(killedAfter: writes)
      for _ in 0..<6 { await world.scripted() }
      isOver = !world.isDead
      let end = await world.heal()
      #expect(end == [], "killed after write \(writes)")
      writes += 1
    }
    #expect(writes > 15)
  }
}

/// A phone in use, and what the person and the app have done on it.
final class RandomWorld {
  private var generator: SeededGenerator
  private let phone: ModelPhone
  private let killsAtRandom: Bool
  private var app: ModelPhone.App
  private var other: ModelPhone.App?

  /// What is wanted on disk, and the changes that are in memory only.
  private var durable = Wishes()
  private var pending: [(inout Wishes) -> Void] = []
  private var hasStarted = false
  /// The events and taps that were on disk at some time.
  private var storedEvents: Set<String> = []
  private var storedTaps: Set<String> = []
  private var storedReceipts: Set<String> = []
  /// The marks in the inbox that were on disk, by the user and the message.
  private var storedMarks: Set<String> = []
  private var counter = 0
  /// Whether something in the server's place says of valid requests that they are not.
  private let lies: Bool
  /// Whether it has: then a fact may have been dropped.
  private var hasLied = false
  /// Whether it has said that there is no such device: then the user has to be proven again.
  private var hasLostUser = false
  private var problems: [String] = []

  /// What the app wants of its device.
  struct Wishes: Equatable {
    var token: String?
    var user: String?
    var isProven = false
    var tags: Set<String> = []
    var attributes: [String: Int] = [:]
    var isPushEnabled: Bool?
    var activities = ModelActivities()
    var reloadTokens: [String: [JSONValue]] = [:]

    init() {}

    init(_ record: DeviceRecord) {
      token = record.wanted["push_token"]?.string
      user = record.wanted["user_id"]?.string
      let profile = DeviceProfile(record)
      tags = profile.tags
      isPushEnabled = record.wanted["push_enabled"]?.bool
      for case let (name, .integer(value)) in profile.attributes { attributes[name] = value }
      for (key, value) in record.wanted {
        switch TokenKey(key) {
        case .start(let type): activities.startTokens[type] = value.string
        case .update(let activity, let token):
          activities.tokens[activity] = .init(token: token, type: value.string ?? "")
        case .reload(let type): reloadTokens[type.rawValue] = value.array
        case nil: break
        }
      }
    }

    static func == (left: Wishes, right: Wishes) -> Bool {
      left.token == right.token && left.user == right.user && left.tags == right.tags
        && left.attributes == right.attributes && left.isPushEnabled == right.isPushEnabled
        && left.activities.startTokens == right.activities.startTokens
        && left.activities.tokens == right.activities.tokens
        && left.reloadTokens == right.reloadTokens
    }
  }

  init(seed: UInt64, killsAtRandom: Bool = true) {
    generator = SeededGenerator(seed: seed)
    phone = ModelPhone(seed: seed)
    self.killsAtRandom = killsAtRandom
    lies = seed % 4 == 3
    app = phone.launch()
  }

  var isDead: Bool { app.storage.isDead }

  // MARK: What happens

  /// Something happens, as the seed says.
  func step() async {
    switch Int.random(in: 0..<32, using: &generator) {
    case 0...1: setToken()
    case 2: await signIn(isProven: true)
    case 3: await signIn(isProven: false)
    case 4: await signOut()
    case 5...7: await tag()
    case 8: await setAttribute()
    case 9...10: await record()
    case 11...12: tap()
    case 13: await app.push.activate()
    case 14: setPermission()
    case 15:
      await launch(
        killedAfter: Bool.random(using: &generator)
          ? nil : Int.random(in: 1...12, using: &generator))
    case 16: await otherProcess()
    case 17: faults()
    case 18: phone.disk.state.withLock { $0.isFull.toggle() }
    case 19: phone.disk.state.withLock { $0.isLocked.toggle() }
    case 20: phone.advance(seconds: Int64.random(in: -100_000...700_000, using: &generator))
    case 21: phone.advance(seconds: Int64.random(in: 1...400, using: &generator))
    case 22...23: await mark()
    case 24...29: activity()
    default: await app.push.synchronize()
    }
    check()
  }

  /// Something happens to a Live Activity, or to what is sent of it.
  func activityStep() async {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...7: activity()
    case 8: faults()
    case 9: await launch(killedAfter: Int.random(in: 8...40, using: &generator))
    case 10...11: phone.advance(seconds: 400)
    default: await app.push.synchronize()
    }
    check()
  }

  /// The steps of the test of single writes, the same each time.
  func scripted() async {
    counter += 1
    switch counter {
    case 1:
      setToken()
      check()
      await signIn(isProven: true)
    case 2:
      await record()
      tap()
    case 3: await app.push.synchronize()
    case 4:
      await signOut()
      check()
      await tag()
      phone.server.fail(.answerLost)
      await app.push.synchronize()
    case 5:
      await record()
      tap()
      phone.advance(seconds: 400)
    default: await app.push.synchronize()
    }
    check()
  }

  /// The system ends the app, at once, and starts it again.
  func launch(killedAfter writes: Int? = nil) async {
    check()
    app.storage.kill()
    pending = []
    app = phone.launch(killedAfter: writes)
    if killsAtRandom, Int.random(in: 0..<4, using: &generator) == 0 { tap() }
    hasStarted = true
    await app.push.start()
    check()
  }

  private func change(_ wish: @escaping (inout Wishes) -> Void) { pending.append(wish) }

  private func setToken() {
    let byte = UInt8.random(in: 0...9, using: &generator)
    change { $0.token = "0\(byte)" }
    app.push.setToken(Data([byte]))
  }

  private func signIn(isProven: Bool) async {
    let user = ["ada", "bob", "eve"].randomElement(using: &generator) ?? "ada"
    // A proof that is in memory only may be lost with the app.
    let isStored = phone.disk.state.withLock { !$0.isFull && !$0.isLocked } && !isDead
    change { wishes in
      wishes.user = user
      wishes.isProven = isProven && isStored
    }
    try? await app.push.signIn(user, proof: ModelServer.proof(isProven ? user : "nobody"))
  }

  private func signOut() async {
    change { $0.user = nil }
    await app.push.signOut()
  }

  private func tag() async {
    let tag = "t\(Int.random(in: 0..<5, using: &generator))"
    let isAdded = Bool.random(using: &generator)
    change { wishes in
      if isAdded { wishes.tags.insert(tag) } else { wishes.tags.remove(tag) }
    }
    await app.push.update { profile in
      if isAdded { profile.tags.insert(tag) } else { profile.tags.remove(tag) }
    }
  }

  private func setAttribute() async {
    let name = "a\(Int.random(in: 0..<3, using: &generator))"
    let value = Int.random(in: 0..<3, using: &generator)
    change { $0.attributes[name] = value == 0 ? nil : value }
    await app.push.update { $0[name] = value == 0 ? nil : .integer(value) }
  }

  private func setPermission() {
    let all: [Permission] = [.notDetermined, .denied, .quiet, .allowed]
    let permission = all.randomElement(using: &generator) ?? .allowed
    change { $0.isPushEnabled = permission == .allowed || permission == .quiet }
    app.push.reportPermission(permission)
  }

  private func record() async {
    counter += 1
    try? await app.push.record("e\(counter)")
  }

  /// A Live Activity begins, gets another token, ends, or has ended while the app did not run; one of two has its token late.
  /// Or the widgets get another token, or none.
  private func activity() {
    let activity = "a.\(Int.random(in: 0..<2, using: &generator))"
    let type = "Type\(Int.random(in: 0..<2, using: &generator))"
    let byte = UInt8.random(in: 0..<3, using: &generator)
    let (token, digits) = (Data([byte]), "0\(byte)")
    let activities = app.push.liveActivities
    switch Int.random(in: 0..<10, using: &generator) {
    case 8...9:
      let isPlaced = byte > 0
      change { $0.reloadTokens["widgets"] = isPlaced ? [["token": .string(digits)]] : nil }
      app.push.setWidgetToken(isPlaced ? token : nil)
    case 0:
      change { $0.activities.startTokens[type] = digits }
      try? activities.setStartToken(token, type: type)
    case 1:
      change { $0.activities.startTokens[type] = nil }
      try? activities.setStartToken(nil, type: type)
    case 2...4:
      change { $0.activities.tokens[activity] = .init(token: digits, type: type) }
      try? activities.setToken(token, activity: activity, type: type)
    case 5...6:
      change { wishes in
        if wishes.activities.tokens[activity]?.token == digits {
          wishes.activities.tokens[activity] = nil
        }
      }
      activities.recordEnd(of: activity, token: token)
    default:
      change { wishes in
        wishes.activities.tokens = wishes.activities.tokens.filter { id, token in
          id == activity || token.type != type
        }
      }
      activities.setRunning([activity], type: type)
    }
  }

  /// A message is read or hidden, which is named after the user of the device.
  private func mark() async {
    // One that is in memory only is not seen here before it is sent.
    guard !phone.disk.state.withLock(\.isFull) else { return }
    counter += 1
    if Bool.random(using: &generator) {
      await app.push.inbox.markRead(["m\(counter)"])
    } else {
      await app.push.inbox.hide("m\(counter)")
    }
  }

  private func tap() {
    counter += 1
    app.push.recordOpening(payload: ModelPhone.payload("n\(counter)"), request: "r\(counter)")
  }

  /// Another process with the same folder, such as the service extension, records and sends.
  private func otherProcess() async {
    if other == nil || Bool.random(using: &generator) {
      other?.storage.kill()
      other = phone.launch(
        role: "extension",
        killedAfter: Bool.random(using: &generator) ? nil : Int.random(in: 1...8, using: &generator)
      )
    }
    counter += 1
    guard hasStarted, let other else { return }
    try? await other.push.record("e\(counter)")
    await other.push.start()
    await other.push.synchronize()
  }

  private func faults() {
    var all: [ModelServer.Fault] = [
      .offline, .lost, .answerLost, .status(401), .status(403), .status(404),
      .status(429, retryAfter: "30"), .status(500), .status(503),
    ]
    if lies { all += [.status(400), .status(413), .status(422)] }
    let chosen = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      all[Int.random(in: 0..<all.count, using: &generator)]
    }
    if chosen.contains(.status(404)) { hasLostUser = true }
    if chosen.contains(where: { all.dropFirst(9).contains($0) }) {
      (hasLied, hasLostUser) = (true, true)
    }
    phone.server.state.withLock { $0.faults += chosen }
  }

  // MARK: What must be so

  private func note(_ problem: String) { problems.append(problem) }

  /// The disk has what was wanted, with all that is in memory or with nothing of it.
  private func check() {
    for fact in phone.disk.facts("Events") { storedEvents.insert(fact.json["name"]?.string ?? "") }
    for fact in phone.disk.facts("Receipts") { storedReceipts.insert(fact.id) }
    for case let mark? in phone.disk.facts("Marks").map({ InboxMark($0) }) {
      storedMarks.insert("\(mark.owner)/\(mark.message)")
    }
    for fact in phone.disk.facts("Openings") { storedTaps.insert(fact.id) }
    guard let record = phone.record else { return }
    let wanted = Wishes(record)
    var later = durable
    for change in pending { change(&later) }
    if wanted == later {
      durable = later
      pending = []
    } else if wanted != durable {
      note("wanted \(wanted), not \(durable) or \(later)")
      durable = wanted
    }
  }

  /// Everything works again: the app is started once more, and everything is sent.
  ///
  /// - Returns: What is not as it should be.
  func heal() async -> [String] {
    phone.disk.state.withLock { ($0.isFull, $0.isLocked) = (false, false) }
    phone.server.state.withLock { $0.faults = [] }
    check()
    other?.storage.kill()
    await launch()
    for _ in 0..<3 {
      await app.push.synchronize()
      phone.advance(seconds: 4000)
    }
    let status = app.push.status
    if status.state != .upToDate { note("the state is \(status.state)") }
    guard let device = phone.device, let record = phone.record else {
      return problems + ["no device"]
    }
    if phone.server.devices.count != 1 { note("\(phone.server.devices.count) devices") }
    check(device, record)
    checkFacts(device)
    await checkTaps()
    return problems
  }

  private func check(_ device: ModelServer.Device, _ record: DeviceRecord) {
    var stored = Wishes()
    stored.token = device.members["push_token"]?.string
    stored.user = device.members["user_id"]?.string
    stored.tags = Set(device.members["tags"]?.array?.compactMap(\.string) ?? [])
    stored.isPushEnabled = device.members["push_enabled"]?.bool
    (stored.activities, stored.reloadTokens) = (device.activities, device.reloadTokens)
    for (name, value) in device.attributes {
      stored.attributes[name] = value["value"]?.integer.map { Int($0) }
    }
    var wished = durable
    if record.refusals["user_id"] != nil {
      if wished.isProven, !hasLostUser { note("a user with a proof is refused") }
      wished.user = nil
    }
    for key in record.refusals.keys where key != "user_id" {
      if !hasLied { note("\(key) is refused") }
      switch key {
      case "push_token": (wished.token, stored.token) = (nil, nil)
      case "tags": (wished.tags, stored.tags) = ([], [])
      case "push_enabled": (wished.isPushEnabled, stored.isPushEnabled) = (nil, nil)
      default:
        switch TokenKey(key) {
        case .start(let type):
          wished.activities.startTokens[type] = nil
          stored.activities.startTokens[type] = nil
        case .update(let activity, _):
          wished.activities.tokens[activity] = nil
          stored.activities.tokens[activity] = nil
        case .reload(let type):
          (wished.reloadTokens[type.rawValue], stored.reloadTokens[type.rawValue]) = (nil, nil)
        case nil: break
        }
        guard let name = MemberKey.attributeName(key) else { continue }
        (wished.attributes[name], stored.attributes[name]) = (nil, nil)
      }
    }
    // What refuses a removal as invalid has no token, if it tells the truth.
    if hasLied {
      (wished.activities, stored.activities) = (ModelActivities(), ModelActivities())
      (wished.reloadTokens, stored.reloadTokens) = ([:], [:])
    }
    if wished != stored { note("the server has \(stored), not \(wished)") }
  }

  private func checkFacts(_ device: ModelServer.Device) {
    for (name, count) in device.events where count != 1 { note("\(name) counted \(count) times") }
    let receipts = phone.server.state.withLock(\.receipts)
    if !hasLied {
      for name in storedEvents where device.events[name] == nil { note("\(name) is lost") }
      for id in storedReceipts where receipts[id] == nil { note("a receipt is lost") }
    }
    if ["Events", "Receipts", "Marks"].contains(where: { !phone.disk.facts($0).isEmpty }) {
      note("facts are left")
    }
    // A mark is told for the person who made it, or for nobody.
    guard !hasLied, !hasLostUser else { return }
    for mark in phone.server.state.withLock(\.inbox.marks).keys where !storedMarks.contains(mark) {
      note("\(mark) is another person's")
    }
  }

  private func checkTaps() async {
    let wanted = storedTaps
    guard !wanted.isEmpty else { return }
    var told: [String] = []
    for await opening in app.push.openings {
      told.append(opening.id)
      if told.count >= wanted.count { break }
    }
    if told.count != Set(told).count { note("a tap was told twice") }
    if !Set(told).isSuperset(of: wanted) { note("a tap is lost") }
  }
}
