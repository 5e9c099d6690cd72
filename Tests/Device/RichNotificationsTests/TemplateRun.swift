import Foundation
import MediaLoading
import NotificationTemplates
import PushPayload
import Synchronization
import TestSupport

@testable import RichNotifications

/// A delivery of a payload with a template, with the app group's folder.
final class TemplateRun: Sendable {
  let loader = ManualLoader()
  let clock = ManualClock()
  let folder = TemporaryFolder()
  let group: TemporaryFolder
  let payload: JSONValue
  private let contents = Mutex<[EnrichedContent]>([])
  private let events = Mutex<[TraceEvent]>([])
  private let identifier: String
  private let delivery = Mutex<RichDelivery?>(nil)

  init(
    _ payload: JSONValue, identifier: String = "r", group: TemporaryFolder = TemporaryFolder(),
    container: URL? = nil, begins: Bool = true,
    _ configuration: RichConfiguration = RichConfiguration(),
    change: (inout RichEnvironment) -> Void = { _ in }
  ) {
    self.payload = payload
    self.group = group
    self.identifier = identifier
    var configuration = configuration
    configuration.trace = { [weak self] event in self?.events.withLock { $0.append(event) } }
    var environment = Sample.environment(loader, clock: clock, folder: folder.url)
    environment.appGroupFolder = container ?? group.url
    change(&environment)
    let delivery = RichDelivery(
      IncomingNotification(
        payload: payload, text: NotificationText(title: "T", body: "B"),
        category: payload["aps"]?["category"]?.string ?? "", identifier: identifier),
      configuration: configuration, environment: environment
    ) { [weak self] content in
      self?.contents.withLock { $0.append(content) }
    }
    self.delivery.withLock { $0 = delivery }
    if begins { delivery.begin() }
  }

  /// The delivered content; `nil` before the delivery, and if there were two.
  var content: EnrichedContent? { contents.withLock { $0.count == 1 ? $0[0] : nil } }

  /// The requested URLs in order.
  var urls: [String] { loader.loads.map(\.request.url.absoluteString) }

  /// The trace as stages and rules.
  var rules: [String] { events.withLock { $0.map { "\($0.stage.rawValue) \($0.rule)" } } }

  func begin() { delivery.withLock { $0 }?.begin() }
  func expire() { delivery.withLock { $0 }?.expire() }

  /// Responds to the last request of a URL.
  func respond(_ url: String, _ status: Int = 200, body: [UInt8] = Sample.png) {
    loader.loads.last { $0.request.url.absoluteString == url }?.sink
      .respond(status, body: status == 200 ? body : [])
  }

  var template: NotificationTemplate? {
    TemplateTable.standard.read(payload, delivered: 0).template
  }

  /// The template as the content extension reads it.
  var prepared: PreparedTemplate? {
    template.map {
      PreparedTemplate($0, request: identifier, in: AppGroupFiles(container: group.url))
    }
  }

  /// The files in the folder of the sets, relative to it, without the lock.
  var stored: [String] { Self.stored(in: group) }

  static func stored(in group: TemporaryFolder) -> [String] {
    let root = TemplateMediaSet.root(in: group.url)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0 != "lock" }.sorted()
  }
}

extension Sample {
  /// A payload with pages of these URLs, and attached media.
  static func carousel(
    _ pages: [JSONValue], media: [JSONValue] = [], kind: String = "carousel",
    category: String? = "expanded"
  ) -> JSONValue {
    var own: [String: JSONValue] = [
      "template": [
        "kind": .string(kind), "pages": .array(pages.map { ["media": $0] }),
      ], "alternative_text": "alt",
    ]
    if !media.isEmpty { own["media"] = .array(media) }
    var aps: [String: JSONValue] = ["alert": ["title": "T", "body": "B"], "mutable-content": 1]
    aps["category"] = category.map(JSONValue.string)
    return ["aps": .object(aps), "_martlet": .object(own)]
  }

  /// A payload with this many pages: `https://a/1`, and so on.
  static func carousel(_ count: Int, media: [JSONValue] = []) -> JSONValue {
    carousel((1...count).map { ["url": .string("https://a/\($0)")] }, media: media)
  }
}
