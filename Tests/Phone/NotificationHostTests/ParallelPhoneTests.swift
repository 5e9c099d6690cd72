import Foundation
import NotificationHost
import NotificationHostTesting
import Testing
import UserNotifications

/// A place from which an extension uses a session.
enum SessionPlace: String, CaseIterable, Sendable {
  case shared, sharedInTask, staticHere, staticInTask, staticInDetachedTask, staticOnQueue
  case staticOnMain, staticInThread, propertyOnQueue, chained
}

/// An extension whose body is the text that a server answers.
///
/// `@unchecked Sendable`: its properties are constants or set once before they are read.
final class FetchingExtension: UNNotificationServiceExtension, @unchecked Sendable {
  private static let session = URLSession(configuration: .default)
  private let session = URLSession(configuration: .ephemeral)
  private var handler: ((UNNotificationContent) -> Void)?
  private var content = UNMutableNotificationContent()

  private static let url = URL(string: "https://a/text") ?? URL(fileURLWithPath: "/")

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return
    }
    (handler, self.content) = (contentHandler, content)
    switch SessionPlace(rawValue: content.userInfo["place"] as? String ?? "") {
    case .shared, nil: load(.shared)
    case .sharedInTask: Task { await self.fetch(.shared) }
    case .staticHere: load(Self.session)
    case .staticInTask: Task { await self.fetch(Self.session) }
    case .staticInDetachedTask: Task.detached { await self.fetch(Self.session) }
    case .staticOnQueue: DispatchQueue.global().async { self.load(Self.session) }
    case .staticOnMain: DispatchQueue.main.async { self.load(Self.session) }
    case .staticInThread: Thread.detachNewThread { self.load(Self.session) }
    case .propertyOnQueue: DispatchQueue.global().async { self.load(self.session) }
    case .chained:
      Self.session.dataTask(with: Self.url) { _, _, _ in
        DispatchQueue.global().async { self.load(Self.session) }
      }.resume()
    }
  }

  private func load(_ session: URLSession) {
    session.dataTask(with: Self.url) { data, _, _ in self.reply(data) }.resume()
  }

  private func fetch(_ session: URLSession) async {
    reply(try? await session.data(from: Self.url).0)
  }

  private func reply(_ data: Data?) {
    content.body = data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    handler?(content)
  }
}

/// Phones of one test process, each with its own network.
@Suite("Several phones in one process", .timeLimit(.minutes(10)))
struct ParallelPhoneTests {
  private static func body(of number: Int, _ place: SessionPlace) async throws -> String? {
    let text = ScriptedNetwork.Response(body: .bytes(Array("phone \(number)".utf8)))
    var behavior = HostBehavior()
    // Beside other tests the limit is a twentieth of it.
    behavior.unseenWorkLimit = .seconds(600)
    let phone = try TestPhone(["https://a/text": text], behavior: behavior) { FetchingExtension() }
    let report = try await phone.deliver(
      """
      {"aps": {"alert": "Hello", "mutable-content": 1}, "place": "\(place.rawValue)"}
      """)
    return report.content?.body
  }

  @Test("of 10 phones in turn, each sees its own network", arguments: SessionPlace.allCases)
  func serial(place: SessionPlace) async throws {
    for number in 0..<10 {
      #expect(try await Self.body(of: number, place) == "phone \(number)")
    }
  }

  @Test("of 200 phones at once, each sees its own network", arguments: SessionPlace.allCases)
  func parallel(place: SessionPlace) async throws {
    let mixedUp = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { try await Self.body(of: number, place) != "phone \(number)" }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    print("\(place): \(mixedUp) mixed up of 200")
    #expect(mixedUp == 0)
  }
}
