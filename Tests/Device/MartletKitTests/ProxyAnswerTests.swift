import Foundation
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

/// A proxy, a captive portal or a page of maintenance answers in the server's place.
@Suite("An answer that is not the server's", .timeLimit(.minutes(10)))
struct ProxyAnswerTests {
  @Test(
    "a page of 2xx confirms nothing: the same is sent again later",
    arguments: [200, 202, 204], RetryTable.Kind.allCases)
  func success(status: Int, kind: RetryTable.Kind) {
    for body in ["", "<html></html>", "[]", "null", "\"ok\""] {
      let answer = PushResponse(status: status, body: Data(body.utf8))
      let isEmptyAnswer = [.token, .tokenRemoval].contains(kind) && status == 204
      #expect(RetryTable.verdict(answer, for: kind) == (isEmptyAnswer ? .accepted : .later))
    }
  }

  @Test(
    "the server's own answers of 2xx are taken",
    arguments: [
      (.sync, 200, #"{"dropped":[],"unread":null}"#), (.marks, 200, #"{"dropped":[]}"#),
      (.update, 200, #"{"device":{"id":"d"},"dropped":[]}"#), (.receipts, 202, "{}"),
      (.events, 202, #"{"dropped":[{"path":"$","reason":"r"}]}"#), (.token, 204, ""),
      (.tokenRemoval, 204, ""), (.erase, 200, #"{"device":{"id":"d"}}"#),
    ] as [(RetryTable.Kind, Int, String)])
  func own(kind: RetryTable.Kind, status: Int, body: String) {
    let answer = PushResponse(status: status, body: Data(body.utf8))
    #expect(RetryTable.verdict(answer, for: kind) == .accepted)
  }

  @Test(
    "a page confirms no erasure, erases nothing and forgets nothing, and the server's error does",
    arguments: [404, 451, 400, 413, 422], RetryTable.Kind.allCases)
  func refusal(status: Int, kind: RetryTable.Kind) {
    let page = PushResponse(status: status, body: Data("<html>not here</html>".utf8))
    let other = PushResponse(status: status, body: Data(#"{"message":"no route"}"#.utf8))
    let error = PushResponse(status: status, body: Data(#"{"error":"no device"}"#.utf8))
    let own = RetryTable.verdict(status, for: kind)
    #expect(RetryTable.verdict(error, for: kind) == own)
    for answer in [page, other] {
      let verdict = RetryTable.verdict(answer, for: kind)
      #expect(![.accepted, .erased, .unknownDevice].contains(verdict))
      if own == .halve { #expect(verdict == .halve) }
    }
  }

  @Test("what a page of maintenance takes is sent again when the server is back")
  func maintenance() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    try await push.record("event")
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    phone.server.fail(.page(200))
    #expect(await push.synchronize().state.kind == .retrying)
    #expect(phone.disk.facts("Events").count == 1 && phone.disk.facts("Receipts").count == 1)
    phone.advance(seconds: 8)
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.device?.members["push_token"] == "01" && phone.device?.events == ["event": 1])
    #expect(phone.server.state.withLock(\.receipts).count == 1)
  }

  @Test("a page that says 451 or 404 keeps the device and its user", arguments: [404, 451])
  func kept(status: Int) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    let record = phone.record
    try await push.record("event")
    phone.server.fail(.page(status))
    let state = await push.synchronize().state
    #expect(state.kind == .refused && state.httpStatus == status)
    #expect(phone.record == record && phone.disk.facts("Events").count == 1)
    let next = await phone.started()
    #expect(next.status.state == .upToDate && phone.device?.user == "ada")
  }

  @Test(
    "an erasure or a withdrawal that a page has answered is not done",
    arguments: [200, 202, 204, 403, 404, 451], [false, true])
  func withdrawal(status: Int, erased: Bool) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    await push.synchronize()
    let id = phone.record?.id ?? ""
    phone.server.fail(.page(status))
    await #expect(throws: PushError.self) {
      if erased { try await push.erase() } else { try await push.stop() }
    }
    #expect(phone.record != nil && phone.server.devices[id]?.members["push_token"] == "01")
    if erased { try await push.erase() } else { try await push.stop() }
    #expect(phone.server.devices[id]?.members["push_token"] == nil)
    #expect(phone.server.devices[id]?.isErased == erased)
  }

  @Test("a page does not confirm that a device is erased whose registration may not have arrived")
  func unregistered() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    await push.start()
    phone.server.fail(.answerLost)
    await push.synchronize()
    let id = phone.record?.id ?? ""
    phone.server.fail(.page(403))
    await #expect(throws: PushError.self) { try await push.erase() }
    #expect(phone.server.devices[id]?.isErased == false && phone.record != nil)
  }
}
