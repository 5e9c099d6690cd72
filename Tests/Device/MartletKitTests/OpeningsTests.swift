import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

@Suite("Taps", .timeLimit(.minutes(10)))
struct OpeningsTests {
  /// Takes taps until there are as many as expected.
  private func take(_ count: Int, from push: PushDevice) async -> [Opening] {
    var taken: [Opening] = []
    for await opening in push.openings {
      taken.append(opening)
      if taken.count == count { break }
    }
    return taken
  }

  @Test("a tap before anybody listens waits, one that comes later is told at once")
  func waiting() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let first = try #require(push.recordOpening(payload: ModelPhone.payload("n1"), request: "r1"))
    async let taken = take(2, from: push)
    try await until { !push.box.isWaiting(first.id) }
    let second = push.recordOpening(
      payload: ModelPhone.payload("n2"), request: "r2", action: .init(rawValue: "reply"),
      text: "Hi")
    #expect(await taken == [first, second])
    #expect(second?.action == "reply" && second?.text == "Hi" && first.action == nil)
    #expect(phone.disk.facts("Openings").isEmpty)
  }

  @Test("a tap survives that the app is killed before it is taken, and is told once")
  func killed() async throws {
    let phone = ModelPhone()
    _ = await phone.started()
    let second = phone.launch().push
    // The system reports the tap before the app has started anything.
    let opening = second.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    #expect(phone.disk.facts("Openings").count == 1 && phone.disk.facts("Receipts").count == 1)
    let third = phone.launch().push
    #expect(await take(1, from: third) == [opening])
    let fourth = phone.launch().push
    let next = fourth.recordOpening(payload: ModelPhone.payload("m"), request: "s")
    #expect(await take(1, from: fourth) == [next])
  }

  @Test(
    "a tap that cannot be read before the first unlock is told after it, once",
    arguments: [nil, "Openings"] as [String?])
  func locked(folder: String?) async throws {
    let phone = ModelPhone()
    _ = await phone.started()
    let opening = phone.launch().push
      .recordOpening(payload: ModelPhone.payload("n"), request: "r")
    phone.disk.state.withLock { state in
      if let folder {
        state.unreadable = Set(state.files.keys.filter { $0.hasPrefix(folder) })
      } else {
        state.isLocked = true
      }
    }
    let push = phone.launch().push
    await push.start()
    await push.synchronize()
    async let taken = take(1, from: push)
    phone.disk.state.withLock { ($0.isLocked, $0.unreadable) = (false, []) }
    await push.activate()
    #expect(await taken == [opening])
    await push.activate()
    let next = push.recordOpening(payload: ModelPhone.payload("m"), request: "s")
    #expect(await take(1, from: push) == [next])
  }

  @Test("a tap before consent is told, and stored once the app starts")
  func beforeConsent() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    let first = push.recordOpening(payload: ModelPhone.payload("n1"), request: "r1")
    #expect(await take(1, from: push) == [first])
    let second = push.recordOpening(payload: ModelPhone.payload("n2"), request: "r2")
    await push.start()
    #expect(phone.disk.facts("Openings").map(\.id) == [second?.id])
    await push.synchronize()
    #expect(phone.server.state.withLock(\.receipts).count == 2)
  }

  @Test("a response that is reported twice counts once, one to another notification does not")
  func twice() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let first = push.recordOpening(payload: ModelPhone.payload("n1"), request: "r")
    #expect(push.recordOpening(payload: ModelPhone.payload("n1"), request: "r") == first)
    #expect(await take(1, from: push) == [first])
    #expect(push.recordOpening(payload: ModelPhone.payload("n1"), request: "r") == first)
    // A notification that replaces another has its request's identifier.
    let other = push.recordOpening(payload: ModelPhone.payload("n2"), request: "r")
    #expect(await take(1, from: push) == [other])
    await push.synchronize()
    #expect(phone.server.state.withLock(\.receipts).count == 2)
  }

  @Test(
    "a response has the receipt of what the person did",
    arguments: [
      (nil, "opened", 1), ("reply", "action", 1),
      (NotificationAction.dismiss.rawValue, "dismissed", 0),
    ] as [(String?, String, Int)])
  func events(action: String?, event: String, openings: Int) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.recordOpening(
      payload: ModelPhone.payload("n"), request: "r",
      action: action.map(NotificationAction.init(rawValue:)))
    #expect(phone.disk.facts("Receipts").map { $0.json["event"]?.string } == [event])
    #expect(phone.disk.facts("Openings").count == openings)
  }

  @Test(
    "a notification of somebody else is not ours",
    arguments: [
      [:], ["_nid": 5], ["_nid": ""], ["_nid": .string(String(repeating: "x", count: 65))],
    ] as [JSONValue])
  func foreign(payload: JSONValue) async {
    let phone = ModelPhone()
    let push = await phone.started()
    #expect(push.recordOpening(payload: payload, request: "r") == nil)
    #expect(!push.recordPresentation(payload: payload))
    #expect(phone.disk.facts("Receipts").isEmpty)
    #expect(
      push.recordOpening(
        payload: ["_nid": .string(String(repeating: "x", count: 64))], request: "r")
        != nil)
  }

  @Test("a notification shown in the foreground has a receipt")
  func presented() async {
    let phone = ModelPhone()
    let push = await phone.started()
    #expect(push.recordPresentation(payload: ModelPhone.payload("n")))
    #expect(phone.disk.facts("Receipts").map { $0.json["event"]?.string } == ["displayed"])
  }

  @Test("two loops share the taps, and a loop that is canceled takes none")
  func loops() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let canceled = Task { await take(1, from: push) }
    canceled.cancel()
    #expect(await canceled.value.isEmpty)
    let told = Locked<[String]>([])
    let loops = (0..<2).map { _ in
      Task {
        for await opening in push.openings { told.withLock { $0.append(opening.notificationID) } }
      }
    }
    for number in 0..<20 {
      push.recordOpening(payload: ModelPhone.payload("n\(number)"), request: "r\(number)")
    }
    try await until { told.withLock(\.count) == 20 }
    #expect(Set(told.withLock(\.self)).count == 20)
    for loop in loops { loop.cancel() }
  }

  @Test("the link of a tap is read by the keys of any vendor")
  func link() {
    let opening = Opening(
      notificationID: "n", request: "r",
      payload: ["_nid": "n", "_martlet": [:], "_st": ["deep_link": "app://a"]], action: nil,
      text: nil)
    #expect(opening.link == DialectTable.standard.read(opening.payload).deepLink)
  }
}
