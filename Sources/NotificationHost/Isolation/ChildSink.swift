import Foundation
import MediaLoading

/// Hands an answer of the network to an extension in a process of its own, and asks it each time
/// whether to go on.
final class ChildSink: MediaSink {
  typealias Answer = @Sendable (_ stops: Bool) -> Void

  /// A larger piece goes in several.
  private static let pieceSize = 65_536
  /// Who does not answer that long is not asked any more; its time is over then, too.
  private static let patience = 30.0

  private let ended: @Sendable (MediaLoadError?) -> Void
  private let call: @Sendable (@escaping Answer, (Int, Int) -> Frame<HostMessage>) -> Void

  /// `call` makes a frame for the number of the call and that of the load.
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
    let stops = HostLocked(true)
    let answered = DispatchSemaphore(value: 0)
    call(
      { answer in
        stops.withLock { $0 = answer }
        answered.signal()
      }, frame)
    guard answered.wait(timeout: .now() + Self.patience) == .success else { return .stop }
    return stops.withLock { $0 } ? .stop : .proceed
  }
}
