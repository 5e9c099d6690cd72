import Foundation
import MediaLoading
import PushPayload

/// A sink that forwards a response to an extension process and waits for its dispositions.
final class ChildSink: MediaSink {
  typealias Answer = @Sendable (_ stops: Bool) -> Void

  /// The maximum size of a forwarded piece in bytes.
  private static let pieceSize = 65_536
  /// The seconds after which a missing disposition counts as a stop.
  private static let timeout = 30.0

  private let ended: @Sendable (MediaLoadError?) -> Void
  private let call: @Sendable (@escaping Answer, (Int, Int) -> Frame<HostMessage>) -> Void

  /// Creates a sink.
  ///
  /// `call` passes the numbers of the call and of the load to its frame closure.
  init(
    ended: @escaping @Sendable (MediaLoadError?) -> Void,
    call: @escaping @Sendable (@escaping Answer, (Int, Int) -> Frame<HostMessage>) -> Void
  ) {
    self.ended = ended
    self.call = call
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    ask { .message(.head(call: $0, load: $1, status: head.status, headers: head.headers)) }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Self.pieceSize))
      rest = rest.dropFirst(piece.count)
      guard ask({ .piece(call: $0, load: $1, piece) }) == .proceed else { return .stop }
    }
    return .proceed
  }

  func finish(_ error: MediaLoadError?) { ended(error) }

  private func ask(_ frame: (Int, Int) -> Frame<HostMessage>) -> MediaLoadDisposition {
    let stops = Locked(true)
    let answered = DispatchSemaphore(value: 0)
    call(
      { answer in
        stops.withLock { $0 = answer }
        answered.signal()
      }, frame)
    guard answered.wait(timeout: .now() + Self.timeout) == .success else { return .stop }
    return stops.withLock { $0 } ? .stop : .proceed
  }
}
