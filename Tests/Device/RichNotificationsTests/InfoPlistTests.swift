import Foundation
import PushPayload
import Testing

@testable import RichNotifications

@Suite("The Info.plist", .timeLimit(.minutes(10)))
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

  @Test(
    "a RequiresEncryption of a wrong type counts as true",
    arguments: [
      (true as any Sendable, true), (false, false), ("NO", true), (["a"], true),
    ])
  func requiresEncryption(value: any Sendable, isRequired: Bool) {
    let configuration = RichConfiguration(info: ["Martlet": ["RequiresEncryption": value]])
    #expect(configuration.requiresEncryption == isRequired)
  }

  @Test("encryption is not required where the Info.plist does not say so")
  func notRequired() {
    #expect(!RichConfiguration(info: ["Martlet": ["Deadline": 5]]).requiresEncryption)
    #expect(!RichConfiguration(info: [:]).requiresEncryption)
  }

  @Test("the placeholder is that of the Info.plist, but never empty")
  func placeholder() {
    let configuration = { (text: any Sendable) in
      RichConfiguration(info: ["Martlet": ["Placeholder": text]]).shownPlaceholder
    }
    #expect(configuration("News?") == NotificationText(body: "News?"))
    for text: any Sendable in ["", " \n", 5] {
      #expect(configuration(text) == RichConfiguration().placeholder)
    }
    #expect(!RichConfiguration().placeholder.body.isEmpty)
  }
}
