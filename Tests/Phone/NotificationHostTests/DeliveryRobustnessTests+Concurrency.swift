import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

/// Buttons, receipts, unusual payloads and concurrent pushes.
extension DeliveryRobustnessTests {
  static var foreignCategories: Set<UNNotificationCategory> {
    [
      UNNotificationCategory(
        identifier: "app.reply",
        actions: [
          UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", options: [.authenticationRequired],
            textInputButtonTitle: "Send", textInputPlaceholder: "…")
        ], intentIdentifiers: ["INSendMessageIntent"], hiddenPreviewsBodyPlaceholder: "%u messages",
        categorySummaryFormat: "%u more", options: [.customDismissAction]),
      UNNotificationCategory(
        identifier: "martlet.buttons.mine", actions: [], intentIdentifiers: [], options: []),
    ]
  }

  static func buttons(_ titles: String..., media: String? = nil) -> JSONValue {
    var message: [String: JSONValue] = [
      "i": "n-1", "b": .array(titles.map { ["t": .string($0), "l": .string("https://a/\($0)")] }),
    ]
    message["a"] = media.map { .string($0) }
    return ["aps": ["alert": "B", "mutable-content": 1], "c": .object(message)]
  }

  @Test(
    "the categories of the app and other libraries are kept, even if the system is slow or hangs",
    arguments: [(0, true, true), (1, true, true), (2, true, true), (0, false, false)])
  func categories(readsUntilVisible: Int, answers: Bool, isShown: Bool) async throws {
    let center = UNUserNotificationCenter(readsUntilVisible: readsUntilVisible, responds: answers)
    center.setNotificationCategories(Self.foreignCategories)
    for _ in 0..<3 { _ = await center.notificationCategories() }
    let phone = try Phone(center: center) {
      $0.categoryRegistry = UNCategoryRegistry(center: center)
    }
    let report = await phone.deliver(Self.buttons("Yes", "No"))
    #expect(report.run.handlerCalls == 1 && report.outcome == .displayed)
    #expect(report.actions.map(\.title) == (isShown ? ["Yes", "No"] : []))
    let after = await center.notificationCategories()
    #expect(after.isSuperset(of: Self.foreignCategories))
    #expect(after.count == Self.foreignCategories.count + (isShown ? 1 : 0))
  }

  @Test("buttons are registered before the delivery, without sleeping or polling")
  func polling() async throws {
    let virtual = VirtualClock()
    let clock = RecordingClock(virtual)
    let center = UNUserNotificationCenter(readsUntilVisible: 0)
    let atDelivery = Mutex<[String]>([])
    var configuration = RichConfiguration()
    configuration.delivered = { content in
      center.getNotificationCategories { categories in
        let own = categories.first { $0.identifier == content.categoryIdentifier }
        atDelivery.withLock { $0 = own?.actions.map(\.title) ?? [] }
      }
    }
    let phone = try Phone(configuration: configuration, clock: virtual, center: center) {
      $0.categoryRegistry = UNCategoryRegistry(center: center)
      $0.clock = clock
    }
    let report = await phone.deliver(Self.buttons("Yes", "No"))
    #expect(atDelivery.withLock { $0 } == ["Yes", "No"])
    #expect(report.actions.map(\.title) == ["Yes", "No"])
    #expect(clock.delays == [.seconds(25)], "the deadline, and nothing else")
    #expect(report.run.elapsed < .seconds(25))
  }

  @Test(
    "one invalid file of three does not affect the others",
    arguments: ["https://a/gone", "ftp://a/film", "file://missing.png", "https://a/page", "::"])
  func oneBad(url: String) async throws {
    let phone = try Phone([
      "https://a/1": .fixture("gold.mp4"), "https://a/3": Self.png,
      "https://a/gone": .init(status: 410), "https://a/page": .init(body: .bytes(Self.page)),
    ])
    let report = await phone.deliver(Push.media("https://a/1", url, "https://a/3"))
    #expect(report.attachments.map(\.type) == ["public.mpeg-4", "public.png"])
    #expect(report.content?.body == "alt")
    #expect(phone.enriched?.media.map(\.result) == [.attached, .failed, .attached])
  }

  @Test("files finished at the system's warning are shown")
  func finishedWork() async throws {
    let phone = try Phone(
      [
        "https://a/1": .fixture("cloudy.gif"),
        "https://a/2": Self.png.with { $0.stallsAfter = 5000 },
        "https://a/3": .fixture("photo.jpg"),
      ], configuration: RichConfiguration(deadline: .seconds(60)))
    let report = await phone.deliver(Push.media("https://a/1", "https://a/2", "https://a/3"))
    #expect(report.run.expired && report.run.handlerCalls == 1)
    #expect(report.outcome == .displayed && report.content?.body == "alt")
    #expect(report.attachments.map(\.type) == ["com.compuserve.gif", "public.jpeg"])
    #expect(phone.leftovers == [])
  }

  @Test("a receipt server that never responds delays nothing and leaks nothing")
  func receipts() async throws {
    let order = Mutex<[String]>([])
    let poster = SilentPoster { order.withLock { $0.append("post") } }
    let virtual = VirtualClock()
    let clock = RecordingClock(virtual)
    let container = TemporaryFolder()
    var configuration = RichConfiguration()
    let receipts = ReceiptSettings(
      endpoint: try #require(URL(string: "https://push.example/v6/receipts")), deviceKey: "k",
      deviceID: "d", folder: container.url)
    configuration.receipts = receipts
    configuration.delivered = { _ in order.withLock { $0.append("hand-over") } }
    let phone = try Phone(
      ["https://a/i": Self.png], configuration: configuration, clock: virtual
    ) {
      $0.poster = poster
      $0.clock = clock
    }
    let report = await phone.deliver(Push.media("https://a/i"))
    await phone.runOn()
    #expect(report.run.elapsed < .seconds(25) && report.run.handlerCalls == 1)
    #expect(report.attachments.count == 1)
    #expect(order.withLock { $0 } == ["hand-over", "post"])
    #expect(clock.delays == [.seconds(25)], "nothing waits for the answer")
    #expect(receipts.queue.waiting().map(\.notificationID) == ["n-1"], "the app sends it again")
  }

  @Test("values of any type at any key of any vendor's payload cause no crash")
  func confusion() async throws {
    let phone = try Phone()
    var mutation = PayloadMutation(seed: 14)
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: Fixtures.url("dialects").path()
    ).filter { $0.hasSuffix("/typical.json") }.sorted()
    #expect(files.count > 30)
    var runs = 0
    for file in files {
      let payload = try JSONValue(parsing: Data(Fixtures.bytes("dialects/\(file)")))
      for _ in 0..<12 {
        var members = mutation.mutate(payload).object ?? [:]
        // The system itself would not run the extension for less.
        members["aps"] = ["alert": ["title": "T", "body": "B"], "mutable-content": 1]
        let report = await phone.deliver(.object(members))
        runs += 1
        #expect(
          report.run.handlerCalls == 1 && report.outcome == .displayed, "\(file) \(members)")
      }
    }
    #expect(phone.handlerCalls == runs)
    #expect(phone.leftovers == [])
  }

  @Test("two concurrent pushes in one process, each with its own configuration")
  func twoConfigurations() async throws {
    let clock = VirtualClock()
    func phone(_ name: String, deadline: Int, latency: Int) throws -> Phone {
      var configuration = RichConfiguration(
        dialects: DialectTable.standard.preceded(
          by: .custom(media: [PayloadPath("\(name).picture")])),
        deadline: .seconds(deadline))
      configuration.template = TextTemplate(body: TextTemplate.Line("\(name): {text}"))
      configuration.media.headers = { _ in ["Authorization": name] }
      return try Phone(
        ["https://\(name)/i": Self.png], latency: .seconds(latency), configuration: configuration,
        clock: clock)
    }
    // Under way from 0 to 10 s, and from 0 to 5 s, when its own deadline ends it.
    let (patient, hasty) = (
      try phone("patient", deadline: 20, latency: 10), try phone("hasty", deadline: 5, latency: 10)
    )
    let payload: JSONValue = [
      "aps": ["alert": "B", "mutable-content": 1], "text": "hello",
      "patient": ["picture": "https://patient/i"], "hasty": ["picture": "https://hasty/i"],
    ]
    let hold = clock.hold(freezeLimit: .seconds(60))
    async let first = patient.deliver(payload)
    async let second = hasty.deliver(payload)
    // Both have their extensions' timers set before time goes on.
    while patient.network.requests.isEmpty || hasty.network.requests.isEmpty { await Task.yield() }
    hold.release()
    let (kept, cut) = (await first, await second)
    #expect(kept.content?.body == "patient: hello" && kept.attachments.count == 1)
    #expect(cut.content?.body == "hasty: hello" && cut.attachments.isEmpty)
    #expect(hasty.enriched?.media.map(\.reason) == [.timeout])
    #expect(patient.network.requests.map(\.headers) == [["Authorization": "patient"]])
    #expect(hasty.network.requests.map(\.headers) == [["Authorization": "hasty"]])
    #expect((patient.handlerCalls, hasty.handlerCalls) == (1, 1))
  }
}
