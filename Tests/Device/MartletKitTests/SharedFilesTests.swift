import Foundation
import RichNotifications
import Synchronization
import Testing

@testable import MartletKit

/// The files that the app's library and the service extension's both use.
@Suite("Files shared with the service extension")
struct SharedFilesTests {
  private func makePush(_ place: TemporaryPlace, _ server: ModelServer) throws -> PushDevice {
    let url = try #require(URL(string: "https://push.example.com"))
    let settings = PushSettings(server: url, key: "KEY", folder: place.url)
    var environment = PushEnvironment.system(settings, transport: server)
    // What waits is sent where a test waits for it, also if the test takes longer than a second.
    environment.sleep = nil
    return PushDevice(settings, environment: environment)
  }

  @Test(
    "receipts of the app are in the extension's queue, and those of the extension are sent by the app"
  )
  func receipts() async throws {
    let place = TemporaryPlace()
    let server = ModelServer()
    let push = try makePush(place, server)
    await push.start()
    await push.synchronize()
    let device = try #require(DeviceCredentials(folder: place.url))
    let settings = ReceiptSettings(
      endpoint: try #require(URL(string: "https://push.example.com/v6/receipts")),
      deviceKey: "KEY", deviceID: device.id, folder: place.url, deviceSecret: device.secret)
    try settings.queue.add(
      Receipt(notificationID: "n", deviceID: device.id, event: .received, at: Date()))
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    push.recordPresentation(payload: ModelPhone.payload("n"))
    let waiting = settings.queue.waiting()
    #expect(waiting.map(\.event.rawValue).sorted() == ["displayed", "opened", "received"])
    #expect(waiting.allSatisfy { $0.notificationID == "n" && $0.deviceID == device.id })
    #expect(await push.synchronize().state == .upToDate)
    #expect(server.state.withLock(\.receipts).count == 3)
    #expect(Set(server.state.withLock(\.receipts).keys) == Set(waiting.map(\.id)))
    #expect(settings.queue.waiting().isEmpty)
  }

  @Test("the badge that the app sets is the one that the extension counts on")
  func badge() async throws {
    let place = TemporaryPlace()
    let push = try makePush(place, ModelServer())
    await push.start()
    for number in [0, 7, Int.max] {
      push.reportBadge(number)
      #expect(BadgeCounter(folder: place.url).number == number)
    }
    push.reportBadge(3)
    #expect(BadgeCounter(folder: place.url).apply(.add(2)) == 5)
    // A number that the extension has, while the app sets another one, is not lost in a file that is replaced.
    let file = place.url.appending(path: "Library/Martlet/badge").path
    let reader = try #require(FileHandle(forUpdatingAtPath: file))
    push.reportBadge(7)
    #expect(try reader.readToEnd() == Data("0000000000000000007".utf8))
  }
}
