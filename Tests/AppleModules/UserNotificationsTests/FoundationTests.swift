import AppFixture
import Foundation
import Synchronization
import Testing
@_spi(Host) import UserNotifications

@Suite("The replacement of Foundation's networking")
struct FoundationTests {
  @Test("defaults are Apple's")
  func defaults() throws {
    let url = try #require(URL(string: "https://example.com"))
    let request = URLRequest(url: url)
    #expect(request.cachePolicy == .useProtocolCachePolicy && request.timeoutInterval == 60)
    #expect(request.httpMethod == "GET" && request.httpShouldHandleCookies)
    let configuration = URLSessionConfiguration.default
    #expect(configuration.timeoutIntervalForRequest == 60)
    #expect(configuration.timeoutIntervalForResource == 604_800)
    #expect(configuration.requestCachePolicy == .useProtocolCachePolicy)
    let task = URLSession.shared.dataTask(with: url) { _, _, _ in }
    #expect(task.priority == URLSessionTask.defaultPriority && task.taskDescription == nil)
    #expect(task.state == .suspended && task.countOfBytesReceived == 0)
    #expect(task.countOfBytesExpectedToReceive == -1 && task.currentRequest?.url == url)
  }

  @Test("cache policies have Apple's numbers")
  func policies() {
    let policies: [URLRequest.CachePolicy] = [
      .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
      .returnCacheDataDontLoad, .reloadIgnoringLocalAndRemoteCacheData,
      .reloadRevalidatingCacheData,
    ]
    #expect(policies.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(URLRequest.CachePolicy.reloadIgnoringCacheData == .reloadIgnoringLocalCacheData)
  }

  @Test("a task counts the received bytes")
  func counts() throws {
    let url = try #require(URL(string: "https://example.com"))
    var world = UNWorld()
    world.network = StubNetwork(headers: ["Content-Length": "5"]) { _ in (200, Data([1, 2, 3])) }
    world.run {
      let task = URLSession.shared.dataTask(with: url) { _, _, _ in }
      task.resume()
      #expect(task.countOfBytesReceived == 3 && task.countOfBytesExpectedToReceive == 5)
    }
  }

  @Test("an app group has the host's folder, and another one none")
  func appGroups() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.png")
    try Data([1]).write(to: file)
    var world = UNWorld()
    world.appGroups = ["group.a": folder]
    let attachment = try UNNotificationAttachment(identifier: "kept", url: file)
    var kept: [URL?] = []
    world.run {
      for group in ["group.a", "group.b"] {
        kept.append(try? Download.keep(attachment, in: group))
      }
    }
    #expect(kept == [folder.appending(path: "kept"), nil])
  }

  @Test("what ends with the last environment may ask for the next one")
  func lastEnvironment() throws {
    /// An object of an extension that uses the environment when it ends.
    final class Ending: Sendable {
      let ended: @Sendable () -> Void
      init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
      deinit { ended() }
    }
    let asked = Mutex(0)
    var world = UNWorld()
    let ending = Mutex<Ending?>(
      Ending { asked.withLock { $0 += UNWorld.currentOrLast.megabyte > 0 ? 1 : 0 } })
    world.hasNotification = { [ending = ending.withLock { $0.take() }] in ending != nil }
    world.becomeLast()
    world = UNWorld()
    world.becomeLast()
    world.resignLast()
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("localized formats are filled in order and by position, once")
  func texts() {
    #expect(Download.text() == "%@, 1 of %@: 100 %")
  }
}
