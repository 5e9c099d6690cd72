import CMicroHTTPD
import Synchronization

/// A response body that is streamed in chunks.
///
/// A task takes a chunk from the stream when the connection has sent the one before. While there is
/// no chunk, the connection is suspended.
final class StreamedBody: Sendable {
  private struct State {
    var pending: ArraySlice<UInt8> = []
    var hasEnded = false
    var suspended: SuspendedConnection?
    var wantsMore: CheckedContinuation<Void, Never>?
    var pump: Task<Void, Never>?
  }

  private let state = Mutex(State())

  init(_ chunks: AsyncStream<[UInt8]>) {
    let pump = Task {
      // Once `end` cancels this task, asking for the next chunk terminates the stream.
      for await chunk in chunks where !chunk.isEmpty { await self.send(chunk) }
      self.end()
    }
    state.withLock { $0.pump = pump }
  }

  /// Ends the body, since the stream has ended, the peer disconnected, or the server stops.
  func end() {
    let (suspended, waiting, pump) = state.withLock {
      $0.hasEnded = true
      return ($0.suspended.take(), $0.wantsMore.take(), $0.pump.take())
    }
    pump?.cancel()
    suspended?.resume()
    waiting?.resume()
  }

  /// Returns when the chunk is sent, or dropped because the body has ended.
  private func send(_ chunk: [UInt8]) async {
    await withCheckedContinuation { continuation in
      let (suspended, ended) = state.withLock { state in
        guard !state.hasEnded else { return (nil as SuspendedConnection?, true) }
        state.pending = chunk[...]
        state.wantsMore = continuation
        return (state.suspended.take(), false)
      }
      suspended?.resume()
      if ended { continuation.resume() }
    }
  }

  /// Copies bytes for libmicrohttpd.
  ///
  /// - Returns: How many bytes were copied; 0 where there are none yet, and the connection is
  ///   suspended; or the library's mark of the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, connection: OpaquePointer) -> Int {
    var waiting: CheckedContinuation<Void, Never>?
    let count = state.withLock { state in
      guard state.pending.isEmpty else {
        let part = state.pending.prefix(buffer.count)
        unsafe buffer.copyBytes(from: part)
        state.pending.removeFirst(part.count)
        if state.pending.isEmpty { waiting = state.wantsMore.take() }
        return part.count
      }
      guard !state.hasEnded else { return martlet_mhd_end_of_stream }
      state.suspended = unsafe SuspendedConnection(suspending: connection)
      return 0
    }
    waiting?.resume()
    return count
  }
}
