import Foundation
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

@Suite("The user of a device", .timeLimit(.minutes(10)))
struct UserTests {
  private func problems(_ push: PushDevice) async -> [String] {
    await push.synchronize().problems.map(\.path)
  }

  @Test("a user who is proven gets the device, and loses it by signing out")
  func inAndOut() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.update { $0.tags = ["a"] }
    try await push.signIn("ada", email: "a@x", proof: ModelServer.proof("ada", email: "a@x"))
    #expect(await problems(push) == [])
    #expect(phone.device?.members["user_id"] == "ada")
    #expect(phone.device?.members["user_email"] == "a@x")
    await push.signOut()
    #expect(await problems(push) == [])
    #expect(phone.device?.members["user_id"] == nil && phone.device?.members["user_email"] == nil)
    #expect(phone.device?.members["tags"] == ["a"])
    await push.update { $0["plan"] = .string("pro") }
    await push.synchronize()
    await push.signOut(clearingProfile: true)
    await push.synchronize()
    #expect(phone.device?.members["tags"] == nil && phone.device?.attributes == [:])
  }

  @Test(
    "an event that waits belongs to the user of its time, whatever the server takes at once",
    arguments: [nil, .status(413)] as [ModelServer.Fault?])
  func eventOwner(fault: ModelServer.Fault?) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    try await push.record("of ada")
    await push.signOut()
    try await push.record("of nobody")
    try await push.signIn("bob", proof: ModelServer.proof("bob"))
    try await push.record("of bob")
    if let fault { phone.server.fail(fault) }
    await push.synchronize()
    #expect(phone.device?.members["user_id"] == "bob")
    #expect(
      phone.device?.eventUsers == ["of ada": ["ada"], "of nobody": ["bob"], "of bob": ["bob"]])
    #expect(
      phone.server.requests.allSatisfy {
        !String(decoding: $0.body ?? Data(), as: UTF8.self).contains("_user")
      })
  }

  @Test("an event of a user whom the server never knew is dropped when another one signs in")
  func unknownOwner() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    await push.start()
    for user in ["ada", "bob"] {
      try await push.signIn(user, proof: ModelServer.proof(user))
      try await push.record("of \(user)")
    }
    await push.synchronize()
    #expect(phone.device?.eventUsers == ["of bob": ["bob"]])
  }

  @Test("an event before the files can be written belongs to the user of its time, too")
  func eventOwnerInMemory() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    try await push.record("of nobody")
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    try await push.record("of ada")
    await push.signOut()
    try await push.signIn("bob", proof: ModelServer.proof("bob"))
    await push.start()
    await push.synchronize()
    #expect(phone.device?.eventUsers == ["of nobody": ["bob"]])
  }

  @Test("who signs out while the device is stopped is signed out, even if the app is ended then")
  func signsOutStopped() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    try await push.stop()
    let count = phone.server.requests.count
    await push.update { $0.tags = ["a"] }
    await push.signOut()
    #expect(phone.server.requests.count == count)
    let next = await phone.started()
    next.setToken(Data([1]))
    await next.synchronize()
    #expect(phone.device?.members["user_id"] == nil && phone.device?.members["tags"] == nil)
    #expect(phone.device?.members["push_token"] == "01")
  }

  @Test("the token of a user is sent only with the user, and is not kept after it")
  func token() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let proof = ModelServer.proof("ada")
    try await push.signIn("ada", proof: proof)
    await push.synchronize()
    await push.update { $0.tags = ["a"] }
    await push.signOut()
    await push.synchronize()
    let shown = phone.server.requests.map { $0.headers["Martlet-User-Token"] }
    #expect(shown == [nil, proof, nil])
    let bytes = try #require(phone.disk.files["Device/record.json"])
    #expect(!String(decoding: bytes, as: UTF8.self).contains(proof))
  }

  @Test("a user who is not proven is named, and the user before loses the device")
  func unproven() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    try await push.signIn("bob", proof: ModelServer.proof("eve"))
    #expect(await problems(push) == ["$.device.user_id"])
    #expect(phone.device?.members["user_id"] == nil)
    let count = phone.server.requests.count
    #expect(await problems(push) == ["$.device.user_id"])
    #expect(phone.server.requests.count == count, "a refused user is not sent again")
    try await push.signIn("bob", proof: ModelServer.proof("bob"))
    #expect(await problems(push) == [])
    #expect(phone.device?.members["user_id"] == "bob")
  }

  @Test("a token that expires while the phone is offline is named, and a new one is enough")
  func expired() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.server.state.withLock { $0.time = 100 }
    try await push.signIn("ada", proof: ModelServer.proof("ada", until: 99))
    #expect(await problems(push) == ["$.device.user_id"])
    try await push.signIn("ada", proof: ModelServer.proof("ada", until: 200))
    #expect(await problems(push) == [])
    #expect(phone.device?.members["user_id"] == "ada")
  }

  @Test("the user stays when everything is sent again without a token")
  func refresh() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    phone.advance(seconds: 8 * 86_400)
    let next = await phone.started()
    #expect(next.status == PushStatus(.upToDate))
    #expect(phone.device?.members["user_id"] == "ada")
  }

  @Test("signing out while the answer of signing in is lost leaves no user at the server")
  func lostAnswer() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    phone.server.fail(.answerLost)
    await push.synchronize()
    #expect(phone.device?.members["user_id"] == "ada")
    await push.signOut()
    phone.advance(seconds: 10)
    await push.synchronize()
    #expect(phone.device?.members["user_id"] == nil)
  }

  @Test(
    "a user's identifier has 1 to 255 characters",
    arguments: [(0, false), (1, true), (255, true), (256, false)])
  func lengths(count: Int, isTaken: Bool) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = String(repeating: "é", count: count)
    if isTaken {
      try await push.signIn(id, proof: ModelServer.proof(id))
      await push.synchronize()
      #expect(phone.device?.members["user_id"] == .string(id))
    } else {
      await #expect(throws: PushError.self) { try await push.signIn(id, proof: nil) }
    }
  }
}
