import APNsTestSupport
import Testing
import _HTTP2

@testable import APNs

@Suite("Connection state")
struct ConnectionStateTests {
  let first = PushReference(batch: 0, index: 0)
  let second = PushReference(batch: 0, index: 1)

  private func open(_ pushes: [PushReference]) -> ConnectionState {
    var state = ConnectionState()
    _ = state.on(.settings, streamLimit: 100)
    for (index, push) in pushes.enumerated() { state.opened(Int32(index * 2 + 1), for: push) }
    return state
  }

  @Test("one stream is open until the peer's SETTINGS frame arrives")
  func slowStart() {
    var state = ConnectionState()
    #expect(state.canOpenStream)
    state.opened(1, for: first)
    #expect(!state.canOpenStream)
    _ = state.on(.settings, streamLimit: 2)
    #expect(state.canOpenStream)
    state.opened(3, for: second)
    #expect(!state.canOpenStream)
  }

  @Test(
    "with a provider token one stream is allowed until a response accepts the token",
    arguments: [(200, 100), (410, 100), (500, 100), (403, 1), (103, 1)])
  func oneUntilAnswer(status: Int, streams: Int) {
    var state = ConnectionState(awaitsAnswer: true)
    _ = state.on(.settings, streamLimit: 100)
    #expect(state.freeStreams == 1 && state.isStarting)
    state.opened(1, for: first)
    #expect(!state.canOpenStream)
    _ = state.on(
      .headers(stream: 1, fields: [HeaderField(":status", "\(status)")], isLast: true),
      streamLimit: 100)
    _ = state.on(.closed(stream: 1, code: .noError), streamLimit: 100)
    #expect(state.freeStreams == streams)
    #expect(state.isStarting == (streams == 1))
  }

  @Test(
    "the first response ends the slow start, whatever the stream limit is", arguments: [0, 1, 2])
  func lowLimit(limit: Int) {
    var state = ConnectionState(awaitsAnswer: true)
    state.opened(1, for: first)
    _ = state.on(
      .headers(stream: 1, fields: [HeaderField(":status", "200")], isLast: true),
      streamLimit: limit)
    _ = state.on(.closed(stream: 1, code: .noError), streamLimit: limit)
    #expect(!state.isStarting)
    #expect(state.freeStreams == limit)
  }

  @Test("a response before SETTINGS ends the slow start, too")
  func answerEndsSlowStart() {
    var state = ConnectionState()
    state.opened(1, for: first)
    _ = state.on(
      .headers(stream: 1, fields: [HeaderField(":status", "200")], isLast: true), streamLimit: 5)
    #expect(state.canOpenStream)
  }

  @Test("a lowered stream limit is respected, and without one 1000 streams are allowed")
  func limits() {
    var state = open([first])
    _ = state.on(.settings, streamLimit: 1)
    #expect(!state.canOpenStream)
    _ = state.on(.settings, streamLimit: 0)
    #expect(!state.canOpenStream)
    _ = state.on(.settings, streamLimit: nil)
    for number in 1..<1000 { state.opened(Int32(number * 2 + 1), for: second) }
    #expect(!state.canOpenStream)
  }

  @Test(
    "at most 1000 streams are open, however many the peer allows",
    arguments: [(999, 999), (1000, 1000), (1001, 1000), (Int.max, 1000), (nil, 1000)])
  func mostStreams(limit: Int?, streams: Int) {
    var state = ConnectionState()
    _ = state.on(.settings, streamLimit: limit)
    #expect(state.freeStreams == streams)
  }

  @Test(
    "after GOAWAY no stream opens, and those above its last stream identifier were not processed")
  func goAway() {
    var state = open([first, second])
    _ = state.on(
      .goAway(lastStream: 1, code: .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8)),
      streamLimit: 100)
    #expect(!state.canOpenStream)
    #expect(state.retirement?.contains("Shutdown") == true)
    let effects = state.lost("gone")
    guard case .finished(first, .maybeSent("gone")) = effects[0], case .refused(second) = effects[1]
    else {
      Issue.record("\(effects)")
      return
    }
    #expect(state.isIdle)
  }

  @Test("the reason of a GOAWAY has at most 64 bytes", arguments: [64, 65])
  func longReason(count: Int) {
    let word = String(repeating: "x", count: count)
    var state = open([first])
    _ = state.on(
      .goAway(lastStream: 1, code: .noError, debugData: Array(#"{"reason":"\#(word)"}"#.utf8)),
      streamLimit: 100)
    #expect(state.retirement?.contains(word) == (count == 64))
  }

  @Test(
    "a stream reset with REFUSED_STREAM was not processed, with any other code it is maybe sent")
  func resets() {
    var state = open([first, second])
    guard
      case .refused(first)? = state.on(
        .closed(stream: 1, code: .refusedStream), streamLimit: 100)
    else {
      Issue.record("not refused")
      return
    }
    guard
      case .finished(second, .maybeSent)? = state.on(
        .closed(stream: 3, code: .internalError), streamLimit: 100)
    else {
      Issue.record("not maybe sent")
      return
    }
    #expect(state.on(.closed(stream: 3, code: .noError), streamLimit: 100) == nil)
  }

  @Test(
    "the time of a 410 is the answer's own, however far away it is, since without a time a device is removed",
    arguments: [-1, 0, 1_700_000_000_123, 253_402_300_800_000, Int64.max])
  func time(milliseconds: Int64) throws {
    var state = open([first])
    _ = state.on(
      .headers(stream: 1, fields: [HeaderField(":status", "410")], isLast: false), streamLimit: 1)
    let body = #"{"reason":"Unregistered","timestamp":\#(milliseconds)}"#
    _ = state.on(.data(stream: 1, bytes: Array(body.utf8)), streamLimit: 1)
    guard case .finished(first, let result) = try #require(state.lost("gone").first) else {
      Issue.record("not finished")
      return
    }
    #expect(result.outcome(ofID: "x").inactiveSince == milliseconds)
  }

  @Test("a response that arrived before the connection was lost counts")
  func answeredThenLost() throws {
    var state = open([first])
    _ = state.on(
      .headers(stream: 1, fields: [HeaderField(":status", "410")], isLast: false), streamLimit: 1)
    _ = state.on(
      .data(stream: 1, bytes: Array(#"{"reason":"Unregistered","timestamp":17}"#.utf8)),
      streamLimit: 1)
    guard case .finished(first, let result) = try #require(state.lost("gone").first) else {
      Issue.record("not finished")
      return
    }
    let outcome = result.outcome(ofID: "x")
    #expect(outcome.status == 410)
    #expect(outcome.reason == .unregistered)
    #expect(outcome.inactiveSince == 17)
  }

  @Test("a response body that is not JSON gives no reason, however long it is")
  func bodyCap() {
    var answer = PushAnswer()
    answer.receive([HeaderField(":status", "500")])
    for _ in 0..<100 { answer.receive([UInt8](repeating: 0x7b, count: 1000)) }
    let outcome = answer.outcome(ofID: "x")
    #expect(outcome.status == 500)
    #expect(outcome.reason == nil)
  }

  @Test(
    "a response body at the limit is read whole, and one byte more truncates it",
    arguments: [PushAnswer.maxBody, ChannelCall.listLimit], [0, 1])
  func bodyLimit(limit: Int, more: Int) {
    var answer = PushAnswer(bodyLimit: limit)
    answer.receive([HeaderField(":status", "400")])
    let json = #"{"reason":"BadTopic"}"#
    answer.receive(Array(json.utf8))
    answer.receive([UInt8](repeating: 0x20, count: limit - json.utf8.count + more))
    #expect(answer.body.count == limit)
    #expect(answer.isCut == (more > 0))
    #expect(answer.reason == .badTopic)
  }
}

@Suite("Send queue")
struct SendQueueTests {
  let start = ContinuousClock.now

  private func nextPush(from queue: inout SendQueue) throws -> PushReference {
    let next = queue.next(upTo: 1)
    return try #require(next?.pushes.first)
  }

  @Test("pushes are sent in order, and the outcomes of a batch are in order")
  func order() throws {
    var queue = SendQueue()
    let batch = pushes(3)
    let number = queue.add(.pushes(batch), deadline: start)
    var taken: [PushReference] = []
    while case let (.pushes(notifications), references)? = queue.next(upTo: 2) {
      #expect(references.count <= 2)
      #expect(notifications == batch)
      taken += references
    }
    #expect(taken.map(\.index) == [0, 1, 2])
    #expect(queue.finish(taken[2], .neverSent("c")) == nil)
    #expect(queue.finish(taken[0], .maybeSent("a")) == nil)
    let done = queue.finish(taken[1], .neverSent("b"))
    #expect(done?.batch == number)
    #expect(done?.outcomes.map(\.message) == ["a", "b", "c"])
    #expect(queue.isEmpty)
  }

  @Test("a push has one outcome")
  func once() throws {
    var queue = SendQueue()
    _ = queue.add(.pushes(pushes(2)), deadline: start)
    let reference = try nextPush(from: &queue)
    #expect(queue.finish(reference, .maybeSent("first")) == nil)
    #expect(queue.finish(reference, .neverSent("second")) == nil)
    let other = try nextPush(from: &queue)
    #expect(queue.finish(other, .neverSent(""))?.outcomes.first?.message == "first")
  }

  @Test(
    "the queue admits pushes up to its limit, and the rest later in order",
    arguments: [1, 4, 5, 100])
  func limit(limit: Int) {
    var queue = SendQueue(limit: limit)
    let numbers = [2, 1, 3].map { queue.add(.pushes(pushes($0)), deadline: start) }
    #expect(queue.waitingCount == min(limit, 6))
    #expect(queue.room == max(0, limit - 6))
    var taken: [Int] = []
    while let next = queue.next(upTo: 2) {
      taken += next.pushes.map(\.batch)
      #expect(queue.waitingCount <= min(limit, 6 - taken.count))
    }
    #expect(taken == [numbers[0], numbers[0], numbers[1], numbers[2], numbers[2], numbers[2]])
    #expect(queue.room == limit)
  }

  @Test("a batch that may not wait outside the queue fills the room there is")
  func room() {
    var queue = SendQueue(limit: 3)
    _ = queue.add(.pushes(pushes(2)), deadline: start, upTo: queue.room)
    let second = queue.add(.pushes(pushes(2)), deadline: start, upTo: queue.room)
    #expect(queue.waitingCount == 3 && queue.room == 0)
    let third = queue.add(.pushes(pushes(1)), deadline: start, upTo: queue.room)
    var taken: [PushReference] = []
    while let next = queue.next(upTo: 5) { taken += next.pushes }
    #expect(taken.map(\.index) == [0, 1, 0])
    #expect(queue.open(in: second).count == 2 && queue.open(in: third).count == 1)
  }

  @Test("restored pushes count toward the limit, and none is admitted beyond it")
  func restored() {
    var queue = SendQueue(limit: 4)
    _ = queue.add(.pushes(pushes(10)), deadline: start)
    let taken = queue.next(upTo: 3)?.pushes ?? []
    #expect(taken.map(\.index) == [0, 1, 2])
    queue.restore(taken[1...])
    let isWaiting = queue.hasWaiting
    #expect(isWaiting && queue.waitingCount == 4)
    #expect(queue.next(upTo: 10)?.pushes.map(\.index) == [1, 2, 3, 4])
  }

  @Test("pushes finished outside the queue do not block those behind them")
  func settledOutside() throws {
    var queue = SendQueue(limit: 1)
    _ = queue.add(.pushes(pushes(1)), deadline: start)
    let given = queue.add(.pushes(pushes(3)), deadline: start)
    let last = queue.add(.pushes(pushes(1)), deadline: start)
    for push in queue.open(in: given) { _ = queue.finish(push, .neverSent("")) }
    _ = try nextPush(from: &queue)
    let isWaiting = queue.hasWaiting
    #expect(isWaiting)
    #expect(try nextPush(from: &queue).batch == last)
    let isLeft = queue.hasWaiting
    #expect(!isLeft)
  }

  @Test("a refused push is sent before those that were never sent")
  func refusedFirst() throws {
    var queue = SendQueue()
    _ = queue.add(.pushes(pushes(3)), deadline: start)
    let reference = try nextPush(from: &queue)
    let isBack = queue.putBack(reference)
    #expect(isBack)
    #expect(try nextPush(from: &queue).index == 0)
    #expect(try nextPush(from: &queue).index == 1)
  }

  @Test("a push refused more than a hundred times is never sent")
  func refusals() throws {
    var queue = SendQueue()
    _ = queue.add(.pushes(pushes(1)), deadline: start)
    for _ in 0..<SendQueue.maxRefusals {
      let reference = try nextPush(from: &queue)
      let isBack = queue.putBack(reference)
      #expect(isBack)
    }
    let reference = try nextPush(from: &queue)
    let isBack = queue.putBack(reference)
    #expect(!isBack, "it must be finished as never sent")
  }

  @Test("unfinished pushes of a batch expire at its deadline")
  func expiry() throws {
    var queue = SendQueue()
    _ = queue.add(.pushes(pushes(2)), deadline: start + .seconds(1))
    _ = queue.add(.pushes(pushes(1)), deadline: start + .seconds(2))
    let reference = try nextPush(from: &queue)
    _ = queue.finish(reference, .maybeSent(""))
    #expect(queue.nextDeadline == start + .seconds(1))
    #expect(queue.popExpired(now: start).isEmpty)
    let expired = queue.popExpired(now: start + .seconds(1))
    #expect(expired.map(\.index) == [1])
    for reference in expired { _ = queue.finish(reference, .neverSent("")) }
    #expect(queue.nextDeadline == start + .seconds(2))
    #expect(queue.popExpired(now: start + .seconds(9)).map(\.batch) == [1])
  }
}

extension ConnectionState {
  /// The effect of a single event, if it has one.
  mutating func on(_ event: HTTP2Session.Event, streamLimit: Int?) -> Effect? {
    on([event], streamLimit: streamLimit).first
  }
}
