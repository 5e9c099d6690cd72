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
