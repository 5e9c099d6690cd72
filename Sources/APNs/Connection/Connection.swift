import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// One connection to APNs: the channel, what the pushes on it have come to, and its signs of life.
final class Connection {
  var state = ConnectionState()
  var keepAlive: KeepAlive
  let channel: HTTP2Channel
  /// Whom it trusts, and as whom it was opened.
  let trust: TLSContext
  /// The provider token of its pushes.
  var token: ProviderTokenSource.Token?
  /// The watch of its socket, and for what.
  var watch: EventLoop.Registration?
  private(set) var watched: EventLoop.Readiness
  /// Its time to open; `nil` once it is open.
  var opening: EventLoop.Registration?
  /// When it last had a push.
  private(set) var lastSent = ContinuousClock.now
  /// When the last push was answered here, at first when it was made.
  private(set) var lastAnswered = ContinuousClock.now

  init(_ channel: HTTP2Channel, trust: TLSContext, keepAlive: KeepAlive) {
    self.channel = channel
    self.trust = trust
    self.keepAlive = keepAlive
    watched = channel.interest
  }

  /// Takes what came and says what it means for the pushes.
  func receive() throws -> [ConnectionState.Effect] { process(try channel.receive()) }

  /// Takes what APNs said before it closed, once writing has failed.
  func receiveRest() -> [ConnectionState.Effect] { process(channel.receiveRest()) }

  /// Writes what the socket takes.
  func flush() throws -> [ConnectionState.Effect] { process(try channel.flush()) }

  /// Puts a push on a stream.
  func send(
    _ push: PushReference, _ headers: HeaderBlock, body: [UInt8],
    answerLimit: Int = PushAnswer.maxBody
  ) throws {
    let stream = try channel.session.submitRequest(headers, body: body)
    state.opened(stream, for: push, bodyLimit: answerLimit)
    if state.inFlightCount == 1 { lastSent = .now }
  }

  /// Ends the streams of pushes whose time is over, and says what became of those.
  func expire(_ pushes: Set<PushKey>, _ why: String) -> [(PushReference, PushResult)] {
    state.expire(pushes, why).map { stream, push, result in
      channel.session.submitReset(stream: stream, code: .cancel)
      return (push, result)
    }
  }

  /// What its peer's silence asks for.
  func checkKeepAlive(at now: ContinuousClock.Instant) -> KeepAlive.Action {
    keepAlive.on(
      now: now,
      lastReceived: max(channel.lastReceived, state.isIdle ? channel.lastReceived : lastSent),
      owesAnswers: !state.isIdle)
  }

  /// Whether nothing will come any more.
  var isFinished: Bool {
    state.isIdle && (state.retirement != nil || channel.session.isFinished)
  }

  /// Whether the session gave the connection up while answers are due: the peer broke the protocol.
  var isBroken: Bool { channel.isOpen && channel.session.isFinished && !state.isIdle }

  /// Watches the socket for what the channel waits for.
  func rewatch(on loop: EventLoop) {
    guard let watch, watched != channel.interest else { return }
    loop.change(watch, to: channel.interest)
    watched = channel.interest
  }

  /// Opens no stream any more, for the session would not.
  func retire(_ error: any Error) {
    retireIfRefusing()
    state.retire("\(error)")
  }

  /// A session that found a fault refuses all further requests itself, however often they are tried.
  private func retireIfRefusing() {
    let session = channel.session
    guard !session.takesRequests else { return }
    state.retire(
      session.isUsedUp ? "all its streams are used up" : "APNs sent what HTTP/2 does not allow")
  }

  private func process(_ events: [HTTP2Session.Event]) -> [ConnectionState.Effect] {
    defer { retireIfRefusing() }
    guard !events.isEmpty else { return [] }
    let effects = state.on(events, streamLimit: channel.session.remoteStreamLimit)
    for case .ended(let stream) in effects {
      channel.session.submitReset(stream: stream, code: .cancel)
    }
    if effects.contains(where: \.isAnswer) { lastAnswered = .now }
    return effects
  }
}
