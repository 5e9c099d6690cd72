import Foundation
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

@Suite("Consent, stopping and erasing", .timeLimit(.minutes(10)))
struct ConsentTests {
  @Test("before the first start nothing is written and nothing is sent")
  func before() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    push.setToken(Data([1]))
    push.reportBadge(3)
    push.reportPermission(.allowed)
    await push.update { $0.tags = ["a"] }
    try await push.signIn("ada", proof: nil)
    try await push.record("event")
    #expect(push.recordOpening(payload: ModelPhone.payload("n"), request: "r") != nil)
    await push.activate()
    #expect(await push.synchronize() == PushStatus(.off))
    try await push.stop()
    #expect(phone.disk.state.withLock(\.writes) == 0 && phone.disk.files.isEmpty)
    #expect(phone.server.requests.isEmpty)
  }

  @Test("the real folder is not made before the first start")
  func folder() async throws {
    let folder = TemporaryPlace()
    let settings = PushSettings(
      server: try #require(URL(string: "http://127.0.0.1:1")), key: "k", folder: folder.url)
    let push = PushDevice(settings, transport: ModelServer())
    push.setToken(Data([1]))
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    try await push.record("event")
    #expect(DeviceCredentials(folder: folder.url) == nil)
    #expect(folder.files == [])
    await push.start()
    #expect(DeviceCredentials(folder: folder.url)?.secret.count == 43)
    #expect(folder.files.contains("Library/Martlet/Device/record.json"))
  }

  @Test("a stopped device withdraws its token, and sends nothing more until it starts again")
  func stop() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    try await push.record("before")
    await push.synchronize()
    let id = phone.record?.id
    try await push.record("waiting")
    try await push.stop()
    #expect(push.status.state == .stopped)
    #expect(phone.device?.members["push_token"] == nil)
    #expect(phone.disk.facts("Events").isEmpty)
    let count = phone.server.requests.count
    try await push.record("while stopped")
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    await push.synchronize()
    #expect(phone.server.requests.count == count)
    await push.start()
    push.setToken(Data([2]))
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.record?.id == id && phone.device?.members["push_token"] == "02")
    #expect(phone.device?.events == ["before": 1])
    #expect(phone.server.state.withLock(\.receipts).isEmpty)
  }

  @Test("stopping without a network says so, and is done by the next call")
  func stopOffline() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    await push.synchronize()
    phone.server.fail(.offline)
    await #expect(throws: PushError.self) { try await push.stop() }
    #expect(phone.device?.members["push_token"] == "01")
    let next = phone.launch().push
    try await next.stop()
    #expect(phone.device?.members["push_token"] == nil)
  }

  @Test("an erased device is gone at the server and here, and the next start is another one")
  func erase() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    try await push.record("event")
    let id = try #require(phone.record?.id)
    try await push.erase()
    #expect(push.status.state == .erased)
    #expect(phone.server.devices[id]?.isErased == true)
    #expect(phone.disk.files.isEmpty)
    try await push.record("later")
    #expect(phone.disk.files.isEmpty)
    try await push.erase()
    await push.start()
    await push.synchronize()
    #expect(phone.record?.id != id && phone.device?.isErased == false)
  }

  @Test(
    "erasing is done by the next call, or the next start, which then makes another device",
    arguments: [.offline, .lost, .answerLost, .status(500), .status(401), .status(403)]
      as [ModelServer.Fault], [true, false])
  func eraseLater(fault: ModelServer.Fault, byStart: Bool) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = try #require(phone.record?.id)
    phone.server.fail(fault)
    await #expect(throws: PushError.self) { try await push.erase() }
    #expect(phone.record?.wanted == [:])
    let next = phone.launch().push
    if byStart {
      await next.start()
      #expect(await next.synchronize().state == .upToDate)
      #expect(phone.record?.id != id && phone.device?.isErased == false)
    } else {
      try await next.erase()
      #expect(next.status.state == .erased && phone.disk.files.isEmpty)
    }
    #expect(phone.server.devices[id]?.isErased == true)
  }

  @Test("what comes after a start is of the next device, also while the erasure waits")
  func startWhileErasing() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = try #require(phone.record?.id)
    phone.server.fail(.offline, .offline)
    await #expect(throws: PushError.self) { try await push.erase() }
    try await push.record("before")
    await push.start()
    push.setToken(Data([2]))
    try await push.record("after")
    #expect(await push.synchronize().state.kind == .retrying)
    #expect(phone.record?.id == id && phone.record?.wanted == [:])
    phone.advance(seconds: 400)
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.server.devices[id]?.isErased == true && phone.record?.id != id)
    #expect(phone.device?.members["push_token"] == "02")
    #expect(phone.device?.events == ["after": 1])
  }

  @Test("a start during the request of an erasure makes the next device, and its state is told")
  func startDuringErasure() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = try #require(phone.record?.id)
    phone.server.gate.withLock { gate in
      gate = { request in
        if request.url.path.hasSuffix("/erase") { await push.start() }
      }
    }
    try await push.erase()
    #expect(push.status.state == .upToDate)
    #expect(phone.server.devices[id]?.isErased == true && phone.record?.id != id)
    #expect(phone.device?.isErased == false)
  }

  @Test("a device that is stopped after such a start stays erased")
  func stopWhileErasing() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.server.fail(.offline, .offline)
    await #expect(throws: PushError.self) { try await push.erase() }
    await push.start()
    await push.synchronize()
    try await push.stop()
    await push.synchronize()
    #expect(phone.disk.files.isEmpty && phone.server.devices.count == 1)
  }

  @Test("a device that the server never heard of is erased without a request")
  func eraseUnknown() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    await push.start()
    try await push.erase()
    #expect(phone.disk.files.isEmpty && phone.server.requests.isEmpty)
    // One whose registration may have arrived is asked for.
    let other = phone.launch().push
    await other.start()
    phone.server.fail(.answerLost)
    await other.synchronize()
    let id = phone.record?.id ?? ""
    try await other.erase()
    #expect(phone.server.devices[id]?.isErased == true)
    await other.start()
    phone.server.fail(.lost)
    await other.synchronize()
    try await other.erase()
    #expect(phone.disk.files.isEmpty)
  }

  @Test("the export has what is stored here and at the server, without secrets")
  func export() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.update { $0.tags = ["gold"] }
    await push.synchronize()
    try await push.signIn("ada", proof: "TOKEN")
    try await push.record("event")
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    let json = try JSONValue(parsing: try await push.export())
    #expect(json["device"]?["wanted"]?["user_id"] == "ada")
    #expect(json["server"]?["tags"] == ["gold"])
    #expect(json["events"]?.array?.first?["name"] == "event")
    #expect(json["receipts"]?.array?.count == 1 && json["openings"]?.array?.count == 1)
    let text = String(decoding: json.serialized(), as: UTF8.self)
    for word in ["TOKEN", try #require(phone.record?.secret)] { #expect(!text.contains(word)) }
    phone.server.gate.withLock { $0 = { _ in phone.server.fail(.offline) } }
    await #expect(throws: PushError.self) { try await push.export() }
  }
}

/// A folder that does not exist yet.
final class TemporaryPlace: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appending(path: "martlet-kit-\(UUID().uuidString)", directoryHint: .isDirectory)

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The files in it, by their paths.
  var files: [String] {
    (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).sorted()
  }
}
