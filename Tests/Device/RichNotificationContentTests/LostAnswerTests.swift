import Foundation
import MediaLoading
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing

/// A server that counts each receipt once, like Martlet's, over a network that loses requests and answers.
private final class LossyServer: HTTPPosting {
  struct State {
    var random: SeededGenerator
    /// The share of requests that get no answer, half of them after they were counted.
    var losses: Double
    var counted: [String: JSONValue] = [:]
    var repeats = 0
  }

  let state: Mutex<State>

  init(seed: UInt64, losses: Double) {
    state = Mutex(State(random: SeededGenerator(seed: seed), losses: losses))
  }

  func post(
    _ post: HTTPPost,
    completion: @escaping @Sendable (Result<Int, MediaLoadError>) -> Void
  ) {
    let status = state.withLock { state -> Int? in
      let isLost = Double.random(in: 0..<1, using: &state.random) < state.losses
      if isLost, Bool.random(using: &state.random) { return nil }
      let receipts = (try? JSONValue(parsing: Data(post.body)))?["receipts"]?.array ?? []
      for receipt in receipts {
        guard let id = receipt["id"]?.string else { return 422 }
        if state.counted[id] == nil { state.counted[id] = receipt } else { state.repeats += 1 }
      }
      return isLost ? nil : 202
    }
    completion(status.map { .success($0) } ?? .failure(MediaLoadError(.network, "lost")))
  }
}

@Suite("Receipts of expanded notifications over a network that loses answers")
struct LostAnswerTests {
  private let folder = TemporaryFolder()

  @Test("every receipt is counted exactly once, with what was reported first", arguments: 1...40)
  func exactlyOnce(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let server = LossyServer(seed: seed &* 7919, losses: 0.6)
    let settings = ReceiptSettings(
      endpoint: try #require(URL(string: "https://push.example.com/v6/receipts")),
      deviceKey: "KEY", deviceID: "d", folder: folder.url)
    let sender = ReceiptSender(settings, poster: server)
    var expected: Set<Receipt.ID> = []
    for _ in 0..<Int.random(in: 20...60, using: &random) {
      if Int.random(in: 0..<3, using: &random) == 0 {
        // The extension's next run, or the app.
        _ = await sender.resend()
        continue
      }
      let event = try #require(
        [Receipt.Event.templateViewed, .templatePage, .templateAnswered, .opened].randomElement(
          using: &random))
      let receipt = Receipt(
        notificationID: "n\(Int.random(in: 0..<3, using: &random))", deviceID: "d", event: event,
        at: Date(timeIntervalSince1970: Double.random(in: 0..<1e9, using: &random)),
        page: event == .templatePage ? Int.random(in: 0..<4, using: &random) : nil,
        dwell: event == .templatePage ? .seconds(Int.random(in: 0..<9, using: &random)) : nil,
        value: event == .templateAnswered ? "\(Int.random(in: 1...5, using: &random))" : nil)
      expected.insert(receipt.id)
      try settings.queue.add(receipt)
    }
    server.state.withLock { $0.losses = 0 }
    let report = await sender.resend()
    #expect(report.kept == 0 && report.dropped.isEmpty)
    #expect(settings.queue.waiting().isEmpty)
    #expect(Set(server.state.withLock { $0.counted.keys }) == expected)
  }
}
