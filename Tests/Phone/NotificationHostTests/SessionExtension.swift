import Foundation
import NotificationHost
import NotificationHostTesting
import Synchronization
import UserNotifications

/// An extension that uses sessions, and whose body is a text.
///
/// `@unchecked Sendable`: its properties are constants.
final class SessionExtension: UNNotificationServiceExtension, @unchecked Sendable {
  typealias Work = @Sendable (_ reply: @escaping @Sendable (String) -> Void) -> Void

  private let work: Work

  init(_ work: @escaping Work) {
    self.work = work
    super.init()
  }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let handler = Handler(call: contentHandler)
    work { text in
      let content = UNMutableNotificationContent()
      content.body = text
      handler.call(content)
    }
  }

  /// `@unchecked Sendable`: the content handler may be called on any thread.
  private struct Handler: @unchecked Sendable {
    let call: (UNNotificationContent) -> Void
  }

  /// Delivers a push to a phone whose extension does some work.
  static func deliver(
    _ responses: [String: ScriptedNetwork.Response] = [:],
    app edit: (inout VirtualPhone.App) -> Void = { _ in }, _ work: @escaping Work
  ) async throws -> DeliveryReport {
    let phone = try TestPhone(responses, app: edit) { SessionExtension(work) }
    return try await phone.deliver(#"{"aps": {"alert": "Original", "mutable-content": 1}}"#)
  }

  /// Delivers a push to a phone whose extension awaits a text.
  static func deliver(
    _ responses: [String: ScriptedNetwork.Response] = [:],
    app edit: (inout VirtualPhone.App) -> Void = { _ in },
    awaiting text: @escaping @Sendable () async throws -> String
  ) async throws -> DeliveryReport {
    try await deliver(responses, app: edit) { reply in
      Task {
        do { reply(try await text()) } catch { reply(describe(error)) }
      }
    }
  }

  /// The number of a `URLError`, such as `error -1001`.
  static func describe(_ error: (any Error)?) -> String {
    guard let error else { return "no error" }
    return (error as? URLError).map { "error \($0.errorCode)" } ?? "\(error)"
  }

  /// A request for a test.
  static func request(
    _ address: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
  ) -> URLRequest {
    var request = URLRequest(url: URL(string: address) ?? URL(fileURLWithPath: "/"))
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    request.httpBody = body.map { Data($0.utf8) }
    return request
  }
}

extension ScriptedNetwork.Response {
  /// A response with a text.
  static func text(_ text: String, status: Int = 200, _ headers: [String: String] = [:]) -> Self {
    Self(status: status, headers: headers, body: .bytes(Array(text.utf8)))
  }

  /// A redirect.
  static func redirect(_ status: Int, to address: String) -> Self {
    Self(status: status, headers: ["Location": address])
  }
}

/// Lines that several threads write.
final class Log: Sendable {
  private let entries = Mutex<[String]>([])

  var lines: [String] { entries.withLock { $0 } }
  var text: String { lines.joined(separator: "\n") }

  func add(_ line: String) { entries.withLock { $0.append(line) } }
}
