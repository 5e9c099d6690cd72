import _HTTP2
import _HTTP2Channel

/// One connection to APNs: the channel and what the pushes on it have come to.
final class Connection {
  var state = ConnectionState()
  let channel: HTTP2Channel

  init(_ channel: HTTP2Channel) { self.channel = channel }

  /// Takes what came and says what it means for the pushes.
  func receive() throws -> [ConnectionState.Effect] { process(try channel.receive()) }

  /// Writes what the socket takes.
  func flush() throws -> [ConnectionState.Effect] { process(try channel.flush()) }

  /// Puts a push on a stream.
  func send(_ push: PushReference, _ headers: HeaderBlock, body: [UInt8]) throws {
    state.opened(try channel.session.submitRequest(headers, body: body), for: push)
  }

  /// Ends the streams of pushes whose time is over, and says whose they were.
  func expire(_ pushes: Set<PushPlace>) -> [PushReference] {
    state.expire(pushes).map { stream, push in
      channel.session.submitReset(stream: stream, code: .cancel)
      return push
    }
  }

  /// Whether nothing will come any more.
  var isFinished: Bool {
    state.isIdle && (state.retirement != nil || channel.session.isFinished)
  }

  private func process(_ events: [HTTP2Session.Event]) -> [ConnectionState.Effect] {
    guard !events.isEmpty else { return [] }
    let limit = channel.session.remoteStreamLimit
    return events.compactMap { state.on($0, streamLimit: limit) }
  }
}
