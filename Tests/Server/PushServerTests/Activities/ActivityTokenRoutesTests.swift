import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Tokens of Live Activities over the API", .timeLimit(.minutes(10)))
struct ActivityTokenRoutesTests {
  private static let start = "/v6/devices/phone/activities/OrderAttributes/start-token"
  private static let update = "/v6/activities/order-1/tokens/phone"

  private func devices(
    _ subject: ActivityToken.Subject, _ world: ActivityWorld
  ) async throws -> Int {
    try await world.fixture.store.devices(with: subject, app: world.fixture.app.id).count
  }

  @Test("a phone registers and removes its tokens with its secret, and gets an empty answer")
  func life() async throws {
    let world = try await ActivityWorld()
    let cases: [(String, JSONValue, ActivityToken.Subject)] = [
      (Self.start, ["token": "00FF"], .start(type: "OrderAttributes")),
      (Self.update, ["token": "00AA", "type": "OrderAttributes"], .activity("order-1")),
    ]
    for (path, body, subject) in cases {
      for _ in 0..<2 {
        let answer = await world.ask("PUT", path, body)
        #expect(answer.status == 204 && answer.text.isEmpty, "\(answer.text)")
        #expect(answer.headers["Martlet-Unread"] == "0")
        #expect(try await devices(subject, world) == 1)
      }
      // An ended activity does not take the newer token with it.
      let token = body["token"]?.string?.lowercased() ?? ""
      #expect(await world.ask("DELETE", path, ["token": "bb"]).status == 204)
      #expect(try await devices(subject, world) == 1)
      #expect(await world.ask("DELETE", path, ["token": .string(token)]).status == 204)
      #expect(try await devices(subject, world) == 0)
      #expect(await world.ask("PUT", path, body).status == 204)
      for _ in 0..<2 {
        #expect(await world.ask("DELETE", path).status == 204)
        #expect(try await devices(subject, world) == 0)
      }
    }
    // An app's admin may do the same, for devices that there are.
    let body: JSONValue = ["token": "00FF"]
    #expect(await world.request("PUT", Self.start, body, role: .admin).status == 204)
    let unknown = Self.start.replacing("phone", with: "none")
    #expect(await world.request("PUT", unknown, body, role: .admin).status == 404)
  }

  @Test(
    "what is no token, id or type is refused with its path",
    arguments: [
      (start, [:], 422, "$.token is missing"),
      (start, ["token": 5], 400, "$.token must be a string, not a number"),
      (start, ["token": ""], 422, "$.token is empty"),
      (start, ["token": "abc"], 422, "$.token has 3 hex digits, an odd number"),
      (start, ["token": "xy"], 422, "$.token must be an even number of hex digits, 2 to 400"),
      (start, ["token": "aa", "typ": "T"], 422, "$.typ is not known"),
      (update, ["token": "aa"], 422, "$.type is missing"),
      (update, ["token": "aa", "type": "9"], 422, "$.type must be \(ActivityID.typeForm)"),
      (update, ["token": "aa", "type": "A/B"], 422, "$.type must be \(ActivityID.typeForm)"),
      (
        update.replacing("order-1", with: "order%201"), ["token": "aa", "type": "T"], 422,
        "the activity id in the path must be \(ActivityID.form)"
      ),
      (
        update.replacing("order-1", with: ".order"), ["token": "aa", "type": "T"], 422,
        "the activity id in the path must be \(ActivityID.form)"
      ),
      (
        start.replacing("OrderAttributes", with: "Order-Attributes"), ["token": "aa"], 422,
        "the type in the path must be \(ActivityID.typeForm)"
      ),
    ] as [(String, JSONValue, Int, String)])
  func refused(path: String, body: JSONValue, status: Int, error: String) async throws {
    let world = try await ActivityWorld()
    let answer = await world.ask("PUT", path, body)
    #expect(answer.status == status)
    #expect(answer.error.hasPrefix(error), "\(answer.error)")
  }

  @Test("a token has up to 400 digits, an activity's id up to 64 and a type's name up to 128")
  func limits() async throws {
    let world = try await ActivityWorld()
    func put(token: Int = 2, id: Int = 1, type: Int = 1) async -> Int {
      func text(_ count: Int) -> String { String(repeating: "a", count: count) }
      return await world.ask(
        "PUT", "/v6/activities/\(text(id))/tokens/phone",
        ["token": .string(text(token)), "type": .string(text(type))]
      ).status
    }
    #expect(await put(token: 400, id: 64, type: 128) == 204)
    #expect(await put(token: 402) == 422)
    #expect(await put(id: 65) == 422)
    #expect(await put(type: 129) == 422)
  }

  @Test("an erased phone is 451, and its tokens are gone")
  func erased() async throws {
    let world = try await ActivityWorld()
    try await world.offer(token: "aa")
    try await world.follow("order-1", token: "bb")
    #expect(await world.request("DELETE", "/v6/devices/phone").status == 200)
    #expect(try await devices(.start(type: "OrderAttributes"), world) == 0)
    #expect(try await devices(.activity("order-1"), world) == 0)
    #expect(await world.ask("PUT", Self.start, ["token": "aa"]).status == 451)
    let admin = await world.request("PUT", Self.start, ["token": "aa"], role: .admin)
    #expect(admin.status == 451)
  }
}
