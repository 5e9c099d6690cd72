import Foundation
import MediaLoading
import PushPayload
import TestSupport
import Testing
import UserNotifications

@testable import RichNotifications

/// Explores every possible order of events.
@Suite("Exactly one delivery for every order of events")
struct InterleavingTests {
  /// A path through the state machine, with the outstanding events and the results so far.
  struct Walk {
    var machine = Enrichment()
    var outstanding: Set<String> = []
    var files: [String: AttachedMedia] = [:]
    var delivered: [EnrichedContent] = []
    var discarded = 0
    var finished: Set<Int> = []
    var isDeadlineAhead = true
    var isExpiryAhead = true
    var nextFile = 0
    var path: [String] = []
  }

  static let configuration: RichConfiguration = {
    var configuration = RichConfiguration()
    configuration.media.maximumTries = 2
    return configuration
  }()

  static let plan = Sample.plan(
    [
      "aps": ["alert": "B"],
      "_martlet": [
        "media": [
          ["url": "https://a/1", "alternative_url": "https://a/2"], ["url": "https://a/3"],
        ], "alternative_text": "alt",
      ],
    ], configuration)

  static func perform(_ actions: [Enrichment.Action], in walk: inout Walk) {
    for action in actions {
      switch action {
      case .fetch(let number, _): walk.outstanding.insert("fetch \(number)")
      case .pause(let number, _): walk.outstanding.insert("pause \(number)")
      case .register: walk.outstanding.insert("buttons")
      case .deliver(let content): walk.delivered.append(content)
      case .discard: walk.discarded += 1
      }
    }
  }

  /// The events that may come next.
  static func choices(_ walk: Walk) -> [(name: String, event: Enrichment.Event)] {
    var choices: [(String, Enrichment.Event)] = []
    for name in walk.outstanding.sorted() {
      let number = Int(name.split(separator: " ").last ?? "") ?? 0
      if name.hasPrefix("fetch") {
        var transient = MediaFailure(.network, "broken")
        transient.isTransient = true
        choices.append(("\(name) file", .fetched(number, .file(Sample.file("\(walk.nextFile)")))))
        choices.append(("\(name) breaks", .fetched(number, .failed(transient, nil))))
        choices.append(
          ("\(name) fails", .fetched(number, .failed(MediaFailure(.httpStatus, "404"), nil))))
      } else if name.hasPrefix("pause") {
        choices.append((name, .pauseEnded(number)))
      }
    }
    if walk.isDeadlineAhead { choices.append(("deadline", .deadlinePassed)) }
    if walk.isExpiryAhead { choices.append(("expiry", .systemExpires)) }
    return choices
  }

  static func explore(_ walk: Walk, ended: inout Int, violations wrong: inout [String]) {
    let choices = choices(walk)
    if choices.isEmpty {
      ended += 1
      check(walk, &wrong)
    }
    for (name, event) in choices {
      var next = walk
      next.path.append(name)
      switch event {
      case .deadlinePassed: next.isDeadlineAhead = false
      case .systemExpires: next.isExpiryAhead = false
      case .fetched(let number, let ending):
        next.outstanding.remove("fetch \(number)")
        if case .file = ending {
          next.nextFile += 1
          if next.delivered.isEmpty { next.finished.insert(number) }
        }
      case .pauseEnded(let number): next.outstanding.remove("pause \(number)")
      default: break
      }
      perform(next.machine.on(event, at: .zero), in: &next)
      explore(next, ended: &ended, violations: &wrong)
    }
  }

  static func check(_ walk: Walk, _ wrong: inout [String]) {
    let content = walk.delivered.first
    let attached = content?.attachments.count ?? 0
    let isRight =
      walk.delivered.count == 1 && attached == walk.finished.count
      && attached + walk.discarded == walk.nextFile
      && content?.text.body == (attached == 2 ? "B" : "alt")
      && content?.media.count == 2
    if !isRight, wrong.count < 5 { wrong.append(walk.path.joined(separator: ", ")) }
  }

  @Test("the state machine: every order of results, failures, pauses, deadline and expiry")
  func machine() {
    var walk = Walk()
    var ended = 0
    var wrong: [String] = []
    Self.perform(walk.machine.on(.began(Self.plan), at: .zero), in: &walk)
    Self.explore(walk, ended: &ended, violations: &wrong)
    print("interleavings of one notification, enumerated: \(ended)")
    #expect(wrong == [])
    #expect(ended > 10_000)
  }

  // MARK: - Two notifications in one extension

  /// An event: a notification, a response, or the system's warning.
  enum Event: String, CaseIterable { case first, second, answer1, answer2, answer3, expiry }
  /// The end of a response.
  enum Ending: String, CaseIterable { case file, status404, canceled }

  /// The orders in which no response comes before its notification.
  static let orders: [[Event]] = {
    func extend(_ order: [Event]) -> [[Event]] {
      let rest = Event.allCases.filter { !order.contains($0) }
      guard !rest.isEmpty else { return [order] }
      return rest.flatMap { event -> [[Event]] in
        switch event {
        case .answer1, .answer2: guard order.contains(.first) else { return [] }
        case .answer3: guard order.contains(.second) else { return [] }
        default: break
        }
        return extend(order + [event])
      }
    }
    return extend([])
  }()

  static let endings: [[Ending]] = Ending.allCases.flatMap { first in
    Ending.allCases.flatMap { second in Ending.allCases.map { [first, second, $0] } }
  }

  static func request(_ urls: [String]) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.body = "B"
    content.userInfo = Sample.payload(urls).userInfo
    return UNNotificationRequest(identifier: "id", content: content, trigger: nil)
  }

  /// The expected replies: the number of attachments, and whether the body is the fallback text.
  static func expected(_ order: [Event], _ endings: [Ending]) -> [[Bool]] {
    let wanted: [(Event, [(Event, Ending)])] = [
      (.first, [(.answer1, endings[0]), (.answer2, endings[1])]),
      (.second, [(.answer3, endings[2])]),
    ]
    return wanted.map { start, answers in
      let begun = order.firstIndex(of: start) ?? 0
      let expiry = order.firstIndex(of: .expiry) ?? 0
      // A warning before the notification belongs to another one.
      let end = expiry > begun ? expiry : order.endIndex
      return answers.map { answer, ending in
        ending == .file && (order.firstIndex(of: answer) ?? end) < end
      }
    }
  }

  @Test(
    "the extension: two notifications at once, with every order of responses and the system's warning"
  )
  func service() throws {
    let folder = TemporaryFolder()
    var runs = 0
    for order in Self.orders {
      for endings in Self.endings {
        runs += 1
        let loader = ManualLoader()
        let service = TestedService(loader: loader, folder: folder.url)
        let outcomes = Outcomes()
        for event in order {
          switch event {
          case .first:
            service.didReceive(Self.request(["https://a/1", "https://a/2"])) { outcomes.add(0, $0) }
          case .second:
            service.didReceive(Self.request(["https://a/3"])) { outcomes.add(1, $0) }
          case .answer1: loader.end("https://a/1", endings[0])
          case .answer2: loader.end("https://a/2", endings[1])
          case .answer3: loader.end("https://a/3", endings[2])
          case .expiry: service.serviceExtensionTimeWillExpire()
          }
        }
        let all = "\(order.map(\.rawValue)) \(endings.map(\.rawValue))"
        let expected = Self.expected(order, endings)
        for (number, wanted) in expected.enumerated() {
          let contents = outcomes.of(number)
          #expect(contents.count == 1, "\(all)")
          let files = contents.first?.attachments.count ?? -1
          #expect(files == wanted.count { $0 }, "\(all)")
          #expect(contents.first?.body == (wanted.allSatisfy { $0 } ? "B" : "alt"), "\(all)")
        }
        #expect(folder.contents.count == expected.joined().count { $0 }, "\(all)")
        for name in folder.contents { try FileManager.default.removeItem(at: folder.file(name)) }
      }
    }
    print("interleavings of two notifications, enumerated: \(runs)")
    #expect(runs == 3240)
  }
}

/// The extension under test, with the test's environment.
final class TestedService: RichNotificationService {
  private let world: RichEnvironment

  init(loader: some MediaLoader, folder: URL) {
    world = Sample.environment(loader, clock: ManualClock(), folder: folder)
    super.init()
  }

  override var configuration: RichConfiguration { RichConfiguration() }
  override var environment: RichEnvironment { world }
}

/// The calls of each handler.
///
/// `@unchecked Sendable`: the test runs on one thread; the mutex satisfies the compiler.
private final class Outcomes: @unchecked Sendable {
  private var contents: [Int: [UNNotificationContent]] = [:]
  private let lock = NSLock()

  func add(_ number: Int, _ content: UNNotificationContent) {
    lock.withLock { contents[number, default: []].append(content) }
  }

  func of(_ number: Int) -> [UNNotificationContent] { lock.withLock { contents[number] ?? [] } }
}

extension ManualLoader {
  fileprivate func end(_ url: String, _ ending: InterleavingTests.Ending) {
    // Without a load the notification had already been delivered.
    guard let sink = loads.last(where: { $0.request.url.absoluteString == url })?.sink else {
      return
    }
    switch ending {
    case .file: sink.respond(200, body: Sample.png)
    case .status404: sink.respond(404)
    case .canceled: sink.finish(MediaLoadError(.canceled, "canceled"))
    }
  }
}
