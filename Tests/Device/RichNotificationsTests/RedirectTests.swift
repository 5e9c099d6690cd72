import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Credentials and redirects", .timeLimit(.minutes(10)))
struct RedirectTests {
  typealias Delivery = FallbackOrderTests.Delivery

  @Test(
    "a credential that was left behind at another origin does not come back with a redirect home")
  func detour() {
    let delivery = Delivery(Sample.payload(["https://a/1"])) {
      $0.media.headers = { _ in ["Authorization": "secret"] }
    }
    delivery.loader.sink?.respond(302, ["Location": "https://b/2"])
    delivery.loader.sink?.respond(302, ["Location": "https://a/3"])
    #expect(delivery.urls == ["https://a/1", "https://b/2", "https://a/3"])
    let sent = delivery.loader.loads.map { $0.request.headers["Authorization"] }
    #expect(sent == ["secret", nil, nil])
  }

  @Test(
    "a redirect to a scheme that is neither https nor http is refused, plain HTTP allowed or not")
  func otherScheme() {
    let delivery = Delivery(Sample.payload(["https://a/1"])) { $0.media.allowsPlainHTTP = true }
    delivery.loader.sink?.respond(302, ["Location": "ftp://b/2"])
    #expect(delivery.urls == ["https://a/1"])
    #expect(delivery.content?.media.map(\.reason) == [.invalidURL])
  }

  @Test(
    "the app's headers closure is called without a lock, so the system's warning is not blocked")
  func slowHeaders() {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    let running = Mutex<RichDelivery?>(nil)
    let count = Atomic(0)
    var configuration = RichConfiguration()
    configuration.media.headers = { _ in
      running.withLock { $0 }?.expire()
      return [:]
    }
    let delivery = RichDelivery(
      IncomingNotification(
        payload: Sample.payload(["https://a/1"]), text: NotificationText(body: "B")),
      configuration: configuration,
      environment: Sample.environment(loader, clock: ManualClock(), folder: folder.url)
    ) { _ in count.add(1, ordering: .relaxed) }
    running.withLock { $0 = delivery }
    delivery.begin()
    #expect(count.load(ordering: .relaxed) == 1)
    #expect(loader.loads.isEmpty, "what is over begins nothing")
    running.withLock { $0 = nil }
  }

  @Test(
    "a host with invalid characters is refused, because parsers disagree about it",
    arguments: [
      "https://127.0.0.1%00.example/", "https://127.0.0.1%2F.example/", "https://a%20.example/",
      "https://127.0.0.1%5C.example/", "https://127.0.0.1%40.example/", "https://a%0A.example/",
    ])
  func oddHost(text: String) throws {
    #expect(PrivateAddress.isHost(of: try #require(URL(string: text))))
  }
}
