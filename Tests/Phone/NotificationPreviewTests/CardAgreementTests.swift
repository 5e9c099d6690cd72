import NotificationCards
import Foundation
import MediaLoading
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PushModel
import PhoneCards
import PushPayload
import TestSupport
import Testing
import _Card

@testable import MartletCommands
@testable import PushServer

/// How the servers of a test answer to requests for media.
enum MediaBehavior: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case available, missing, silent

  var testDescription: String { rawValue }

  /// The answers to the URLs that a payload names.
  func answers(to payload: JSONValue) -> [String: ScriptedNetwork.Response] {
    let references = DialectTable.standard.read(payload).media.flatMap { media in
      ([media.wanted] + media.alternatives).map { ($0.url, $0.declaredFamily) }
    }
    let template = TemplateTable.standard.read(payload, delivered: 0).template
    let pictures = (template?.media ?? []).map { ($0.url, MediaType.Family?.none) }
    return Dictionary(
      (references + pictures).compactMap { reference, family in
        guard let url = URL(string: reference) else { return nil }
        return (url.absoluteString, answer(to: url, family))
      }, uniquingKeysWith: { first, _ in first })
  }

  private func answer(to url: URL, _ family: MediaType.Family?) -> ScriptedNetwork.Response {
    guard self != .missing else { return ScriptedNetwork.Response(status: 404) }
    let named = MediaType(pathExtension: url.pathExtension)
    let name =
      switch named?.family ?? family {
      case .movie?: "gold.mp4"
      case .audio?: "chime.mp3"
      default: named == .gif ? "cloudy.gif" : "photo.jpg"
      }
    var answer = ScriptedNetwork.Response(body: .file(Fixtures.url("media/\(name)")))
    if self == .silent { answer.stallsAfter = 0 }
    return answer
  }
}

/// One payload, on the dashboard and in `martlet simulate`, with the same answers to requests for media.
struct CardComparison {
  var payload: JSONValue
  var behavior: MediaBehavior
  /// URLs that answer with 404, whatever the behaviour.
  var missing: [String] = []
  let folder = TemporaryFolder()
  /// When the push is delivered, from which countdowns run.
  static let delivered = Timestamp(milliseconds: 1_700_000_000_000)

  private var message: PushMessage { PushMessage(payload: payload) }

  private var answers: [String: ScriptedNetwork.Response] {
    var answers = behavior.answers(to: payload)
    for url in missing { answers[url] = ScriptedNetwork.Response(status: 404) }
    return answers
  }

  /// The delivery as `martlet simulate` makes it.
  func simulated() async -> SimulatedDelivery {
    let clock = VirtualClock()
    var configuration = SimulatedPhone.Configuration(container: folder.url)
    configuration.appGroup = folder.file("AppGroup")
    return await SimulatedPhone(
      configuration, clock: clock, loader: ScriptedNetwork(answers, clock: clock)
    ).deliver(message)
  }

  /// The card that `martlet simulate` draws of a delivery.
  func card(_ delivery: SimulatedDelivery) -> NotificationCard? {
    NotificationCard(
      delivery, appName: "App", delivered: Double(Self.delivered.milliseconds) / 1000)
  }

  /// The card as the dashboard makes it, once all media have come or failed.
  func previewed() async throws -> NotificationCard? {
    let clock = VirtualClock()
    let serverClock = ServerClock.virtual(clock)
    let network = ScriptedNetwork(answers, clock: clock)
    let preview = MediaPreview(
      uploads: nil,
      remoteMedia: RemoteMedia(folder: folder.path("preview"), clock: serverClock) { network },
      clock: serverClock)
    var card = try await preview.card(
      of: message, appName: "App", delivered: Self.delivered)
    // The clock passes a preview's wait at once, also while the thread that fetches does not run.
    while card?.isLoading == true {
      try Task.checkCancellation()
      card = try await preview.card(of: message, appName: "App", delivered: Self.delivered)
    }
    return card
  }
}

extension NotificationCard {
  /// All that the card holds, with the content of files in place of their paths.
  var description: [String] {
    ["app \(appName)", "time \(time)", "title \(title)", "subtitle \(subtitle)", "body \(body)"]
      + attachments.map { attachment in
        let bytes = FileManager.default.contents(atPath: attachment.path) ?? Data()
        let file = "\(bytes.count) bytes, \(bytes.hashValue)"
        return "\(attachment.kind) \(file), poster \(attachment.posterPath ?? "none"), "
          + "hidden \(attachment.thumbnailHidden), "
          + "part \(String(describing: attachment.thumbnailClippingRect)), "
          + "name \(attachment.name), seconds \(String(describing: attachment.durationSeconds))"
      } + actions.map { "action \($0)" } + (template?.description ?? [])
  }
}

extension ExpandedTemplate {
  var description: [String] {
    [String(decoding: template.json.bytes, as: UTF8.self), "at \(now)"]
      + buttons.map { "button \($0)" }
      + files.sorted { $0.key < $1.key }.map { id, path in
        "\(id): \((FileManager.default.contents(atPath: path) ?? Data()).hashValue)"
      }
  }
}

@Suite("The dashboard's card and martlet simulate's", .timeLimit(.minutes(10)))
struct CardAgreementTests {
  /// The payloads under `Tests/Fixtures/dialects`, by their names without `.json`.
  static let payloads: [String: JSONValue] = {
    let folder = Fixtures.url("dialects")
    let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String }
    return Dictionary(
      uniqueKeysWithValues: (files ?? []).filter { $0.contains("/") && $0.hasSuffix(".json") }
        .compactMap { file in
          let data = try? Data(contentsOf: folder.appending(path: file))
          return data.flatMap { try? JSONValue(parsing: $0) }.map { (String(file.dropLast(5)), $0) }
        })
  }()

  @Test("there are payloads of every dialect")
  func fixtures() { #expect(Self.payloads.count > 110) }

  @Test(
    "the cards hold the same, with media available, missing and silent",
    arguments: payloads.keys.sorted(), MediaBehavior.allCases)
  func agrees(name: String, behavior: MediaBehavior) async throws {
    let payload = try #require(Self.payloads[name])
    let comparison = CardComparison(payload: payload, behavior: behavior)
    let delivery = await comparison.simulated()
    let simulated = comparison.card(delivery)
    #expect(try await comparison.previewed()?.description == simulated?.description)
    // The comparison is worth something: media are attached where they are available, and only there.
    let hasMedia = simulated?.attachments.isEmpty == false
    let canHaveMedia = delivery.enriched?.media.contains { $0.url.hasPrefix("https://") } == true
    #expect(hasMedia == (canHaveMedia && behavior == .available))
  }

  @Test(
    "with media that fail both show the alternative text",
    arguments: [MediaBehavior.missing, .silent])
  func alternativeText(behavior: MediaBehavior) async throws {
    let payload: JSONValue = [
      "aps": ["alert": ["title": "Title", "body": "Text"], "mutable-content": 1],
      "_martlet": [
        "media": [["url": "https://cdn.example.com/a.jpg"]], "alternative_text": "Alternative",
      ],
    ]
    let comparison = CardComparison(payload: payload, behavior: behavior)
    let simulated = comparison.card(await comparison.simulated())
    #expect(simulated?.body == "Alternative")
    #expect(try await comparison.previewed()?.description == simulated?.description)
  }

  @Test(
    "where the wanted file is missing both show its alternative",
    arguments: ["alternative_url", "poster_url"])
  func alternativeMedium(key: String) async throws {
    let payload: JSONValue = [
      "aps": ["alert": "Text", "mutable-content": 1],
      "_martlet": [
        "media": [["url": "https://cdn.example.com/a.mp4", key: "https://cdn.example.com/b"]]
      ],
    ]
    var comparison = CardComparison(payload: payload, behavior: .available)
    comparison.missing = ["https://cdn.example.com/a.mp4"]
    let simulated = comparison.card(await comparison.simulated())
    #expect(simulated?.attachments.map(\.kind) == [.image])
    #expect(try await comparison.previewed()?.description == simulated?.description)
  }

  @Test(
    "a category that the app's SDK registers shows its buttons, and any other category none",
    arguments: [
      ("accept_decline", ["Accept", "Decline"]), ("shop_now", ["Shop Now"]), ("own", []),
    ])
  func presetCategory(category: String, titles: [String]) async throws {
    let payload: JSONValue = ["aps": ["alert": "Text", "category": .string(category)]]
    let comparison = CardComparison(payload: payload, behavior: .available)
    let simulated = comparison.card(await comparison.simulated())
    #expect(simulated?.actions == titles)
    #expect(try await comparison.previewed()?.actions == titles)
  }

  @Test(
    "the pictures are the same, pixel by pixel",
    arguments: [
      ("clevertap/typical-timer", MediaBehavior.available), ("acoustic/typical", .available),
      ("martlet/typical", .missing),
    ])
  func pixels(name: String, behavior: MediaBehavior) async throws {
    let payload = try #require(Self.payloads[name])
    let comparison = CardComparison(payload: payload, behavior: behavior)
    let file = comparison.folder.path("card.png")
    let delivery = await comparison.simulated()
    #expect(
      try await CardFile.write(
        delivery, by: .ofCommand(), to: file, appName: "App",
        delivered: Double(CardComparison.delivered.milliseconds) / 1000))
    let card = try #require(try await comparison.previewed())
    #expect(try Data(CardRenderer().png(card)) == FileManager.default.contents(atPath: file))
  }
}
