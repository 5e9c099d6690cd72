import Foundation
import PushPayload
import Testing

@testable import RichNotifications

@Suite("The allowed hosts of an Info.plist", .timeLimit(.minutes(10)))
struct InfoPlistTests {
  @Test(
    "an AllowedHosts of a wrong type allows no host",
    arguments: [
      (["cdn.example"] as any Sendable, ["cdn.example"]), ("cdn.example", ["cdn.example"]),
      (7, []), (["cdn.example", 7] as [any Sendable], ["cdn.example"]),
    ])
  func allowedHosts(value: any Sendable, hosts: [String]) {
    let configuration = RichConfiguration(info: ["Martlet": ["AllowedHosts": value]])
    #expect(configuration.media.allowedHosts == hosts)
  }
}
