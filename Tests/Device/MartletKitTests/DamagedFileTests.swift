import Foundation
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

@Suite("A damaged file of the device", .timeLimit(.minutes(10)))
struct DamagedFileTests {
  static let record = "Device/record.json"
  static let spare = "Device/spare.json"

  /// What becomes of a file.
  enum Damage: String, CaseIterable, CustomTestStringConvertible {
    case empty, cut, flipped, foreign, newer, lost

    var testDescription: String { rawValue }

    func of(_ bytes: Data) -> Data? {
      var changed = bytes
      switch self {
      case .empty: return Data()
      case .cut: return bytes.dropLast(1)
      case .flipped: changed[changed.count / 2] ^= 1
      case .foreign: return Data("[]".utf8)
      case .newer:
        guard var members = CheckedJSON.members(bytes) else { return nil }
        members["version"] = 3
        return CheckedJSON.bytes(members)
      case .lost: return nil
      }
      return changed
    }
  }

  // MARK: Every byte and every member

  private static func full() throws -> DeviceRecord {
    var record = DeviceRecord(id: "d", secret: "s")
    record.wanted = ["tags": ["a"], "push_enabled": false, MemberKey.attribute("n"): 1.5]
    record.known = ["user_id": "ada"]
    record.doubtful = ["locale"]
    record.refused = ["tags": DeviceRecord.Refusal(value: ["a"], reason: "no")]
    record.proof = "token"
    record.refreshedAt = 5
    record.isRegistered = true
    _ = record.begin(flight: "f", by: Sender(role: "app", session: "1"), at: 3)
    try #require(DeviceRecord(record.bytes) == record)
    return record
  }

  @Test("a record with any byte cut off or changed is none")
  func recordBytes() throws {
    let bytes = try Self.full().bytes
    for damaged in Self.cutsAndFlips(of: bytes) { #expect(DeviceRecord(damaged) == nil) }
  }

  @Test("an inbox with any byte cut off or changed is none")
  func inboxBytes() throws {
    var inbox = InboxRecord(owner: "u")
    inbox.begin(
      with: InboxRecord.Page(
        messages: [
          InboxMessage(id: "m", title: "T", publishedAt: Date(timeIntervalSince1970: 1_700_000_000))
        ], unread: 1, cursor: "next"), pending: [])
    inbox.apply(.hidden("h", owner: "u"))
    try #require(InboxRecord(inbox.bytes) == inbox)
    for damaged in Self.cutsAndFlips(of: inbox.bytes) { #expect(InboxRecord(damaged) == nil) }
  }

  @Test("a mark with any byte changed is none, or says the same")
  func markBytes() throws {
    let until = Milliseconds(1_700_000_000_000)
    for mark in [InboxMark.hidden("m", owner: "u"), .allRead(until: until, owner: "u")] {
      let fact = mark.fact(at: 5)
      for damaged in Self.cutsAndFlips(of: fact.json.serialized()) {
        guard let json = try? JSONValue(parsing: damaged), let id = json["id"]?.string else {
          continue
        }
        let read = InboxMark(StoredFact(id: id, json: json))
        #expect(read == nil || read == mark)
      }
    }
  }

  @Test("a tap with any byte changed is none")
  func openingBytes() throws {
    let payload: JSONValue = ["_nid": "n", "url": "https://example.com/a"]
    let opening = Opening(notificationID: "n", request: "r", payload: payload, action: "a")
    let fact = opening.fact(at: 5)
    try #require(Opening(fact.json) == opening)
    for damaged in Self.cutsAndFlips(of: fact.json.serialized()) {
      guard let json = try? JSONValue(parsing: damaged) else { continue }
      #expect(Opening(json) == nil)
    }
  }

  @Test("numbers that are written in another form than they are read are no damage")
  func numbers() throws {
    for number in [1e18, -0.0, 1e300, 0.1, .infinity, .nan] {
      var record = DeviceRecord(id: "d", secret: "s")
      record.wanted = [MemberKey.attribute("n"): AttributeValue.number(number).json]
      #expect(DeviceRecord(record.bytes) != nil, "\(number)")
      let opening = Opening(notificationID: "n", request: "r", payload: ["n": .number(number)])
      let read = try JSONValue(parsing: opening.fact(at: 5).json.serialized())
      #expect(Opening(read) != nil, "\(number)")
    }
  }

  private static func cutsAndFlips(of bytes: Data) -> [Data] {
    let flips = bytes.indices.flatMap { index in
      ([0x01, 0x20, 0x80] as [UInt8]).map { bit in
        var changed = bytes
        changed[index] ^= bit
        return changed
      }
    }
    return bytes.indices.map { bytes.prefix($0) } + flips
  }

  @Test("a record with a member of another type, an unknown one or without one is none")
  func members() throws {
    let members = try #require(CheckedJSON.members(try Self.full().bytes))
    let foreign: [JSONValue] = [.null, true, 5, "later", ["later"], ["later": 1]]
    var tries = 0
    func expectNone(_ members: [String: JSONValue], _ damage: String) {
      tries += 1
      #expect(DeviceRecord(CheckedJSON.bytes(members)) == nil, "\(damage)")
    }
    for (name, value) in members {
      for other in foreign where Self.kind(of: other) != Self.kind(of: value) {
        expectNone(members.merging([name: other]) { $1 }, "\(name) is \(other)")
      }
      // These three are in a record only at times.
      guard !["proof", "refreshed_at", "flight"].contains(name) else { continue }
      expectNone(members.filter { $0.key != name }, "without \(name)")
    }
    let words: [(String, JSONValue)] = [
      ("phase", "later"), ("version", 1), ("version", 3), ("later", 1), ("doubtful", [5]),
      ("id", ""), ("secret", ""), ("refused", ["tags": ["value": 1]]),
      ("refused", ["tags": ["value": 1, "reason": "no", "later": 1]]),
    ]
    for (name, value) in words {
      expectNone(members.merging([name: value]) { $1 }, "\(name) is \(value)")
    }
    let flight = try #require(members["flight"]?.object)
    for name in flight.keys.sorted() + ["later"] {
      for value in [.null, ["later": 1]] as [JSONValue] {
        let damaged = JSONValue.object(flight.merging([name: value]) { $1 })
        expectNone(members.merging(["flight": damaged]) { $1 }, "flight.\(name) is \(value)")
      }
    }
    #expect(tries > 80)
  }

  private static func kind(of value: JSONValue) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .integer, .number: 2
    case .string: 3
    case .array: 4
    case .object: 5
    }
  }

  // MARK: What the phone does then

  @Test(
    "the device goes on with its id, and the server has what is wanted and no more",
    arguments: Damage.allCases)
  func goesOn(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    push.reportPermission(.denied)
    await push.update { $0.tags = ["a", "b"] }
    await push.synchronize()
    await push.update { $0.tags = ["a"] }
    let before = try #require(phone.record)
    phone.disk.damage(Self.record, damage)
    let next = await phone.started()
    #expect(next.status == PushStatus(.upToDate))
    #expect(phone.record?.id == before.id && phone.record?.secret == before.secret)
    #expect(phone.server.devices.count == 1)
    #expect(phone.device?.members["push_enabled"] == false)
    #expect(phone.device?.members["push_token"] == "01")
    #expect(phone.device?.members["tags"] == ["a"])
  }

  @Test("a user who has signed out is signed out", arguments: Damage.allCases)
  func signedOut(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    await push.signOut()
    phone.disk.damage(Self.record, damage)
    let next = await phone.started()
    #expect(next.status == PushStatus(.upToDate))
    #expect(phone.device?.members["user_id"] == nil)
  }

  @Test("a user who is signed in has to be proven again", arguments: Damage.allCases)
  func signedIn(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    phone.disk.damage(Self.record, damage)
    let next = await phone.started()
    #expect(next.status.problems.map(\.path) == ["$.device.user_id"])
    #expect(phone.device?.members["user_id"] == nil)
    try await next.signIn("ada", proof: ModelServer.proof("ada"))
    #expect(await next.synchronize() == PushStatus(.upToDate))
    #expect(phone.device?.members["user_id"] == "ada")
  }

  @Test("a stopped device withdraws its token, and stays stopped", arguments: Damage.allCases)
  func stopped(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    await push.synchronize()
    phone.server.fail(.offline)
    await #expect(throws: PushError.self) { try await push.stop() }
    phone.disk.damage(Self.record, damage)
    let next = phone.launch().push
    try await next.stop()
    #expect(next.status.state == .stopped)
    #expect(phone.device?.members["push_token"] == nil)
  }

  @Test("a device that is being erased is erased", arguments: Damage.allCases)
  func erasing(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = try #require(phone.record?.id)
    phone.server.fail(.offline)
    await #expect(throws: PushError.self) { try await push.erase() }
    phone.disk.damage(Self.record, damage)
    let next = phone.launch().push
    try await next.erase()
    #expect(next.status.state == .erased)
    #expect(phone.server.devices[id]?.isErased == true && phone.disk.files.isEmpty)
  }

  @Test("a damaged spare record is written again with the next change", arguments: Damage.allCases)
  func spareAlone(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.disk.damage(Self.spare, damage)
    await push.update { $0.tags = ["a"] }
    let spare = phone.disk.files[Self.spare].flatMap(DeviceRecord.init)
    #expect(spare == phone.record?.spare)
  }

  @Test(
    "with both records damaged nothing is sent, until the app starts over",
    arguments: Damage.allCases.filter { $0 != .lost })
  func both(damage: Damage) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = try #require(phone.record?.id)
    try await push.record("event")
    for path in [Self.record, Self.spare] { phone.disk.damage(path, damage) }
    let damaged = phone.disk.files
    let count = phone.server.requests.count
    let next = await phone.started()
    next.setToken(Data([2]))
    #expect(await next.synchronize() == PushStatus(.damaged))
    #expect(phone.server.requests.count == count && phone.disk.files == damaged)
    await #expect { try await next.stop() } throws: { ($0 as? PushError)?.code == .damaged }
    await next.startOver()
    #expect(await next.synchronize().state == .upToDate)
    #expect(phone.server.devices.count == 2 && phone.record.map { $0.id != id } == true)
  }

  @Test("where only one record is left after a crash, it is the device's", arguments: 1...2)
  func crash(writes: Int) async throws {
    let phone = ModelPhone()
    await phone.launch(killedAfter: writes).push.start()
    let spare = try #require(phone.disk.files[Self.spare].flatMap(DeviceRecord.init))
    #expect((phone.record == nil) == (writes == 1))
    let push = await phone.started()
    #expect(push.status.state == .upToDate && phone.record?.id == spare.id)
  }
}

extension ModelDisk {
  fileprivate func damage(_ path: String, _ damage: DamagedFileTests.Damage) {
    state.withLock { $0.files[path] = $0.files[path].flatMap(damage.of) }
  }
}
