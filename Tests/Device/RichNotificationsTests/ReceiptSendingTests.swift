import MediaLoading
import Testing

@testable import RichNotifications

@Suite("The state machine that sends receipts")
struct ReceiptSendingTests {
  static func receipts(_ count: Int) -> [Receipt] {
    (0..<count).map { ReceiptTests.receipt("\($0)") }
  }

  /// Responds to every request until the end.
  private static func run(
    _ receipts: [Receipt], _ answer: ([Receipt]) -> ReceiptSending.Event
  ) -> (report: ReceiptReport, requests: [Int], removed: [Receipt.ID]) {
    var sending = ReceiptSending()
    var action = sending.on(.began(receipts))
    var requests: [Int] = []
    var removed: [Receipt.ID] = []
    while true {
      removed += action.removing
      switch action.next {
      case .post(let batch):
        requests.append(batch.count)
        action = sending.on(answer(batch))
      case .finish(let report): return (report, requests, removed)
      case .nothing:
        Issue.record("it stopped")
        return (ReceiptReport(), requests, removed)
      }
    }
  }

  @Test(
    "a hundred go in one request, one more in a second",
    arguments: [
      (0, []), (1, [1]), (99, [99]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50]),
    ])
  func batches(count: Int, requests: [Int]) {
    let receipts = Self.receipts(count)
    let result = Self.run(receipts) { _ in .answered(200) }
    #expect(result.requests == requests)
    #expect(result.removed == receipts.map(\.id))
    #expect(result.report.sent == count && result.report.kept == 0 && result.report.note == nil)
  }

  @Test("any 2xx accepts the receipts", arguments: [200, 201, 202, 204, 299])
  func taken(status: Int) {
    #expect(Self.run(Self.receipts(2)) { _ in .answered(status) }.report.sent == 2)
  }

  @Test(
    "an answer that says nothing of the receipts keeps all receipts after one request",
    arguments: [
      100, 301, 302, 307, 401, 402, 403, 404, 405, 408, 409, 410, 415, 425, 429, 451, 499, 500, 502,
      503, 504, 599, 0, -1, 700,
    ])
  func later(status: Int) {
    let result = Self.run(Self.receipts(250)) { _ in .answered(status) }
    #expect(result.requests == [100])
    #expect(result.removed.isEmpty)
    #expect(result.report.kept == 250 && result.report.dropped.isEmpty)
    #expect(result.report.note?.contains("\(status)") == true)
  }

  @Test("no response keeps all receipts after one request")
  func offline() {
    let result = Self.run(Self.receipts(250)) { _ in
      .failed(MediaLoadError(.offline, "no network"))
    }
    #expect(result.requests == [100] && result.removed.isEmpty && result.report.kept == 250)
    #expect(result.report.note == "the server could not be reached: no network")
  }

  @Test("one invalid receipt of a hundred is found and dropped", arguments: [400, 413, 422])
  func faulty(status: Int) {
    let receipts = Self.receipts(100)
    let bad = receipts[37]
    let result = Self.run(receipts) { .answered($0.contains(bad) ? status : 202) }
    #expect(result.report.dropped == [.init(id: bad.id, status: status)])
    #expect(result.report.sent == 99 && result.report.kept == 0)
    #expect(result.requests.count <= 15)
    #expect(result.removed.sorted() == receipts.map(\.id).sorted())
  }

  @Test("at most 32 requests are made")
  func hopeless() {
    let result = Self.run(Self.receipts(500)) { _ in .answered(422) }
    #expect(result.requests.count == ReceiptSending.maximumRequests)
    #expect(result.report.dropped.count + result.report.kept == 500)
    #expect(result.removed == result.report.dropped.map(\.id))
    #expect(result.report.note != nil)
  }

  @Test("an unexpected response changes nothing")
  func stray() {
    var sending = ReceiptSending()
    #expect(sending.on(.answered(200)).next == .nothing)
    _ = sending.on(.began(Self.receipts(1)))
    _ = sending.on(.answered(503))
    #expect(sending.on(.answered(200)) == .init(next: .nothing))
    #expect(sending.on(.failed(MediaLoadError(.network, ""))) == .init(next: .nothing))
  }
}
