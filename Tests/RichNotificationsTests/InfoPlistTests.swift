import Foundation
import PushPayload
import Testing

@testable import RichNotifications

@Suite("What an Info.plist allows", .timeLimit(.minutes(1)))
struct InfoPlistTests {
  @Test(
    "an allow-list that cannot be read allows nothing, never everything",
    arguments: [
      (["cdn.example"] as any Sendable, ["cdn.example"]), ("cdn.example", ["cdn.example"]),
      (7, []), (["cdn.example", 7] as [any Sendable], ["cdn.example"]),
    ])
  func allowedHosts(value: any Sendable, hosts: [String]) {
    let configuration = RichConfiguration(info: ["Martlet": ["AllowedHosts": value]])
    #expect(configuration.media.allowedHosts == hosts)
  }
}
