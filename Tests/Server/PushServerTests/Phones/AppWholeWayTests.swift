import APNs
import Foundation
import MartletKit
import NotificationHost
import PushModel
import PushPayload
import RichNotifications
import TestSupport
import Testing
@_spi(Host) import UserNotifications
import _TLS

@testable import PushServer

/// All that Martlet is, at once: the library in the app, the server, the model of APNs, the model of iOS, and the service extension.
@Suite("An app with MartletKit, from its registration to the inbox", .timeLimit(.minutes(10)))
struct AppWholeWayTests {
  private static let picture = "https://media.example.com/picture.png"

  /// The app's service extension, which finds the device's identifier and secret in the app group.
  ///
  /// `@unchecked Sendable`: its properties are constants, and the base class protects its own.
  private final class Service: RichNotificationService, @unchecked Sendable {
    private let appGroup: URL
    private let receipts: ReceiptSettings

    init(_ server: URL, _ deviceKey: String, appGroup: URL) throws {
      let device = try #require(DeviceCredentials(folder: appGroup))
      receipts = ReceiptSettings(
        endpoint: server.appending(path: "v6/receipts"), deviceKey: deviceKey, deviceID: device.id,
        folder: appGroup, deviceSecret: device.secret)
      self.appGroup = appGroup
      super.init()
    }

    override var configuration: RichConfiguration {
      var configuration = super.configuration
      configuration.receipts = receipts
      return configuration
    }

    override var environment: RichEnvironment {
      var environment = super.environment
      environment.appGroupFolder = appGroup
      return environment
    }
  }

  /// A server that sends to a model of APNs, and a phone with an app.
  private final class World: Sendable {
    let fixture: Fixture
    let apns: LocalAPNs
    let server: PushServer
    let url: URL
    let appGroup = TemporaryFolder()

    init() async throws {
      fixture = try await Fixture()
      apns = try await LocalAPNs(for: fixture.newApp)
      let sender = APNsSender(
        endpoints: .init(
          production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
        secretKey: fixture.secretKey)
      server = try PushServer.started(
        .init(), store: fixture.store, secretKey: fixture.secretKey, sender: sender
      ) { _ in }
      url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    }

    func stop() async {
      await server.stop()
      await apns.stop()
    }

    func app() throws -> PushDevice {
      PushDevice(
        PushSettings(
          server: url, key: try #require(fixture.keys[.device]), folder: appGroup.url))
    }

    func request(
      _ method: String, _ path: String, _ role: APIKey.Role, body: JSONValue? = nil
    ) async throws -> JSONValue {
      let answer = try await curl(
        method, url.absoluteString + path, key: fixture.keys[role], body: body?.text)
      #expect((200..<300).contains(answer.status), "\(answer)")
      return answer.json
    }

    /// The model of iOS takes a push: the extension runs, and the notification is shown.
    func show(_ payload: JSONValue) async throws -> UNNotification {
      let clock = VirtualClock()
      let service = try Service(
        url, try #require(fixture.keys[.device]), appGroup: appGroup.url)
      let container = TemporaryFolder()
      var app = VirtualPhone.App(container: container.url) { service }
      app.network = ScriptedNetwork(
        [AppWholeWayTests.picture: .init(body: .file(Fixtures.url("media/picture.png")))],
        clock: clock)
      let host = VirtualPhone(app: app, clock: clock)
      let report = await host.deliver(PushMessage(payload: payload, pushType: "alert"))
      #expect(report.outcome == .displayed)
      let shown = try #require(report.content)
      #expect(shown.title == "A good evening")
      let types: [String] = report.attachments.map { $0.type }
      #expect(types == ["public.png"], "\(report)")
      let content = UNMutableNotificationContent()
      content.title = shown.title
      content.body = shown.body
      content.userInfo = shown.userInfo.userInfo
      return UNNotification(
        request: UNNotificationRequest(
          identifier: shown.requestIdentifier, content: content, trigger: nil), date: Date())
    }
  }

  @Test("a registered user gets a push with a picture, taps it, and reads its message in the inbox")
  func wholeWay() async throws {
    let world = try await World()
    do {
      try await live(world)
    } catch {
      await world.stop()
      throw error
    }
    await world.stop()
  }

  private func live(_ world: World) async throws {
    let prover = try await UserProver(for: world.fixture)
    let push = try world.app()
    await push.start()
    push.setToken(Data([0x01, 0x02, 0x03, 0x04]))
    push.reportPermission(.allowed)
    try await push.signIn("ada", proof: prover.proof(of: "ada"))
    let status = await push.synchronize()
    #expect(status.state == .upToDate && status.problems.isEmpty)

    let sent = try await world.request(
      "POST", "/v6/messages", .push,
      body: [
        "message": [
          "to": [["name": "user_id", "criteria": ["ada"]]], "title": "A good evening",
          "text": "Sunset is at 20:14.", "card_image_url": .string(Self.picture),
          "notification": [
            "payload": [
              "alert": "Sunset is at 20:14.", "title": "A good evening", "mutable_content": true,
              "image_url": .string(Self.picture),
            ]
          ],
        ]
      ])
    let message = try #require(sent["id"]?.string, "\(sent)")
    try await until { !world.apns.journal.isEmpty }
    let line = try #require(world.apns.journal.first)
    #expect(line["token"] == "01020304" && line["status"] == 200)
    let notification = try await world.show(try #require(line["payload"]))
    let id = try #require(line["payload"]?["_nid"]?.string)

    let delegate = PushDelegate(push)
    let response = UNNotificationResponse(
      notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier)
    await withCheckedContinuation { answered in
      delegate.userNotificationCenter(.current(), didReceive: response) { answered.resume() }
    }
    var openings = push.openings.makeAsyncIterator()
    let opening = try #require(await openings.next())
    #expect(opening.notificationID == id && opening.messageID == message)
    #expect(await push.synchronize().state == .upToDate)
    // The extension's receipts wait in the app group, where the app's library finds them.
    let counts = try #require(try await world.fixture.store.send(id, app: world.fixture.app.id))
      .counts
    #expect(counts.delivered == 1 && counts.opened == 1)
    let stats = try await world.request("GET", "/v6/stats/notifications/\(id)/events", .analytics)
    #expect(stats["opens"] == 1 && stats["pushes_succeeded"] == 1, "\(stats)")

    let inbox = try await push.inbox.refresh()
    #expect(inbox.map(\.id) == [message] && push.inbox.unreadCount == 1)
    #expect(inbox.first?.title == "A good evening")
    #expect(inbox.first?.imageURL?.absoluteString == Self.picture)
    await push.inbox.markRead([message])
    #expect(await push.synchronize().state == .upToDate)
    let read = try await push.inbox.refresh()
    #expect(read.allSatisfy(\.isRead) && push.inbox.unreadCount == 0)
  }
}
