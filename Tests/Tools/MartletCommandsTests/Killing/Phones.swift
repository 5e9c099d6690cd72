import PushPayload
import Synchronization

@testable import MartletCommands

/// Phones that change their badge and report receipts of a send while nodes are killed.
///
/// Each makes one request after the other, again until it is answered, at one node after the other. What was answered must
/// be stored in the end.
final class Phones: Sendable {
  static func id(_ number: Int) -> String { "phone-\(number)" }
  static func token(_ number: Int) -> String { String(0xf0_0000 + number, radix: 16) }

  private struct State {
    var clients: [ServerClient]
    /// The last badge of each phone that was answered, and the one that was sent last.
    var badges: [Int: (answered: Int64, sent: Int64)] = [:]
    var delivered: Set<Int> = []
    var requests = 0
    var isOver = false
  }

  private let notification: String
  private let state: Mutex<State>
  private let tasks = Mutex<[Task<Void, Never>]>([])

  /// Starts the phones.
  ///
  /// - Parameters:
  ///   - notification: The send whose receipts are reported.
  ///   - clients: The nodes, with a key that may report.
  init(_ count: Int, reporting notification: String, to clients: [ServerClient]) {
    self.notification = notification
    state = Mutex(State(clients: clients))
    let tasks = (0..<count).map { phone in Task { await self.run(phone) } }
    self.tasks.withLock { $0 = tasks }
  }

  /// Replaces the nodes.
  func use(_ clients: [ServerClient]) { state.withLock { $0.clients = clients } }

  private func run(_ phone: Int) async {
    var badge: Int64 = 0
    while !state.withLock(\.isOver) {
      badge += 1
      state.withLock { [badge] in $0.badges[phone, default: (0, 0)].sent = badge }
      let device: JSONValue = ["device": ["badge": .integer(badge)]]
      guard await repeated("PUT", "/v6/devices/\(Self.id(phone))", device, from: phone) else {
        return
      }
      state.withLock { [badge] in $0.badges[phone]?.answered = badge }
      let receipt: JSONValue = [
        "id": .string("\(phone)"), "notification_id": .string(notification),
        "device_id": .string(Self.id(phone)), "event": "received", "at": "2026-01-01T00:00:00Z",
      ]
      guard await repeated("POST", "/v6/receipts", ["receipts": [receipt]], from: phone) else {
        return
      }
      state.withLock { _ = $0.delivered.insert(phone) }
    }
  }

  /// Makes a request until it is answered; `false` where the phones were stopped before.
  private func repeated(
    _ method: String, _ path: String, _ body: JSONValue, from phone: Int
  ) async -> Bool {
    var attempt = phone
    while true {
      let client = state.withLock { state -> ServerClient? in
        state.isOver ? nil : state.clients[attempt % state.clients.count]
      }
      guard let client else { return false }
      if (try? await client.request(method, path, body: body.serialized())) != nil { break }
      attempt += 1
      await Task.yield()
    }
    state.withLock { $0.requests += 1 }
    return true
  }

  /// Stops the phones, and says what a node does not have that was answered; empty where it has all.
  func losses(at client: ServerClient) async throws -> (lost: [String], requests: Int) {
    state.withLock { $0.isOver = true }
    for task in tasks.withLock(\.self) { await task.value }
    var lost: [String] = []
    for (phone, badge) in state.withLock(\.badges).sorted(by: { $0.key < $1.key }) {
      let device = try await client.patientRequest("GET", "/v6/devices/\(Self.id(phone))")
      let stored = device["devices"]?["badge"]?.integer ?? 0
      // A request without an answer may have been stored, too.
      if !(badge.answered...badge.sent).contains(stored) {
        lost.append("badge \(badge.answered) of phone \(phone), which has \(stored)")
      }
    }
    let delivered = state.withLock(\.delivered).count
    let send = try await client.patientRequest("GET", "/v6/notifications/\(notification)")
    let counted = Int(send["counts"]?["delivered"]?.integer ?? 0)
    if counted < delivered || counted > state.withLock(\.badges).count {
      lost.append("\(delivered) receipts were answered, and \(counted) are counted")
    }
    return (lost, state.withLock(\.requests))
  }
}
