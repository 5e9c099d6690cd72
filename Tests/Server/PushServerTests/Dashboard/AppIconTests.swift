import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The icon of an app", .timeLimit(.minutes(10)))
struct AppIconTests {
  /// The beginning of a PNG, as far as its size; the rest is checked by what draws it.
  private static func header(_ width: UInt32, _ height: UInt32, bytes count: Int = 33) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let head: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
    let start = head + number(width) + number(height)
    return start + [UInt8](repeating: 0, count: max(0, count - start.count))
  }

  private static func icon() throws -> [UInt8] {
    try Fixtures.bytes("media/icon.png")
  }

  private static func refusal(_ bytes: [UInt8]) -> (status: Int, message: String)? {
    do throws(RequestError) {
      try AppIcon.check(bytes[...])
      return nil
    } catch {
      return (error.status, error.message)
    }
  }

  @Test("a square PNG within the limits is an icon, at the limit too")
  func limits() {
    for side in [1, 64, 1024] as [UInt32] { #expect(Self.refusal(Self.header(side, side)) == nil) }
    #expect(Self.refusal(Self.header(64, 64, bytes: 1 << 20)) == nil)
    for (width, height) in [(1025, 1025), (64, 65), (0, 0), (.max, .max)] as [(UInt32, UInt32)] {
      let refusal = Self.refusal(Self.header(width, height))
      #expect(refusal?.status == 415)
      #expect(
        refusal?.message
          == "the icon is \(width) × \(height) pixels; it must be square, of 1024 at most")
    }
    #expect(Self.refusal(Self.header(64, 64, bytes: 1 << 20 + 1))?.status == 413)
    for bytes in [[], Array("GIF89a".utf8), Array(Self.header(64, 64).prefix(23))] {
      #expect(Self.refusal(bytes)?.message == "the icon is not a PNG; export it as one")
    }
  }

  @Test("an icon that was uploaded is on the cards of the app until it is removed")
  func drawn() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let path = client.path("settings")
    _ = await client.get(path)
    func card() async -> [UInt8] {
      _ = await client.get(client.path("compose"))
      return await client.post(
        client.path("compose"), ["to": "*", "text": "Hello", "action": "card"]
      ).bytes
    }
    let monogram = await card()
    _ = await client.get(path)
    let missing = await client.upload(
      path, ["action": "change-icon"], file: [], named: "", in: "icon")
    #expect(missing.status == 422 && missing.text.contains("choose a PNG file for the icon"))
    let saved = await client.upload(
      path, ["action": "change-icon"], file: try Self.icon(), named: "icon.png", in: "icon")
    #expect(saved.status == 303, "\(saved.text)")
    let app = try #require(try await client.fixture.store.app(client.fixture.app.id))
    let name = try #require(app.icon)
    #expect(await client.get(path).text.contains("src=\"/media/\(name)\""))
    #expect(await client.get("/media/\(name)").status == 200)
    #expect(await card() != monogram)
    let log = try await client.fixture.store.audit(app: app.id, after: nil, limit: 9).elements
    #expect(log.first?.action == "app.update")
    _ = await client.get(path)
    #expect(await client.post(path, ["action": "remove-icon"]).status == 303)
    #expect(try await client.fixture.store.app(app.id)?.icon == nil)
    #expect(await card() == monogram)
  }

  @Test("other settings of the app leave the icon as it is")
  func stays() async throws {
    let fixture = try await Fixture()
    let (app, icon) = (fixture.app, String(repeating: "a", count: 32) + ".png")
    #expect(try await fixture.store.setIcon(icon, app: app.id))
    let answer = await fixture.request(
      "PUT", "/v6/apps/\(app.id)", role: .admin, body: #"{"app":{"name":"Other"}}"#)
    #expect(answer.status == 200, "\(answer.text)")
    let stored = try await fixture.store.app(app.id)
    #expect(stored?.name == "Other" && stored?.icon == icon)
  }

  @Test("a PNG that cannot be decoded is refused, and the app keeps the icon that it has")
  func damaged() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let path = client.path("settings")
    _ = await client.get(path)
    let whole = try Self.icon()
    for bytes in [Array(whole.prefix(whole.count / 2)), Self.header(64, 64, bytes: 400)] {
      let refused = await client.upload(
        path, ["action": "change-icon"], file: bytes, named: "icon.png", in: "icon")
      #expect(refused.status == 415)
      #expect(refused.text.contains("the icon is damaged and cannot be drawn; export it once more"))
    }
    #expect(try await client.fixture.store.app(client.fixture.app.id)?.icon == nil)
  }

  @Test(
    "only who may change the app changes its icon", arguments: [.push, .analytics] as [APIKey.Role])
  func role(_ role: APIKey.Role) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: role)
    _ = await client.get(client.path(role == .push ? "compose" : "reports"))
    let refused = await client.upload(
      client.path("settings"), ["action": "change-icon"], file: try Self.icon(),
      named: "icon.png", in: "icon")
    #expect(refused.status == 403)
    #expect(try await client.fixture.store.app(client.fixture.app.id)?.icon == nil)
  }
}
