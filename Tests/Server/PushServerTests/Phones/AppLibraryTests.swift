import Foundation
import NotificationHost
import NotificationTemplates
import PushModel
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

@testable import MartletKit
@testable import PushServer

/// The library that apps link against the server that it is made for, over HTTP.
@Suite("An app with MartletKit", .timeLimit(.minutes(10)))
struct AppLibraryTests {
  /// A server with an app.
  private struct World {
    let fixture: Fixture
    let server: PushServer
    let prover: UserProver
    let folder = TemporaryFolder()

    init() async throws {
      fixture = try await Fixture()
      server = try PushServer.started(
        .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
      ) { _ in }
      prover = try await UserProver(for: fixture)
    }

    func device(_ transport: any PushTransport = URLSessionTransport()) throws -> PushDevice {
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
      let deviceKey = try #require(fixture.keys[.device])
      let settings = PushSettings(server: url, key: deviceKey, folder: folder.url)
      var environment = PushEnvironment.system(settings, transport: transport)
      // Requests are sent where a test waits for them, so it knows which answer is lost.
      environment.sleep = nil
      return PushDevice(settings, environment: environment)
    }

    /// The device at the server.
    func stored() async throws -> Device {
      let id = try #require(DeviceCredentials(folder: folder.url)?.id)
      return try #require(try await fixture.store.device(id, app: fixture.app.id))
    }

    func proof(_ user: String) throws -> String { try prover.proof(of: user) }
  }

  private func run(_ body: (World) async throws -> Void) async throws {
    let world = try await World()
    do {
      try await body(world)
    } catch {
      await world.server.stop()
      throw error
    }
    await world.server.stop()
  }

  @Test("a device registers, signs in, gets a push, opens it, and signs out")
  func wholeWay() async throws {
    try await run { world in
      let push = try world.device()
      push.setToken(Data([0x00, 0xff]))
      push.reportPermission(.allowed)
      await push.update { profile in
        profile.tags = ["gold"]
        profile["plan"] = .string("pro")
        profile["since"] = .date(Date(timeIntervalSince1970: 1_700_000_000))
        profile["visits"] = .integer(3)
        profile["scores"] = .integers([1, 2])
      }
      try await push.signIn("ada", proof: world.proof("ada"))
      await push.start()
      #expect(await push.synchronize() == .upToDate)
      var device = try await world.stored()
      #expect(device.token == "00ff" && device.userID == "ada" && device.tags == ["gold"])
      #expect(device.isPushEnabled && !device.isPushQuiet && device.lastOpenedAt != nil)
      #expect(device.attributes.keys.sorted() == ["plan", "scores", "since", "visits"])
      #expect(device.sdkVersion?.hasPrefix("MartletKit") == true)

      let sent = try await curl(
        "POST", "http://127.0.0.1:\(world.server.port)/v6/notifications",
        key: world.fixture.keys[.push],
        body: #"{"notification":{"to":"*","payload":{"alert":"Hello"}}}"#)
      let id = try #require(sent.json["notification"]?["id"]?.string)
      try await until { !world.fixture.apple.taken.isEmpty }
      let payload = try #require(world.fixture.apple.taken.first?.payload)
      #expect(push.recordPresentation(payload: payload))
      let opening = push.recordOpening(payload: payload, request: "request")
      #expect(opening?.notificationID == id)
      try await push.record(
        "bought", items: [PurchasedItem(name: "Umbrella", quantity: 2, price: 1900)])
      #expect(await push.synchronize() == .upToDate)
      let send = try #require(try await world.fixture.store.send(id, app: world.fixture.app.id))
      #expect(send.counts.opened == 1 && send.counts.displayed == 1)
      #expect(
        try await world.fixture.store.conversions(of: id, app: world.fixture.app.id) == [
          "bought": 1
        ])
      device = try await world.stored()
      #expect(device.events["bought"]?.count == 1)

      await push.signOut()
      await push.synchronize()
      device = try await world.stored()
      #expect(device.userID == nil && device.token == "00ff")
    }
  }

  @Test("a user who is not proven is named, and what the server does not store too")
  func dropped() async throws {
    try await run { world in
      let push = try world.device()
      try await push.signIn("ada", proof: world.proof("bob"))
      await push.update { profile in
        profile.tags = ["good", String(repeating: "x", count: 256)]
        profile["good"] = .boolean(true)
        profile["b\"ad"] = .boolean(true)
        profile["large"] = .integer(3_000_000_000)
      }
      await push.start()
      let status = await push.synchronize()
      #expect(status.state == .upToDate)
      #expect(
        status.problems.map(\.path) == [
          "$.device.tags", "$.device.user_attributes['b\"ad']", "$.device.user_attributes.large",
          "$.device.user_id",
        ])
      let device = try await world.stored()
      #expect(device.userID == nil && device.attributes.keys.sorted() == ["good"])
      try await push.signIn("ada", proof: world.proof("ada"))
      await push.synchronize()
      #expect(try await world.stored().userID == "ada")
    }
  }

  @Test("events that are sent again after a lost answer count once")
  func lostAnswer() async throws {
    try await run { world in
      let transport = ForgetfulTransport()
      let push = try world.device(transport)
      await push.start()
      await push.synchronize()
      try await push.record("bought")
      transport.losesNext.withLock { $0 = true }
      let status = await push.synchronize()
      #expect(status.state.kind == .retrying)
      await push.activate()
      #expect(await push.synchronize() == .upToDate)
      #expect(try await world.stored().events["bought"]?.count == 1)
    }
  }

  @Test("what a person does with an expanded notification is in the report, by page and by value")
  func expanded() async throws {
    try await run { world in
      let url = try #require(URL(string: "http://127.0.0.1:\(world.server.port)"))
      let key = try #require(world.fixture.keys[.device])
      let transport = ForgetfulTransport()
      let device = try world.device(transport)
      device.setToken(Data([0x00, 0xff]))
      device.reportPermission(.allowed)
      await device.start()
      await device.synchronize()
      let credentials = try #require(DeviceCredentials(folder: world.folder.url))
      let settings = ReceiptSettings(
        endpoint: url.appending(path: "v6/receipts"), deviceKey: key, deviceID: credentials.id,
        folder: world.folder.url, deviceSecret: credentials.secret)

      let templates: [JSONValue] = [
        [
          "kind": "poll", "choices": [["id": "a", "title": "Blue"], ["id": "b", "title": "Red"]],
        ], ["kind": "timer", "duration": 10],
        [
          "kind": "carousel",
          "pages": .array(
            (0..<3).map { page in
              [
                "link": .string("shop://\(page)"),
                "media": [
                  "id": .string("m\(page)"), "url": .string("https://a.example/\(page).png"),
                ],
              ]
            }),
        ],
      ]
      var sends: [String] = []
      for template in templates {
        let payload: JSONValue = [
          "alert": "Hi", "category": "expanded", "_martlet": ["template": template],
        ]
        let body: JSONValue = ["notification": ["to": "*", "payload": payload]]
        let sent = try await curl(
          "POST", "\(url)/v6/notifications", key: world.fixture.keys[.push], body: body.text)
        sends.append(try #require(sent.json["notification"]?["id"]?.string, "\(sent)"))
        let count = sends.count
        try await until { world.fixture.apple.taken.count == count }
      }
      var handler = ContentExtension(categories: ["expanded"], initialRatio: 1)
      handler.takesTouches = true
      var phone = ExpandedNotification.Phone(extensions: [handler], measurer: LineMeasurer())
      phone.receipts = settings
      let start = 1_700_000_000.0
      let taken = world.fixture.apple.taken
      for send in sends {
        let push = try #require(taken.first { $0.payload["_nid"]?.string == send })
        let notification = try notification(push.payload, in: world.folder)
        // It is expanded twice, and answered each time.
        for choice in ["b", "a"] {
          var view = ExpandedNotification(phone: phone)
          view.on(.expanded(notification), at: start)
          view.on(.tapped(.choose(choice)), at: start + 1)
          view.on(.tapped(.next), at: start + 2)
          view.on(.tapped(.open(nil)), at: start + 12)
          #expect(view.shown == nil)
          for receipt in view.takeReceipts() { try settings.queue.add(receipt) }
          if choice == "b" {
            transport.losesNext.withLock { $0 = true }
            #expect(await device.synchronize().state.kind == .retrying)
          }
        }
        await device.activate()
        #expect(await device.synchronize() == .upToDate)
        #expect(settings.queue.waiting().isEmpty)
      }
      let (app, store) = (world.fixture.app.id, world.fixture.store)
      var expected = TemplateCounts()
      (expected.viewed, expected.opened, expected.answered) = (1, 1, 1)
      expected.values = ["b": 1]
      #expect(try await store.templateCounts(of: sends[0], app: app) == expected)
      (expected.answered, expected.expired, expected.values) = (0, 1, [:])
      #expect(try await store.templateCounts(of: sends[1], app: app) == expected)
      expected.expired = 0
      // The first page could not be prepared.
      expected.pages = [
        1: TemplateCounts.Page(seen: 1, seconds: 2),
        2: TemplateCounts.Page(seen: 1, seconds: 10, opened: 1),
      ]
      let carousel = try await store.templateCounts(of: sends[2], app: app)
      #expect(carousel == expected, "\(carousel)")
      for send in sends { #expect(try await store.send(send, app: app)?.counts.opened == 1) }
    }
  }

  /// A notification as the system passes it to the content extension, with the attachments of two pages.
  private func notification(
    _ payload: JSONValue, in folder: TemporaryFolder
  ) throws -> UNNotification {
    let content = UNMutableNotificationContent()
    content.categoryIdentifier = "expanded"
    content.userInfo = payload.userInfo
    content.attachments = try ["m1", "m2"].map { id in
      let file = folder.file("\(id).png")
      try Data(Fixtures.bytes("media/picture.png")).write(to: file)
      return try UNNotificationAttachment(identifier: id, url: file)
    }
    return UNNotification(
      request: UNNotificationRequest(identifier: "r", content: content, trigger: nil),
      date: Date(timeIntervalSince1970: 1_700_000_000))
  }

  /// A measurer whose lines are as high as their letters and never break.
  private struct LineMeasurer: TemplateTextMeasurer {
    func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
      TemplateSize(width: width, height: font.size)
    }
  }

  @Test("another device cannot act for this one, and a stopped one has no token")
  func stop() async throws {
    try await run { world in
      let push = try world.device()
      push.setToken(Data([1]))
      await push.start()
      await push.synchronize()
      let credentials = try #require(DeviceCredentials(folder: world.folder.url))
      let refused = await world.fixture.request(
        "PUT", "/v6/devices/\(credentials.id)", role: .device, body: #"{"device":{"tags":["x"]}}"#)
      #expect(refused.status == 403)
      let export = try JSONValue(parsing: try await push.export())
      #expect(export["server"]?["push_token"] == "01")
      try await push.stop()
      let id = credentials.id
      let stopped = try await world.fixture.store.device(id, app: world.fixture.app.id)
      #expect(stopped?.token == nil && stopped?.erasedAt == nil)
      try await push.erase()
      let erased = try await world.fixture.store.device(id, app: world.fixture.app.id)
      #expect(erased?.erasedAt != nil)
      #expect(DeviceCredentials(folder: world.folder.url) == nil)
      // The next one is another.
      await push.start()
      await push.synchronize()
      #expect(try await world.stored().id != id)
    }
  }

  @Test("a device that the server erased stops, and a key that is none is refused")
  func refusals() async throws {
    try await run { world in
      let push = try world.device()
      await push.start()
      await push.synchronize()
      let id = try await world.stored().id
      _ = try await world.fixture.store.erase(
        device: id, app: world.fixture.app.id, at: world.fixture.clock.now)
      await push.update { $0.tags = ["a"] }
      #expect(await push.synchronize() == .erased)

      let url = try #require(URL(string: "http://127.0.0.1:\(world.server.port)"))
      let folder = TemporaryFolder()
      let other = PushDevice(PushSettings(server: url, key: "wrong", folder: folder.url))
      await other.start()
      let state = await other.synchronize().state
      #expect(state.kind == .refused && state.httpStatus == 401 && state.reason == "unauthorized")
    }
  }
}

extension PushStatus {
  fileprivate static func == (left: PushStatus, state: State) -> Bool {
    left.state == state && left.problems.isEmpty
  }
}

/// A transport that loses one answer.
private final class ForgetfulTransport: PushTransport {
  let losesNext = Mutex(false)
  private let transport = URLSessionTransport()

  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    let response = try await transport.send(request)
    let isLost = losesNext.withLock { loses in
      defer { loses = false }
      return loses
    }
    if isLost { throw PushTransportError("the connection was lost") }
    return response
  }
}
