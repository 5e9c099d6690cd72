import MediaLoading
import Synchronization

/// A sink that records a load and stops as configured.
final class RecordingSink: MediaSink {
  struct Result: Sendable {
    var heads: [MediaResponseHead] = []
    var bytes: [UInt8] = []
    var error: MediaLoadError?
    var ends = 0

    var head: MediaResponseHead? { heads.first }
  }

  private let state = Mutex(Result())
  private let refusesHead: Bool
  private let limit: Int
  private let (pieces, piece) = AsyncStream<Void>.makeStream()
  private let (ended, end) = AsyncStream<Void>.makeStream()

  /// - Parameters:
  ///   - refusesHead: Whether it stops at the head.
  ///   - limit: From how many bytes on it stops.
  init(refusesHead: Bool = false, limit: Int = .max) {
    self.refusesHead = refusesHead
    self.limit = limit
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    state.withLock { $0.heads.append(head) }
    return refusesHead ? .stop : .proceed
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    let bytes = Array(bytes)
    let count = state.withLock {
      $0.bytes += bytes
      return $0.bytes.count
    }
    piece.yield()
    return count >= limit ? .stop : .proceed
  }

  func finish(_ error: MediaLoadError?) {
    state.withLock {
      $0.error = error
      $0.ends += 1
    }
    end.yield()
  }

  func firstPiece() async { for await _ in pieces { break } }

  func result() async -> Result {
    for await _ in ended { break }
    return state.withLock { $0 }
  }
}
